"""A small right candidate and its task, from which tests make wrong ones by replacing one text."""

from __future__ import annotations

import numpy as np

from kbench.core.candidate import Candidate
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Task, Tensor, Tolerance

HOST = """#include "vector_add_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    VectorAddTilingData tiling;
    uint32_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    context->SetBlockDim(2);
    tiling.set_blockLength(length / 2);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class VectorAdd : public OpDef {
public:
    explicit VectorAdd(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(VectorAdd);
}  // namespace ops
"""

TILING = """#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(VectorAddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(VectorAdd, VectorAddTilingData)
}  // namespace optiling
"""

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;

class VectorAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length)
    {
        this->length = length;
        xGm.SetGlobalBuffer((__gm__ float*)x + length * GetBlockIdx(), length);
        yGm.SetGlobalBuffer((__gm__ float*)y + length * GetBlockIdx(), length);
        zGm.SetGlobalBuffer((__gm__ float*)z + length * GetBlockIdx(), length);
        pipe.InitBuffer(inX, 1, length * sizeof(float));
        pipe.InitBuffer(inY, 1, length * sizeof(float));
        pipe.InitBuffer(outZ, 1, length * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> xIn = inX.AllocTensor<float>();
        LocalTensor<float> yIn = inY.AllocTensor<float>();
        DataCopy(xIn, xGm, length);
        DataCopy(yIn, yGm, length);
        inX.EnQue(xIn);
        inY.EnQue(yIn);
        LocalTensor<float> x = inX.DeQue<float>();
        LocalTensor<float> y = inY.DeQue<float>();
        LocalTensor<float> z = outZ.AllocTensor<float>();
        Add(z, x, y, length);
        outZ.EnQue(z);
        inX.FreeTensor(x);
        inY.FreeTensor(y);
        LocalTensor<float> zOut = outZ.DeQue<float>();
        DataCopy(zGm, zOut, length);
        outZ.FreeTensor(zOut);
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> inX, inY;
    TQue<QuePosition::VECOUT, 1> outZ;
    GlobalTensor<float> xGm, yGm, zGm;
    uint32_t length;
};

extern "C" __global__ __aicore__ void vector_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tiling_data, tiling);
    VectorAdd op;
    op.Init(x, y, z, tiling_data.blockLength);
    op.Process();
}
"""

TASK = Task(
    name="VectorAdd",
    summary="z = x + y, elementwise.",
    tensors=(Tensor("x"), Tensor("y"), Tensor("z", role="out")),
    dtypes=({"T": "float32"},),
    behavior=lambda case, inputs: {"z": inputs["x"] + inputs["y"]},
    out_shapes=lambda case, inputs: {"z": case.shapes["x"]},
    draw=lambda case, rng: {name: rng.normal(3, 2, case.shapes[name]).astype(np.float32) for name in ("x", "y")},
    tolerance={"*": {"*": Tolerance(0, 1e-7, "one float addition")}},
)
CASE = Case("c0", {"x": (2048,), "y": (2048,)}, {"T": "float32"})
ENTRY = SuiteTask(TASK, (CASE,))


def candidate(kernel: str = KERNEL, host: str = HOST) -> Candidate:
    return Candidate(
        files={
            "op_kernel/vector_add.cpp": kernel,
            "op_host/vector_add.cpp": host,
            "op_host/vector_add_tiling.h": TILING,
        },
        roles={
            "op_kernel": "op_kernel/vector_add.cpp",
            "op_host": "op_host/vector_add.cpp",
            "tiling": "op_host/vector_add_tiling.h",
        },
        entry="vector_add",
    )


def changed(old: str, new: str) -> tuple[Candidate, int]:
    """The right candidate with one text of its kernel replaced, and the line of the replacement."""
    assert KERNEL.count(old) == 1, f"{old!r} occurs {KERNEL.count(old)} times"
    return candidate(KERNEL.replace(old, new)), KERNEL[: KERNEL.index(old)].count("\n") + 1
