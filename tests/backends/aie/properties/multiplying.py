"""Steps: matrices, windows, weighted sums and tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.backends.aie.oracles import lookups, products
from tests.backends.aie.oracles.arithmetic import default_accum
from tests.backends.aie.oracles.conversions import srs, to_bytes
from tests.backends.aie.oracles.numbers import ACCUMS, FLOATS, State, Values, wide, wrapped_bits
from tests.backends.aie.properties.draws import Pick, drawn
from tests.backends.aie.properties.steps import Expect, In, Step


def steps(pick: Pick) -> Iterator[Step]:
    yield from _lookups(pick.device)
    yield from _matrices(pick.device)
    yield from _windows(pick.device)
    yield from _sums()


def _matrices(device: str) -> Iterator[Step]:
    for one, two in products.SHAPES[device]:
        for m, k, n, tag in products.shapes(device, one, two):
            yield from _of_floats(one, two, m, k, n) if one in FLOATS else _of_ints(one, two, m, k, n, tag)


def _code(one: str, two: str, m: int, k: int, n: int, rounds: str) -> str:
    return f"aie::mmul<{m}, {k}, {n}, {one}, {two}> x; {rounds} "


def _of_ints(one: str, two: str, m: int, k: int, n: int, tag: str) -> Iterator[Step]:
    width = ACCUMS[tag]
    a, b = In(one, m * k), In(two, k * n, "any", 1)
    c, d = In(one, m * k, "any", 2), In(two, k * n, "any", 3)
    what = f"{m}x{k}x{n} {one} {two}"

    def total(*v: Values) -> Values:
        terms = [products.matrices(x, y, m, k, n) for x, y in zip(v[::2], v[1::2], strict=True)]
        with np.errstate(over="ignore"):
            return wrapped_bits(np.sum(terms, axis=0), width)

    twice = _code(one, two, m, k, n, "x.mul(a, b); x.mac(c, d);")
    yield Step("mmul", f"mmul mul, mac {what}", f"{twice}auto r0 = x.to_accum();", (a, b, c, d), ((tag, m * n),),
               lambda at, *v: [total(*v)])  # fmt: skip
    fresh = _code(one, two, m, k, n, "x.mac(a, b);")
    to = "int16" if width == 32 else "int32"
    yield Step("mmul", f"mmul mac of nothing {what}", f"{fresh}auto r0 = x.template to_vector<{to}>(3);", (a, b),
               ((to, m * n),), lambda at, x, y: [srs(total(x, y), width, to, 3, at)])  # fmt: skip


def _of_floats(one: str, two: str, m: int, k: int, n: int) -> Iterator[Step]:
    for draw in ("small", "unit"):
        a, b = In(one, m * k, draw), In(two, k * n, draw, 1)
        code = _code(one, two, m, k, n, "x.mac(a, b); x.mac(a, b);")

        def oracle(at: State, x: Values, y: Values, draw: str = draw) -> list[Expect]:
            within = 2 * products.matrix_error(x, y, m, k, n) if draw == "unit" else 0.0
            return [Expect(2 * products.matrices(x, y, m, k, n), within)]

        yield Step("mmul", f"mmul {m}x{k}x{n} {one} {draw}", f"{code}auto r0 = x.to_accum();", (a, b),
                   (("accfloat", m * n),), oracle)  # fmt: skip


#: device → (type of coefficients, of data, lanes, points, coefficients' step, steps of data, tag)
WINDOWS = {
    "npu1": (
        ("int8", "int8", 32, 8, 1, 1, "acc32"), ("int8", "int8", 32, 16, 1, 1, "acc32"),
        ("int16", "int16", 16, 4, 1, 1, "acc32"), ("int16", "int16", 16, 8, 2, 1, "acc32"),
        ("int16", "int16", 16, 4, 1, 2, "acc64"), ("int16", "int32", 16, 4, 1, 1, "acc64"),
        ("int32", "int16", 16, 4, 1, 1, "acc64"), ("int8", "int8", 16, 4, 1, 1, "acc32"),
    ),
    "npu2": (
        ("int8", "int8", 64, 8, 1, 1, "acc32"), ("int8", "int8", 32, 8, 1, 1, "acc32"),
        ("int16", "int16", 32, 4, 1, 1, "acc32"), ("int16", "int16", 32, 8, 1, 1, "acc32"),
        ("int16", "int16", 16, 4, 2, 1, "acc32"),
    ),
}  # fmt: skip


def _windows(device: str) -> Iterator[Step]:
    for coeff, data, lanes, points, cs, ds, tag in WINDOWS[device]:
        width = ACCUMS[tag]
        n_coeff = 512 // (8 if coeff == "int8" else 16 if coeff == "int16" else 32)
        n_data = 1024 // (8 if data == "int8" else 16 if data == "int16" else 32)
        for start in ((0, 0), (2, 5)):
            kind = f"aie::sliding_mul_ops<{lanes}, {points}, {cs}, {ds}, {ds}, {coeff}, {data}, {tag}>"
            what = f"{coeff} {data} {lanes}x{points} {cs} {ds} {start}"

            def oracle(
                at: State, c: Values, d: Values, w=width, s=start, p=points, n=lanes, cs=cs, ds=ds
            ) -> list[Values]:
                return [products.sliding(c, d, n, p, steps=(cs, ds, ds), start=s, bits=w)]

            ins = (In(coeff, n_coeff, "any"), In(data, n_data, "any", 1))
            operands = f"a, {start[0]}, b, {start[1]}"
            yield Step("sliding_mul_ops", f"sliding_mul_ops {what}", f"auto r0 = {kind}::mul({operands});", ins,
                       ((tag, lanes),), oracle)  # fmt: skip
            if cs == ds == 1 and tag == default_accum(coeff, data):
                yield Step("sliding_mul", f"sliding_mul {what}",
                           f"auto r0 = aie::sliding_mul<{lanes}, {points}>({operands});", ins,
                           ((tag, lanes),), oracle)  # fmt: skip


def _sums() -> Iterator[Step]:
    for dtype, tag, n in (
        ("int16", "acc32", 32),
        ("int16", "acc32", 16),
        ("int8", "acc32", 32),
        ("int32", "acc64", 16),
    ):
        width = ACCUMS[tag]
        coeff = In(dtype, 512 // {"int8": 8, "int16": 16, "int32": 32}[dtype], "any", 5)
        data = tuple(In(dtype, n, "any", k) for k in range(3))
        yield Step("accumulate", f"accumulate {dtype}x{n}", f"auto r0 = aie::accumulate<{n}>(a, 2, b, c, d);",
                   (coeff, *data), ((tag, n),),
                   lambda at, c, *d, width=width: [products.weighted(c, 2, list(d), width)])  # fmt: skip


# --- tables ----------------------------------------------------------------------------------------------------------


def _table(name: str, raw: np.ndarray, device: str) -> str:
    """Two copies in the kernel's source, each twice interleaved: for four accesses at once."""
    words = ", ".join(f"{w:#x}u" for w in lookups.twice(raw, device).view("<u4"))
    return " ".join(f"alignas(64) static const uint32_t {name}_{k}[] = {{{words}}};" for k in ("ab", "cd"))


