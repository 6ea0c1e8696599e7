"""Steps: arithmetic and bits, element by element."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from tests.backends.aie.oracles import arithmetic, bits
from tests.backends.aie.oracles.numbers import ACCUMS, BITS, FLOATS, INTS, State, Values, wrapped_bits
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.steps import INTEGERS, Expect, In, Oracle, Step, elements

SIZES = (128, 256, 512, 1024, 2048)  # the last is no register's, and documented to work all the same
REALS = (*INTEGERS, *FLOATS)
COMPLEX = ("cint16", "cint32")
FORMS = ("vv", "vs", "sv")


def steps(pick: Pick) -> Iterator[Step]:
    yield from _additions(pick)
    yield from _signs(pick)
    yield from _bitwise(pick)
    yield from _shifts(pick)
    yield from _products(pick)
    yield from _accumulators(pick)


def _operands(form: str, dtype: str, n: int, draw: str = "any") -> tuple[In, In]:
    return In(dtype, n, draw, 0, form == "sv"), In(dtype, n, draw, 1, form == "vs")


def _reads(form: str) -> str:
    """An element of a vector in place of a value, where the form says so."""
    return {"vv": "a, b", "vs": "a, b", "sv": "a, b", "ve": "a, b[1]", "ev": "a[1], b"}[form]


def _spread_out(of: Callable[..., Values], dtype: str, form: str, state: bool = True) -> Oracle:
    def oracle(at: State, a: Values, b: Values) -> list[Values]:
        one = b[1:2] if form == "ve" else b
        two = a[1:2] if form == "ev" else a
        x, y = np.broadcast_arrays(two, one)
        return [of(x, y, dtype, at) if state else of(x, y, dtype)]

    return oracle


def _additions(pick: Pick) -> Iterator[Step]:
    forms = itertools.cycle(("vv", "vs", "sv", "ve", "ev"))
    for turn, (name, dtype) in enumerate(itertools.product(("add", "sub"), (*REALS, *COMPLEX))):
        of = getattr(arithmetic, name)
        for size in pick(SIZES, turn):
            form, n = next(forms), elements(dtype, size)
            yield Step(name, f"{name} {form} {dtype}x{n}", f"auto r0 = aie::{name}({_reads(form)});",
                       _operands(form, dtype, n), ((dtype, n),), _spread_out(of, dtype, form))  # fmt: skip
    for name, dtype in itertools.product(("add", "sub"), FLOATS):
        yield Step(name, f"{name} {dtype}x16 special", f"auto r0 = aie::{name}(a, b);",
                   _operands("vv", dtype, 16, "special"), ((dtype, 16),),
                   _spread_out(getattr(arithmetic, name), dtype, "vv"))  # fmt: skip
    for turn, (name, dtype) in enumerate(itertools.product(("saturating_add", "saturating_sub"), INTEGERS)):
        of = getattr(arithmetic, name)
        for size in pick(SIZES, turn):
            form, n = FORMS[turn % 3], elements(dtype, size)
            yield Step(name, f"{name} {form} {dtype}x{n}", f"auto r0 = aie::{name}(a, b);",
                       _operands(form, dtype, n), ((dtype, n),), _spread_out(of, dtype, form))  # fmt: skip


def _signs(pick: Pick) -> Iterator[Step]:
    for turn, dtype in enumerate((*REALS, *COMPLEX)):
        for size in pick(SIZES, turn):
            n = elements(dtype, size)
            draw = "bits" if dtype in FLOATS else "any"
            yield Step("neg", f"neg {dtype}x{n}", "auto r0 = aie::neg(a);", (In(dtype, n, draw),), ((dtype, n),),
                       lambda at, a, dtype=dtype: [Expect(arithmetic.neg(a, dtype), bits=True)])  # fmt: skip
    for turn, dtype in enumerate(("int8", "int16", "int32", *FLOATS)):
        for size in pick(SIZES, turn):
            n = elements(dtype, size)
            draw = "bits" if dtype in FLOATS else "any"
            yield Step("abs", f"abs {dtype}x{n}", "auto r0 = aie::abs(a);", (In(dtype, n, draw),), ((dtype, n),),
                       lambda at, a, dtype=dtype: [Expect(arithmetic.absolute(a, dtype), bits=True)],
                       lambda at: at.saturation == "none")  # fmt: skip
    for turn, dtype in enumerate(COMPLEX):
        for size in pick(SIZES, turn):
            n = elements(dtype, size)
            yield Step("conj", f"conj {dtype}x{n}", "auto r0 = aie::conj(a);", (In(dtype, n),), ((dtype, n),),
                       lambda at, a, dtype=dtype: [arithmetic.conjugate(a, dtype)])  # fmt: skip
            part = dtype[1:]
            for name, k in (("real", 0), ("imag", 1)) if size >= 256 else ():
                yield Step(name, f"{name} {dtype}x{n}", f"auto r0 = aie::{name}(a);", (In(dtype, n),), ((part, n),),
                           lambda at, a, k=k: [a[:, k]])  # fmt: skip


def _bitwise(pick: Pick) -> Iterator[Step]:
    """An element stands first: a vector and an element is no form of these."""
    for turn, (name, dtype) in enumerate(itertools.product((*bits.BITWISE, "bit_not"), INTEGERS)):
        for size in pick(SIZES, turn):
            form, n = ("vv", "sv")[turn % 2], elements(dtype, size)
            if name == "bit_not":
                yield Step(name, f"{name} {dtype}x{n}", "auto r0 = aie::bit_not(a);", (In(dtype, n),), ((dtype, n),),
                           lambda at, a, dtype=dtype: [bits.bit_not(a, dtype)])  # fmt: skip
                continue
            yield Step(name, f"{name} {form} {dtype}x{n}", f"auto r0 = aie::{name}(a, b);", _operands(form, dtype, n),
                       ((dtype, n),), lambda at, a, b, name=name, dtype=dtype: [
                           bits.bitwise(name, *np.broadcast_arrays(a, b), dtype)])  # fmt: skip


def _shifts(pick: Pick) -> Iterator[Step]:
    for turn, dtype in enumerate(INTEGERS):
        width = BITS[dtype]
        for k, size in enumerate(pick(SIZES, turn)):
            n = elements(dtype, size)
            for by in (1, width // 2 + k, width - 2):
                shift = f"(a, {by});"
                yield Step("upshift", f"upshift {by} {dtype}x{n}", f"auto r0 = aie::upshift{shift}", (In(dtype, n),),
                           ((dtype, n),), lambda at, a, by=by, dtype=dtype: [bits.upshift(a, by, dtype, at)],
                           lambda at: at.saturation != "symmetric")  # fmt: skip
                yield Step("downshift", f"downshift {by} {dtype}x{n}", f"auto r0 = aie::downshift{shift}",
                           (In(dtype, n),), ((dtype, n),),
                           lambda at, a, by=by, dtype=dtype: [bits.downshift(a, by, dtype, at)])  # fmt: skip
                yield Step("logical_downshift", f"logical_downshift {by} {dtype}x{n}",
                           f"auto r0 = aie::logical_downshift{shift}", (In(dtype, n),), ((dtype, n),),
                           lambda at, a, by=by, dtype=dtype: [bits.logical_downshift(a, by, dtype)],
                           lambda at: at == State())  # fmt: skip


# --- products --------------------------------------------------------------------------------------------------------

PAIRS = (
    ("int8", "int8"), ("uint8", "uint8"), ("int8", "uint8"), ("int16", "int16"), ("uint16", "int16"), ("int16", "int8"),
    ("int32", "int16"), ("int16", "int32"), ("int32", "int32"), ("uint32", "uint32"), ("uint16", "uint16"),
)  # fmt: skip
COMPLEX_PAIRS = (("cint16", "int16"), ("cint16", "cint16"), ("int16", "cint16"), ("cint32", "cint16"))


def _lanes(one: str, two: str, turn: int, pick: Pick) -> tuple[int, ...]:
    """Counts for which both operands are vectors."""
    wide, narrow = max(BITS[one], BITS[two]), min(BITS[one], BITS[two])
    return pick(tuple(n for n in (8, 16, 32, 64) if wide * n <= 1024 and narrow * n >= 128), turn)


def _products(pick: Pick) -> Iterator[Step]:
    for turn, (one, two) in enumerate(PAIRS):
        tag = arithmetic.default_accum(one, two)
        for n in _lanes(one, two, turn, pick):
            yield from _of_pair(one, two, n, tag, "")
            if tag == "acc32" and BITS[one] == 16 and BITS[two] == 16:
                yield from _of_pair(one, two, n, "acc64", "<acc64>")
    for turn, (one, two) in enumerate(COMPLEX_PAIRS):
        for n in _lanes(one, two, turn, pick):
            yield Step("mul", f"mul {one}x{two}x{n}", "auto r0 = aie::mul(a, b);",
                       (In(one, n, "quarter"), In(two, n, "quarter", 1)), (("acc64", 2 * n),),
                       lambda at, a, b: [arithmetic.product(a, b).reshape(-1)])  # fmt: skip
    for dtype in FLOATS:
        for n in pick((16, 32), 0):
            yield from _of_floats(dtype, n)


def _of_pair(one: str, two: str, n: int, tag: str, template: str) -> Iterator[Step]:
    width = ACCUMS[tag]
    a, b = In(one, n), In(two, n, "any", 1)
    acc = In("int32", n * width // 32, "any", 2)
    made = f"aie::accum<{tag}, {n}> d = aie::vector_cast<{tag}>(c);"
    what = f"{one}x{two}x{n} {tag}"

    def of(sign: int, squared: bool = False) -> Oracle:
        def oracle(at: State, x: Values, y: Values, z: Values) -> list[Values]:
            start = z if width == 32 else (z[0::2] & 0xFFFFFFFF) | z[1::2] << 32
            with np.errstate(over="ignore"):
                term = arithmetic.product(x, x if squared else y)
                return [arithmetic.accumulated(start, term, width, sign)]

        return oracle

    def alone(sign: int) -> Oracle:
        def oracle(at: State, x: Values, y: Values) -> list[Values]:
            with np.errstate(over="ignore"):
                return [wrapped_bits(sign * arithmetic.product(*np.broadcast_arrays(x, y)), width)]

        return oracle

    outs = ((tag, n),)
    yield Step("mul", f"mul {what}", f"auto r0 = aie::mul{template}(a, b);", (a, b), outs, alone(1))
    scalar = In(two, n, "any", 1, True)
    yield Step("mul", f"mul by a value {what}", f"auto r0 = aie::mul{template}(a, b);", (a, scalar), outs, alone(1))
    yield Step("negmul", f"negmul {what}", f"auto r0 = aie::negmul{template}(a, b);", (a, b), outs, alone(-1))
    yield Step("mac", f"mac {what}", f"{made} auto r0 = aie::mac(d, a, b);", (a, b, acc), outs, of(1))
    yield Step("msc", f"msc {what}", f"{made} auto r0 = aie::msc(d, a, b);", (a, b, acc), outs, of(-1))
    if one == two and not template:
        yield Step("mac_square", f"mac_square {what}", f"{made} auto r0 = aie::mac_square(d, a);", (a, b, acc), outs,
                   of(1, True))  # fmt: skip
        yield Step("msc_square", f"msc_square {what}", f"{made} auto r0 = aie::msc_square(d, a);", (a, b, acc), outs,
                   of(-1, True))  # fmt: skip
        yield Step("mul_square", f"mul_square {what}", "auto r0 = aie::mul_square(a);", (a,), outs,
                   lambda at, x: [wrapped_bits(x * x, width)])  # fmt: skip


def _of_floats(dtype: str, n: int) -> Iterator[Step]:
    outs = (("accfloat", n),)
    made = f"aie::accum<accfloat, {n}> d(c);"

    def within(a: Values, b: Values, acc: Values | float = 0.0) -> Values | None:
        if dtype == "bfloat16":
            return None
        product = np.abs(a.astype(np.float64) * b.astype(np.float64))
        return product * arithmetic.FLOAT_PRODUCT + (np.abs(acc) + product) * 2.0**-22 + 1e-36

    special = (In("bfloat16", n, "special"), In("bfloat16", n, "special", 1))
    if dtype == "bfloat16":
        yield Step("mul", f"mul bfloat16x{n} special", "auto r0 = aie::mul(a, b);", special, outs,
                   lambda at, x, y: [arithmetic.float_product(x, y)])  # fmt: skip
    for draw in ("unit", "small"):
        a, b, c = In(dtype, n, draw), In(dtype, n, draw, 1), In("float", n, "unit" if draw == "unit" else "small", 2)
        what = f"{dtype}x{n} {draw}"
        yield Step("mul", f"mul {what}", "auto r0 = aie::mul(a, b);", (a, b), outs,
                   lambda at, x, y: [Expect(arithmetic.float_product(x, y), within(x, y))])  # fmt: skip
        yield Step("negmul", f"negmul {what}", "auto r0 = aie::negmul(a, b);", (a, b), outs,
                   lambda at, x, y: [Expect(-arithmetic.float_product(x, y), within(x, y))])  # fmt: skip
        yield Step("mul_square", f"mul_square {what}", "auto r0 = aie::mul_square(a);", (a,), outs,
                   lambda at, x: [Expect(arithmetic.float_product(x, x), within(x, x))])  # fmt: skip
        for name, sign in (("mac", 1), ("msc", -1)):
            yield Step(name, f"{name} {what}", f"{made} auto r0 = aie::{name}(d, a, b);", (a, b, c), outs,
                       lambda at, x, y, z, sign=sign: [
                           Expect(arithmetic.float_accumulated(z, x, y, sign), within(x, y, z))])  # fmt: skip


def _accumulators(pick: Pick) -> Iterator[Step]:
    for tag, width, n in (("acc32", 32, 16), ("acc32", 32, 32), ("acc64", 64, 8), ("acc64", 64, 16)):
        a, b = In("int32", n * width // 32), In("int32", n * width // 32, "any", 1)
        made = "".join(
            f"aie::accum<{tag}, {n}> {d} = aie::vector_cast<{tag}>({s}); " for d, s in (("c", "a"), ("d", "b"))
        )

        def whole(x: Values, width: int = width) -> Values:
            return x if width == 32 else (x[0::2] & 0xFFFFFFFF) | x[1::2] << 32

        for name, sign in (("add", 1), ("sub", -1)):
            yield Step(name, f"{name} {tag}x{n}", f"{made}auto r0 = aie::{name}(c, d);", (a, b), ((tag, n),),
                       lambda at, x, y, sign=sign, width=width, whole=whole: [
                           arithmetic.accumulated(whole(x), whole(y), width, sign)])  # fmt: skip
        yield Step("neg", f"neg {tag}x{n}", f"{made}auto r0 = aie::neg(c);", (a, b), ((tag, n),),
                   lambda at, x, y, width=width, whole=whole: [
                       arithmetic.accumulated(np.zeros_like(whole(x)), whole(x), width, -1)])  # fmt: skip
    for name, sign in (("add", 1), ("sub", -1)):
        yield Step(name, f"{name} accfloatx16", f"aie::accum<accfloat, 16> c(a), d(b); auto r0 = aie::{name}(c, d);",
                   (In("float", 16), In("float", 16, "any", 1)), (("accfloat", 16),),
                   lambda at, x, y, sign=sign: [x + np.float32(sign) * y])  # fmt: skip
        yield Step(name, f"{name} acc32x32 and int16", "aie::accum<acc32, 32> c = aie::vector_cast<acc32>(a); "
                   f"auto r0 = aie::{name}(c, b);", (In("int32", 32), In("int16", 32, "any", 1)), (("acc32", 32),),
                   lambda at, x, y, sign=sign: [arithmetic.accumulated(x, y, 32, sign)])  # fmt: skip


assert set(INTS) >= set(INTEGERS)
