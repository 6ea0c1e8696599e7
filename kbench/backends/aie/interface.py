"""What a prompt must say about a kernel for one AIE tile: signature, scaffold, rules, limits. From the task alone.

The scaffold has the structure of NPUEval's prompts: a comment with description, example of a call and sizes, the
includes, and the empty function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kbench.backends.aie.movement import MEMORY_BYTES, STACK_BYTES, movement
from kbench.core.backend import Interface, Settings
from kbench.core.cases import case_seed, draw_inputs
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.suite import SuiteTask
from kbench.core.task import Array, Case, Task, Tensor

#: kbench dtype → type of the AIE API.
C_TYPES = {
    "bfloat16": "bfloat16",
    "float32": "float",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
}
#: Elements of an example: the front of a vector, the upper left corner of a matrix.
_FRONT, _CORNER = 8, 4


@dataclass(frozen=True)
class Target:
    """A device's tile."""

    name: str
    architecture: str
    alignment_bytes: int


TARGETS = {
    "npu1": Target("npu1", "AIE2 (Phoenix, Hawk Point)", 32),
    "npu2": Target("npu2", "AIE2P (Strix, Krackan)", 64),
}


def parameters(task: Task, case: Case) -> list[tuple[str, str]]:
    """(C type, name) of the kernel's parameters: input buffers, output buffers, then runtime parameters.

    Raises:
        ConfigError: a type that a tile's kernels do not take, or an attribute without one.
    """
    buffers = [(f"{_c_type(task, t.name, task.dtype_of(t, case))} *", t.name) for t in _ordered(task)]
    return [*buffers, *((f"{_c_type(task, a.name, a.dtype)} ", a.name) for a in task.attrs)]


def _ordered(task: Task) -> list[Tensor]:
    return [t for role in ("in", "out") for t in task.tensors if t.role == role]


def _c_type(task: Task, name: str, dtype: str) -> str:
    if dtype not in C_TYPES:
        given = f"of {dtype}" if dtype else "without a dtype"
        raise ConfigError(f"{name} of task {task.name} is {given}; a tile's kernels take {', '.join(C_TYPES)}")
    return C_TYPES[dtype]


def signature(task: Task, case: Case) -> str:
    """The kernel's declaration: `void relu_int8(int8_t *x, int8_t *y)`."""
    return f"void {task.name}({', '.join(kind + name for kind, name in parameters(task, case))})"


def wrapper(task: Task, case: Case) -> str:
    """The C function that a tile calls: rounding as NPUEval sets it, and events between which cycles are counted."""
    named = parameters(task, case)
    declared = ", ".join(kind + name for kind, name in named)
    lines = [
        f'extern "C" void {task.name}_wrapper({declared}) {{',
        "    ::aie::set_rounding(aie::rounding_mode::positive_inf);",
        "    event0();",
        f"    {task.name}({', '.join(name for _, name in named)});",
        "    event1();",
        "}",
    ]
    return "\n".join(lines) + "\n"


# --- the example ------------------------------------------------------------------------------------------------------


def example(task: Task, case: Case) -> str:
    """A call on the front of drawn inputs and its result, as Python shows them; empty where the operator is not defined
    on parts of its inputs. The inputs come from a seed that no run uses."""
    inputs = draw_inputs(task, case, case_seed(0, "an example", task.name, case.name))
    parts = {name: _front(np.asarray(value)) for name, value in inputs.items()}
    params = [task.attr_values(case)[a.name] for a in task.attrs]
    try:
        (result,) = task.behavior(case, dict(parts)).values()
    except Exception:  # the operator's own: sizes that belong together are cut apart
        return ""
    arguments = ", ".join([*(_shown(parts[t.name]) for t in task.inputs), *map(str, params)])
    return f">>> {task.name}({arguments})\n{_shown(np.asarray(result))}"


def _front(array: Array) -> Array:
    return array[:_CORNER, :_CORNER] if array.ndim == 2 else array[:_FRONT]


def _shown(array: Array) -> str:
    return str(array.astype(np.float64).tolist() if array.dtype.kind not in "iub" else array.tolist())


# --- the prompt's view ------------------------------------------------------------------------------------------------


def scaffold(task: Task, cases: Sequence[Case]) -> str:
    """The file to fill in, in NPUEval's structure."""
    case = cases[0]
    sizes = [f"{b.name} size: {b.elements}" for b in movement(task, case).buffers]
    lines = [task.summary, example(task, case)]
    lines.append("This kernel should be optimized for the following input/output buffer shapes and parameters:")
    lines += [*sizes, *(f"{name}: {values}" for name, values in _values(task, cases).items())]
    comment = "\n".join(line for line in lines if line)
    includes = '#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n'
    return f"/*\n{comment}\n*/\n{includes}\n{signature(task, case)} {{\n    // Implementation goes here\n}}\n"


def _values(task: Task, cases: Sequence[Case]) -> Mapping[str, str]:
    """The values of each parameter over the cases."""
    found = {a.name: list(dict.fromkeys(task.attr_values(c)[a.name] for c in cases)) for a in task.attrs}
    return {name: ", ".join(map(str, values)) for name, values in found.items()}


_RULES = (
    "Write one function of exactly this name and these parameters; helpers in the same file are fine, a main is not.",
    "Include aie_api/aie.hpp; the vector API is namespace aie (vector, accum, mmul, load_v, store_v, …).",
    "The buffers lie in the tile's memory whole, and one call works on all of them. Every element of the output is "
    "written, and nothing beyond it.",
    "At entry the rounding mode is positive_inf and saturation is off; a kernel that needs others sets them.",
    "Integer additions wrap; narrowing an accumulator saturates only where saturation is set.",
    "No dynamic memory, no exceptions, no input or output, no recursion.",
)


def limits(target: Target) -> dict[str, str]:
    return {
        "data memory": f"{MEMORY_BYTES // 1024} KiB, with two of each buffer and {STACK_BYTES} bytes of stack in it",
        "program memory": "16 KiB",
        "vector register": "512 bits",
        "alignment of vector accesses": f"{target.alignment_bytes} bytes (16 for vectors of 128 bits)",
    }


def interface(entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
    """The prompt's view of an AIE tile.

    Raises:
        ConfigError: no such target, or a task that does not fit one call on one tile.
    """
    if settings.target not in TARGETS:
        raise unknown_name("AIE target", settings.target, TARGETS)
    target, task = TARGETS[settings.target], entry.task
    path = f"{task.name}.cc"
    return Interface(
        language=f"C++20 with the AIE API, for one tile of {target.architecture}",
        entry=task.name,
        files={"kernel": path},
        signature=signature(task, cases[0]),
        scaffold={path: scaffold(task, cases)},
        rules=_RULES,
        limits=limits(target),
        example=example(task, cases[0]),
    )
