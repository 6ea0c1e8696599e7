"""Kinds of elements, by the numbers that an operation's first argument packs (`include/kb_aie/kinds.h`)."""

from __future__ import annotations

KINDS = (
    "none", "i4", "u4", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bf16", "f32", "ci16", "ci32", "cbf16",
    "cf32", "acc32", "acc64", "accf32", "cacc64", "caccf32", "mask", "bfp16",
)  # fmt: skip
BITS = {
    "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "bf16": 16, "f32": 32, "ci16": 32, "ci32": 64, "cbf16": 32,
    "cf32": 64, "acc32": 32, "acc64": 64, "accf32": 32, "cacc64": 128, "caccf32": 64, "mask": 1, "bfp16": 9,
}  # fmt: skip
ACCUMULATORS = frozenset(("acc32", "acc64", "accf32", "cacc64", "caccf32"))
_ELEMENTS = {"bfloat": "bf16", "float": "f32", "double": "f64", "ptr": "i32"}


def unpacked(word: int, operands: int) -> tuple[str, ...]:
    """The kinds of a result and its operands, signs left out; further operands have that of the last."""
    bytes_ = [word >> 8 * i & 255 for i in range(4)]
    names = [KINDS[b] if b < len(KINDS) else "none" for b in bytes_]
    plain = [f"i{n[1:]}" if n[:1] == "u" else n for n in names]
    last = plain[max((i for i, n in enumerate(plain) if n != "none"), default=0)]
    return tuple([*plain, *[last] * max(0, operands - 3)][: operands + 1])


def bits(type_: str) -> int:
    """Bits of a value of a type."""
    if type_.startswith("<"):
        count, element = type_[1:-1].split(" x ", 1)
        return int(count) * bits(element)
    if type_.startswith("i") and type_[1:].isdigit():
        return int(type_[1:])
    return {"bfloat": 16, "half": 16, "double": 64}.get(type_, 32)


def of_type(type_: str) -> str:
    """The kind that an element of a type plainly is."""
    element = type_[1:-1].split(" x ", 1)[1] if type_.startswith("<") else type_
    return _ELEMENTS.get(element, element if element in BITS else "i32")


def is_vector(type_: str) -> bool:
    return type_.startswith("<") and bits(type_) >= 128
