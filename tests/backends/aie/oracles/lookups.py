"""Lookup tables.

Pages: Lookup Tables: lut with its layouts, parallel_lookup, linear_approx. How wide a bank is on the second device is
seen in the tables that AMD publishes for it (mlir-aie, aie_runtime_lib).
"""

from __future__ import annotations

import numpy as np

from tests.backends.aie.oracles.numbers import Floats, Ints, Values, wide

#: Bytes that lie together in one bank: a table for several accesses at once repeats every so many.
BANK_BYTES = {"npu1": 16, "npu2": 32}


def twice(table: np.ndarray, device: str) -> np.ndarray:
    """The table as two banks hold it: a bank's width of it, then the same again."""
    raw = np.ascontiguousarray(table).view(np.uint8).reshape(-1, BANK_BYTES[device])
    return np.repeat(raw, 2, axis=0).reshape(-1)


def lookup(table: Values, index: Ints, *, step_bits: int = 0, bias: int = 0, truncate: bool = False) -> Values:
    """The elements that the indices name; outside the table its ends, or the index modulo its size."""
    at = (index >> step_bits) + bias
    return table[at % len(table) if truncate else np.clip(at, 0, len(table) - 1)]


def linear(slope: Ints, offset: Ints, x: Ints, *, step_bits: int, bias: int, shift_offset: int) -> Ints:
    """Between the samples of an integer function; for inputs that the table covers."""
    at = (x >> step_bits) + bias
    return slope[at] * (x & ((1 << step_bits) - 1)) + (offset[at] << shift_offset)


def linear_float(slope: Values, offset: Floats, x: Values, *, step_bits: int, bias: int) -> Floats:
    """bfloat16 in, float out: the product is exact, the sum is rounded once."""
    at = (np.floor(wide(x)).astype(np.int64) >> step_bits) + bias
    return wide(slope[at]) * wide(x) + offset[at]
