"""Words of names and texts, for looking things up and for telling operators apart by name."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+(?:\d+[a-z]*)*|\d+(?:x\d+)*|[^\W\d_]+")
_NAME = re.compile(r"[^\W]\w*")
_DTYPE = frozenset({
    "bf16", "bfloat16", "bfloat", "f16", "fp16", "half", "float16", "f32", "fp32", "float", "float32", "i8",
    "int8", "i16", "int16", "i32", "int32", "i64", "int64", "u8", "uint8", "u16", "uint16", "u32", "uint32",
    "int", "uint", "int32idx"
})  # fmt: skip
#: Words of a name that say in which form, not what is computed.
_FORM = frozenset({
    "idx", "vec", "vector", "vectorized", "vectorised", "scalar", "kernel", "kernels", "op", "custom", "cc",
    "cpp", "impl", "tiling", "host", "of", "the", "t"
})  # fmt: skip
_SIZE = re.compile(r"\d+(?:x\d+)*|[ksnp]\d+")


def words(text: str) -> list[str]:
    """Words of a text in order, lower case; of a compound name also its parts: `leakyRelu_v2` gives itself, `leaky`,
    `relu`, `v2`."""
    found: list[str] = []
    for name in _NAME.findall(text):
        parts = [part.lower() for part in _WORD.findall(name)]
        whole = name.lower()
        found += parts
        if len(parts) > 1:
            found.append(whole)
    return found


def operator(name: str) -> tuple[str, ...]:
    """The words of a name that say what is computed: without sizes and words like `kernel`; and without its dtype, but
    two dtypes say something (a cast)."""
    parts = [part.lower() for part in _WORD.findall(name)]
    kept = [p for p in parts if p not in _FORM and not _SIZE.fullmatch(p)]
    others = [p for p in kept if p not in _DTYPE]
    return tuple(kept if len(kept) - len(others) > 1 else others)


def same_operator(name: str, other: str) -> bool:
    """Whether two names name one operator: `relu_bfloat16` and `vector_relu`, not `leaky_relu`."""
    one = operator(name)
    return bool(one) and "".join(one) == "".join(operator(other))
