"""Steps: comparisons, masks, selections, extremes and reductions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from tests.backends.aie.oracles import compares, reductions
from tests.backends.aie.oracles.numbers import FLOATS, Values
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.elementwise import FORMS, REALS, SIZES, _operands
from tests.backends.aie.properties.steps import INTEGERS, Expect, In, Step, elements


def steps(pick: Pick) -> Iterator[Step]:
    yield from _compares(pick)
    yield from _extremes(pick)
    yield from _selections(pick)
    yield from _masks()
    yield from _reductions(pick)


def _both(a: Values, b: Values) -> list[Values]:
    return np.broadcast_arrays(a, b)


def _words(name: str, a: Values, b: Values) -> Values:
    return compares.mask_words(compares.compare(name, a, b))


def _compares(pick: Pick) -> Iterator[Step]:
    for turn, (name, dtype) in enumerate(itertools.product(compares.COMPARES, REALS)):
        for size in pick(SIZES, turn):
            n, form = elements(dtype, size), FORMS[turn % 3]
            draw = "small" if turn % 2 else "any"
            yield Step(name, f"{name} {form} {dtype}x{n} {draw}", f"auto r0 = aie::{name}(a, b);",
                       _operands(form, dtype, n, draw), (("mask", n),),
                       lambda at, a, b, name=name: [_words(name, *_both(a, b))])  # fmt: skip
    for dtype in ("cint16", "cint32"):
        n = elements(dtype, 512)
        for name in ("eq", "neq"):
            yield Step(name, f"{name} {dtype}x{n}", f"auto r0 = aie::{name}(a, b);",
                       (In(dtype, n, "factor"), In(dtype, n, "factor", 1)), (("mask", n),),
                       lambda at, a, b, name=name: [_words(name, a, b)])  # fmt: skip
    for turn, dtype in enumerate(REALS):
        n = elements(dtype, SIZES[turn % 5])
        a, b = In(dtype, n, "small"), In(dtype, n, "small", turn % 2)
        for name, of in (("equal", np.all), ("not_equal", np.any)):
            key = "eq" if name == "equal" else "neq"
            yield Step(name, f"{name} {dtype}x{n}", f"bool r0 = aie::{name}(a, b);", (a, b), (("bool", 1),),
                       lambda at, a, b, of=of, key=key: [np.array([of(compares.compare(key, a, b))], int)])  # fmt: skip


def _extremes(pick: Pick) -> Iterator[Step]:
    of = {"max": compares.maximum, "min": compares.minimum}
    for turn, (name, dtype) in enumerate(itertools.product(of, REALS)):
        for size in pick(SIZES, turn):
            n, form = elements(dtype, size), FORMS[turn % 3]
            yield Step(name, f"{name} {form} {dtype}x{n}", f"auto r0 = aie::{name}(a, b);",
                       _operands(form, dtype, n), ((dtype, n),),
                       lambda at, a, b, name=name: [of[name](*_both(a, b))])  # fmt: skip
    for turn, dtype in enumerate(INTEGERS):
        for size in pick(SIZES, turn):
            n, form = elements(dtype, size), FORMS[turn % 3]
            yield Step("maxdiff", f"maxdiff {form} {dtype}x{n}", "auto r0 = aie::maxdiff(a, b);",
                       _operands(form, dtype, n), ((dtype, n),),
                       lambda at, a, b, dtype=dtype: [compares.maxdiff(*_both(a, b), dtype)])  # fmt: skip
    for turn, dtype in enumerate(REALS):
        n = elements(dtype, SIZES[turn % 5])
        low, high = (In(dtype, n, "small", k, True) for k in (2, 3))
        ordered = "auto lo = b < c ? b : c, hi = b < c ? c : b; "
        yield Step("clamp", f"clamp {dtype}x{n}", f"{ordered}auto r0 = aie::clamp(a, lo, hi);",
                   (In(dtype, n), low, high), ((dtype, n),),
                   lambda at, a, b, c: [compares.clamp(a, np.broadcast_to(min(b, c), a.shape),
                                                       np.broadcast_to(max(b, c), a.shape))])  # fmt: skip
    for turn, dtype in enumerate(REALS):
        n = elements(dtype, SIZES[1 + turn % 4])
        for name, found in (("max_cmp", compares.max_cmp), ("min_cmp", compares.min_cmp)):
            yield Step(name, f"{name} {dtype}x{n}", f"auto [r0, r1] = aie::{name}(a, b);",
                       (In(dtype, n, "small"), In(dtype, n, "small", 1)), ((dtype, n), ("mask", n)),
                       lambda at, a, b, found=found: [found(a, b)[0], compares.mask_words(found(a, b)[1])])  # fmt: skip


def _selections(pick: Pick) -> Iterator[Step]:
    for turn, dtype in enumerate((*REALS, "cint16", "cint32")):
        for size in pick(SIZES, turn):
            n, form = elements(dtype, size), FORMS[turn % 3]
            words = max(1, n // 32)
            draw = "bits" if dtype in FLOATS else "any"
            mask = In("uint32", max(4, words), "any", 7)
            made = ", ".join(f"c[{i}]" for i in range(words))
            code = f"auto m = aie::mask<{n}>::from_uint32({made}); auto r0 = aie::select(a, b, m);"
            yield Step("select", f"select {form} {dtype}x{n}", code, (*_operands(form, dtype, n, draw), mask),
                       ((dtype, n),), lambda at, a, b, c, n=n: [
                           Expect(compares.select(*_both(a, b), compares.mask_of(c, n)), bits=True)])  # fmt: skip


def _masks() -> Iterator[Step]:
    def of(n: int, code: str, k: object) -> Step:
        words = max(1, n // 32)
        made = ", ".join(f"a[{i}]" for i in range(words))
        other = ", ".join(f"b[{i}]" for i in range(words))
        text = f"auto x = aie::mask<{n}>::from_uint32({made}); auto y = aie::mask<{n}>::from_uint32({other}); {code}"
        ins = (In("uint32", max(4, words), "any", 5), In("uint32", max(4, words), "any", 6))

        def oracle(at: object, a: Values, b: Values) -> list[Values]:
            assert callable(k)
            found = k(compares.mask_of(a, n), compares.mask_of(b, n))
            return [compares.mask_words(found) if isinstance(found, np.ndarray) else np.array([int(found)])]

        out = "value:uint32" if "count" in code or "clz" in code or "test" in code else "mask"
        out = "bool" if "full" in code or "empty" in code else out
        return Step("mask", f"mask<{n}> {code}", text, ins, ((out, n if out == "mask" else 1),), oracle)

    def moved(x: Values, by: int) -> Values:
        out = np.zeros_like(x)
        if by >= 0:
            out[by:] = x[: len(x) - by]
        else:
            out[:by] = x[-by:]
        return out

    for n in (8, 16, 32, 64, 128):
        yield of(n, "auto r0 = x & y;", lambda x, y: x & y)
        yield of(n, "auto r0 = x | y;", lambda x, y: x | y)
        yield of(n, "auto r0 = ~x;", lambda x, y: ~x)
        yield of(n, "auto r0 = x << 3;", lambda x, y: moved(x, 3))
        yield of(n, "auto r0 = x >> 5;", lambda x, y: moved(x, -5))
        yield of(n, "auto r0 = x; r0.set(5); r0.clear(2);", _set_and_cleared)
        yield of(n, "uint32 r0 = x.count();", lambda x, y: x.sum())
        yield of(n, "uint32 r0 = (x >> 3).clz();", lambda x, y: compares.leading_zeros(moved(x, -3)))
        yield of(n, "uint32 r0 = x.test(3);", lambda x, y: x[3])
        yield of(n, "bool r0 = (x & ~x).empty();", lambda x, y: True)
        yield of(n, "bool r0 = (x | ~x).full();", lambda x, y: True)
        yield of(n, "bool r0 = x.full();", lambda x, y: x.all())


def _set_and_cleared(x: Values, y: Values) -> Values:
    out = x.copy()
    out[5], out[2] = True, False
    return out


def _reductions(pick: Pick) -> Iterator[Step]:
    for turn, dtype in enumerate(REALS):
        for size in pick(SIZES, turn):
            n = elements(dtype, size)
            out = ((f"value:{dtype}", 1),)
            for name, of in (("reduce_max", reductions.reduce_max), ("reduce_min", reductions.reduce_min)):
                yield Step(name, f"{name} {dtype}x{n}", f"{dtype} r0 = aie::{name}(a);", (In(dtype, n),), out,
                           lambda at, a, of=of: [of(a)])  # fmt: skip
            yield Step("reduce_add", f"reduce_add {dtype}x{n}", f"{dtype} r0 = aie::reduce_add(a);",
                       (In(dtype, n, "small" if dtype in FLOATS else "any"),), out,
                       lambda at, a, dtype=dtype: [reductions.reduce_add(a, dtype, at)])  # fmt: skip
            if dtype in FLOATS:
                yield Step("reduce_add", f"reduce_add {dtype}x{n} unit", f"{dtype} r0 = aie::reduce_add(a);",
                           (In(dtype, n, "unit"),), out, lambda at, a, dtype=dtype: [
                               Expect(reductions.reduce_add(a, dtype, at), reductions.error(a, dtype))])  # fmt: skip
    for turn, dtype in enumerate(("int8", "int16", "int32")):
        n = elements(dtype, SIZES[turn % 5])
        yield Step("reduce_mul", f"reduce_mul {dtype}x{n}", f"{dtype} r0 = aie::reduce_mul(a);",
                   (In(dtype, n, "sign"),), ((f"value:{dtype}", 1),),
                   lambda at, a, dtype=dtype: [reductions.reduce_mul(a, dtype)])  # fmt: skip
    for turn, dtype in enumerate(("int8", "int16", "int32", "bfloat16", "float")):
        n = elements(dtype, (256, 512)[turn % 2])
        ins = tuple(In(dtype, n, "small", k) for k in range(4))
        yield Step("reduce_add_v", f"reduce_add_v {dtype}x{n}", "auto r0 = aie::reduce_add_v(a, b, c, d);", ins,
                   ((dtype, n),), lambda at, *vs, dtype=dtype, n=n: [_sums(vs, dtype, n, at)])  # fmt: skip


def _sums(vectors: tuple[Values, ...], dtype: str, n: int, at: object) -> Expect:
    total = np.concatenate([reductions.reduce_add(v, dtype, at) for v in vectors])  # type: ignore[arg-type]
    values = np.zeros(n, total.dtype)
    values[: len(total)] = total
    return Expect(values, defined=np.arange(n) < len(total))
