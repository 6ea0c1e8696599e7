"""Rules of the vector operations: what breaks one, what just keeps it, and what the compiler refuses."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from kbench.core.errors import CompileError, RunError
from tests.backends.ascend.sim.kernels import Probe, build


class Rule(NamedTuple):
    """`broken` breaks it, `kept` just does not."""

    broken: str
    kept: str
    rule: str
    message: str


_UB = (
    "TPipe p; TBuf<> all; p.InitBuffer(all, 192 * 1024); auto a = all.Get<float>(); "
    "auto h = a.ReinterpretCast<half>(); auto k = a.ReinterpretCast<int32_t>(); "
    "uint64_t m[2] = {{~0ull, {high}}}; const UnaryRepeatParams u; "
    "BinaryRepeatParams b; "
)
_HEAD = _UB.format(high=0)


def _small(elements: int) -> str:
    return f"auto s = a[1024]; s.SetSize({elements}); "


ERRORS = [
    Rule(
        "Add(a[2], a[64], a[128], 8);",
        "Add(a[8], a[64], a[128], 8);",
        "E2",
        "Add: dst: expected a start address aligned to 32 bytes, got UB address 8",
    ),
    Rule(
        "Add(a, a[64], a[130], 8);",
        "Add(a, a[64], a[136], 8);",
        "E2",
        "Add: src1: expected a start address aligned to 32 bytes",
    ),
    Rule(
        "Exp(a, a[3], 64, 1, u);",
        "Exp(a, a[8], 64, 1, u);",
        "E2",
        "Exp: src: expected a start address aligned to 32 bytes",
    ),
    Rule(
        "WholeReduceMax(a[1], a[64], 64, 1, 1, 1, 8);",
        "WholeReduceMax(a[2], a[64], 64, 1, 1, 1, 8);",
        "E2",
        "WholeReduceMax: dst: expected a start address aligned to 8 bytes",
    ),
    Rule(
        "SetCmpMask(a[2]);", "SetCmpMask(a[4]);", "E2", "SetCmpMask: src: expected a start address aligned to 16 bytes"
    ),
    Rule("LocalTensor<float> z; Abs(z, a, 8);", "Abs(a, a, 8);", "E9", "Abs: dst is an empty tensor"),
    Rule("Muls(a, a, 2.0f, -1);", "Muls(a, a, 2.0f, 0);", "E9", "Muls: count: expected 0 or more, got -1"),
    Rule(
        "Abs(a[49144], a, 16);",
        "Abs(a[49144], a, 8);",
        "E10",
        "Abs: dst: write of UB bytes [196576, 196640): expected an end of at most 196608",
    ),
    Rule(
        "Abs(a, a[49152 - 64 * 16 - 56], 64, 3, UnaryRepeatParams(1, 1, 8, 64));",
        "Abs(a, a[49152 - 64 * 16 - 64], 64, 3, UnaryRepeatParams(1, 1, 8, 64));",
        "E10",
        "Abs: src: read of UB bytes",
    ),
    Rule(
        "Duplicate(a[49152 - 64], 1.0f, 64, 1, 2, 8);",
        "Duplicate(a[49152 - 120], 1.0f, 64, 1, 2, 8);",
        "E10",
        "Duplicate: dst: write of UB bytes",
    ),
    Rule(
        "Cast(h, a, RoundMode::CAST_RINT, 8); Cast(k, a, RoundMode::CAST_NONE, 8);",
        "Cast(k, a, RoundMode::CAST_RINT, 8);",
        "E6",
        "Cast: roundMode, float to int32_t: expected CAST_RINT, FLOOR, CEIL, ROUND or TRUNC, got CAST_NONE",
    ),
    Rule(
        "Cast(a, h, RoundMode::CAST_RINT, 8);",
        "Cast(a, h, RoundMode::CAST_NONE, 8);",
        "E6",
        "Cast: roundMode, half to float: expected CAST_NONE, got CAST_RINT",
    ),
    Rule(
        "Cast(h, k, RoundMode::CAST_NONE, 8);",
        "SetDeqScale((half)1.0f); Cast(h, k, RoundMode::CAST_NONE, 8);",
        "E6",
        "Cast: int32_t to half multiplies by a scale: expected SetDeqScale(half) before it",
    ),
    Rule(
        "Compare(a.ReinterpretCast<uint8_t>(), k[64], k[128], CMPMODE::LT, 64);",
        "Compare(a.ReinterpretCast<uint8_t>(), k[64], k[128], CMPMODE::EQ, 64);",
        "E5",
        "Compare: cmpMode: expected CMPMODE::EQ for int32_t, got CMPMODE 0",
    ),
    Rule(
        "int r = 300; Add(a, a, a, 64, r, b);",
        "int r = 255; Add(a, a, a, 64, r, b);",
        "E7",
        "repeatTime: expected at most 255, got 300, which wraps to 44",
    ),
    Rule(
        "WholeReduceSum(a, a, 64, 256, 1, 1, 0);",
        "WholeReduceSum(a, a, 64, 255, 1, 1, 0);",
        "E7",
        "WholeReduceSum: repeatTime: expected at most 255, got 256",
    ),
    Rule(
        "WholeReduceSum(a, a, 64, 1, 1, 1, 65536);",
        "WholeReduceSum(a, a, 64, 1, 1, 1, 65535);",
        "E10",
        "WholeReduceSum: srcRepStride: expected 0 to 65535, got 65536",
    ),
    Rule(
        "uint64_t n; GatherMask(a, a, 8, false, 0, {1, 1, 8, 0}, n);",
        "uint64_t n; GatherMask(a, a, 7, false, 0, {1, 1, 8, 0}, n);",
        "E8",
        "GatherMask: src1Pattern: expected 1 to 7, got 8",
    ),
]

WARNINGS = [
    Rule(
        _small(8) + "Add(s, a, a, 9);",
        _small(8) + "Add(s, a, a, 8);",
        "E9",
        "Add: count 9 exceeds dst: expected at most 8 elements, got 9; what lies behind it in UB is overwritten",
    ),
    Rule(
        _small(8) + "Exp(a, s, 16);",
        _small(16) + "Exp(a, s, 16);",
        "E9",
        "Exp: count 16 exceeds src: expected at most 8 elements",
    ),
    Rule(
        _small(64) + "Abs(s, a, 64, 2, u);",
        _small(128) + "Abs(s, a, 64, 2, u);",
        "E9",
        "Abs: dst: expected at most 256 bytes (the tensor's size), got 512",
    ),
    Rule("Abs(a, a, 65, 1, u);", "Abs(a, a, 64, 1, u);", "E8", "Abs: mask: expected at most 64 lanes, got 65"),
    Rule("Abs(h, h, 129, 1, u);", "Abs(h, h, 128, 1, u);", "E8", "Abs: mask: expected at most 128 lanes, got 129"),
    Rule(
        "m[1] = 1; Abs(a, a, m, 1, u);", "Abs(a, a, m, 1, u);", "E8", "Abs: mask: expected bits for the first 64 lanes"
    ),
    Rule(
        "SetVectorMask<float>(65);",
        "SetVectorMask<float>(64);",
        "E8",
        "SetVectorMask: len: expected at most 64 lanes, got 65",
    ),
    Rule(
        "Abs(a[8], a, 64);",
        "Abs(a[64], a[128], 128); Abs(a[64], a, 64);",
        "E11",
        "Abs: dst overlaps a source at another address or width: expected no overlap, or all of it",
    ),
    Rule(
        "Cast(h, a, RoundMode::CAST_RINT, 64);",
        "Cast(h[128], a, RoundMode::CAST_RINT, 64);",
        "E11",
        "Cast: dst overlaps a source at another address or width",
    ),
    Rule(
        "Abs(a, a[64], 64, 1, UnaryRepeatParams(0, 1, 8, 8));",
        "Abs(a, a[64], 8, 1, UnaryRepeatParams(0, 1, 8, 8));",
        "E12",
        "Abs: dstBlkStride: expected at least 1, got 0",
    ),
    Rule(
        "CompareScalar(a.ReinterpretCast<uint8_t>(), a[64], 1.0f, CMPMODE::LT, 65);",
        "CompareScalar(a.ReinterpretCast<uint8_t>(), a[64], 1.0f, CMPMODE::LT, 64);",
        "E13",
        "CompareScalar: count: expected a multiple of 64 (256 bytes), got 65",
    ),
    Rule(
        "k.SetValue(0, 6); Gather(a[64], a[128], a.ReinterpretCast<uint32_t>(), 0, 1u);",
        "k.SetValue(0, 8); Gather(a[64], a[128], a.ReinterpretCast<uint32_t>(), 0, 1u);",
        "E52",
        "Gather: offset: expected a multiple of 4 bytes, got 6",
    ),
]

BODIES = [_HEAD + body for rule in (*ERRORS, *WARNINGS) for body in (rule.broken, rule.kept)]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("rules"))


def _names(rules: list[Rule]) -> list[str]:
    return [f"{r.rule}-{i}" for i, r in enumerate(rules)]


@pytest.mark.parametrize("index", range(len(ERRORS)), ids=_names(ERRORS))
def test_a_broken_rule_ends_the_run_and_a_kept_one_does_not(probe: Probe, index: int) -> None:
    rule = ERRORS[index]
    with pytest.raises(RunError) as caught:
        probe.run(2 * index, blocks=1)
    assert rule.message in str(caught.value)
    last = caught.value.findings[-1]
    assert (last.severity, last.rule, last.line) == ("error", rule.rule, probe.line[2 * index])
    assert not [f for f in probe.run(2 * index + 1, blocks=1).findings if f.rule == rule.rule]


@pytest.mark.parametrize("index", range(len(WARNINGS)), ids=_names(WARNINGS))
def test_what_the_device_tolerates_is_a_warning(probe: Probe, index: int) -> None:
    rule, body = WARNINGS[index], 2 * (len(ERRORS) + index)
    [found] = [f for f in probe.run(body, blocks=1).findings if f.rule == rule.rule]
    assert rule.message in found.message
    assert (found.severity, found.line) == ("warning", probe.line[body])
    assert not [f for f in probe.run(body + 1, blocks=1).findings if f.rule == rule.rule]


REFUSED = [
    (
        "Add(a.ReinterpretCast<bfloat16_t>(), a.ReinterpretCast<bfloat16_t>(), a.ReinterpretCast<bfloat16_t>(), 8);",
        "Failed to check dtype in Add, current api support dtype combination is src and dst both: "
        "half / float / int16_t / int32_t.",
    ),
    (
        "Abs(k, k, 8);",
        "Failed to check dtype in Abs, current api support dtype combination is src and dst both: half / float.",
    ),
    (
        "And(k, k, k, 8);",
        "Failed to check dtype in And, current api support dtype combination is src and dst both: int16_t / uint16_t.",
    ),
    ("Cast(a.ReinterpretCast<bfloat16_t>(), h, RoundMode::CAST_RINT, 8);", "Failed to check dtype in Cast"),
    ("Muls(h, h, 2.0f, 8);", "Muls"),
    ("Duplicate(h, 1.0f, 8);", "Duplicate"),
    ("Adds(k, k, 1, m, 1);", "Adds"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[body.split("(")[0] for body, _ in REFUSED])
def test_what_the_compiler_refuses(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        build([_HEAD + body], tmp_path)
    assert message in str(caught.value) + caught.value.log


def test_functions_of_the_api_have_the_types_that_kernels_take_pointers_to(tmp_path: Path) -> None:
    prelude = (
        "template <typename T> using Unary = void(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t&);\n"
        "template <typename T> using Tensor = const LocalTensor<T>&;\n"
        "template <typename T> using Scalar = void(Tensor<T>, Tensor<T>, const T&, const int32_t&);\n"
        "template <typename T> using Binary = void(Tensor<T>, Tensor<T>, Tensor<T>, const int32_t&);\n"
        "template <typename T, Unary<T>* f, Scalar<T>* g, Binary<T>* h> void Apply(const LocalTensor<T>& t) {\n"
        "    f(t, t, 8); g(t, t, T(2), 8); h(t, t, t, 8);\n"
        "}\n"
    )  # fmt: skip
    build(
        [
            _HEAD
            + "Apply<float, Abs<float>, Muls<float>, Add<float>>(a); Apply<half, Exp<half>, Adds<half>, Div<half>>(h);"
        ],
        tmp_path,
        prelude,
    )


def test_intrinsics_that_kernels_call_on_addresses(tmp_path: Path) -> None:
    sums = (
        "Duplicate(a, 1.5f, 256); set_mask_count(); set_vector_mask(0, 100); "
        "vcadd(nullptr, (__ubuf__ float*)a.GetPhyAddr(), 1, 1, 1, 8, true); set_mask_norm(); set_vector_mask(-1, -1); "
        "int64_t bits = GetAccVal(); yg.SetValue(0, *reinterpret_cast<float*>(&bits)); "
        "AscendCUtils::SetMask<float>(5); auto* at = (__ubuf__ float*)a.GetPhyAddr(); "
        "vcadd(at + 512, at, 2, 1, 1, 8, false); yg.SetValue(1, a.GetValue(513)); AscendCUtils::ResetMask();"
    )
    result = build([_HEAD + sums], tmp_path).run(0, blocks=1)
    assert result.outputs[0].view(np.float32)[:2].tolist() == [150.0, 7.5]
    assert not result.findings


def test_operators_of_tensors_run_the_named_operations(tmp_path: Path) -> None:
    body = (
        "auto x = a[0], y = a[64], z = a[128]; x.SetSize(64); y.SetSize(64); z.SetSize(64); "
        "Duplicate(x, 2.0f, 64); Duplicate(y, 3.0f, 64); z = x + y; z = z * y; z = z - x; z = z / x; "
        "auto bits = a[256].ReinterpretCast<uint8_t>(); bits.SetSize(32); bits = x < y; "
        "yg.SetValue(0, z.GetValue(63)); yg.SetValue(1, (float)bits.GetValue(7));"
    )
    result = build([_HEAD + body], tmp_path).run(0, blocks=1)
    assert result.outputs[0].view(np.float32)[:2].tolist() == [6.5, 255.0]
    assert not result.findings
