"""Functions of IR as text, read and selected."""

from __future__ import annotations

from kbench.backends.aie.sim.ir import Places, parse
from kbench.backends.aie.sim.schedule.program import Operation
from kbench.backends.aie.sim.select.function import Hints, Selected, select
from kbench.backends.aie.sim.select.instructions import Code
from kbench.backends.aie.sim.select.reader import Reader


#: Names of operations as the compiler mangles them, with any types.
def op(name: str) -> str:
    return f"@_ZN5kbaie{len(name)}{name}IiEEvjv"


def kinds(*codes: int) -> int:
    return sum(code << 8 * i for i, code in enumerate(codes))


def read(
    body: str, signature: str = "void @k(ptr noalias %x, ptr noalias %y, i32 %n)", before: str = "", after: str = ""
) -> Code:
    module = parse(f"{before}\ndefine dso_local {signature} #0 {{\n{body}\n}}\n{after}\n")
    reader = Reader(module, Places(module.metadata, []))
    return reader.read(next(iter(module.functions.values())))


def selected(body: str, target: str = "npu1", **more: str) -> Selected:
    return select(read(body, **more), target, [], frozenset(), {"!9": Hints(min_trips=4)})


def names(found: Selected, label: str = "") -> list[str]:
    return [operation.name for operation in operations(found, label)]


def operations(found: Selected, label: str = "") -> tuple[Operation, ...]:
    return next(block.operations for block in found.function.blocks if block.label == label)
