"""The Ascend backend under the kit that third parties run."""

from __future__ import annotations

import pytest

from kbench.backends.ascend.backend import AscendBackend
from kbench.core.candidate import Candidate, Track
from kbench.testing import BackendConformance

TILING = """#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleAndAddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleAndAdd, ScaleAndAddTilingData)
}  // namespace optiling
"""

HOST = """#include "scale_and_add_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    ScaleAndAddTilingData tiling;
    tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_scale(*context->GetAttrs()->GetFloat(0));
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ScaleAndAdd : public OpDef {
public:
    explicit ScaleAndAdd(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("scale").AttrType(REQUIRED).Float();
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ScaleAndAdd);
}  // namespace ops
"""

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scale_and_add(GM_ADDR x, GM_ADDR z, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tiling_data, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> inX, inZ;
    TQue<QuePosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 4096);
    pipe.InitBuffer(inZ, 1, 4096);
    pipe.InitBuffer(outY, 1, 4096);
    GlobalTensor<float> xGm, zGm, yGm;
    uint32_t length = tiling_data.length;
    xGm.SetGlobalBuffer((__gm__ float*)x, length);
    zGm.SetGlobalBuffer((__gm__ float*)z, length);
    yGm.SetGlobalBuffer((__gm__ float*)y, length);
    DataCopyExtParams whole{1, static_cast<uint32_t>(length * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
    LocalTensor<float> xIn = inX.AllocTensor<float>();
    LocalTensor<float> zIn = inZ.AllocTensor<float>();
    DataCopyPad(xIn, xGm, whole, pad);
    DataCopyPad(zIn, zGm, whole, pad);
    inX.EnQue(xIn);
    inZ.EnQue(zIn);
    LocalTensor<float> xUb = inX.DeQue<float>();
    LocalTensor<float> zUb = inZ.DeQue<float>();
    LocalTensor<float> yUb = outY.AllocTensor<float>();
    Muls(yUb, xUb, tiling_data.scale, length);
    Add(yUb, yUb, zUb, length);
    outY.EnQue(yUb);
    inX.FreeTensor(xUb);
    inZ.FreeTensor(zUb);
    LocalTensor<float> yOut = outY.DeQue<float>();
    DataCopyExtParams out{1, static_cast<uint32_t>(length * sizeof(float)), 0, 0, 0};
    DataCopyPad(yGm, yOut, out);
    outY.FreeTensor(yOut);
}
"""


def candidate(old: str = "", new: str = "") -> Candidate:
    """The right kernel with one text replaced."""
    assert not old or KERNEL.count(old) == 1
    roles = {"op_kernel": "op_kernel/scale_and_add.cpp", "op_host": "op_host/scale_and_add.cpp"}
    roles["tiling"] = "op_host/scale_and_add_tiling.h"
    texts = [KERNEL.replace(old, new) if old else KERNEL, HOST, TILING]
    return Candidate(dict(zip(roles.values(), texts, strict=True)), roles, "scale_and_add")


ADD = "Add(yUb, yUb, zUb, length);"
LAST = "DataCopyExtParams out{1, static_cast<uint32_t>(length * sizeof(float)), 0, 0, 0};"


class TestAscend(BackendConformance):
    track = Track.FULL
    good = candidate()
    wrong = candidate(ADD, "")
    unwritten = candidate(LAST, LAST.replace("length", "(length - 1)"))
    syntax_error = candidate(ADD, "Add(yUb, yUb, zUb, length;")
    syntax_error_line = KERNEL[: KERNEL.index(ADD)].count("\n") + 1
    crash = candidate(ADD, "*reinterpret_cast<volatile float*>(16) = 1;")
    hang = candidate(ADD, "for (volatile int i = 0;; i++) {}")

    @pytest.fixture
    def backend(self):
        return AscendBackend()
