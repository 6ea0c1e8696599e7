"""What sources of the published operator library rely on: initial values of outputs, headers, moves on addresses."""

from __future__ import annotations

import numpy as np

import kbench
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Task, Tensor, Tolerance, Values

HOST = r"""
#include "exe_graph/runtime/kernel_run_context.h"
#include "graph/operator_reg.h"
#include "log/error_code.h"
#include "log/log.h"
#include "op_host/util/fp16.h"
#include "platform/platform_info_def.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace ge {
REG_OP(Gather16)
    .INPUT(x, TensorType({DT_BF16}))
    .OUTPUT(y, TensorType({DT_BF16}))
    .ATTR(dim, Int, -1)
    .OP_END_FACTORY_REG(Gather16)
}  // namespace ge

namespace optiling {
static ge::graphStatus Tiling(gert::TilingContext* context) {
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const Ops::Base::fp16_t third(1.0f / 3), sum = third + third;
    const map<string, int> named = {{Ops::Base::GetSafeStr(Ops::Base::GetOpInfo(context)), 1}};
    const bool found = named.count(context->GetNodeName()) == 1;
    const bool plain = found && platform.GetCurNpuArch() != NpuArch::DAV_5102 && !context->InputIsView(0);
    context->SetTilingKey(plain && sum.val == 0x3955 && Ops::Base::INVALID_SHAPE == 70009 ? 1 : 0);
    context->SetNeedAtomic(true);
    context->SetBlockDim(2);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class Gather16 : public OpDef {
public:
    explicit Gather16(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
        this->Output("count").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND}).InitValue(
            {ScalarType::INT32, 5});
        this->Output("zero").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND}).InitValue(0);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Gather16);
}  // namespace ops
"""

#: Block 0 transposes 16 x 16 values; both blocks add 1 to every count, and nobody writes `zero`.
KERNEL = r"""
#include "kernel_operator_intf.h"
#include "kernel_type.h"
#include "lib/pad/kernel_operator_pad_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gather16(GM_ADDR x, GM_ADDR y, GM_ADDR count, GM_ADDR zero, GM_ADDR workspace,
                                              GM_ADDR tiling) {
    if (!TILING_KEY_IS(1)) {
        return;
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2048);
    LocalTensor<bfloat16_t> in = buffer.Get<bfloat16_t>(), out = in[256];
    LocalTensor<int32_t> ones = buffer.Get<int32_t>()[256];
    if (GetBlockIdx() == 0) {
        DataCopyPadGm2UBImpl((__ubuf__ bfloat16_t*)in.GetPhyAddr(), (__gm__ bfloat16_t*)x,
                             DataCopyExtParams{1, 512, 0, 0, 0}, DataCopyPadExtParams<bfloat16_t>{false, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        uint64_t from[16], to[16];
        for (int i = 0; i < 16; ++i) {
            from[i] = (uint64_t)in[i * 16].GetPhyAddr();
            to[i] = (uint64_t)out[i * 16].GetPhyAddr();
        }
        TransDataTo5HD<bfloat16_t>(to, from, TransDataTo5HDParams{false, false, 1, 0, 0});
        PipeBarrier<PIPE_ALL>();
        DataCopyPadUB2GMImpl((__gm__ bfloat16_t*)y, (__ubuf__ bfloat16_t*)out.GetPhyAddr(),
                             DataCopyExtParams{1, 512, 0, 0, 0});
    }
    Duplicate(ones, 1, 8);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int32_t> counts;
    counts.SetGlobalBuffer((__gm__ int32_t*)count, 8);
    SetAtomicAdd<int32_t>();
    DataCopy(counts, ones, 8);
    SetAtomicNone();
}
"""


def expected(case: Case, inputs: Values) -> Values:
    x = np.asarray(inputs["x"])
    return {"y": x.T.copy(), "count": np.full(8, 7, np.int32), "zero": np.zeros(3, np.int32)}


TASK = Task(
    name="Gather16",
    summary="A transposition, a counter and an output that is left as it begins.",
    tensors=(
        Tensor("x", "in", "bfloat16"),
        Tensor("y", "out", "bfloat16"),
        Tensor("count", "out", "int32"),
        Tensor("zero", "out", "int32"),
    ),
    behavior=expected,
    out_shapes=lambda case, inputs: {"y": (16, 16), "count": (8,), "zero": (3,)},
    draw=lambda case, rng: {"x": rng.integers(-99, 99, (16, 16)).astype("bfloat16")},
    tolerance={"*": {"*": Tolerance(0, 0, "moves")}},
    dtypes=({},),
)


def test_an_operator_with_initial_values_and_moves_on_addresses() -> None:
    files = {"op_host/gather16.cpp": HOST, "op_kernel/gather16.cpp": KERNEL}
    candidate = Candidate(files, {"op_host": "op_host/gather16.cpp", "op_kernel": "op_kernel/gather16.cpp"})
    entry = SuiteTask(task=TASK, cases=(Case("one", {"x": (16, 16)}),))
    record = kbench.evaluate(entry, candidate, "ascend", settings=Settings(target="ascend910b1", track=Track.FULL))
    assert record.passed, (record.message, [str(f) for f in record.findings])
    without = {**files, "op_host/gather16.cpp": HOST.replace("context->SetNeedAtomic(true);", "")}
    record = kbench.evaluate(
        entry, Candidate(without, candidate.roles), "ascend", settings=Settings(target="ascend910b1", track=Track.FULL)
    )
    assert record.outcome in ("unwritten", "wrong_values"), record.message
