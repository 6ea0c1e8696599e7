"""Exp, Ln, Sqrt, Rsqrt, Reciprocal round correctly: all halves, a million floats, against long doubles of 64 bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.vec_steps import DST, IMAGE, SRC0, Step, Values

LONG: dict[str, Callable[[Values], Values]] = {
    "Exp": np.exp,
    "Ln": np.log,
    "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x),
    "Reciprocal": lambda x: 1 / x,
}
PART = 8192  # bytes of one step
needs_long_double = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double has no 64 bits here")


def results(vec: VecMachine, op: str, type_: str, values: Values) -> Values:
    """The operation on all values, in steps of 8 KiB."""
    rows = values.view(np.uint8).reshape(-1, PART)
    images = np.zeros((len(rows), IMAGE), np.uint8)
    images[:, SRC0 : SRC0 + PART] = rows
    out, _ = vec.run([Step(op, type_, repeats=PART // values.dtype.itemsize)] * len(rows), images)
    return np.ascontiguousarray(out[:, DST : DST + PART]).view(values.dtype).reshape(-1)


def off_by(values: Values, exact: Values) -> Values:
    """Distance from the exact result in units in the last place of the given one, where both are finite."""
    with np.errstate(all="ignore"):
        next_up = np.nextafter(np.abs(values), values.dtype.type(np.inf)).astype(np.longdouble)
        unit = np.where(
            np.isinf(next_up), np.spacing(np.nextafter(np.abs(values), values.dtype.type(0))), next_up - np.abs(values)
        )
        distance = np.abs(values.astype(np.longdouble) - exact) / unit
    return distance[
        np.isfinite(values) & np.isfinite(exact) & (np.abs(exact) >= np.finfo(values.dtype).smallest_subnormal / 2)
    ]


@needs_long_double
@pytest.mark.parametrize("op", LONG)
def test_every_half(vec: VecMachine, op: str) -> None:
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        exact = LONG[op](halves.astype(np.longdouble))
        got = results(vec, op, "f16", halves)
        assert (off_by(got, exact) <= 0.5).all()
        # Overflow, underflow, domain errors: as the exact result rounds; NumPy's conversion is right away from ties.
        special = ~np.isfinite(exact) | (np.abs(exact) > 65536) | (np.abs(exact) < 2.0**-26)
        want = exact.astype(np.float16)
    assert np.array_equal(got[special], want[special], equal_nan=True)
    assert (got[np.isnan(got)].view(np.uint16) == 0x7E00).all()


@needs_long_double
@pytest.mark.parametrize("op", LONG)
def test_a_million_floats(vec: VecMachine, op: str) -> None:
    rng = np.random.default_rng(15)
    n = 1 << 20
    bits = rng.integers(0, 1 << 32, n, dtype=np.uint32).view(np.float32)
    useful = (
        rng.uniform(-104, 89, n).astype(np.float32)
        if op == "Exp"
        else np.exp2(rng.uniform(-4, 4, n)).astype(np.float32)
    )
    values = np.where(np.arange(n) % 2 == 0, bits, useful).astype(np.float32)
    with np.errstate(all="ignore"):
        exact = LONG[op](values.astype(np.longdouble))
        want = exact.astype(np.float32)
    got = results(vec, op, "f32", values)
    assert off_by(got, exact).max() <= 0.5
    assert np.array_equal(got, want, equal_nan=True)


def test_floats_whose_logarithm_lies_next_to_a_tie(vec: VecMachine) -> None:
    """The five inputs, of all floats, whose logarithm's nearest double is exactly half way between two floats."""
    inputs = np.array([0x3C413D3A, 0x41178FEB, 0x4C5D65A5, 0x65D890D3, 0x6F31A8EC], np.uint32)
    values = np.zeros(PART // 4, np.float32)
    values[:5] = inputs.view(np.float32)
    got = results(vec, "Ln", "f32", values)[:5]
    assert [float(x).hex() for x in got] == [
        "-0x1.1c2b1e0000000p+2", "0x1.1fcbce0000000p+1", "0x1.1e06960000000p+4", "0x1.a9a3f20000000p+5",
        "0x1.08b5120000000p+6",
    ]  # fmt: skip
