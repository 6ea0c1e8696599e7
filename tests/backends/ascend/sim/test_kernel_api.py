"""What the headers declare, what a build refuses and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbench.backends.ascend.sim import kernel
from kbench.backends.ascend.sim.tiling_header import tiling_header
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, HarnessError, UnsupportedApi
from kbench.core.hostcc.sandbox import sandbox

from .header_module import compile_apart

HEADERS = sorted(p.relative_to(kernel.INCLUDE).as_posix() for p in kernel.INCLUDE.rglob("*.h"))
_KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
%s
}
"""


def build(body: str, tmp_path: Path) -> None:
    candidate = Candidate({"probe.cpp": _KERNEL % body}, {"kernel": "probe.cpp"})
    kernel.build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path)


def test_every_header_stands_alone_and_brings_no_warning(tmp_path: Path) -> None:
    compile_apart(kernel.INCLUDE, sorted(kernel.INCLUDE.rglob("*.h")), tmp_path)


def test_a_header_that_relies_on_another_one_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#pragma once\n#include <stddef.h>\nstruct A { size_t n; };\n#define LIMIT 3\n")
    for text in (
        "inline A f() { return {1}; }",
        "inline int f() { return LIMIT; }",
        "inline int f() { int x; return 1; }",
    ):
        (tmp_path / "b.h").write_text(f"#pragma once\n{text}\n")
        with pytest.raises(CompileError):
            compile_apart(tmp_path, [tmp_path / "a.h", tmp_path / "b.h"], tmp_path / "work")


@pytest.mark.parametrize("name", ["sqrt", "exp", "fill", "abs", "floor", "add", "equal", "round", "pow"])
def test_a_kernel_may_have_the_name_of_a_library_function(name: str, tmp_path: Path) -> None:
    text = _KERNEL.replace("probe", name) % "float y = sqrt(2.0f) + min(1, 2); ((__gm__ float*)workspace)[0] = y;"
    candidate = Candidate({"k.cpp": text}, {"kernel": "k.cpp"})
    assert kernel.build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path).program.exists()


def test_modelled_and_unmodelled_names_are_disjoint() -> None:
    assert not kernel.modelled_api() & kernel.unmodelled_api()
    assert {"DataCopy", "TPipe", "Add", "RoundMode", "GET_TILING_DATA"} <= kernel.modelled_api()
    assert {"Mmad", "Fixpipe", "LoadImageToLocal"} <= kernel.unmodelled_api()


def test_a_documented_name_that_is_not_modelled_is_not_the_candidates_fault(tmp_path: Path) -> None:
    for body, name in (
        ("auto f = CubeFormat::ND;", "CubeFormat"),
        ("REGIST_MATMUL_OBJ(x, x, x);", "REGIST_MATMUL_OBJ"),
        ("auto l = AscendC::MakeTensorTrait<float>(x);", "MakeTensorTrait"),
        ("asc_add(x, x, x, 8);", "asc_add"),
    ):
        with pytest.raises(UnsupportedApi) as caught:
            build(body, tmp_path)
        assert caught.value.name == name


CUBE = {
    "LocalTensor<half> a; LocalTensor<float> c; Mmad(c, a, a, MmadParams(16, 16, 16, 0, false, true));": "Mmad",
    "GlobalTensor<float> g; LocalTensor<float> c; FixpipeParamsV220 q; Fixpipe<float, float, CFG_NZ>(g, c, q);":
        "Fixpipe",
    "LocalTensor<half> a; LoadData2DParams q; q.repeatTimes = 2; if ASCEND_IS_AIC { LoadData(a, a, q); }": "LoadData",
    "LocalTensor<half> a; const uint8_t pads[4] = {}; LoadData(a, a, LoadData3DParamsV2<half>(pads, 1, 1, 16, 16, 16, "
    "0, 0, 1, 1, 1, 1, 1, 1, false, false, half(0)));": "LoadData",
    "LocalTensor<half> a; Gemm(a, a, a, 16, 16, 16, GetGemmTiling<half>(16, 16, 16));": "Gemm",
}  # fmt: skip


