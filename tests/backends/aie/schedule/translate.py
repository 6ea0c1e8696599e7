"""A row in the form that the scheduler is given."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation
from tests.backends.aie.schedule.rows import Access, Op, Row

#: Trips that a loop is known to have where its own source says nothing that the row could state: enough to pipeline.
MANY_TRIPS = 64

#: Names of ours that differ from the scheduler's.
_RENAMED = {
    "extend": "ext.u16",
    "mov.m": "mov.imm.s",
    "vbneg": "vbneg_ltz",
    "vld.x": "vld",
    "vlda.x": "vlda",
    "vldb.x": "vldb",
    "vst.x": "vst",
}
#: Operations that name the file of their destination.
_BY_FILE = ("mov", "mov.imm", "mova", "movxm", "lda", "add.nc")
_LOAD_BYTES = {"lda": 4, "st": 4, ".s8": 1, ".s16": 2}
_VECTOR_BYTES = 32


def function(row: Row) -> Function:
    """The row's block or loop, with a block before it and a return behind."""
    operations = _operations(row)
    if row.kind == "block":
        return _straight(row, operations)
    branch = operations[-1].name == "jnz"
    counted = not branch or row.kind == "loop"
    if branch and counted:  # the scheduler adds the counter, its decrement and the branch
        counter = operations[-1].uses[0]
        operations = [op for op in operations[:-1] if counter not in op.defs]
    carried: tuple[tuple[str, str], ...] = ()
    if not row.fixed_registers:
        operations, carried = _single_assignment(operations)
    loop = Loop(
        header="loop",
        blocks=("loop",),
        counted=counted,
        min_trips=row.min_trips or (MANY_TRIPS if row.kind == "loop" else None),
        pipeline=row.kind == "loop",
        carried=carried,
        software=branch and counted,
        setup=False,
    )
    blocks = (
        Block("before", (), ("loop",)),
        Block("loop", tuple(operations), ("loop", "after")),
        Block("after", (Operation("ret", uses=("lr",)),)),
    )
    return Function(row.name, blocks, (loop,), row.fixed_registers)


def _straight(row: Row, operations: list[Operation]) -> Function:
    if not row.fixed_registers:
        operations, _ = _single_assignment(operations)
    if operations[-1].name == "ret":
        return Function(row.name, (Block("block", tuple(operations)),), fixed_registers=row.fixed_registers)
    after = Block("after", (Operation("ret", uses=("lr",)),))
    blocks = (Block("block", tuple(operations), ("after",)), after)
    return Function(row.name, blocks, fixed_registers=row.fixed_registers)


def _operations(row: Row) -> list[Operation]:
    return [_operation(op, row.target) for op in row.ops]


def _operation(op: Op, target: str) -> Operation:
    access = op.access
    defs = [_registers(name, target) for name in op.defs]
    uses = [_registers(name, target) for name in op.uses]
    memory = None
    if access is not None:
        defs += ([access.pointer] if access.moves else []) + list(access.counters)
        uses += [access.pointer, *access.reads]
        memory = _memory(op.name, access)
    return Operation(_name(op), tuple(defs), tuple(uses), memory)


def _name(op: Op) -> str:
    """As the scheduler's table has it: scalar moves and loads by their destination, accumulators apart."""
    name = _RENAMED.get(op.name, op.name)
    first = op.defs[0] if op.defs else ""
    file = re.sub(r"\d+$", "", first)
    if op.name in _BY_FILE and file in ("p", "m", "dj", "dn", "dc"):
        return f"{name}.{file}"
    if op.name == "mov" and file == "s":
        return "mov.mv"
    if name == "vmov":
        return _vector_move(first, op.uses[0])
    if name == "vconv.fp32.bf16" and op.uses[0].startswith("wh"):
        return "vconv.fp32.bf16.wh"
    if name == "vfloor" and not op.uses[0].startswith(("bm", "cm", "am")):
        return "vfloor.w"
    if name in ("vlda", "vst") and (first or op.uses[0]).startswith(("bm", "cm", "am")):
        return f"{name}.am"
    if name in ("lda", "st") and (first or op.uses[0]).startswith("q"):
        return {"lda": "vlda.q", "st": "vst.q"}[name]
    return name


def _vector_move(to: str, of: str) -> str:
    accumulators = [name.startswith(("bm", "cm", "dm", "am")) for name in (of, to)]
    if to.startswith(("wh", "q")) or of.startswith(("wh", "q")):
        return "vmov.wh"
    return {(False, False): "vmov", (True, False): "vmov.from.bm", (False, True): "vmov.to.bm"}.get(
        (accumulators[0], accumulators[1]), "vmov.bm"
    )


def _memory(name: str, access: Access) -> Memory:
    scalar = next((n for end, n in _LOAD_BYTES.items() if name == end or name.endswith(end)), None)
    size = access.size or scalar or _VECTOR_BYTES
    anything = access.object == "?"
    known = {"offset": access.offset, "step": 0} if access.offset is not None else {}
    if access.how == "=":
        known = {"offset": 0, "step": size}
    return Memory(root=access.object, size=size, distinct=not anything, **known)


def _registers(name: str, target: str) -> str:
    """A register as the smallest that a test names apart, `a|b` where it has several."""
    file, number = re.fullmatch(r"([a-z]+)(\d*)", name).groups()  # type: ignore[union-attr]
    parts = {
        "x": [f"wl{number}", f"wh{number}"],
        "cm": [f"bml{number}", f"bmh{number}"],
    }
    if target == "aie2p":
        low, high = f"ll{number}", f"lh{number}"
        parts |= {
            "cml": [f"bm{low}", f"bm{high}"],
            "cmh": [f"bmhl{number}", f"bmhh{number}"],
            "dm": [f"bm{low}", f"bm{high}", f"bmhl{number}", f"bmhh{number}"],
            "y": [f"w{half}{int(number or 0) * 2 + k}" for k in (0, 1) for half in "lh"],
        }
    return "|".join(parts.get(file, [name]))


def _single_assignment(operations: list[Operation]) -> tuple[list[Operation], tuple[tuple[str, str], ...]]:
    """Each value with a name of its own, and which value at a trip's start is which of the trip before."""
    current: dict[str, str] = {}
    number: Counter[str] = Counter()
    read_first: dict[str, None] = {}
    renamed = []
    for op in operations:
        for name in "|".join(op.uses).split("|"):
            if name not in current:
                read_first[name] = None
        uses = tuple("|".join(current.get(n, n) for n in operand.split("|")) for operand in op.uses)
        defs = []
        for operand in op.defs:
            parts = []
            for name in operand.split("|"):
                number[name] += 1
                current[name] = f"{name}.{number[name]}"
                parts.append(current[name])
            defs.append("|".join(parts))
        renamed.append(replace(op, defs=tuple(defs), uses=uses))
    carried = tuple((name, current[name]) for name in read_first if name in current)
    return renamed, carried
