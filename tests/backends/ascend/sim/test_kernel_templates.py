"""Kernels that are templates: the host makes a key of what one header declares, and the kernel has its instance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.backends.ascend.sim.host_registry import GE_CODES
from kbench.backends.ascend.sim.kernel import GmBuffer, KernelResult, Launch, TensorTypes, build_kernel, run_kernel
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, RunError
from kbench.core.hostcc.sandbox import sandbox

from .host_demo import TARGET, build, host_source, tile

# Bits from the lowest: 8 of D_T, 4 of STEP, 1 of UP, 8 of LAYOUT.
_DECL = """
#include "graph/c_types.h"
#include "ascendc/host_api/tiling/template_argument.h"
#define TWICE 2
ASCENDC_TPL_ARGS_DECL(Demo,
    ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_INT32, ASCENDC_TPL_INPUT(0)),
    ASCENDC_TPL_UINT_DECL(STEP, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_MIX, TWICE, 0, 2, 10, 12, 7, 5),  // a comment
    ASCENDC_TPL_BOOL_DECL(UP, 0, 1),
    ASCENDC_TPL_FORMAT_DECL(LAYOUT, C_FORMAT_ND, C_FORMAT_NCHW),
);
"""
_SEL = """
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIV_1_0),
        ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT, C_DT_FLOAT16),
        ASCENDC_TPL_UINT_SEL(STEP, ASCENDC_TPL_UI_LIST, 7, 11),
        ASCENDC_TPL_BOOL_SEL(UP, 0, 1),
        ASCENDC_TPL_FORMAT_SEL(LAYOUT, C_FORMAT_ND), ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIV_1_0),
        ASCENDC_TPL_DETERMINISTIC_SEL(true),
        ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT16),
        ASCENDC_TPL_UINT_SEL(STEP, ASCENDC_TPL_UI_RANGE, 1, 0, 2),
        ASCENDC_TPL_FORMAT_SEL(LAYOUT, C_FORMAT_ND),
        ASCENDC_TPL_BOOL_SEL(UP, 1), ), );
"""
_KERNEL = """#include "kernel_operator.h"
#include "demo_key.h"
template <typename D_T, int STEP, bool UP, int LAYOUT>
__global__ __aicore__ void demo(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::GlobalTensor<D_T> in;
  AscendC::GlobalTensor<float> out;
  in.SetGlobalBuffer((__gm__ D_T*)x);
  out.SetGlobalBuffer((__gm__ float*)y);
  out.SetValue(0, (float)in.GetValue(1));
  out.SetValue(1, UP ? STEP : -STEP);
  out.SetValue(2, sizeof(D_T) + LAYOUT);
}
"""


def _key(dtype: str, step: int, up: int) -> int:
    return GE_CODES[dtype] | (0, 1, 2, 10, 11, 12, 7, 5).index(step) << 8 | up << 12 | 2 << 13


def _built(workdir: Path, dtype: str, sel: str = _SEL, decl: str = _DECL, kernel: str = _KERNEL) -> Path:
    files = {"demo.cpp": kernel, "demo_key.h": decl + sel}
    types = TensorTypes((GE_CODES[dtype],), (0,))
    candidate = Candidate(files, {"kernel": "demo.cpp"})
    return build_kernel(candidate, types=types, sandbox=sandbox("auto"), timeout_s=60, workdir=workdir).program


def _run(program: Path, key: int, dtype: str) -> KernelResult:
    x = np.arange(4, dtype=dtype) + 3
    launch = Launch(1, [GmBuffer("x", "in", x), GmBuffer("y", "out", nbytes=12)], TARGET, tiling_key=key)
    return run_kernel(program, launch, sandbox=sandbox("auto"), timeout_s=20)


def test_a_key_reaches_its_instance(tmp_path: Path) -> None:
    program = _built(tmp_path, "float16")
    for step, up in ((7, 1), (11, 0)):
        got = _run(program, _key("float16", step, up), "float16").outputs[0].view(np.float32)
        assert list(got) == [4, step if up else -step, 4]
    # This build serves halves, for D_T is the type of input 0; a deterministic instance waits for a switch that is off.
    for key in (_key("float32", 7, 1), _key("float16", 1, 1), 0):
        with pytest.raises(RunError, match=f"an instance of the kernel template for the tiling key {key}") as told:
            _run(program, key, "float16")
        assert told.value.findings[0].rule == "E48"


_HOST = """
    auto type = context->GetInputDesc(0)->GetDataType();
    for (uint32_t step : {0, 10, 11, 5}) printf("%lx ", GET_TPL_TILING_KEY(type, step, true, 2));
    int missing = 3;
    printf("%d\\n", GET_TPL_TILING_KEY(0, missing, 0, 2) == INVALID_TILING_KEY);
    ASCENDC_TPL_SEL_PARAM(context, C_DT_FLOAT, 7, 1, C_FORMAT_ND);
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
"""


def test_the_host_makes_the_key(tmp_path: Path) -> None:
    program = build(host_source(_HOST, before='#include "demo_key.h"\n'), tmp_path, demo_key__h=_DECL + _SEL)
    got = tile(program)
    assert got.key == _key("float32", 7, 1)
    assert got.stdout.split()[:4] == [f"{_key('float16', step, 1):x}" for step in (0, 10, 11, 5)]
    assert "STEP: expected a value of ASCENDC_TPL_UINT_DECL, got 3" in got.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ASCENDC_TPL_BOOL_SEL(UP, 0, 1)", "ASCENDC_TPL_UINT_SEL(UP, ASCENDC_TPL_UI_LIST, 0)", "UP is not declared as"),
        ("ASCENDC_TPL_UI_LIST, 7, 11", "ASCENDC_TPL_UI_LIST, 7, 4", r"expected values of its declaration, got \[4\]"),
        ("ASCENDC_TPL_BOOL_SEL(UP, 0, 1),", "", "expected every declared parameter, got none for UP"),
        ("ASCENDC_TPL_UI_LIST, 7, 11", "ASCENDC_TPL_UI_LIST, 7, 7", "expected values that differ"),
        (
            "ASCENDC_TPL_UI_LIST, 7, 11",
            "ASCENDC_TPL_UI_LIST, kSeven",
            "expected a number or a macro of one, got kSeven",
        ),
    ],
)
def test_lists_that_contradict_do_not_compile(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=message):
        _built(tmp_path, "float16", sel=_SEL.replace(old, new, 1))
