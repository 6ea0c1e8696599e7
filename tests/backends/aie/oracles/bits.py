"""Bitwise operations and shifts.

Pages: Bits. A shift goes through an accumulator: upshift and downshift round and saturate as that does.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.backends.aie.oracles.numbers import INTS, Ints, State, saturated, shifted_down, wrapped, wrapped_bits

BITWISE: dict[str, Callable[..., Ints]] = {
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor,
}


def bitwise(name: str, a: Ints, b: Ints, dtype: str) -> Ints:
    return wrapped(BITWISE[name](a, b), dtype)


def bit_not(a: Ints, dtype: str) -> Ints:
    return wrapped(~a, dtype)


def upshift(a: Ints, shift: int, dtype: str, state: State) -> Ints:
    return saturated(a << shift, dtype, state.saturation)


def downshift(a: Ints, shift: int, dtype: str, state: State) -> Ints:
    return saturated(shifted_down(a, shift, state.rounding), dtype, state.saturation)


def logical_downshift(a: Ints, shift: int, dtype: str) -> Ints:
    """Zeros come in at the top. Whether it rounds under another mode than floor no page says."""
    return wrapped(wrapped_bits(a, INTS[dtype][0], signed=False) >> shift, dtype)
