"""Steps: elementary functions, within what their methods reach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.backends.aie.oracles import elementary
from tests.backends.aie.oracles.numbers import State, Values, wide
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.steps import Expect, In, Step


def steps(pick: Pick) -> Iterator[Step]:
    yield from _elementary(pick.device)
    yield from _tables()


def _tables() -> Iterator[Step]:
    """lut_based_ops.h, for inputs of moderate size: the exponential under the rounding that its lookup expects, and the
    inverse of positive values, whose sign alone it gives."""
    a, b = In("bfloat16", 16, "eight"), In("bfloat16", 16, "positive")
    calls = {
        "getExpBf16": (a, "aie::accum<accfloat, 16> r0 = getExpBf16(a);", ("accfloat", 16)),
        "getTanhBf16": (a, "aie::vector<bfloat16, 16> r0 = getTanhBf16(a);", ("bfloat16", 16)),
        "getInvBf16": (b, "for (int i = 0; i < 16; ++i) @r0[i] = getInvBf16((float)@a[i]);", ("bfloat16!", 16)),
    }
    for name, (operand, code, out) in calls.items():
        yield Step(name, name, code, (operand,), (out,), lambda at, x, name=name: [_by_table(name, x)],
                   lambda at, name=name: at.rounding == "floor" or name != "getExpBf16")  # fmt: skip


def _by_table(name: str, x: Values) -> Expect:
    exact = elementary.exact(name, x)
    near = 0.02 if name == "getTanhBf16" else 0.0
    return Expect(exact, np.abs(exact) * elementary.TABLES[name] + near)


def _elementary(device: str) -> Iterator[Step]:
    for name in ("inv", "invsqrt", "sqrt"):
        for dtype in ("bfloat16", "float") if name != "sqrt" else ("float",):
            n = 16
            yield Step(name, f"{name} {dtype}x{n}", f"auto r0 = aie::{name}(a);", (In(dtype, n, "positive"),),
                       ((dtype, n),), lambda at, a, name=name, dtype=dtype: [
                           Expect(elementary.exact(name, a), elementary.bound(name, dtype, a))])  # fmt: skip
    for dtype in ("bfloat16", "float"):
        operands = (In(dtype, 16, "unit"), In(dtype, 16, "positive", 1))
        yield Step("div", f"div {dtype}x16", "auto r0 = aie::div(a, b);", operands, (("accfloat", 16),), _quotients)
    if device == "npu2":
        for name in ("tanh", "exp2"):
            code = f"aie::vector<bfloat16, 16> r0 = aie::{name}(a);"
            yield Step(name, f"{name} floatx16", code, (In("float", 16, "near"),), (("bfloat16", 16),),
                       lambda at, a, name=name: [_of_unit(name, a)])  # fmt: skip


def _quotients(at: State, a: Values, b: Values) -> list[Expect]:
    dtype = "float" if a.dtype.itemsize == 4 else "bfloat16"
    exact = wide(a).astype(np.float64) / wide(b)
    return [Expect(exact, np.abs(exact) * 1.5 * elementary.WITHIN["inv", dtype])]


def _of_unit(name: str, a: Values) -> Expect:
    return Expect(elementary.exact(name, a), elementary.bound(name, "float", a) + 2.0**-7)
