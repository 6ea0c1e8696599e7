"""What a prompt must say about a kernel for one AIE tile: signature, scaffold, rules, limits. From the task alone.

The scaffold is that of NPUEval's prompts: the includes and the empty function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kbench.backends.aie.movement import MEMORY_BYTES, STACK_BYTES, movement
from kbench.core.backend import Interface, Settings
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.prompting.outline import example
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Task, Tensor

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


#: Attributes whose type in C the task does not fix.
_NUMBERS = {"int": "int32", "float": "float32", "bool": "int32"}


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
    return [*buffers, *((f"{_c_type(task, a.name, a.dtype or _NUMBERS.get(a.type, ''))} ", a.name) for a in task.attrs)]


def size_macros(task: Task, case: Case) -> tuple[str, ...]:
    """`X_SIZE=37`: the elements of each buffer, as macros. A kernel is built for its buffers' sizes; where cases differ
    in them, one source serves all by these."""
    return tuple(f"{b.name.upper()}_SIZE={b.elements}" for b in movement(task, case).buffers)


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


# --- the prompt's view ------------------------------------------------------------------------------------------------


def scaffold(task: Task, case: Case) -> str:
    """The file to fill in."""
    includes = '#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n'
    return f"{includes}\n{signature(task, case)} {{\n    // Implementation goes here\n}}\n"


#: The words of prompts for a tile: the file to fill in, as NPUEval asks.
_TEMPLATES = str(Path(__file__).parent / "prompts")
_RULES = (
    "Write one function of exactly this name and these parameters; helpers in the same file are fine, a main is not.",
    "Include aie_api/aie.hpp; the vector API is namespace aie (vector, accum, mmul, load_v, store_v, …).",
    "The buffers lie in the tile's memory whole, and one call works on all of them. Every element of the output is "
    "written, and nothing beyond it.",
    "At entry the rounding mode is positive_inf and saturation is off; a kernel that needs others sets them.",
    "Integer additions wrap; narrowing an accumulator saturates only where saturation is set.",
    "No dynamic memory, no exceptions, no input or output, no recursion.",
)


def _size_rules(task: Task, cases: Sequence[Case]) -> list[str]:
    """Where one source serves cases of several sizes, how it learns them."""
    sizes = list(dict.fromkeys(size_macros(task, case) for case in cases))
    if len(sizes) < 2:
        return []
    rows = "; ".join(", ".join(macros) for macros in sizes)
    return [f"The kernel is built once for each set of sizes, given as macros (numbers of elements): {rows}."]


def limits(target: Target) -> dict[str, str]:
    wide = "32 bytes from 256 on"
    if target.alignment_bytes > 32:
        wide = f"32 bytes for 256, {target.alignment_bytes} bytes from 512 on"
    return {
        "data memory": f"{MEMORY_BYTES // 1024} KiB, with two of each buffer and {STACK_BYTES} bytes of stack in it",
        "program memory": "16 KiB",
        "vector register": "512 bits",
        "alignment of vectors": f"16 bytes for 128 bits, {wide}",
    }


def interface(entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
    """The prompt's view of an AIE tile.

    Raises:
        ConfigError: no such target, or a task that does not fit one call on one tile.
    """
    if settings.target not in TARGETS:
        raise unknown_name("AIE target", settings.target, TARGETS)
    target, task = TARGETS[settings.target], entry.task
    for case in cases:
        movement(task, case)
    path = f"{task.name}.cc"
    return Interface(
        language=f"C++20 with the AIE API, for one tile of {target.architecture}",
        entry=task.name,
        files={"kernel": path},
        signature=signature(task, cases[0]),
        scaffold={path: scaffold(task, cases[0])},
        rules=[*_RULES, *_size_rules(task, cases)],
        limits=limits(target),
        example=example(task, cases[0]),
        templates=_TEMPLATES,
    )
