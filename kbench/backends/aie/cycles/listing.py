"""The bundles of a kernel as text: what each slot does in each cycle, block by block, with how often each runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbench.backends.aie.cycles.closeup import Closeup
from kbench.backends.aie.cycles.program import Routine
from kbench.backends.aie.sim.schedule.program import Operation
from kbench.backends.aie.sim.schedule.result import Bundle
from kbench.backends.aie.sim.schedule.table import SLOTS

_WIDTH = 30


def listing(seen: Closeup) -> str:
    """Every executed function, block by block. A column is a slot; `·` where it is empty; an operation of `lng`
    stands in `alu` and fills `mv` too; `+n` behind an operation: it belongs to a trip that began n trips earlier."""
    program, window = seen.program, seen.window
    lines: list[str] = []
    for name, routine in program.routines.items():
        lines += _function(name, routine, window.executions(name, routine), window.counts.get(name, {}))
    return "\n".join(lines) + "\n"


def _function(name: str, routine: Routine, runs: Mapping[str, int], counts: Mapping[str, int]) -> Iterator[str]:
    yield f"function {name}"
    for label, block in routine.schedule.blocks.items():
        extra = [f"{counts.get(label, 0)} times", f"{len(block.bundles)} bundles"]
        if block.call_cycles:
            extra.append(f"{block.call_cycles} cycles in routines")
        if block.prologue:
            extra.append(f"the last {block.prologue} are the next loop's prologue")
        if block.epilogue:
            extra.append(f"the first {block.epilogue} are the loop's epilogue")
        if block.spills:
            extra.append(f"{block.spills} values spilled")
        yield f"  block {label or 'entry'}: {', '.join(extra)}"
        loop = routine.schedule.loops.get(label)
        if loop is not None:
            yield (
                f"    loop: {loop.kind}, interval {loop.ii}, length {loop.length}, {loop.stages} stages, bound by "
                f"{loop.bound} ({loop.resource or 'none'}): {loop.reason}"
            )
        if not runs.get(label) and not counts.get(label):
            continue
        yield f"    cycle  {''.join(f'{slot:{_WIDTH}}' for slot in SLOTS)}".rstrip()
        for cycle, bundle in enumerate(block.bundles):
            yield f"    {cycle:5}  {_bundle(bundle)}".rstrip()


def _bundle(bundle: Bundle) -> str:
    held = dict.fromkeys(SLOTS, "·")
    for issue in bundle:
        text = told(issue.operation) + (f" +{issue.stage}" if issue.stage else "")
        if issue.slot == "lng":
            held["alu"], held["mv"] = text, "(lng)"
        else:
            held[issue.slot] = text
    return "".join(f"{held[slot][: _WIDTH - 1]:{_WIDTH}}" for slot in SLOTS)


def told(operation: Operation) -> str:
    """An operation as a reader sees it: its name, what it writes, what it reads."""
    if operation.text:
        return operation.text
    parts = [", ".join(operation.defs), ", ".join(operation.uses)]
    if operation.memory is not None:
        at = operation.memory
        place = f"[{at.root}{'' if at.offset is None else f'+{at.offset}'}]"
        parts[1] = f"{parts[1]} {place}".strip()
    if operation.call is not None:
        parts.append(operation.call.name)
    return f"{operation.name} {' <- '.join(p for p in parts if p)}".strip()
