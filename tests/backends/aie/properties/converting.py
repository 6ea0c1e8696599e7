"""Steps: between widths, between vectors and accumulators, between integers and floats."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.backends.aie.oracles import conversions
from tests.backends.aie.oracles.numbers import ACCUMS, BITS, FLOATS, Values, wide
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.steps import Expect, In, Step


def steps(pick: Pick) -> Iterator[Step]:
    yield from _down(pick)
    yield from _up(pick)
    yield from _floats(pick)
    yield from _widths(pick)
    yield from _fixed(pick)


def _whole(x: Values, width: int) -> Values:
    return x if width == 32 else (x[0::2] & 0xFFFFFFFF) | x[1::2] << 32


def _down(pick: Pick) -> Iterator[Step]:
    targets = {"acc32": ("int8", "uint8", "int16", "uint16", "int32", "uint32"),
               "acc64": ("int8", "uint8", "int16", "uint16", "int32", "uint32")}  # fmt: skip
    for turn, (tag, dtype) in enumerate((t, d) for t, ds in targets.items() for d in ds):
        width = ACCUMS[tag]
        sizes = tuple(n for n in (8, 16, 32) if n * width <= 1024 and n * BITS[dtype] >= 128)
        for n in pick(sizes, turn):
            made = f"aie::accum<{tag}, {n}> c = aie::vector_cast<{tag}>(a); "
            for shift in (0, 1, 7) if width == 32 else (0, 9, 33):
                yield Step("accum::to_vector", f"{tag}x{n} to {dtype} >> {shift}",
                           f"{made}auto r0 = c.template to_vector<{dtype}>({shift});",
                           (In("int32", n * width // 32, "ties" if shift == 1 else "any"),), ((dtype, n),),
                           lambda at, a, width=width, dtype=dtype, shift=shift: [
                               conversions.srs(_whole(a, width), width, dtype, shift, at)])  # fmt: skip


def _up(pick: Pick) -> Iterator[Step]:
    sources = {"acc32": ("int8", "uint8", "int16", "uint16"), "acc64": ("int16", "uint16", "int32", "uint32")}
    for turn, (tag, dtype) in enumerate((t, d) for t, ds in sources.items() for d in ds):
        width = ACCUMS[tag]
        sizes = tuple(n for n in (8, 16, 32) if n * width <= 1024 and 128 <= n * BITS[dtype] <= 1024)
        for n in pick(sizes, turn):
            for shift in (0, 3, width - BITS[dtype] + 4):
                yield Step("accum::from_vector", f"{tag}x{n} from {dtype} << {shift}",
                           f"aie::accum<{tag}, {n}> r0; r0.from_vector(a, {shift});", (In(dtype, n),), ((tag, n),),
                           lambda at, a, width=width, shift=shift: [conversions.ups(a, width, shift, at)],
                           lambda at: at.saturation != "symmetric")  # fmt: skip


def _floats(pick: Pick) -> Iterator[Step]:
    for n in pick((16, 32), 0):
        acc = f"aie::accum<accfloat, {n}> c(a); "
        for draw in ("any", "bits", "halves"):
            float_ = In("float", n, draw)
            yield Step("accum::to_vector", f"accfloatx{n} to bfloat16 {draw}",
                       f"{acc}auto r0 = c.template to_vector<bfloat16>();", (float_,), (("bfloat16", n),),
                       lambda at, a: [conversions.accumulator_to_float(a, "bfloat16", at)])  # fmt: skip
        yield Step("accum::to_vector", f"accfloatx{n} to float", f"{acc}auto r0 = c.template to_vector<float>();",
                   (In("float", n),), (("float", n),), lambda at, a: [Expect(a, bits=True)])  # fmt: skip
        yield Step("accum::accum", f"accfloatx{n} of bfloat16", f"aie::accum<accfloat, {n}> r0(a);",
                   (In("bfloat16", n),), (("accfloat", n),), lambda at, a: [wide(a)])  # fmt: skip


def _widths(pick: Pick) -> Iterator[Step]:
    for turn, (narrow, wide_) in enumerate((("int8", "int16"), ("uint8", "uint16"), ("int16", "int32"),
                                            ("uint16", "uint32"), ("int4", "int8"), ("uint4", "uint8"))):  # fmt: skip
        sizes = tuple(n for n in (8, 16, 32, 64, 128) if n * BITS[narrow] >= 128 and n * BITS[wide_] <= 1024)
        for n in pick(sizes, turn):
            yield Step("unpack", f"unpack {narrow}x{n}", "auto r0 = aie::unpack(a);", (In(narrow, n),), ((wide_, n),),
                       lambda at, a, to=wide_: [conversions.unpack(a, to)])  # fmt: skip
            yield Step("pack", f"pack {wide_}x{n}", "auto r0 = aie::pack(a);", (In(wide_, n),), ((narrow, n),),
                       lambda at, a, to=narrow: [conversions.pack(a, to, at)])  # fmt: skip
            yield Step("vector::unpack", f"a.unpack {narrow}x{n}", "auto r0 = a.unpack();", (In(narrow, n),),
                       ((wide_, n),), lambda at, a, to=wide_: [conversions.unpack(a, to)])  # fmt: skip
            yield Step("vector::pack", f"a.pack {wide_}x{n}", "auto r0 = a.pack();", (In(wide_, n),), ((narrow, n),),
                       lambda at, a, to=narrow: [conversions.pack(a, to, at)])  # fmt: skip


def _fixed(pick: Pick) -> Iterator[Step]:
    for dtype in FLOATS:
        for to in ("int8", "int16", "int32", "uint8", "uint16"):
            n = 32 if dtype == "bfloat16" or to in ("int8", "uint8") else 16
            for shift in (0, 2):
                yield Step("to_fixed", f"to_fixed {dtype}x{n} to {to} {shift}",
                           f"auto r0 = aie::to_fixed<{to}>(a, {shift});", (In(dtype, n, "fixed"),), ((to, n),),
                           lambda at, a, to=to, shift=shift: [conversions.to_fixed(a, to, shift)])  # fmt: skip
    for one in ("int8", "int16", "int32", "uint8", "uint16"):
        n = 16 if one in ("int32", "int16", "uint16") else 32
        for to in FLOATS:
            for shift in (0, 3):
                yield Step("to_float", f"to_float {one}x{n} to {to} {shift}",
                           f"auto r0 = aie::to_float<{to}>(a, {shift});", (In(one, n),), ((to, n),),
                           lambda at, a, one=one, to=to, shift=shift: [_near(a, one, to, shift)])  # fmt: skip


def _near(a: Values, one: str, to: str, shift: int) -> Expect:
    """Exact where the integer's bits fit; else within a unit of the last place."""
    exact = conversions.to_float(a, shift)
    unit = 2.0**-23 if to == "float" else 2.0**-7
    return Expect(exact, np.abs(exact) * unit)
