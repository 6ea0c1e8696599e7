"""Host sides of invented operators, for the tests of the simulator's host half."""

from __future__ import annotations

from pathlib import Path

from kbench.backends.ascend.sim.host import HostArgument, HostCase, HostProgram, Tiling, build_host, run_tiling
from kbench.backends.ascend.targets import TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import sandbox

TARGET = TARGETS["ascend910b1"]

TILING_HEADER = """
#pragma once
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(PartData)
TILING_DATA_FIELD_DEF(uint8_t, small);
TILING_DATA_FIELD_DEF(uint32_t, wide);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartDataOp, PartData)

BEGIN_TILING_DATA_DEF(DemoData)
TILING_DATA_FIELD_DEF(uint8_t, flag);
TILING_DATA_FIELD_DEF(int64_t, length);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, steps);
TILING_DATA_FIELD_DEF_STRUCT(PartData, part);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Demo, DemoData)
REGISTER_TILING_DATA_CLASS(Demo_7, PartData)
}  // namespace optiling
"""


def host_source(body: str, definition: str = "", before: str = "") -> str:
    """A host side with one input x and one output y, whose tiling function runs `body`."""
    return f"""
#include "demo_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
namespace optiling {{
{before}
static ge::graphStatus TilingFunc(gert::TilingContext* context) {{
{body}
}}
}}  // namespace optiling
namespace ops {{
class Demo : public OpDef {{
public:
    explicit Demo(const char* name) : OpDef(name) {{
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({{ge::DT_FLOAT16, ge::DT_FLOAT}})
            .Format({{ge::FORMAT_ND, ge::FORMAT_ND}});
        {definition}
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({{ge::DT_FLOAT16, ge::DT_FLOAT}})
            .Format({{ge::FORMAT_ND, ge::FORMAT_ND}});
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }}
}};
OP_ADD(Demo);
}}  // namespace ops
"""


SUCCESS = "context->SetBlockDim(1); return ge::GRAPH_SUCCESS;"


def build(source: str, workdir: Path, **more: str) -> HostProgram:
    """Build a host side of that source; `more` are further files of op_host, `name__cpp` for name.cpp."""
    files = {"op_host/demo.cpp": source, "op_host/demo_tiling.h": TILING_HEADER}
    files |= {f"op_host/{name.replace('__', '.')}": text for name, text in more.items()}
    return build_host(Candidate(files, {"op_host": "op_host/demo.cpp"}), TARGET, sandbox("auto"), 60, workdir)


def tile(program: HostProgram, case: HostCase | None = None) -> Tiling:
    """Run its tiling, by default for one input and one output of shape (8, 33), float16."""
    x = HostArgument.shaped((8, 33), "float16")
    return run_tiling(program, case or HostCase([x], [x]), TARGET, sandbox=sandbox("auto"), timeout_s=10)