def _lookups(device: str) -> Iterator[Step]:
    rng = np.random.default_rng(9)
    for index, value, n in (("int16", "int16", 32), ("int8", "int16", 32), ("int16", "int32", 16),
                            ("int16", "bfloat16", 32), ("uint8", "int16", 32), ("int32", "int32", 16)):  # fmt: skip
        values = drawn(rng, value, 64, "any")
        name = f"table_{index}_{value}"
        # The index is shifted and moved in 32 bits: of keys that leave no headroom for it nothing is documented.
        every = (("saturate", "any"), ("saturate", "near"), ("truncate", "any"))
        for policy, draw in every if index != "int32" else (("saturate", "near"), ("truncate", "near")):
            bias = 0 if index.startswith("u") else 32
            code = (
                f"{_table(name, to_bytes(values, value), device)} aie::lut<4, {value}> l(64, {name}_ab, {name}_cd); "
                f"aie::parallel_lookup<{index}, aie::lut<4, {value}>, aie::lut_oor_policy::{policy}> "
                f"p(l{', 0, 32' if bias else ''}); auto r0 = p.fetch(a);"
            )
            yield Step("parallel_lookup", f"parallel_lookup {index} {value}x{n} {policy} {draw}", code,
                       (In(index, n, draw if bias else "index"),), ((value, n),),
                       lambda at, a, v=values, bias=bias, cut=policy == "truncate": [
                           Expect(lookups.lookup(v, a, bias=bias, truncate=cut), bits=True)])  # fmt: skip
    yield from _linear(rng, device)


def _linear(rng: np.random.Generator, device: str) -> Iterator[Step]:
    for dtype, part, tag, n, step_bits, more in (
        ("int8", "int8", "acc32", 32, 2, 0),
        ("int16", "int16", "acc64", 16, 3, 2),
        ("int16", "int32", "acc64", 16, 4, 3),
    ):
        slope, offset = (drawn(rng, part, 64, "any") for _ in range(2))
        pairs = np.stack([slope, offset], axis=1).reshape(-1)
        name = f"line_{dtype}_{part}"
        code = (
            f"{_table(name, to_bytes(pairs, part), device)} aie::lut<4, {part}, {part}> l(64, {name}_ab, {name}_cd); "
            f"aie::linear_approx<{dtype}, aie::lut<4, {part}, {part}>> p(l, {step_bits}, 32, {more}); "
            "auto r0 = p.compute(a);"
        )

        def oracle(at: State, a: Values, s: Values = slope, o: Values = offset, b: int = step_bits, m: int = more,
                   width: int = ACCUMS[tag]) -> list[Values]:  # fmt: skip
            return [wrapped_bits(lookups.linear(s, o, a, step_bits=b, bias=32, shift_offset=m), width)]

        draw = "any" if dtype == "int8" else "near" if step_bits == 0 else f"steps{step_bits}"
        yield Step(
            "linear_approx", f"linear_approx {dtype} {part}x{n}", code, (In(dtype, n, draw),), ((tag, n),), oracle
        )
    slope, offset = drawn(rng, "bfloat16", 64, "small"), drawn(rng, "float", 64, "small")
    pairs = np.stack([wide(slope), offset], axis=1).reshape(-1).astype(np.float32)
    code = (
        f"{_table('line', to_bytes(pairs, 'float'), device)} aie::lut<4, float, bfloat16> l(64, line_ab, line_cd); "
        "aie::linear_approx<bfloat16, aie::lut<4, float, bfloat16>> p(l, 0, 32); "
        "auto r0 = p.compute(a);"
    )
    yield Step("linear_approx", "linear_approx bfloat16x16", code, (In("bfloat16", 16, "near"),), (("accfloat", 16),),
               lambda at, a: [lookups.linear_float(slope, offset, a, step_bits=0, bias=32)])  # fmt: skip
