"""What a prompt must say about AscendC for one task: signature, files, scaffold, rules, limits. From the task alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kbench.backends.ascend.targets import KIB, Target
from kbench.core.backend import Interface, Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.suite import SuiteTask
from kbench.core.task import Attr, Case, Task, Tensor

#: kbench dtype → AscendC type in kernels (`DTYPE_X`), and → enumerator on the host (`ge::DT_…`).
KERNEL_TYPES = {
    "float16": "half",
    "bfloat16": "bfloat16_t",
    "float32": "float",
    "float64": "double",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "bool": "bool",
    "complex64": "complex64",
}
GE_TYPES = {
    "float16": "DT_FLOAT16",
    "bfloat16": "DT_BF16",
    "float32": "DT_FLOAT",
    "float64": "DT_DOUBLE",
    "int8": "DT_INT8",
    "int16": "DT_INT16",
    "int32": "DT_INT32",
    "int64": "DT_INT64",
    "uint8": "DT_UINT8",
    "uint16": "DT_UINT16",
    "uint32": "DT_UINT32",
    "uint64": "DT_UINT64",
    "bool": "DT_BOOL",
    "complex64": "DT_COMPLEX64",
}
_ATTR_SETTERS = {
    "bool": "Bool",
    "int": "Int",
    "float": "Float",
    "str": "String",
    "list_bool": "ListBool",
    "list_int": "ListInt",
    "list_float": "ListFloat",
}


def kernel_name(operator: str) -> str:
    """The kernel function of an operator: CamelCase → snake_case as the operator project does it
    (AddCustom → add_custom, Conv2DCustom → conv2_d_custom, GRUCell → gru_cell)."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", operator).lower()


def operator_name(task: Task) -> str:
    """The OpDef class of a task: its name where that is CamelCase already, else made so."""
    if task.name[:1].isupper():
        return task.name
    return "".join(part[:1].upper() + part[1:] for part in task.name.split("_"))


def kernel_arguments(task: Task) -> list[Tensor]:
    """Tensors in the kernel's parameter order: inputs, then outputs that are not in place."""
    return [*task.inputs, *(t for t in task.tensors if t.role == "out")]


def signature(task: Task) -> str:
    params = [f"GM_ADDR {t.name}" for t in kernel_arguments(task)] + ["GM_ADDR workspace", "GM_ADDR tiling"]
    return f'extern "C" __global__ __aicore__ void {kernel_name(operator_name(task))}({", ".join(params)})'


def file_names(task: Task, track: Track) -> dict[str, str]:
    """role → path of the files that a candidate must give."""
    name = kernel_name(operator_name(task))
    files = {"op_kernel": f"op_kernel/{name}.cpp"}
    if track is Track.FULL:
        files |= {"op_host": f"op_host/{name}.cpp", "tiling": f"op_host/{name}_tiling.h"}
    return files


def limits(target: Target) -> dict[str, str]:
    return {
        "vector cores (AIV)": str(target.aiv),
        "cube cores (AIC)": str(target.aic),
        "unified buffer (UB) of a vector core": f"{target.ub_bytes // KIB} KiB",
        "L1 / L0A / L0B / L0C of a cube core": " / ".join(
            f"{b // KIB} KiB" for b in (target.l1_bytes, target.l0a_bytes, target.l0b_bytes, target.l0c_bytes)
        ),
        "UB address alignment": "32 bytes",
        "bytes of one vector repeat": "256",
        "repeats of one instruction": "at most 255",
        "buffers of one queue": "at most 8",
        "buffers of one kernel": "at most 64",
    }


#: The words of prompts for an operator: description, cases, processor, requirements, files (as arXiv 2601.07160 asks).
_TEMPLATES = str(Path(__file__).parent / "prompts")
_RULES = (
    "Include kernel_operator.h; the device API is namespace AscendC. No standard library at run time, no recursion, "
    "no dynamic memory, no inline assembly.",
    "Data goes GM → UB (DataCopy, DataCopyPad) → vector unit → UB → GM. Vector operations take UB tensors only.",
    "DataCopy moves whole 32-byte blocks: a length that is not a multiple of 32 bytes is rounded down. Use DataCopyPad "
    "for the rest, and never write past the end of an output.",
    "Addresses of UB operands are multiples of 32 bytes.",
    "Every AllocTensor is followed by EnQue, DeQue and FreeTensor of the same queue; the order of stages is what "
    "synchronises copies and computation.",
    "A tensor is allocated at most as often as its queue has buffers before one is freed.",
    "The element type of scalars is the element type of the tensor.",
    "bfloat16 has no vector arithmetic: Cast to float, compute, Cast back with CAST_RINT.",
    "Elements are split over blocks: GetBlockIdx() of GetBlockNum().",
    "repeatTime is an 8-bit value; one repeat covers 128 elements of 16 bits or 64 of 32 bits.",
)


