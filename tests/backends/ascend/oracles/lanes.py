"""Which elements an operation touches: counts, masks, repeats and strides over an image of the unified buffer.

Pages: mask (contiguous, bitwise, counter mode, isSetMask), high-dimensional slicing, continuous computation.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tests.backends.ascend.oracles.numbers import DTYPES, Values, bits_of

Image = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

BLOCK = 32
REPEAT = 256
FORMS = ("count", "mask", "bits", "kept_bits", "counter", "kept_counter")


@dataclass(frozen=True)
class Operand:
    """Where a tensor starts in the image (bytes), its element type, and its strides in blocks of 32 bytes."""

    at: int
    dtype: str
    block: int = 1
    repeat: int = 8


@dataclass(frozen=True)
class Call:
    """One call of a vector operation.

    `form`: `count` (the first `count` elements), `mask` (the first `mask` lanes of each repeat), `bits` (the lanes with
    a one), `counter` (counter mode: `mask` elements in all); `kept_…`: the same, from the mask register.
    """

    name: str
    form: str = "count"
    count: int = 0
    repeats: int = 1
    mask: int = 0
    dst: Operand = field(default_factory=lambda: Operand(0, "f32"))
    src: tuple[Operand, ...] = ()
    scalar: float | int = 0
    mode: str = ""
    extra: int = 0
    saturate: bool = False

    @property
    def lanes(self) -> int:
        """Lanes of a repeat: 256 bytes of the widest operand."""
        return REPEAT * 8 // max(bits_of(o.dtype) for o in (self.dst, *self.src))

    def enabled(self) -> list[Places]:
        """The enabled lanes of every repeat, in order."""
        every = np.arange(self.lanes)
        if self.form in ("count", "counter", "kept_counter"):
            total = self.count if self.form == "count" else self.mask
            return [every[: min(self.lanes, total - at)] for at in range(0, total, self.lanes)]
        if self.form == "mask":
            on = every[: min(self.mask, self.lanes)]
        else:
            on = np.array([i for i in every if self.mask >> int(i) & 1], np.int64)
        return [on] * (self.repeats if len(on) else 0)

    def places(self, operand: Operand, repeat: int, lanes: Places) -> Places:
        """The bytes where these lanes of an operand's repeat start (the byte that holds it, for half a byte)."""
        bits = bits_of(operand.dtype)
        if self.form == "count":
            return operand.at + (repeat * self.lanes + lanes) * bits // 8
        block, inside = lanes * bits // 256, lanes * bits % 256 // 8
        return operand.at + (repeat * operand.repeat + block * operand.block) * BLOCK + inside


def take(image: Image, places: Places, dtype: str) -> Values:
    """The elements that start at these bytes."""
    size = DTYPES[dtype].itemsize
    return image[places[:, None] + np.arange(size)].reshape(-1).view(DTYPES[dtype])


def put(image: Image, places: Places, values: Values) -> None:
    """Writes one element at each place, in order: where places repeat, the last one stays."""
    raw = np.ascontiguousarray(values).view(np.uint8).reshape(len(places), values.itemsize)
    for i in range(raw.shape[1]):
        image[places + i] = raw[:, i]


def take_nibbles(image: Image, places: Places, lanes: Places) -> Values:
    """Signed elements of four bits: an even lane lies in its byte's low half."""
    raw = (image[places].astype(np.int64) >> (lanes % 2 * 4)) & 15
    return np.where(raw < 8, raw, raw - 16)


def put_nibbles(image: Image, places: Places, lanes: Places, values: Values) -> None:
    for place, lane, value in zip(places, lanes, values, strict=True):
        shift = int(lane) % 2 * 4
        image[place] = (int(image[place]) & ~(15 << shift) & 255) | (int(value) & 15) << shift
