"""Steps: iterators, buffer streams, tensor descriptors, and windows in all their forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tests.backends.aie.oracles import products, walks
from tests.backends.aie.oracles.numbers import Ints, Values, wrapped_bits
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.moving import _gathered
from tests.backends.aie.properties.steps import In, Step

N = 16  # elements of a vector of int16
A = In("int16", 256, "any", 9)


def steps(pick: Pick) -> Iterator[Step]:
    yield from _iterators()
    yield from _streams()
    yield from _tensors()
    yield from _windows(pick.device)


def _step(api: str, code: str, index: Ints) -> Step:
    return Step(api, f"{api} {code[:90]}", code, (A,), (("int16!", len(index)),),
                lambda at, v: [_gathered(index, v)])  # fmt: skip


def _copied(count: int, advance: str = "*jt++ = *it++;") -> str:
    return f"auto jt = aie::begin_vector<{N}>(@r0); for (int i = 0; i < {count}; ++i) {{ {advance} }}"


def _iterators() -> Iterator[Step]:
    def of(name: str, made: str, blocks: Ints, advance: str = "*jt++ = *it++;") -> Step:
        return _step(name, f"auto it = {made}; {_copied(len(blocks), advance)}", walks.vectors(N, blocks))

    yield of("begin_vector", f"aie::begin_vector<{N}>(@a)", np.arange(4))
    yield of("cbegin_vector", f"aie::cbegin_vector<{N}>(@a)", np.arange(4))
    yield of("begin_vector", f"aie::begin_vector<{N}>(@a + {9 * N})", 9 - 2 * np.arange(4), "*jt++ = *it; it -= 2;")
    yield of("cbegin_vector", f"aie::cbegin_vector<{N}>(@a)", 3 * np.arange(4), "*jt++ = it[3 * i];")
    yield of("begin_vector", f"aie::begin_vector<{N}>(@a + {5 * N})", 5 - np.arange(4), "*jt++ = *it--;")
    yield of("begin_restrict_vector", f"aie::begin_restrict_vector<{N}>(@a)", np.arange(4))
    yield of("cbegin_restrict_vector", f"aie::cbegin_restrict_vector<{N}>(@a)", 1 + np.arange(4), "*jt++ = *++it;")
    yield of("cbegin_vector_circular", f"aie::cbegin_vector_circular<{N}, {4 * N}>(@a)", walks.circular(4, 7))
    yield of("begin_vector_circular", f"aie::begin_vector_circular<{N}>(@a, {3 * N})", walks.circular(3, 8))
    yield of("cbegin_vector_random_circular", f"aie::cbegin_vector_random_circular<{N}, {8 * N}>(@a)",
             walks.circular(8, 7, 3), "*jt++ = *it; it += 3;")  # fmt: skip
    yield _step("cbegin_unaligned_vector", f"auto it = aie::cbegin_unaligned_vector<{N}>(@a + 3); {_copied(3)}",
                3 + np.arange(3 * N))  # fmt: skip
    single = "for (int i = 0; i < 20; ++i) @r0[i] = *it++;"
    yield _step("cbegin_circular", f"auto it = aie::cbegin_circular<7>(@a); {single}", walks.circular(7, 20))
    yield _step("begin_circular", f"auto it = aie::begin_circular(@a, 9); {single}", walks.circular(9, 20))
    yield _step("cbegin_random_circular", "auto it = aie::cbegin_random_circular<11>(@a); "
                "for (int i = 0; i < 20; ++i) { @r0[i] = *it; it += 4; }", walks.circular(11, 20, 4))  # fmt: skip
    yield _step("cbegin_pattern", f"auto it = aie::cbegin_pattern<4>(@a, 2, -1, 2, 1); {single}",
                walks.pattern((2, -1, 2, 1), 20))  # fmt: skip
    yield _step("cbegin_vectors", f"auto [it, kt] = aie::cbegin_vectors<{N}>(@a, @a + {6 * N}); "
                f"auto jt = aie::begin_vector<{N}>(@r0); "
                "for (int i = 0; i < 2; ++i) { *jt++ = *it++; *jt++ = *kt++; }",
                walks.vectors(N, np.array([0, 6, 1, 7])))  # fmt: skip


def _streams() -> Iterator[Step]:
    def of(name: str, code: str, index: Ints) -> Step:
        return _step(name, code, index)

    three = walks.vectors(N, np.arange(4))
    out = f"auto o = aie::make_vector_output_buffer_stream<{N}>(@r0); "
    yield of("make_vector_input_buffer_stream", f"auto s = aie::make_vector_input_buffer_stream<{N}>(@a); {out}"
             f"aie::vector<int16, {N}> v; s >> v; o << v; o << s.pop(); o.push(s.pop()); s >> v; o.push(v);",
             three)  # fmt: skip
    yield of("make_unaligned_vector_input_buffer_stream",
             f"auto s = aie::make_unaligned_vector_input_buffer_stream<{N}>(@a + 5); {out}"
             "for (int i = 0; i < 4; ++i) o << s.pop();", 5 + np.arange(4 * N))  # fmt: skip


def _tensors() -> Iterator[Step]:
    out = f"auto o = aie::begin_vector<{N}>(@r0); "
    cases: tuple[tuple[tuple[int, int], ...], ...] = (
        ((5, 2),), ((2, 4), (3, 1)), ((2, 4), (2, 2), (2, 1)), ((2, 1), (3, 2), (2, 6)), ((3, 0), (4, 1)),
    )  # fmt: skip
    for dimensions in cases:
        blocks = walks.tensor(dimensions)
        dims = ", ".join(f"aie::tensor_dim({size}u, {step})" for size, step in dimensions)
        for maker in ("make_tensor_buffer_stream", "make_restrict_tensor_buffer_stream"):
            made = f"auto d = aie::make_tensor_descriptor<int16, {N}>({dims}); auto s = aie::{maker}(@a, d); {out}"
            code = f"{made}for (int i = 0; i < {len(blocks)}; ++i) *o++ = s.pop();"
            yield _step(maker, code, walks.vectors(N, blocks))
    four = ((2, 4), (2, 0), (3, 2), (2, 1))
    dims = ", ".join(f"aie::tensor_dim({size}u, {step})" for size, step in four)
    yield _step("make_tensor_descriptor", f"auto d = aie::make_tensor_descriptor<int16, {N}>({dims}); "
                f"auto s = aie::make_tensor_buffer_stream(@a, d); {out}"
                f"for (int i = 0; i < 12; ++i) {{ auto t = s.pop(); aie::vector<int16, {N}> x, y; t >> x >> y; "
                "*o++ = x; *o++ = y; }", walks.vectors(N, walks.tensor(four)))  # fmt: skip
    yield _step("make_tensor_descriptor_from_native", "auto d = aie::make_tensor_descriptor_from_native<int16, "
                f"{N}>(aie::dim_3d(1u, 1, 1u, 1, 1)); auto s = aie::make_tensor_buffer_stream(@a, d); {out}"
                "for (int i = 0; i < 8; ++i) *o++ = s.pop();",
                walks.vectors(N, walks.tensor(((2, 4), (2, 2), (2, 1)))))  # fmt: skip


def _windows(device: str) -> Iterator[Step]:
    lanes, points = (16, 4) if device == "npu1" else (32, 4)
    c, d = In("int16", 32, "any", 1), In("int16", 64, "any", 2)
    acc = In("int32", lanes, "any", 3)
    made = f"aie::accum<acc32, {lanes}> e = aie::vector_cast<acc32>(c); "

    def window(name: str, code: str, xyz: tuple[int, int, int], of: Callable[[Ints, Ints], Ints]) -> Step:
        def oracle(at: object, x: Values, y: Values, z: Values) -> list[Values]:
            found = products.sliding(x, y, lanes, points, steps=xyz, start=(1, 4), bits=64)
            return [wrapped_bits(of(found, z), 32)]

        return Step(name, f"{name} {code[:70]}", f"{made}auto r0 = {code};", (c, d, acc), (("acc32", lanes),), oracle)

    def plain(found: Ints, z: Ints) -> Ints:
        return found

    operands = "a, 1, b, 4"
    yield window("sliding_mac", f"aie::sliding_mac<{lanes}, {points}>(e, {operands})", (1, 1, 1), lambda f, z: z + f)
    kind = f"<{lanes}, {points}, 1, 1, 1, int16, int16, acc32>"
    yield window("sliding_mul_ops", f"aie::sliding_mul_ops{kind}::mac(e, {operands})", (1, 1, 1),
                 lambda f, z: z + f)  # fmt: skip
    yield window("sliding_mul_ops", f"aie::sliding_mul_ops{kind}::negmul({operands})", (1, 1, 1),
                 lambda f, z: -f)  # fmt: skip
    for name, xyz, given in (("x", (1, 2, 1), "1, 2"), ("y", (1, 1, 2), "1, 2"), ("xy", (1, 2, 2), "1, 2")):
        if name == "xy":  # the other two have steps that the table rules out
            yield window(f"sliding_mul_{name}_ops", f"aie::sliding_mul_{name}_ops<{lanes}, {points}, {given}, int16, "
                         f"int16, acc32>::mul({operands})", xyz, plain)  # fmt: skip
    outputs, channels, taps = (4, 8, 4) if device == "npu1" else (8, 8, 8)
    total = outputs * channels
    p, q = In("int8", 64, "any", 1), In("int8", 128, "any", 2)

    def filtered(at: object, x: Values, y: Values) -> list[Values]:
        return [products.sliding_channels(x, y, total, taps, channels, start=(0, 0), bits=32)]

    code = f"auto r0 = aie::sliding_mul_ch<{outputs}, {channels}, {taps}>(a, 0, b, 0);"
    yield Step("sliding_mul_ch", f"sliding_mul_ch {total} {taps}", code, (p, q), (("acc32", total),), filtered)
