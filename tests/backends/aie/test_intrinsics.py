"""Register types and intrinsics of the compiler that public kernels use; block floating point."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kbench.backends.aie.sim.build import INCLUDE, functions
from kbench.core.errors import CompileError, UnsupportedApi
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import sandbox
from tests.backends.aie.snippets import bf16, build, floats, run

A = np.arange(100, 132, dtype=np.int32)


def test_registers_are_combined() -> None:
    body = """
    v16int32 a = *(v16int32 *)in0, b = *(v16int32 *)(in0 + 16);
    auto out = (v16int32 *)out0;
    *out++ = add(a, b);
    *out++ = max(sub(b, a), broadcast_to_v16int32(7));
    *out++ = shift_bytes(a, b, 8);
    *out++ = upd_elem(bor(a, broadcast_to_v16int32(1)), 3, ext_elem(b, 2) + extract_elem(a, 0));
    *out++ = shuffle(a, b, T32_2x16_lo);
    *out++ = shuffle(a, b, T32_16x2_hi);
    v16acc64 wide = lups(a, 4);
    *out++ = lsrs(wide, 3, 1);
    *out++ = aie::max(aie::vector<int32, 16>(a), 105);
    static v16acc64 kept[2];
    v16acc64 *places[] = {&kept[0], &kept[1]};
    *places[1] = wide;
    *out++ = lsrs(kept[1], 4, 0);
    """
    (got,) = run(body, [A], [("int32", 9 * 16)])
    a, b = A.reshape(2, 16)
    changed = a | 1
    changed[3] = b[2] + a[0]
    parts = [a + b, np.maximum(b - a, 7), np.concatenate([a[2:], b[:2]]), changed]
    parts += [np.stack([a, b], 1).ravel()[:16], np.concatenate([a[1::2], b[1::2]]), a * 2, np.maximum(a, 105), a]
    assert np.array_equal(got, np.concatenate(parts))


def test_registers_have_parts() -> None:
    body = """
    v16int32 a = *(v16int32 *)in0, b = *(v16int32 *)(in0 + 16);
    auto out = (v16int32 *)out0;
    v32int32 both = concat(b, a);
    *out++ = extract_v16int32(both, 1);
    *out++ = insert(a, 1, extract_v8int32(b, 0));
    *out++ = concat(extract_v8int32(a, 1), extract_v8int32(set_v16int32(1, extract_v8int32(b, 1)), 1));
    *out++ = sel(a, b, 0x0F0Fu);
    """
    (got,) = run(body, [A], [("int32", 4 * 16)])
    a, b = A.reshape(2, 16)
    chosen = np.where((0x0F0F >> np.arange(16)) & 1, b, a)
    parts = [a, np.concatenate([a[:8], b[:8]]), np.concatenate([a[8:], b[8:]]), chosen]
    assert np.array_equal(got, np.concatenate(parts))


def test_functions_prefer_the_api_for_its_own_classes() -> None:
    body = """
    aie::vector<bfloat16, 32> a = aie::load_v<32>(in0);
    aie::vector<bfloat16, 32> turned = shift_bytes(a, a, 2U);
    aie::store_v(out0, max(a, turned));
    v32bfloat16 zeroes = broadcast_zero_bfloat16();
    *(v32bfloat16 *)(out0 + 32) = max(*(v32bfloat16 *)in0, zeroes);
    """
    x = np.linspace(-4, 3.75, 32)
    (got,) = run(body, [bf16(x)], [("bfloat16", 64)])
    assert np.array_equal(floats(got), np.concatenate([np.maximum(x, np.roll(x, -1)), np.maximum(x, 0)]))


def test_a_shuffle_of_bytes_repeats_pixels() -> None:
    body = """
    v64uint8 v = aie::load_v<16>(in0).grow<64>();
    v = shuffle(v, v, T8_2x64_lo);
    v = shuffle(v, v, T8_2x64_lo);
    aie::store_v(out0, aie::vector<uint8, 64>(v));
    """
    x = np.arange(16, dtype=np.uint8)
    (got,) = run(body, [x], [("uint8", 64)])
    assert np.array_equal(got, np.repeat(x, 4))


def test_blocks_share_an_exponent() -> None:
    body = """
    aie::accum<accfloat, 64> a(aie::load_v<64>(in0)), b(aie::load_v<64>(in1));
    alignas(64) bfp16ebs8 memory[80];
    aie::block_vector_output_buffer_stream<bfp16ebs8, 64> out(memory);
    out << a.to_vector<bfp16ebs8>();
    aie::block_vector_input_buffer_stream<bfp16ebs8, 64> in(memory);
    aie::block_vector<bfp16ebs8, 64> blocks = in.pop();
    aie::accum<accfloat, 64> product = mul_8x8_8x8T(blocks, b.to_vector<bfp16ebs8>());
    product = mac_8x8_8x8T(blocks, b.to_vector<bfp16ebs8>(), product);
    aie::store_v(out0, aie::accum<accfloat, 64>(blocks).to_vector<bfloat16>());
    aie::store_v(out1, product.to_vector<float>());
    """
    rng = np.random.default_rng(3)
    a, b = (bf16(rng.normal(size=64)) for _ in range(2))
    rounded, product = run(body, [a, b], [("bfloat16", 64), ("float32", 64)], "npu2")

    def quantised(x: np.ndarray) -> np.ndarray:
        rows = floats(x).reshape(8, 8).astype(np.float64)
        step = 2.0 ** (np.floor(np.log2(np.abs(rows).max(axis=1, keepdims=True))) - 6)
        return np.floor(rows / step) * step

    assert np.array_equal(floats(rounded).reshape(8, 8), quantised(a))
    assert np.allclose(product.reshape(8, 8), 2 * quantised(a) @ quantised(b).T, rtol=1e-6, atol=1e-6)


def refused(body: str, target: str, workdir: Path) -> str:
    with pytest.raises(CompileError) as caught:
        build(body, "int8 *a", target, workdir)
    return str(caught.value) + "".join(str(f) for f in caught.value.findings)


SHAPE = r"\{Operand::(\w+), Operand::(\w+), (\d+), (\d+), (\d+), (\d+)((?:, \w+)*)\}"
VECTORS = "aie::vector<bfloat16, 64> v; "
WINDOW = (
    "aie::sliding_mul_ops<32, 8, 1, 3, 3, int8, int8>::mul(aie::vector<int8, 32>(), 0, aie::vector<int8, 64>(), 0);"
)
TABLE = "aie::lut<1, int8> l(8, a); aie::parallel_lookup<int8, aie::lut<1, int8>> p(l);"


@pytest.mark.parametrize(
    ("body", "target", "told"),
    [
        ("aie::mmul<8, 8, 16, int8> m;", "npu1", "of int8 x int8 this device has the shapes 4x8x4 4x16x4 8x8x4"),
        ("aie::mmul<4, 8, 4, uint8, int8> m;", "npu2", "of int8 x int8 this device has the shapes 2x8x8 4x8x8 8x8x8"),
        ("aie::mmul<4, 8, 4, float, int8> m;", "npu2", "no matrix multiplication of these types"),
        (f"aie::mmul<4, 16, 4, bfloat16> m; {VECTORS} m.mul(v, v);", "npu1", "mul"),
        (WINDOW, "npu1", "no such steps"),
        ("aie::block_vector<bfp16ebs8, 64> v;", "npu1", "no block floating point"),
        (TABLE, "npu1", "4 parallel accesses"),
    ],
)
def test_what_a_device_lacks_is_told(body: str, target: str, told: str, tmp_path: Path) -> None:
    assert told in refused(body, target, tmp_path)


def test_the_shapes_that_are_told_are_those_that_there_are() -> None:
    devices = (INCLUDE / "kb_aie" / "shapes.h").read_text().split("inline constexpr Shape shapes[] =")[1:]
    told = re.split(r"#if|#else", devices[1].partition("bool has_shape()")[2])[1:]
    for table, messages in zip(devices, told, strict=True):
        shapes: dict[tuple[str, str], list[str]] = {}
        for a, b, m, k, n, _, more in re.findall(SHAPE, table.partition("};")[0]):
            if not more.startswith(", true"):
                shapes.setdefault((a, b), []).append(f"{m}x{k}x{n}")
        listed = re.findall(r'KB_SHAPES\((\w+), (\w+), "[^"]*", "([^"]*)"\)', messages)
        assert {(a, b): names.split() for a, b, names in listed} == shapes


def test_a_cascade_is_not_modelled(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedApi, match="put_mcd"):
        build("put_mcd(lups(undef_v16int32(), 0));", "int8 *a", "npu1", tmp_path)


def test_what_each_function_of_a_source_needs_is_told(tmp_path: Path) -> None:
    text = """
    #include <aie_api/aie.hpp>
    static void passed_on() { put_mcd(undef_v16int32()); }
    extern "C" void sends() { passed_on(); }
    extern "C" void adds(int *x) { *x += WIDTH; }
    """
    source = Source({"kernel.cc": text}, "kernel.cc")
    found = functions(
        source, "npu1", defines=["WIDTH=8"], sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path / "work"
    )
    assert found == {"sends": "put_mcd", "adds": ""}
