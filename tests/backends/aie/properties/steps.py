"""One kernel that runs many operations, and what each of them must leave in the output.

A `Step` is an operation on operands of given types and sizes: its C++, its operands, its results and its oracle. A
`Program` lays the operands and the results of many steps out in two buffers; operands of the same type and draw share
their place. Rounding and saturation are the kernel's parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.backends.aie.oracles.conversions import from_bytes, to_bytes
from tests.backends.aie.oracles.numbers import BITS, FLOATS, INTS, State, Values, wide
from tests.backends.aie.properties.draws import drawn

ALIGNMENT = 64
PART = 12  # steps in a function of their own: large functions compile slowly


@dataclass(frozen=True)
class In:
    """An operand: a vector of `n` elements, or one element."""

    dtype: str
    n: int
    draw: str = "any"
    slot: int = 0
    scalar: bool = False


@dataclass(frozen=True)
class Expect:
    """What a result is: equal, or within a bound; `defined` leaves lanes out."""

    values: Any
    within: Any = None
    defined: Any = None
    bits: bool = False  # NaNs and zeros are compared bit by bit


Oracle = Callable[..., Sequence["Expect | Values"]]


@dataclass(frozen=True)
class Step:
    """`code` makes r0, r1 … of the operands a, b, c …; `outs` are their kinds: an element type with a count, `mask`, an
    accumulator's tag, `value:TYPE` for a scalar, or `bool`; with `!` behind an element type the code itself writes to
    `@r0`. `@a` is the address of an operand."""

    api: str
    name: str
    code: str
    ins: tuple[In, ...]
    outs: tuple[tuple[str, int], ...]
    oracle: Oracle
    defined: Callable[[State], bool] = lambda state: True


def _nbytes(kind: str, n: int) -> int:
    kind = kind.removesuffix("!")
    if kind == "mask":
        return -(-n // 32) * 4
    if kind == "bool":
        return 4
    if kind.startswith("acc"):
        return n * (4 if kind in ("acc32", "accfloat") else 8)
    return max(1, n * BITS[kind.removeprefix("value:")] // 8)


def _up(n: int) -> int:
    return -(-n // ALIGNMENT) * ALIGNMENT


@dataclass
class Program:
    """Steps in one kernel."""

    steps: Sequence[Step]
    operands: dict[tuple[str, str, int], tuple[int, int]] = field(default_factory=dict)  # → offset, elements
    results: list[list[int]] = field(default_factory=list)
    in_bytes: int = 0
    out_bytes: int = 0

    def __post_init__(self) -> None:
        largest: dict[tuple[str, str, int], int] = {}
        for operand in (i for step in self.steps for i in step.ins):
            key = (operand.dtype, operand.draw, operand.slot)
            largest[key] = max(largest.get(key, 0), operand.n)
        for key, n in largest.items():
            self.operands[key] = (self.in_bytes, n)
            self.in_bytes += _up(n * BITS[key[0]] // 8)
        for step in self.steps:
            at = []
            for kind, n in step.outs:
                at.append(self.out_bytes)
                self.out_bytes += _up(_nbytes(kind, n))
            self.results.append(at)

    # --- the kernel ----------------------------------------------------------------------------------------------

    def source(self) -> str:
        parts = [list(range(at, min(at + PART, len(self.steps)))) for at in range(0, len(self.steps), PART)]
        bodies = [
            f"static __attribute__((noinline)) void part{k}(const int8_t *in, int8_t *out) {{\n"
            + "".join(self._block(i) for i in part)
            + "}\n"
            for k, part in enumerate(parts)
        ]
        calls = "".join(f"    part{k}(in, out);\n" for k in range(len(parts)))
        return (
            "#include <aie_api/aie.hpp>\n#include <aie_api/operators.hpp>\n#include <aie_api/utils.hpp>\n"
            "#include <aie_kernel_utils.h>\n#include <lut_based_ops.h>\n\n"
            + "\n".join(bodies)
            + "\nvoid properties(int8_t *in, int8_t *out, int32_t rounding, int32_t saturation) {\n"
            + "    aie::set_rounding((aie::rounding_mode)rounding);\n"
            + "    aie::set_saturation((aie::saturation_mode)saturation);\n"
            + calls
            + "}\n"
        )

    def _block(self, index: int) -> str:
        step = self.steps[index]
        lines, code = [f"    {{ // {step.name}"], step.code
        for name, operand in zip("abcdefgh", step.ins, strict=False):
            at = self.operands[operand.dtype, operand.draw, operand.slot][0]
            address = f"(const {operand.dtype} *)(in + {at})"
            load = f"*{address}" if operand.scalar else f"aie::load_v<{operand.n}>({address})"
            lines.append(f"        {operand.dtype if operand.scalar else 'auto'} {name} = {load};")
            code = code.replace(f"@{name}", f"({address})")
        stores = []
        for k, ((kind, n), at) in enumerate(zip(step.outs, self.results[index], strict=True)):
            code = code.replace(f"@r{k}", f"(({kind.removesuffix('!')} *)(out + {at}))")
            stores += [] if kind.endswith("!") else [f"        {_stored(f'r{k}', kind, n, at)}"]
        lines += [f"        {code}", *stores]
        return "\n".join([*lines, "    }\n"])

    # --- its data ------------------------------------------------------------------------------------------------

    def inputs(self, rng: np.random.Generator) -> np.ndarray:
        """The input buffer."""
        buffer = np.zeros(self.in_bytes, np.uint8)
        for (dtype, draw, _), (at, n) in self.operands.items():
            raw = to_bytes(drawn(rng, dtype, n, draw), dtype)
            buffer[at : at + len(raw)] = raw
        return buffer

    def values(self, operand: In, buffer: np.ndarray) -> Values:
        at, _ = self.operands[operand.dtype, operand.draw, operand.slot]
        n = 1 if operand.scalar else operand.n
        count = max(1, n * BITS[operand.dtype] // 8)
        return from_bytes(buffer[at : at + count], operand.dtype)

    def wrong(self, state: State, before: np.ndarray, after: np.ndarray) -> list[str]:
        """What differs, a line for each step."""
        found = []
        for index, step in enumerate(self.steps):
            if step.defined(state):
                found += self._wrong(index, state, before, after)
        return found

    def _wrong(self, index: int, state: State, before: np.ndarray, after: np.ndarray) -> list[str]:
        step, told = self.steps[index], []
        operands = [self.values(i, before) for i in step.ins]
        expected = step.oracle(state, *operands)
        for k, ((kind, n), at) in enumerate(zip(step.outs, self.results[index], strict=True)):
            want = expected[k] if isinstance(expected[k], Expect) else Expect(expected[k])
            got = _read(after, kind, n, at)
            bad = differing(want, got)
            if len(bad):
                i = int(bad[0])
                lanes = ", ".join(str(o[i if len(o) > i else 0]) for o in operands)
                told.append(
                    f"{step.name} r{k}, {state.rounding}, {state.saturation}: {len(bad)} of {len(got)} lanes, first "
                    f"[{i}]: of ({lanes}) expected {np.asarray(want.values)[i]}, got {got[i]}"
                )
        return told


def _stored(name: str, kind: str, n: int, at: int) -> str:
    if kind == "mask":
        words = range(-(-n // 32))
        text = f"{name}.to_uint32()" if len(words) == 1 else ""
        return " ".join(f"((uint32_t *)(out + {at}))[{i}] = {text or f'{name}.to_uint32({i})'};" for i in words)
    if kind == "bool":
        return f"*(int32_t *)(out + {at}) = {name};"
    if kind == "accfloat":
        return f"aie::store_v((float *)(out + {at}), {name}.template to_vector<float>());"
    if kind.startswith("acc"):
        return f"aie::store_v((int32 *)(out + {at}), aie::vector_cast<int32>({name}));"
    if kind.startswith("value:"):
        return f"*({kind[6:]} *)(out + {at}) = {name};"
    return f"aie::store_v(({kind} *)(out + {at}), {name});"


def _read(buffer: np.ndarray, kind: str, n: int, at: int) -> Values:
    kind = kind.removesuffix("!")
    raw = buffer[at : at + _nbytes(kind, n)]
    if kind in ("mask", "bool"):
        return from_bytes(raw, "uint32" if kind == "mask" else "int32")
    if kind == "accfloat":
        return from_bytes(raw, "float")
    if kind.startswith("acc"):
        return from_bytes(raw, "int32") if kind == "acc32" else raw.view("<i8").copy()
    return from_bytes(raw, kind.removeprefix("value:"))


def differing(want: Expect, got: Values) -> Values:
    """The lanes where a result is not what it must be."""
    values = np.asarray(want.values)
    if got.dtype.kind in "iu":
        bad = (got != values).reshape(len(got), -1).any(axis=1)
    elif want.within is not None:
        with np.errstate(all="ignore"):
            bad = ~(np.abs(wide(got).astype(np.float64) - values.astype(np.float64)) <= want.within)
    elif want.bits:
        bad = to_bytes(got, _name(got)).reshape(len(got), -1) != to_bytes(values, _name(got)).reshape(len(got), -1)
        bad = bad.any(axis=1)
    else:
        one, two = wide(got), wide(values)
        bad = ~((one == two) | (np.isnan(one) & np.isnan(two)))
    return np.flatnonzero(bad & (True if want.defined is None else want.defined))


def _name(x: Values) -> str:
    return next(name for name, kind in FLOATS.items() if kind == x.dtype)


def elements(dtype: str, bits: int) -> int:
    return bits // BITS[dtype]


INTEGERS = tuple(t for t in INTS if not t.endswith("4"))
