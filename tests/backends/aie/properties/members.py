"""Steps: members of the classes, memory, operators, lazy operations and precomputed modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tests.backends.aie.oracles import arithmetic, bits, compares, conversions, reshaping
from tests.backends.aie.oracles.numbers import (
    ROUNDINGS,
    SATURATIONS,
    Ints,
    State,
    Values,
    to_bfloat16,
    wide,
    wrapped,
    wrapped_bits,
)
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.moving import _draw, _gathered
from tests.backends.aie.properties.steps import Expect, In, Step, elements

REAL = ("int8", "uint16", "int32", "bfloat16", "float")


def steps(pick: Pick) -> Iterator[Step]:
    yield from _accumulators()
    yield from _vectors()
    yield from _memory()
    yield from _operators()
    yield from _lazy()
    yield from _modes()
    yield from _masks()
    yield from _state()
    yield from _between()
    yield from _scalars()


def whole(x: Ints, width: int = 64) -> Ints:
    """Lanes of an accumulator from the 32-bit words that they were made of."""
    return x if width == 32 else (x[0::2] & 0xFFFFFFFF) | x[1::2] << 32


def _narrow(words: Ints, width: int, dtype: str, shift: int, at: State) -> Ints:
    return conversions.srs(whole(words, width), width, dtype, shift, at)


def _made(tag: str, n: int, *names: tuple[str, str]) -> str:
    return "".join(f"aie::accum<{tag}, {n}> {a} = aie::vector_cast<{tag}>({v}); " for a, v in names)


def _accumulators() -> Iterator[Step]:
    for tag, width, n in (("acc32", 32, 16), ("acc64", 64, 8)):
        words = n * width // 32
        a, b = In("int32", words), In("int32", words, "any", 1)
        half = In("int32", words // 2, "any", 2)
        made = _made(tag, n, ("x", "a"), ("y", "b"))
        small = f"aie::accum<{tag}, {n // 2}> z = aie::vector_cast<{tag}>(c); "

        def step(api: str, code: str, index: Ints, ins: tuple[In, ...], made: str = made, tag: str = tag,
                 width: int = width) -> Step:  # fmt: skip
            return Step(api, f"{code} {tag}", f"{made}auto r0 = {code};", ins, ((tag, len(index)),),
                        lambda at, *v: [_gathered(index, *(whole(x, width) for x in v))])  # fmt: skip

        yield step("accum::extract", f"x.template extract<{n // 2}>(1)", reshaping.extract(n // 2, 1), (a, b))
        yield step("accum::insert", "x.insert(1, z)", _into(n),
                   (a, b, half), made + small)  # fmt: skip
        yield step("accum::grow", f"x.template grow<{2 * n}>()", reshaping.grow(n, 2 * n, 0), (a, b))
        yield step("accum::grow_replicate", f"x.template grow_replicate<{2 * n}>()",
                   reshaping.grow_replicate(n, 2 * n), (a, b))  # fmt: skip
        yield step("concat", "aie::concat(x, y)", reshaping.concat(n, 2), (a, b))
        yield Step("zeros", f"zeros<{tag}>", f"auto r0 = aie::zeros<{tag}, {n}>();", (a,), ((tag, n),),
                   lambda at, v, n=n: [np.zeros(n, np.int64)])  # fmt: skip
        yield Step(
            "to_vector",
            f"to_vector of {tag}",
            f"{made}auto r0 = aie::to_vector<int16>(x, 5);",
            (a, b),
            (("int16", n),),
            lambda at, v, w, width=width: [conversions.srs(whole(v, width), width, "int16", 5, at)],
        )
        for sign in ("true", "false"):
            kind = "int16" if sign == "true" else "uint16"
            yield Step("accum::to_vector_sign", f"to_vector_sign {tag} {sign}",
                       f"{made}auto r0 = x.template to_vector_sign<int16>({sign}, 3);", (a, b), (("int16", n),),
                       lambda at, v, w, width=width, kind=kind: [
                           wrapped(_narrow(v, width, kind, 3, at), "int16")])  # fmt: skip
    yield Step("from_vector", "from_vector", "auto r0 = aie::from_vector<acc32>(a, 4);", (In("int16", 16),),
               (("acc32", 16),), lambda at, v: [conversions.ups(v, 32, 4, at)],
               lambda at: at.saturation != "symmetric")  # fmt: skip
    half = In("int16", 16)
    for sign in ("true", "false"):
        kind = "int16" if sign == "true" else "uint16"
        yield Step("accum::from_vector_sign", f"from_vector_sign {sign}",
                   f"aie::accum<acc64, 16> r0; r0.from_vector_sign(a, {sign}, 6);", (half,), (("acc64", 16),),
                   lambda at, v, kind=kind: [conversions.ups(wrapped(v, kind), 64, 6, at)])  # fmt: skip
    yield Step("accum::cast_to", "cast_to", f"{_made('acc32', 16, ('x', 'a'))}auto r0 = x.cast_to<acc64>();",
               (In("int32", 16),), (("acc64", 8),), lambda at, v: [whole(v)])  # fmt: skip


def _into(n: int) -> Ints:
    """The third operand, of half the lanes, over the upper half of the first of two."""
    return np.concatenate([np.arange(n // 2), 2 * n + np.arange(n // 2)])


def _vectors() -> Iterator[Step]:
    for dtype in REAL:
        n = elements(dtype, 512)
        a, b = In(dtype, n, _draw(dtype)), In(dtype, n, _draw(dtype), 1)
        part = n // 2

        def moved(api: str, code: str, index: Ints, ins: tuple[In, ...] = (a, b), dtype: str = dtype) -> Step:
            return Step(api, f"{api} {dtype}", code, ins, ((dtype, len(index)),),
                        lambda at, *v: [_gathered(index, *v)])  # fmt: skip

        parts = f"auto s = a.template split<{part}>(); "
        yield moved("vector::split", f"{parts}auto r0 = aie::concat(std::get<1>(s), std::get<0>(s));",
                    (np.arange(n) + part) % n)  # fmt: skip
        halves = f"b.template extract<{part}>(1), b.template extract<{part}>(0)"
        yield moved("vector::upd_all", f"auto r0 = a; r0.upd_all({halves});", n + (np.arange(n) + part) % n)
        yield moved("vector::elem_ref", "auto r0 = a; r0.elem_ref(3) = b[1]; r0[0] = r0[2];", _assigned(n))
        yield moved("vector::elem_const_ref", "const auto c = b; auto r0 = a; r0.set(c.elem_const_ref(1), 3); "
                    "r0.set(c[2], 0);", _taken(n))  # fmt: skip
        yield moved("vector::load", f"aie::vector<{dtype}, {n}> r0; r0.load(@b);", n + np.arange(n))
        yield Step("vector::store", f"vector::store {dtype}", "a.store(@r0);", (a,), ((f"{dtype}!", n),),
                   lambda at, v: [Expect(v, bits=True)])  # fmt: skip
        many = ", ".join(f"b.get({n - 1 - i})" for i in range(n)) if n <= 32 else ""
        if many:
            yield moved("vector::vector", f"aie::vector<{dtype}, {n}> r0({many});", n + reshaping.reverse(n))
        facts = (
            "r.size(), r.bits(), r.bytes(), r.type_bits(), r.is_signed(), r.is_complex(), r.is_real(), r.is_integral()"
        )
        values = [n, 512, 64, 512 // n, dtype[0] != "u", 0, 1, "float" not in dtype]
        stored = " ".join(f"@r0[{i}] = {f.strip()};" for i, f in enumerate(facts.split(",")))
        if dtype not in ("bfloat16", "float"):
            yield Step("vector::size", f"vector's facts {dtype}", f"auto r = a; {stored}", (a,), (("int32!", 8),),
                       lambda at, v, values=values: [np.array(values, np.int64)])  # fmt: skip
    for narrow, broad in (("int8", "int16"), ("uint8", "uint16")):
        a, b = In(narrow, 32), In(broad, 32)
        for sign in ("true", "false"):
            yield Step("vector::unpack_sign", f"unpack_sign {narrow} {sign}", f"auto r0 = a.unpack_sign({sign});", (a,),
                       ((broad, 32),), lambda at, v, s=sign == "true", to=broad: [
                           wrapped(wrapped_bits(v, 8, s), to)])  # fmt: skip
            kind = "int8" if sign == "true" else "uint8"
            yield Step("vector::pack_sign", f"pack_sign {broad} {sign}", f"auto r0 = a.pack_sign({sign});", (b,),
                       ((narrow, 32),), lambda at, v, kind=kind, to=narrow, s=sign == "true": [
                           wrapped(conversions.pack(wrapped_bits(v, 16, s), kind, at), to)])  # fmt: skip


def _assigned(n: int) -> Ints:
    out = np.arange(n)
    out[3], out[0] = n + 1, 2
    return out


def _taken(n: int) -> Ints:
    out = np.arange(n)
    out[3], out[0] = n + 1, n + 2
    return out


def _memory() -> Iterator[Step]:
    for dtype in ("int8", "int16", "bfloat16", "int32"):
        n, more = elements(dtype, 256), elements(dtype, 1024)
        a = In(dtype, more, _draw(dtype), 4)

        def window(api: str, code: str, start: int, dtype: str = dtype, n: int = n, a: In = a) -> Step:
            index = start + np.arange(n)
            return Step(api, f"{api} {code[:40]} {dtype}", code, (a,), ((dtype, n),),
                        lambda at, x: [_gathered(index, x)])  # fmt: skip

        yield window("load_unaligned_v", f"auto r0 = aie::load_unaligned_v<{n}>(@a + 3);", 3)
        yield window("load_unaligned_v", f"auto r0 = aie::load_unaligned_v<{n}>(@a + 4, 4);", 4)
        yield window("load_floor_v", f"auto r0 = aie::load_floor_v<{n}>(@a + {n + 3});", n)
        yield window("load_floor_v", f"auto r0 = aie::load_floor_v<{n}>(@a + 7, 4);", 4)
        yield window("load_floor_bytes_v", f"auto r0 = aie::load_floor_bytes_v<{n}>(@a + {n + 1}, 32);", n)
        yield window("vector::load_unaligned", f"aie::vector<{dtype}, {n}> r0; r0.load_unaligned(@a + 5, 1);", 5)
        yield window("load_v", "auto r0 = aie::load_v(@a);", 0, n=elements(dtype, 512))
        v = In(dtype, n, _draw(dtype), 0)

        def put(api: str, code: str, start: int, dtype: str = dtype, n: int = n, v: In = v) -> Step:
            def oracle(at: State, x: Values) -> list[Expect]:
                out = np.zeros(2 * n, x.dtype)
                out[start : start + n] = x
                where = np.arange(2 * n)
                return [Expect(out, bits=True, defined=(where >= start) & (where < start + n))]

            return Step(api, f"{api} {code[:40]} {dtype}", code, (v,), ((f"{dtype}!", 2 * n),), oracle)

        yield put("store_unaligned_v", "aie::store_unaligned_v(@r0 + 3, a);", 3)
        yield put("store_unaligned_v", "aie::store_unaligned_v(@r0 + 4, a, 4);", 4)
        yield put("store_floor_v", f"aie::store_floor_v(@r0 + {n + 1}, a);", n)
        yield put("store_floor_bytes_v", f"aie::store_floor_bytes_v(@r0 + {n + 1}, a, 32);", n)
        yield put("vector::store_unaligned", "a.store_unaligned(@r0 + 5, 1);", 5)
        yield put("store_v", f"auto p = aie::store_v(@r0, a); aie::store_v(p + {n}, a);", n)


def _operators() -> Iterator[Step]:
    simple: dict[str, Callable[..., Values]] = {"+": arithmetic.add, "-": arithmetic.sub}
    for dtype in ("int8", "int16", "uint32", "bfloat16"):
        n = elements(dtype, 512)
        a, b = In(dtype, n), In(dtype, n, "any", 1)

        def step(sign: str, code: str, oracle: Callable[..., list[Values]], ins: tuple[In, ...] = (a, b),
                 out: str = dtype, n: int = n) -> Step:  # fmt: skip
            name = sign.replace(" ", "")
            text = f"using namespace aie::operators; {code}"
            return Step(f"operators::operator{name}", f"{code} {ins[0].dtype}", text, ins, ((out, n),), oracle)

        for sign, of in simple.items():
            yield step(sign, f"auto r0 = a {sign} b;", lambda at, v, w, of=of, d=dtype: [of(v, w, d, at)])
            yield step(f"{sign}=", f"auto r0 = a; r0 {sign}= b;", lambda at, v, w, of=of, d=dtype: [of(v, w, d, at)])
        for sign, name in (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("==", "eq"), ("!=", "neq")):
            yield step(sign, f"auto r0 = a {sign} b;", lambda at, v, w, name=name: [
                compares.mask_words(compares.compare(name, v, w))], out="mask")  # fmt: skip
        if dtype == "bfloat16":
            continue
        for sign, name in (("&", "bit_and"), ("|", "bit_or"), ("^", "bit_xor")):
            yield step(
                sign, f"auto r0 = a {sign} b;", lambda at, v, w, name=name, d=dtype: [bits.bitwise(name, v, w, d)]
            )
        yield step("~", "auto r0 = ~a;", lambda at, v, w, d=dtype: [bits.bit_not(v, d)])
        if dtype[0] != "u":
            yield step("-", "auto r0 = -a;", lambda at, v, w, d=dtype: [arithmetic.neg(v, d)])


def _lazy() -> Iterator[Step]:
    a, b, c = In("int16", 16), In("int16", 16, "any", 1), In("int32", 16, "any", 2)
    made = "aie::accum<acc32, 16> d = aie::vector_cast<acc32>(c); "

    def step(api: str, code: str, of: Callable[..., Values]) -> Step:
        return Step(api, code, f"{made}auto r0 = {code};", (a, b, c), (("acc32", 16),),
                    lambda at, x, y, z: [wrapped_bits(of(x, y, z), 32)])  # fmt: skip

    yield step("op_abs", "aie::mul(aie::op_abs(a), b)", lambda x, y, z: wrapped(np.abs(x), "int16") * y)
    yield step("op_none", "aie::mul(aie::op_none(a), aie::op_none(b))", lambda x, y, z: x * y)
    yield step("op_add", "aie::mac(aie::op_add(d), a, b)", lambda x, y, z: z + x * y)
    yield step("op_sub", "aie::mac(aie::op_sub(d), a, b)", lambda x, y, z: x * y - z)
    yield step("op_zero", "aie::mac(aie::op_zero(d, true), a, b)", lambda x, y, z: x * y)
    yield step("op_zero", "aie::mac(aie::op_zero(d, false), a, b)", lambda x, y, z: z + x * y)
    yield step("op_min", "aie::mul(aie::op_min(a, b), b)", lambda x, y, z: np.minimum(x, y) * y)
    yield step("op_max", "aie::mul(aie::op_max(a, b), b)", lambda x, y, z: np.maximum(x, y) * y)
    yield step("op_sign", "aie::mul(aie::op_sign(a, false), b)", lambda x, y, z: wrapped(x, "uint16") * y)
    p, q = In("cint16", 8, "quarter"), In("cint16", 8, "quarter", 1)
    yield Step("op_conj", "mul(op_conj(a), b)", "auto r0 = aie::mul(aie::op_conj(a), b);", (p, q), (("acc64", 16),),
               lambda at, x, y: [arithmetic.product(arithmetic.conjugate(x, "cint16"), y).reshape(-1)])  # fmt: skip
    yield Step("abs_square", "abs_square", "auto r0 = aie::abs_square<int32>(a, 2);", (p,), (("int32", 8),),
               lambda at, x: [conversions.srs(arithmetic.abs_square(x), 64, "int32", 2, at)])  # fmt: skip


def _modes() -> Iterator[Step]:
    for dtype in ("int8", "int32", "bfloat16"):
        n = elements(dtype, 512)
        a, b = In(dtype, n, _draw(dtype)), In(dtype, n, _draw(dtype), 1)
        for which in ("even", "odd"):
            index = getattr(reshaping, f"filter_{which}")(n, 2)
            yield Step("filter", f"filter_mode {which} {dtype}",
                       f"auto m = aie::filter_mode<{dtype}, {n}>::{which}(2); auto r0 = aie::filter(a, m);", (a,),
                       ((dtype, n // 2),), lambda at, v, index=index: [_gathered(index, v)])  # fmt: skip
        for which in ("zip", "unzip"):
            index = getattr(reshaping, f"interleave_{which}")(n, 4)
            yield Step(f"interleave_{which}_mode", f"interleave_{which}_mode {dtype}",
                       f"aie::interleave_{which}_mode<{dtype}, {n}> m(4); "
                       f"auto [r0, r1] = aie::interleave_{which}(a, b, m);",
                       (a, b), ((dtype, n), (dtype, n)), lambda at, v, w, index=index: [
                           _gathered(index[: len(v)], v, w), _gathered(index[len(v) :], v, w)])  # fmt: skip
        yield Step("contains", f"contains {dtype}", "bool r0 = aie::contains(b, a);",
                   (In(dtype, n, "small"), In(dtype, n, "small", 3, True)), (("bool", 1),),
                   lambda at, v, w: [np.array([int((wide(v) == wide(w)).any())])])  # fmt: skip


def _masks() -> Iterator[Step]:
    words = (In("uint32", 4, "any", 5), In("uint32", 4, "any", 6))
    made = "auto x = aie::mask<64>::from_uint32(a[0], a[1]); auto y = aie::mask<64>::from_uint32(b[0], b[1]); "

    def step(api: str, code: str, of: Callable[..., Values], n: int = 64) -> Step:
        return Step(f"mask::{api}", f"mask::{api} {code}", f"{made}{code}", words, (("mask", n),),
                    lambda at, *v: [compares.mask_words(of(*(compares.mask_of(k[:2], 64) for k in v)))])  # fmt: skip

    yield step("from_uint64", "uint64_t k = ((uint64_t)(uint32_t)a[1] << 32) | (uint32_t)a[0]; "
               "auto r0 = aie::mask<64>::from_uint64(k);", lambda x, y: x)  # fmt: skip
    yield step("from_masks", "auto r0 = aie::mask<128>::from_masks(x, y);", lambda x, y: np.concatenate([x, y]), 128)
    yield step("extract", "auto r0 = x.template extract<32>(1);", lambda x, y: x[32:], 32)
    yield step("get_submask", "auto r0 = x.template get_submask<16>(2);", lambda x, y: x[32:48], 16)
    yield step("insert", "auto r0 = x; r0.insert(1, y.template extract<16>(3));", _inserted)
    for sign, of in (("&", np.logical_and), ("|", np.logical_or)):
        yield step(f"operator{sign}=", f"auto r0 = x; r0 {sign}= y;", of)
    yield step("operator<<=", "auto r0 = x; r0 <<= 9;", lambda x, y: np.concatenate([np.zeros(9, bool), x[:55]]))
    yield step("operator>>=", "auto r0 = x; r0 >>= 40;", lambda x, y: np.concatenate([x[40:], np.zeros(40, bool)]))
    same = f"{made}bool r0 = x == (x & (x | y)) && !(x == y);"
    yield Step("mask::operator==", "mask ==", same, words, (("bool", 1),),
               lambda at, v, w: [np.array([int((v[:2] != w[:2]).any())])])  # fmt: skip
    yield Step("mask::to_uint64", "mask::to_uint64", f"{made}uint64_t k = x.to_uint64(); @r0[0] = (uint32_t)k; "
               "@r0[1] = (uint32_t)(k >> 32);", words, (("uint32!", 2),), lambda at, v, w: [v[:2]])  # fmt: skip


def _inserted(x: Values, y: Values) -> Values:
    out = x.copy()
    out[16:32] = y[48:]
    return out


def _state() -> Iterator[Step]:
    a = In("int32", 16)
    yield Step("get_rounding", "get_rounding", "int32 r0 = (int32)aie::get_rounding();", (a,), (("value:int32", 1),),
               lambda at, v: [np.array([ROUNDINGS[at.rounding]])])  # fmt: skip
    yield Step("get_saturation", "get_saturation", "int32 r0 = (int32)aie::get_saturation();", (a,),
               (("value:int32", 1),), lambda at, v: [np.array([SATURATIONS[at.saturation]])])  # fmt: skip
    two = (("value:int32", 1), ("value:int32", 1))
    swapped = (
        "auto k = aie::swap_{0}(aie::{0}_mode::{1}); auto l = aie::swap_{0}(k); int32 r0 = (int32)k, r1 = (int32)l;"
    )
    yield Step("swap_rounding", "swap_rounding", swapped.format("rounding", "conv_odd"), (a,),
               two, lambda at, v: [np.array([ROUNDINGS[k]]) for k in (at.rounding, "conv_odd")])  # fmt: skip
    yield Step("swap_saturation", "swap_saturation", swapped.format("saturation", "symmetric"), (a,),
               two, lambda at, v: [np.array([SATURATIONS[k]]) for k in (at.saturation, "symmetric")])  # fmt: skip
    tile = "auto t = aie::tile::current(); auto k = t.get_rounding(); t.set_rounding(aie::rounding_mode::ceil); "
    yield Step("tile::set_rounding", "tile::set_rounding", f"{tile}int32 r0 = (int32)aie::get_rounding(); "
               "t.set_rounding(k);", (a,), (("value:int32", 1),), lambda at, v: [np.array([1])])  # fmt: skip
    yield Step("unroll_times", "unroll_times", "int32 r0 = 0; aie::unroll_times<4>([&](unsigned i) { r0 += a[i]; });",
               (a,), (("value:int32", 1),), lambda at, v: [wrapped(v[:4].sum(keepdims=True), "int32")])  # fmt: skip


def _between() -> Iterator[Step]:
    """The same conversion before and after a change of the mode: nothing may be moved across it or made once."""
    kept, restored = "auto k = aie::get_rounding(); ", " aie::set_rounding(k);"
    modes = ("floor", "ceil")
    down, up = (f"aie::set_rounding(aie::rounding_mode::{mode}); " for mode in modes)
    narrow = f"{down}auto r0 = c.to_vector<int16>(4); {up}auto r1 = c.to_vector<int16>(4);"
    yield Step("set_rounding", "set_rounding between", f"{kept}auto c = aie::vector_cast<acc32>(a); {narrow}{restored}",
               (In("int32", 16),), (("int16", 16), ("int16", 16)),
               lambda at, v: [conversions.srs(v, 32, "int16", 4, State(k, at.saturation)) for k in modes])  # fmt: skip
    a, out = In("float", 16, "halves"), (("bfloat16!", 16),)
    alternate = (
        "aie::set_rounding(i & 1 ? aie::rounding_mode::ceil : aie::rounding_mode::floor); @r0[i] = (bfloat16)@a[3];"
    )
    loop = f"{kept}for (int i = 0; i < 16; ++i) {{ {alternate} }}{restored}"
    yield Step("set_rounding", "set_rounding in a loop", loop, (a,), out,
               lambda at, v: [np.stack([to_bfloat16(v[3:4], modes[i & 1])[0] for i in range(16)])])  # fmt: skip
    each = "for (int i = 0; i < 16; ++i) @r0[i] = (bfloat16)@a[i];"
    yield Step("bfloat16", "a value as bfloat16", each, (a,), out, lambda at, v: [to_bfloat16(v, at.rounding)])
    x, y = In("bfloat16", 16, "unit"), In("bfloat16", 16, "unit", 1)
    yield Step("bfloat16", "values of bfloat16", "for (int i = 0; i < 16; ++i) { bfloat16 x = @a[i], y = @b[i]; "
               "@r0[i] = x * y; @r1[i] = x + y; }", (x, y), (("bfloat16!", 16), ("bfloat16!", 16)),
               lambda at, v, w: [to_bfloat16(wide(v) * wide(w), at.rounding),
                                 to_bfloat16(wide(v) + wide(w), at.rounding)])  # fmt: skip
    yield Step("accum::operator=", "an accumulator as a vector", "aie::vector<bfloat16, 16> r0 = aie::mul(a, b); "
               "aie::accum<accfloat, 16> r1; r1 = aie::vector<bfloat16, 16>(a);", (x, y),
               (("bfloat16", 16), ("accfloat", 16)),
               lambda at, v, w: [to_bfloat16(wide(v) * wide(w), at.rounding), wide(v)])  # fmt: skip


def _scalars() -> Iterator[Step]:
    for dtype in ("bfloat16", "float"):
        a, b = In(dtype, 16, "any", 0, True), In(dtype, 16, "any", 1, True)
        one = ((f"value:{dtype}", 1),)
        for name, of in (("max", max), ("min", min)):
            yield Step(name, f"{name} of values {dtype}", f"{dtype} r0 = aie::{name}(a, b);", (a, b),
                       one, lambda at, x, y, of=of: [np.array([of(x[0], y[0])], x.dtype)])  # fmt: skip
        for name in ("lt", "le", "gt", "ge", "eq", "neq"):
            yield Step(name, f"{name} of values {dtype}", f"bool r0 = aie::{name}(a, b);", (a, b), (("bool", 1),),
                       lambda at, x, y, name=name: [compares.compare(name, x, y).astype(np.int64)])  # fmt: skip
    for dtype in ("int16", "int32", "bfloat16", "float"):
        a = In(dtype, 16, "near", 6, True)
        for name, of in (("abs", arithmetic.absolute), ("neg", arithmetic.neg)):
            out = ((f"value:{dtype}", 1),)
            yield Step(name, f"{name} of a value {dtype}", f"{dtype} r0 = aie::{name}(a);", (a,), out,
                       lambda at, x, of=of, d=dtype: [Expect(of(x, d), bits=True)])  # fmt: skip
