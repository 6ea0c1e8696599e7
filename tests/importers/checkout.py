"""A made-up checkout in the layout of NPUKernelBench: three small tasks, written for these tests."""

from __future__ import annotations

from pathlib import Path

UTILS = """
import pandas as pd
import torch
from framework.kernel_gen_config import config


def check_precision(outputs, outputs_new, max_abs_error, max_rel_error):
    outputs = outputs if isinstance(outputs, list) else [outputs]
    outputs_new = outputs_new if isinstance(outputs_new, list) else [outputs_new]
    good, far = 1, []
    for a, b in zip(outputs, outputs_new):
        d = (a.float() - b.float()).abs()
        far.append(d.reshape(-1))
        if ((d > max_abs_error) & (d / (a.float().abs() + 1e-7) > max_rel_error)).any():
            good = 0
    return good, torch.cat(far), torch.cat(far)
"""

CONFIG = """
eval:
  verbose: True
  max_rel_error: 0.002
  max_abs_error: 0.004
"""

HOST = """
#include "register/op_def_registry.h"
namespace optiling {{
static ge::graphStatus TilingFunc(gert::TilingContext *context) {{ return weird<int>{{1}} << *context; }}
}}
namespace ops {{
{helpers}
class {name} : public OpDef {{
public:
    explicit {name}(const char *name) : OpDef(name)
    {{
        {body}
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }}
}};
OP_ADD({name});
}}
"""

BINDING = """
#include <torch/library.h>
{function}
PYBIND11_MODULE(kernel_gen_ops, m) {{
    m.def("custom_pybind_api", &wrapped, "");
}}
"""

MODULE = """
import torch
import torch_npu
from torch_npu.contrib import transfer_to_npu
import kernel_gen_ops


class Model(torch.nn.Module):
{model}


class ModelNew(torch.nn.Module):
{new}
"""