def interface(
    entry: SuiteTask, cases: Sequence[Case], settings: Settings, target: Target, host: Candidate | None
) -> Interface:
    """The prompt's view of the Ascend backend.

    Args:
        cases: the one case of a static attempt, or all of a dynamic one; only dtypes are read from them here.
        host: the host side that the backend supplies on the kernel-only track; None where the launch is plain.
    """
    task = entry.task
    files = file_names(task, settings.track)
    scaffold = {
        files["op_kernel"]: _kernel_scaffold(task, cases, tiling=settings.track is Track.FULL or host is not None)
    }
    if settings.track is Track.FULL:
        scaffold[files["tiling"]] = _tiling_scaffold(task)
        scaffold[files["op_host"]] = _host_scaffold(task)
    return Interface(
        language="AscendC (C++17)",
        entry=kernel_name(operator_name(task)),
        files=files,
        signature=signature(task),
        scaffold=scaffold,
        rules=_RULES,
        limits=limits(target),
        host=_host_text(host, target) if settings.track is Track.KERNEL_ONLY else "",
        templates=_TEMPLATES,
    )


def _host_text(host: Candidate | None, target: Target) -> str:
    if host is None:
        return (
            f"The kernel is launched on all {target.aiv} vector cores with no tiling data and no workspace; "
            "the kernel itself must decide what each block does."
        )
    parts = [f"--- {path}\n{host.files[path]}" for path in sorted(host.files) if path.startswith("op_host/")]
    return "The host side is given and fixed; read its tiling data with GET_TILING_DATA.\n" + "\n".join(parts)


def _kernel_scaffold(task: Task, cases: Sequence[Case], tiling: bool) -> str:
    types = []
    for tensor in kernel_arguments(task):
        names = sorted({KERNEL_TYPES[task.dtype_of(tensor, case)] for case in cases})
        types.append(f"// DTYPE_{tensor.name.upper()}: {' or '.join(names)}, one build for each")
    body = "    GET_TILING_DATA(tiling_data, tiling);\n" if tiling else ""
    return '#include "kernel_operator.h"\n\n' + "\n".join(types) + f"\n{signature(task)}\n{{\n{body}}}\n"


def _tiling_scaffold(task: Task) -> str:
    name = operator_name(task)
    guard = f"{kernel_name(name).upper()}_TILING_H"
    return f"""#ifndef {guard}
#define {guard}
#include "register/tilingdata_base.h"

namespace optiling {{
BEGIN_TILING_DATA_DEF({name}TilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS({name}, {name}TilingData)
}}  // namespace optiling
#endif
"""


def _host_scaffold(task: Task) -> str:
    name = operator_name(task)
    arguments = [_argument("Input", t, task) for t in task.inputs]
    arguments += [_argument("Output", t, task) for t in task.tensors if t.role == "out"]
    arguments += [_attribute(a) for a in task.attrs]
    return f"""#include "{kernel_name(name)}_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {{
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{{
    {name}TilingData tiling;
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    context->SetBlockDim(platform.GetCoreNumAiv());
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}}
}}  // namespace optiling

namespace ops {{
class {name} : public OpDef {{
public:
    explicit {name}(const char* name) : OpDef(name)
    {{
{"".join(arguments)}        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }}
}};
OP_ADD({name});
}}  // namespace ops
"""


def _argument(kind: str, tensor: Tensor, task: Task) -> str:
    parameter = "DYNAMIC" if tensor.is_list else "OPTIONAL" if tensor.optional else "REQUIRED"
    rows = [row.get(tensor.dtype, tensor.dtype) for row in task.dtypes]
    types = ", ".join(f"ge::{GE_TYPES[dtype]}" for dtype in rows)
    formats = ", ".join("ge::FORMAT_ND" for _ in rows)
    depend = "\n            .ValueDepend(REQUIRED)" if tensor.host_value else ""
    return f"""        this->{kind}("{tensor.name}")
            .ParamType({parameter})
            .DataType({{{types}}})
            .Format({{{formats}}}){depend};
"""


def _attribute(attr: Attr) -> str:
    setter = _ATTR_SETTERS[attr.type]
    if attr.default is None:
        return f'        this->Attr("{attr.name}").AttrType(REQUIRED).{setter}();\n'
    return f'        this->Attr("{attr.name}").AttrType(OPTIONAL).{setter}({_literal(attr.default)});\n'


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(_literal(v) for v in value) + "}"
    return repr(value)
