"""The API's headers, through kernels that are built and run: which operation a function reaches, and with what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.core.errors import CompileError, KbenchError, RunError, UnsupportedApi
from tests.backends.aie.snippets import bf16, build, floats, run

RNG = np.random.default_rng(5)
A = RNG.integers(-30000, 30000, 64).astype(np.int16)
B = RNG.integers(-300, 300, 64).astype(np.int16)


def half_even(x: np.ndarray) -> np.ndarray:
    bits = x.astype(np.float32).view(np.uint32)
    return (bits + 0x7FFF + (bits >> 16 & 1) >> 16).astype(np.uint16)


def test_vectors_are_loaded_combined_and_stored() -> None:
    body = """
    auto a = aie::load_v<32>(in0);
    const auto b = aie::load_v<32>(in1);
    aie::store_v(out0, aie::add(a, b));
    aie::store_v(out0 + 32, aie::sub(a[3], b));
    aie::store_v(out0 + 64, aie::max(b, int16(7)));
    aie::store_v(out0 + 96, aie::select(a, b, aie::lt(a, b)));
    aie::store_v(out0 + 128, aie::neg(aie::abs(b)));
    aie::store_v(out0 + 160, aie::bit_and(int16(255), a));
    aie::store_unaligned_v(out0 + 193, aie::load_unaligned_v<16>(in0 + 3));
    aie::store_v(out0 + 224, aie::load_floor_v<16>(in0 + 21));
    aie::store_v(out0 + 240, aie::downshift(b, 2).extract<16>(1));
    """
    body += "".join(f"out0[{i}] = 0;" for i in [192, *range(209, 224)])
    (got,) = run(body, [A, B], [("int16", 256)])
    a, b = A[:32], B[:32]
    none = np.zeros(1, np.int16)
    parts = [a + b, a[3] - b, np.maximum(b, 7), np.where(a < b, b, a), -abs(b), a & 255]
    parts += [none, A[3:19], np.zeros(15, np.int16), A[16:32], b[16:] >> 2]
    assert np.array_equal(got, np.concatenate(parts))


def test_elements_parts_and_reshapes() -> None:
    body = """
    aie::vector<int16, 32> v = aie::load_v<32>(in0);
    v[4] = v[3] + 1;
    v.set(v.get(5) * 2, 6);
    v.push(9);
    auto [low, high] = v.split<16>();
    aie::store_v(out0, aie::concat(high, low));
    aie::vector<int16, 32> w = low.grow<32>();
    w.insert(1, high.extract<16>(0));
    auto [p, q] = aie::interleave_zip(v, w, 2);
    aie::store_v(out0 + 32, p);
    auto [even, odd] = aie::interleave_unzip(p, q, 1);
    aie::store_v(out0 + 64, odd);
    aie::store_v(out0 + 96, aie::concat(aie::filter_even(v), aie::filter_odd(v, 4)));
    aie::store_v(out0 + 128, aie::transpose(v, 4, 8));
    aie::store_v(out0 + 160, aie::shuffle_down_fill(v, aie::reverse(v), 5));
    aie::vector<int16, 16> listed(1, 2, 3);
    out1[0] = listed[2] + aie::reduce_add(v.extract<8>(1)) + v.cast_to<int32>().size();
    out1[1] = aie::reduce_max(v);
    auto [large, from_second] = aie::max_cmp(v, aie::reverse(v));
    out1[2] = from_second.count() + 100 * aie::equal(large, aie::reverse(large));
    """
    got, scalars = run(body, [A], [("int16", 192), ("int32", 3)])
    v = A[:32].copy()
    v[4] = v[3] + 1
    v[6] = v[5] * 2
    v = np.concatenate([np.array([9], np.int16), v[:-1]])
    zipped = np.stack([v.reshape(-1, 2), v.reshape(-1, 2)], 1).ravel()
    parts = [
        np.concatenate([v[16:], v[:16]]),
        zipped[:32],
        zipped[1::2],
        np.concatenate([v[::2], v.reshape(-1, 4)[1::2].ravel()]),
    ]
    parts += [v.reshape(4, 8).T.ravel(), np.concatenate([v[5:], v[::-1][:5]])]
    assert np.array_equal(got, np.concatenate(parts))
    wrapped = int(v[8:16].sum(dtype=np.int16))
    assert scalars.tolist() == [3 + wrapped + 16, v.max(), (v < v[::-1]).sum() + 100]


def test_products_accumulate_and_come_back() -> None:
    body = """
    auto a = aie::load_v<16>(in0), b = aie::load_v<16>(in1);
    aie::set_rounding(aie::rounding_mode::conv_even);
    aie::set_saturation(aie::saturation_mode::saturate);
    aie::accum<acc64, 16> acc = aie::mul<acc64>(a, b);
    acc = aie::mac(acc, a, int16(3));
    acc = aie::msc(acc, aie::op_sign(b, false), b);
    aie::store_v(out0, acc.to_vector<int16>(5));
    aie::store_v(out1, aie::mac(aie::op_sub(acc), aie::op_abs(a), b).to_vector<int32>());
    aie::store_v(out1 + 16, aie::add(aie::mul(b, b), b).cast_to<acc32>().to_vector<int32>());
    aie::saturation_mode was = aie::swap_saturation(aie::saturation_mode::none);
    out1[0] = unsigned(was);
    out1[1] = unsigned(aie::tile::current().get_rounding());
    """
    got, wide = run(body, [A, B], [("int16", 16), ("int32", 32)])
    a, b = A[:16].astype(np.int64), B[:16].astype(np.int64)
    acc = a * b + 3 * a - (b % 65536) * b
    exact = np.clip(np.round(acc / 32), -32768, 32767)
    assert np.array_equal(got, exact.astype(np.int16))
    second = -acc + abs(a) * b
    assert np.array_equal(wide[2:16], np.clip(second, -(2**31), 2**31 - 1)[2:])
    assert np.array_equal(wide[16:], b * b + b)
    assert wide[:2].tolist() == [1, 12]


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_bfloat16_goes_through_float_accumulators(target: str) -> None:
    body = """
    aie::set_rounding(aie::rounding_mode::conv_even);
    auto a = aie::load_v<16>(in0), b = aie::load_v<16>(in1);
    aie::vector<bfloat16, 16> product = aie::mul(a, b);
    aie::store_v(out0, product);
    aie::store_v(out0 + 16, aie::add(a, b));
    aie::accum<accfloat, 16> acc(a);
    aie::store_v(out1, aie::mac(acc, a, b[2]).to_vector<float>());
    aie::store_v(out1 + 16, aie::sub(aie::negmul(a, b), b).to_vector());
    aie::store_v(out0 + 32, aie::div(a, b).to_vector<bfloat16>());
    out1[0] = a[0] * b[0] + a[1];
    out0[0] = aie::reduce_add(a);
    """
    x, y = bf16(RNG.normal(size=16)), bf16(RNG.uniform(0.5, 2, 16))
    narrow, wide = run(body, [x, y], [("bfloat16", 48), ("float32", 32)], target)
    a, b = floats(x), floats(y)
    assert np.array_equal(narrow[1:16], half_even(a * b)[1:])
    assert np.array_equal(narrow[16:32], half_even(a + b))
    assert np.array_equal(wide[1:16], (a + a * b[2])[1:])
    assert np.array_equal(wide[16:], -(a * b) - b)
    assert wide[0] == floats(half_even(floats(half_even(a[:1] * b[:1])) + a[1:2]))[0]
    np.testing.assert_allclose(floats(narrow[32:]), a / b, rtol=0.02)
    assert abs(floats(narrow[:1])[0] - a.sum()) < 0.05


def test_conversions_and_elementary_functions() -> None:
    body = """
    auto f = aie::load_v<16>(in0);
    aie::store_v(out0, aie::to_fixed<int32>(f, 2));
    aie::store_v(out0 + 16, aie::unpack(aie::load_v<16>(in1)));
    aie::store_v(out1, aie::to_float(aie::load_v<16>(out0), 2));
    aie::store_v(out1 + 16, aie::inv(f));
    aie::store_v(out1 + 32, aie::mul(f, f).to_vector<float>());
    out1[48] = aie::sqrt(f[3]);
    out1[49] = aie::inv(f[3]);
    out1[50] = aie::to_fixed<int16>(2.5f, 0);
    out1[51] = aie::to_float(7, 1);
    aie::store_v(out2, aie::pack(aie::load_v<32>(in1)));
    """
    x = RNG.uniform(1, 50, 16).astype(np.float32)
    fixed, got, packed = run(body, [x, A], [("int32", 32), ("float32", 52), ("int8", 32)])
    assert np.array_equal(fixed[:16], np.round(x * 4).astype(np.int32))
    assert np.array_equal(fixed[16:], A[:16])
    assert np.array_equal(got[:16], np.round(x * 4) / 4)
    np.testing.assert_allclose(got[16:32], 1 / x, rtol=1e-6)
    np.testing.assert_allclose(got[32:48], x * x, rtol=2e-7)
    assert got[48:].tolist() == [np.sqrt(x[3]), np.float32(1) / x[3], 2, 3.5]
    assert np.array_equal(packed, A[:32].astype(np.int8))


def test_complex_numbers() -> None:
    body = """
    auto z = aie::load_v<8>((const cint16 *)in0);
    aie::store_v(out0, aie::mul(z, aie::op_conj(z)).to_vector<cint32>(0).cast_to<int32>());
    aie::store_v(out0 + 16, aie::abs_square(z));
    aie::store_v(out0 + 24, aie::unpack(aie::concat(aie::real(z), aie::imag(z))).extract<8>(1));
    """
    values = A.copy()
    values[1] = -32768  # its negative is no int16, and still is what the multiplier takes
    (got,) = run(body, [values], [("int32", 32)])
    re, im = values[:16:2].astype(np.int64), values[1:16:2].astype(np.int64)
    wrapped = (re * re + im * im).astype(np.int32)
    assert np.array_equal(got[:16:2], wrapped)
    assert not got[1:16:2].any()
    assert np.array_equal(got[16:24], wrapped)
    assert np.array_equal(got[24:], im)


def test_masks_are_bits() -> None:
    body = """
    const auto low = aie::mask<96>::from_uint32(0xF0F0F0F0u, 1u, 0x80000000u);
    const auto high = low << 40, down = low >> 33, back = ~(low ^ high) & (low | high);
    unsigned at = 0;
    for (const auto &m : {low, high, down, back, ~low}) {
        for (unsigned i = 0; i < 3; ++i) out0[at++] = int(m.to_uint32(i));
        out0[at++] = int(m.count() * 100 + m.clz());
    }
    auto quarter = low.extract<32>(0);
    aie::mask<64> wide = aie::mask<64>::from_masks(quarter, ~quarter);
    wide.insert(1, aie::mask<16>(true));
    wide.clear(0);
    wide.set(63);
    out0[at++] = int(wide.to_uint64());
    out0[at++] = int(wide.to_uint64() >> 32);
    out0[at++] = wide.test(4) + 2 * wide.empty() + 4 * aie::mask<8>(true).full() + 8 * (wide != wide);
    """
    (got,) = run(body, [np.zeros(4, np.int32)], [("int32", 23)])
    whole = (1 << 96) - 1
    low = 0xF0F0F0F0 | 1 << 32 | 0x80000000 << 64
    high, down = low << 40 & whole, low >> 33
    expected: list[int] = []
    for m in (low, high, down, ~(low ^ high) & (low | high) & whole, ~low & whole):
        expected += [m >> 32 * i & 0xFFFFFFFF for i in range(3)]
        expected.append(m.bit_count() * 100 + 96 - m.bit_length())
    wide = 0xF0F0F0F0 | 0x0F0F0F0F << 32 | 0xFFFF << 16 | 1 << 63
    expected += [wide & 0xFFFFFFFF, wide >> 32, 1 + 4]
    assert got.view(np.uint32).tolist() == expected


def test_loops_of_the_utilities_run_as_often_as_they_say() -> None:
    body = """
    for (int i = 0; i < 32; ++i) out0[i] = 0;
    aie::unroll_for<int, 3, 9, 2>([&](auto i) { out0[i] += 1; });
    aie::unroll_for_2d<int, 0, 2, 1, 10, 14, 2>([&](auto y, auto x) { out0[x + y] += 2; });
    aie::unroll_times_2d<2, 2>([&](auto y, auto x) { out0[16 + 2 * y + x] += 3; });
    constexpr aie::LoopOptions front{.peel_front = 2}, back{.peel_back = 2};
    aie::pipelined_loop<4, front>(6, [&](unsigned i) { out0[20 + i] += i; });
    int order = 0;
    auto step = [&](int which, unsigned i) { order = order * 3 + which; out0[25 + which] += i; };
    aie::pipelined_loops<5, front, back>(5, [&](unsigned i) { step(1, i); }, [&](unsigned i) { step(2, i); });
    out0[28] = order;
    """
    (got,) = run(body, [np.zeros(4, np.int32)], [("int32", 32)], include="aie_api/utils.hpp")
    expected = np.zeros(32, np.int32)
    expected[[3, 5, 7]] += 1
    expected[[10, 12, 11, 13]] += 2
    expected[16:20] += 3
    expected[20:26] += np.arange(6, dtype=np.int32)
    expected[26:28] = 10
    expected[28] = int("1112121222", 3)
    assert got.tolist() == expected.tolist()


# --- what a device does not have, and what no device has --------------------------------------------------------------


def fails(body: str, target: str, tmp_path: Path) -> KbenchError:
    with pytest.raises((CompileError, UnsupportedApi)) as caught:
        build(body, "float *f, int16 *s", target, tmp_path)
    return caught.value


def test_an_absent_function_of_a_device_is_told(tmp_path: Path) -> None:
    body = "aie::store_v((bfloat16 *)s, aie::tanh(aie::load_v<16>(f)));"
    build(body, "float *f, int16 *s", "npu2", tmp_path / "2")
    assert "npu1 does not have it" in str(fails(body, "npu1", tmp_path / "1"))


def test_absent_types_of_a_device_are_told(tmp_path: Path) -> None:
    body = "aie::vector<cfloat, 8> v = aie::load_v<8>((const cfloat *)f); aie::store_v((cfloat *)s, v);"
    build(body, "float *f, int16 *s", "npu1", tmp_path / "1")
    assert fails(body, "npu2", tmp_path / "2")


def test_operands_are_not_converted(tmp_path: Path) -> None:
    assert "add" in str(fails("aie::store_v(s, aie::add(aie::load_v<32>(s), 5));", "npu1", tmp_path))


def test_a_wide_multiplication_needs_a_wide_accumulator(tmp_path: Path) -> None:
    assert "mul" in str(
        fails("auto v = aie::load_v<16>((int32 *)s); auto a = aie::mul<acc32>(v, v);", "npu1", tmp_path)
    )


def test_what_is_not_modelled_is_named(tmp_path: Path) -> None:
    error = fails("s[0] = aie::tile::current().cycles();", "npu1", tmp_path)
    assert isinstance(error, UnsupportedApi)
    assert "aie::tile::cycles" in str(error)


def test_an_index_outside_of_a_vector_is_found() -> None:
    with pytest.raises(RunError, match=r"kernel\.cc:3: .*element that lies outside"):
        run("out0[0] = aie::load_v<16>(in0).get(16 + in0[0] * 0);", [np.zeros(16, np.int16)], [("int16", 1)])
