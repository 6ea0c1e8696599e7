"""Steps: elements change places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.backends.aie.oracles import reshaping
from tests.backends.aie.oracles.conversions import reinterpreted
from tests.backends.aie.oracles.numbers import BITS, FLOATS, Ints, Values
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.elementwise import REALS, SIZES
from tests.backends.aie.properties.steps import Expect, In, Step, elements

TYPES = (*REALS, "cint16", "cint32")


def steps(pick: Pick) -> Iterator[Step]:
    for turn, dtype in enumerate(TYPES):
        for k, size in enumerate(pick(SIZES, turn)):
            n = elements(dtype, size)
            yield from _one(dtype, n, turn + k)
            yield from _two(dtype, n, turn + k)
            yield from _parts(dtype, n, size)
        yield from _transposes(dtype, turn, pick)
    yield from _casts()


def _draw(dtype: str) -> str:
    return "bits" if dtype in FLOATS else "any"


def _gathered(index: Ints, *sources: Values) -> Expect:
    """The elements that the indices name, in the operands laid end to end."""
    laid = np.concatenate(sources)
    return Expect(laid[np.maximum(index, 0)], defined=index != reshaping.UNDEFINED, bits=True)


def _step(api: str, what: str, code: str, ins: tuple[In, ...], index: Ints, used: int) -> Step:
    dtype = ins[0].dtype
    return Step(api, f"{what} {dtype}x{ins[0].n}", code, ins, ((dtype, len(index)),),
                lambda at, *v: [_gathered(index, *v[:used])])  # fmt: skip


def _one(dtype: str, n: int, turn: int) -> Iterator[Step]:
    a, b = In(dtype, n, _draw(dtype)), In(dtype, n, _draw(dtype), 1)
    yield _step("reverse", "reverse", "auto r0 = aie::reverse(a);", (a,), reshaping.reverse(n), 1)
    for direction in ("up", "down"):
        of = getattr(reshaping, f"shuffle_{direction}")
        for k, new in enumerate(("undefined", "rotate", "replicate", "fill")):
            by = (1, n // 2, n - 1, 3)[(turn + k) % 4] % n
            name = f"shuffle_{direction}" + ("" if new == "undefined" else f"_{new}")
            operands = "a, b" if new == "fill" else "a"
            yield _step(name, f"{name} {by}", f"auto r0 = aie::{name}({operands}, {by});", (a, b), of(n, by, new), 2)
    chunk = (1, 2, 4)[turn % 3]
    if n > 2 * chunk and BITS[dtype] * n >= 256:
        for name in ("filter_even", "filter_odd"):
            yield _step(name, f"{name} {chunk}", f"auto r0 = aie::{name}(a, {chunk});", (a,),
                        getattr(reshaping, name)(n, chunk), 1)  # fmt: skip
    yield _step("vector::push", "push", "auto r0 = a; r0.push(b);", (a, In(dtype, n, _draw(dtype), 1, True)),
                reshaping.push(n), 2)  # fmt: skip
    at = (turn * 5 + 1) % n
    yield _step("vector::set", f"set {at}", f"auto r0 = a; r0.set(b, {at});",
                (a, In(dtype, n, _draw(dtype), 1, True)), reshaping.with_element(n, at), 2)  # fmt: skip
    yield _step("vector::operator[]", f"[{at}] =", f"auto r0 = a; r0[{at}] = b;",
                (a, In(dtype, n, _draw(dtype), 1, True)), reshaping.with_element(n, at), 2)  # fmt: skip
    yield _step("broadcast", "broadcast", f"auto r0 = aie::broadcast<{dtype}, {n}>(a);",
                (In(dtype, n, _draw(dtype), 0, True),), reshaping.broadcast(n, 0), 1)  # fmt: skip
    yield Step("vector::get", f"get {at} {dtype}x{n}", f"{dtype} r0 = a.get({at});", (a,), ((f"value:{dtype}", 1),),
               lambda state, v: [Expect(v[at : at + 1], bits=True)])  # fmt: skip
    yield Step("zeros", f"zeros {dtype}x{n}", f"auto r0 = aie::zeros<{dtype}, {n}>();", (a,), ((dtype, n),),
               lambda state, v: [Expect(np.zeros_like(v), bits=True)])  # fmt: skip


def _two(dtype: str, n: int, turn: int) -> Iterator[Step]:
    a, b = In(dtype, n, _draw(dtype)), In(dtype, n, _draw(dtype), 1)
    for chunk in {1, (2, 4)[turn % 2], n // 2}:
        if chunk and n >= 2 * chunk:
            for name in ("interleave_zip", "interleave_unzip"):
                index = getattr(reshaping, name)(n, chunk)
                code = f"auto [r0, r1] = aie::{name}(a, b, {chunk});"
                yield Step(name, f"{name} {chunk} {dtype}x{n}", code, (a, b), ((dtype, n), (dtype, n)),
                           lambda at, v, w, index=index: [
                               _gathered(index[: len(v)], v, w), _gathered(index[len(v) :], v, w)])  # fmt: skip
    if BITS[dtype] * n <= 512:
        yield _step("concat", "concat", "auto r0 = aie::concat(a, b);", (a, b), reshaping.concat(n, 2), 2)


def _parts(dtype: str, n: int, size: int) -> Iterator[Step]:
    a = In(dtype, n, _draw(dtype))
    if size >= 256:
        part = n // 2
        yield _step("vector::extract", "extract 1", f"auto r0 = a.template extract<{part}>(1);", (a,),
                    reshaping.extract(part, 1), 1)  # fmt: skip
        yield _step("vector::insert", "insert 1", "auto r0 = a; r0.insert(1, b);",
                    (a, In(dtype, part, _draw(dtype), 1)), reshaping.insert(n, part, 1), 2)  # fmt: skip
    if size <= 512:
        yield _step("vector::grow", "grow 1", f"auto r0 = a.template grow<{2 * n}>(1);", (a,),
                    reshaping.grow(n, 2 * n, 1), 1)  # fmt: skip
        yield _step("vector::grow_replicate", "grow_replicate", f"auto r0 = a.template grow_replicate<{2 * n}>();",
                    (a,), reshaping.grow_replicate(n, 2 * n), 1)  # fmt: skip


def _transposes(dtype: str, turn: int, pick: Pick) -> Iterator[Step]:
    shapes = [(r, c) for r in (2, 4, 8) for c in (2, 4, 8) if 256 <= r * c * BITS[dtype] <= 1024]
    for rows, columns in shapes if pick.every else shapes[(turn + (pick.device == "npu2")) % 2 :: 2]:
        yield _step("transpose", f"transpose {rows}x{columns}", f"auto r0 = aie::transpose(a, {rows}, {columns});",
                    (In(dtype, rows * columns, _draw(dtype)),), reshaping.transpose(rows, columns), 1)  # fmt: skip


def _casts() -> Iterator[Step]:
    for one, two in (
        ("int8", "int32"),
        ("int32", "int16"),
        ("bfloat16", "int16"),
        ("int32", "float"),
        ("uint16", "cint16"),
    ):
        n = elements(one, 512)
        m = elements(two, 512)
        for api, code in (("vector_cast", f"aie::vector_cast<{two}>(a)"), ("vector::cast_to", f"a.cast_to<{two}>()")):
            yield Step(api, f"{api} {one} to {two}", f"auto r0 = {code};", (In(one, n, _draw(one)),), ((two, m),),
                       lambda at, v, one=one, two=two: [Expect(reinterpreted(v, one, two), bits=True)])  # fmt: skip
