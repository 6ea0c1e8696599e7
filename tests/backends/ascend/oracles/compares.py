"""Compare, Compares, Select and the comparison register.

Pages: Compare, Compares, Compare (into the register), Select, SetCmpMask, GetCmpMask, boundary values. The mask of
Compare is ignored; a tail that does not fill 256 bytes is not compared and stays as it was.
"""

from __future__ import annotations

import numpy as np

from tests.backends.ascend.oracles.elementwise import scalar
from tests.backends.ascend.oracles.lanes import Call, Image, put, take
from tests.backends.ascend.oracles.numbers import Values


def compared(mode: str, a: Values, b: Values) -> np.ndarray:
    """IEEE, but for NE, which a NaN makes false."""
    with np.errstate(invalid="ignore"):
        match mode:
            case "LT":
                return np.asarray(a < b)
            case "GT":
                return np.asarray(a > b)
            case "EQ":
                return np.asarray(a == b)
            case "LE":
                return np.asarray(a <= b)
            case "GE":
                return np.asarray(a >= b)
            case "NE":
                return np.asarray((a != b) & (a == a) & (b == b))
    raise ValueError(mode)


def compare(call: Call, image: Image) -> None:
    """One bit for each element, eight to a byte from the lowest; every repeat writes 256 / sizeof(T) bits on."""
    lanes = call.lanes
    repeats = call.count // lanes if call.form == "count" else call.repeats
    every = np.arange(lanes)
    for repeat in range(repeats):
        values = [take(image, call.places(o, repeat, every), o.dtype) for o in call.src]
        other = values[1] if len(values) == 2 else scalar(call, values[0])
        bits = np.packbits(compared(call.mode, values[0], other), bitorder="little")
        at = call.dst.at + repeat * lanes // 8
        image[at : at + lanes // 8] = bits


def select(call: Call, image: Image) -> None:
    """src[0] holds the chosen bits, then one or two sources; mode 0 takes the same bits in every repeat."""
    lanes = call.lanes
    for repeat, on in enumerate(call.enabled()):
        start = call.src[0].at + (0 if call.mode == "0" else repeat * lanes // 8)
        bits = np.unpackbits(image[start : start + lanes // 8], bitorder="little")[on].astype(bool)
        values = [take(image, call.places(o, repeat, on), o.dtype) for o in call.src[1:]]
        other = values[1] if len(values) == 2 else scalar(call, values[0])
        put(image, call.places(call.dst, repeat, on), np.where(bits, values[0], other))


def copy(call: Call, image: Image) -> None:
    """Copy: lanes move as they are; in counter mode the mask counts the elements of each repeat."""
    counted = call.form.endswith("counter")
    for repeat, on in enumerate([np.arange(call.mask)] * call.repeats if counted else call.enabled()):
        values = take(image, call.places(call.src[0], repeat, on), call.src[0].dtype)
        put(image, call.places(call.dst, repeat, on), values)