def test_a_kernel_of_cube_cores_is_unsupported_and_one_that_only_mentions_them_is_not(tmp_path: Path) -> None:
    for body, name in CUBE.items():
        with pytest.raises(UnsupportedApi) as caught:
            build(body, tmp_path)
        assert caught.value.name == name
    unused = "auto unused = [](LocalTensor<half> a) { Mmad(a, a, a, MmadParams()); }; (void)unused;"
    build(unused, tmp_path)


def test_an_unused_include_of_what_is_not_modelled_is_no_reason(tmp_path: Path) -> None:
    text = '#include "lib/math/kernel_operator_asin_intf.h"\n' + _KERNEL % ""
    candidate = Candidate({"op/k.cpp": text}, {"kernel": "op/k.cpp"})
    assert kernel.build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path).program.exists()
    assert not kernel.unmodelled_headers() & set(HEADERS)


def test_a_name_of_another_chip_is_a_mistake_that_says_so(tmp_path: Path) -> None:
    for body in ("LocalTensor<float> a; Neg(a, a, 8);", "LocalTensor<half> a; Scatter(a, a, a, 0, 8);", "GetVecLen();"):
        with pytest.raises(CompileError, match="on this architecture") as caught:
            build(body, tmp_path)
        assert caught.value.outcome == "unknown_api"
        assert caught.value.findings[0].line == 4


def test_a_name_that_does_not_exist_is(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        build("LocalTensor<float> a; DataCopyy(a, a, 8);", tmp_path)
    first = caught.value.findings[0]
    assert (first.file, first.line) == ("probe.cpp", 4)
    assert "DataCopy" in str(caught.value)


def test_the_runtimes_own_functions_are_out_of_reach(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        build("} namespace kb { void check_truncation(uint32_t); } void other() { kb::check_truncation(3);", tmp_path)
    assert caught.value.outcome == "forbidden_symbol"


def test_a_source_without_a_kernel(tmp_path: Path) -> None:
    candidate = Candidate({"k.cpp": "void f() {}\n"}, {"kernel": "k.cpp"})
    with pytest.raises(CompileError, match="expected one kernel function"):
        kernel.build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path)


_TILING = {
    "structs": [
        {"name": "Inner", "fields": [{"name": "a", "type": "float", "count": 0, "offset": 0, "bytes": 4}]},
        {"name": "Outer", "fields": [
            {"name": "flag", "type": "uint8_t", "count": 0, "offset": 0, "bytes": 1},
            {"name": "sizes", "type": "int64_t", "count": 2, "offset": 8, "bytes": 8},
            {"name": "inner", "type": "Inner", "struct": "Inner", "count": 0, "offset": 24, "bytes": 4}]},
    ],
    "default": "Outer",
}  # fmt: skip


def test_tiling_structures_of_the_host_side(tmp_path: Path) -> None:
    text = tiling_header(_TILING)
    assert "struct Outer { uint8_t flag; int64_t sizes[2]; Inner inner; };" in text
    assert "using kb_tiling_default = ::Outer" in text
    body = _KERNEL % "GET_TILING_DATA(t, tiling); static_assert(sizeof(t) == 32); ((float*)workspace)[0] = t.inner.a;"
    candidate = Candidate({"k.cpp": body}, {"kernel": "k.cpp"})
    kernel.build_kernel(candidate, tiling=_TILING, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path)


def test_a_layout_that_c_does_not_have_is_our_mistake() -> None:
    field = {"name": "b", "type": "int64_t", "count": 0, "offset": 4, "bytes": 8}
    with pytest.raises(HarnessError, match="b lies at byte 4 on the host, byte 0 in C"):
        tiling_header({"structs": [{"name": "S", "fields": [field]}], "default": None})
    assert tiling_header(None) == tiling_header({"structs": [], "default": None}) == ""