TASKS: dict[str, dict[str, str]] = {
    "level1/Demo/ScaleShift": {
        "op": """
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).AutoContiguous();
        this->Input("shift").ParamType(OPTIONAL).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
        this->Output("flag").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT});
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        """,
        "binding": """
        std::vector<at::Tensor> wrapped(at::Tensor x, c10::optional<at::Tensor> shift, double scale)
        {
            at::Tensor y = torch::empty_like(x);
            auto sizes = x.sizes().vec();
            sizes.back() /= 2;
            at::Tensor flag = torch::empty(sizes, x.options().dtype(torch::kFloat));
            at::Tensor given = shift.has_value() ? shift.value() : at::Tensor();
            EXEC_NPU_CMD(aclnnCustomOp, x, given, scale, y, flag);
            std::vector<at::Tensor> result;
            result.push_back(y);
            return result;
        }
        """,
        "model": """
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x, shift):
        y = x * self.scale
        return [y if shift is None else y + shift]
""",
        "new": """
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x, shift):
        return kernel_gen_ops.scale_shift(x, shift, self.scale)
""",
        "inputs": """
import torch


def get_inputs(param, device=None):
    shape = eval(param.get('shape', '[2]'))
    x = torch.randn(shape, dtype=getattr(torch, param.get('dtype')), device=device)
    shift = torch.randn(shape, dtype=x.dtype) if param.get('shifted') else None
    return (x, shift)


def get_init_inputs(param, device=None):
    return [float(param.get('scale', 1.0))]
""",
        "cases": "case_id;shape;dtype;scale;shifted\n0;[4, 6];float16;0.5;True\n1;[2, 8];float32;3;False\n"
        "2;[2, 2];float64;1;True\n3;[2, 2;float32;1;True\n",
    },
    "level2/Demo/ListStep": {
        "op": """
        std::vector<ge::DataType> kinds = {ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16};
        std::vector<ge::DataType> steps;
        std::for_each(kinds.cbegin(), kinds.cend(), [&steps](ge::DataType d){ steps.push_back(StepType(d)); });
        this->Input("x").ParamType(DYNAMIC).DataType(kinds);
        this->Input("step").Scalar().ParamType(REQUIRED).DataType(steps);
        this->Output("y").ParamType(DYNAMIC).DataType(kinds);
        """,
        "helpers": """
        inline ge::DataType StepType(ge::DataType dtype) {
            switch (dtype) {
                case ge::DT_FLOAT16: return ge::DT_FLOAT16;
                case ge::DT_FLOAT:
                case ge::DT_BF16: return ge::DT_FLOAT;
                default: return ge::DT_UNDEFINED;
            }
        }
        """,
        "binding": """
        std::vector<at::Tensor> wrapped(std::vector<at::Tensor> &x, at::Tensor &step)
        {
            std::vector<at::Tensor> result;
            result.reserve(x.size());
            for (const auto &tensor : x) {
                result.push_back(torch::empty_like(tensor));
            }
            at::TensorList out = at::TensorList(result);
            at::TensorList in = at::TensorList(x);
            auto number = ConvertTensorToAclScaler(step);
            EXEC_NPU_CMD(aclnnListStep, in, number, out);
            return result;
        }
        """,
        "model": """
    def forward(self, xs, step):
        return [x + step for x in xs]
""",
        "new": """
    def forward(self, xs, step):
        return kernel_gen_ops.list_step(tuple(xs), step)
""",
        "inputs": """
import torch
from framework.utils import check_precision


def get_inputs(param, device=None):
    dtype = getattr(torch, param['dtype'])
    return ([torch.rand(s, dtype=dtype) for s in eval(param.shapes)], torch.tensor(param.step, dtype=dtype))


def get_init_inputs(param, device=None):
    return []


def custom_check_precision(param, outputs, outputs_new):
    print("a print that must not disturb the answer")
    loose = param['dtype'] == 'bfloat16'
    return check_precision(outputs, outputs_new, 0.05 if loose else 0.01, 0.02)
""",
        "cases": "case_id;shapes;dtype;step\n0;[[3], [2, 2]];float16;1.5\n1;[[5]];bfloat16;2.0\n",
    },
    "level3/Demo/AddInto": {
        "op": """
        this->Input("acc").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32});
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32});
        this->Output("acc").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32});
        this->Output("positive").ParamType(REQUIRED).DataType({ge::DT_BOOL, ge::DT_BOOL});
        this->Attr("axes").AttrType(OPTIONAL).ListInt({});
        """,
        "binding": """
        std::vector<at::Tensor> wrapped(at::Tensor acc, at::Tensor x, std::vector<int64_t> axes)
        {
            aclIntArray* list = ConvertType(at::IntArrayRef(axes));
            at::Tensor positive = torch::empty_like(x, x.options().dtype(at::kBool));
            EXEC_NPU_CMD(aclnnCustomOp, acc, x, list, positive);
            return {acc, positive.to(x.scalar_type())};
        }
        """,
        "model": """
    def forward(self, acc, x, axes):
        acc += x
        return [acc, (x > 0).to(x.dtype)]
""",
        "new": """
    def forward(self, acc, x, axes):
        return kernel_gen_ops.add_into(acc, x, axes)
""",
        "inputs": """
import torch


def get_inputs(param, device=None):
    dtype = getattr(torch, param['dtype'])
    n = param['n']
    axes = [0, int(torch.randint(0, 4, (1,)))]
    return (torch.randn(n, dtype=dtype), torch.randn(n, dtype=dtype), axes)


def get_init_inputs(param, device=None):
    return []


def custom_check_precision(param, outputs, outputs_new):
    good, diffs = 1, []
    for a, b in zip(outputs, outputs_new):
        d = (a.float() - b.float()).abs()
        diffs.append(d)
        if (d > 0.25 * torch.clamp(a.float().abs(), min=1.0)).any():
            good = 0
    return good, torch.cat(diffs), torch.cat(diffs)
""",
        "cases": "case_id;n;dtype\n0;7;float16\n1;9;int32\n",
    },
}


def write_checkout(root: Path) -> Path:
    """Write the checkout below `root`; its path."""
    _write(root / "framework/utils.py", UTILS)
    _write(root / "base_config.yaml", CONFIG)
    for place, task in TASKS.items():
        folder, name = root / "tasks" / place, place.rpartition("/")[2]
        snake = "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
        host = HOST.format(name=name, body=task["op"], helpers=task.get("helpers", ""))
        kernel = f'extern "C" __global__ __aicore__ void {snake}(GM_ADDR workspace, GM_ADDR tiling) {{}}\n'
        for part in ("question", "answer/0"):
            _write(folder / part / "op_host" / f"{snake}.cpp", host)
            _write(folder / part / "op_kernel" / f"{snake}.cpp", kernel)
        _write(folder / "answer/0/op_kernel/part.h", "#pragma once\n")
        _write(folder / "api_desc.md", f"# {name}\n\n## Description\nWhat {name} does,\nin words.\n\n$$ y = x $$\n")
        _write(folder / "validation/module.py", MODULE.format(model=task["model"], new=task["new"]))
        _write(folder / "validation/prepare_inputs.py", task["inputs"])
        _write(folder / "validation/pybind.cpp", BINDING.format(function=task["binding"]))
        _write(folder / "validation/test_cases.csv", task["cases"])
    return root


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
