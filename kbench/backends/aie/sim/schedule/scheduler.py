"""From a function to its bundles: loops first, then the other blocks from the exits to the entry, so that each block
knows what comes behind it (llvm-aie AIEInterBlockScheduling.cpp, defineSchedulingOrder)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kbench.backends.aie.sim.schedule import inner, pressure
from kbench.backends.aie.sim.schedule.decide import CONTROL, LOOP_REGISTERS, Plan, Work, plan
from kbench.backends.aie.sim.schedule.graph import build
from kbench.backends.aie.sim.schedule.linear import Region, place
from kbench.backends.aie.sim.schedule.machines import machine as named
from kbench.backends.aie.sim.schedule.overlap import Body
from kbench.backends.aie.sim.schedule.program import Function, Operation
from kbench.backends.aie.sim.schedule.regions import (
    Bundles,
    Held,
    bundled,
    end_board,
    first_touch,
    gap,
    last_cycle,
    max_latency,
)
from kbench.backends.aie.sim.schedule.result import BlockSchedule, Bundle, Issue, LoopSchedule, Schedule
from kbench.backends.aie.sim.schedule.table import SLOTS, Machine
from kbench.core.errors import HarnessError


def schedule(function: Function, target: str) -> Schedule:
    """The schedule of a function on a target (`npu1`, `npu2`).

    Raises:
        ConfigError: a target without a model.
        HarnessError: an operation that has no row, or a successor that is no block.
    """
    return _Scheduler(named(target), function).run()


class _Scheduler:
    def __init__(self, machine: Machine, function: Function) -> None:
        labels = {block.label for block in function.blocks}
        unknown = {s for block in function.blocks for s in block.successors} - labels
        if unknown or len(labels) != len(function.blocks):
            raise HarnessError(f"{function.name}: {', '.join(sorted(unknown)) or 'a label'} is no block, or two")
        self.machine = machine
        self.function = function
        self.spills: dict[str, int] = {}
        self.given = {block.label: block.operations for block in function.blocks}
        self.plan: Plan = plan(machine, function)
        every = [operation for work in self.plan.blocks.values() for operation in work.operations]
        self.kinds = pressure.kinds(machine, every)
        for label, work in self.plan.blocks.items():
            self.spills[label] = 0 if function.fixed_registers else pressure.spill(machine, work, self.kinds)
        self.tops: dict[str, Bundles] = {}
        """Of each placed block, the bundles of its first region, without what a loop puts before it."""
        self.bodies: dict[str, Bundles] = {}
        self.loops: dict[str, inner.Inner] = {}

    def run(self) -> Schedule:
        for header in self.plan.inner:
            self._loop(header)
        for label in _postorder(self.function):
            if label not in self.loops:
                self._block(self.plan.blocks[label])
        return self._result()

    def _loop(self, header: str) -> None:
        loop, work = self.plan.inner[header], self.plan.blocks[header]
        if any(self.machine.row(o.name).sort in CONTROL for o in work.operations[:-1]):
            return  # more than one region: a block like any other
        before = self.plan.entries[header]
        dedicated = len(before) == 1 and self.plan.blocks[before[0]].successors == (header,)
        fixed = self.function.fixed_registers
        body = Body(loop, self.plan.kinds[header], work.operations, dedicated, fixed, self.kinds)
        found = inner.schedule(self.machine, body)
        self.loops[header] = found
        self.tops[header] = self.bodies[header] = found.bundles

    def _block(self, work: Work) -> None:
        prologue: Bundles = []
        if len(work.successors) == 1 and work.successors[0] in self.loops:
            prologue = self.loops[work.successors[0]].prologue
        behind: list[Bundles] | None = None
        ends = bool(work.operations) and self.machine.row(work.operations[-1].name).sort
        if work.successors and ends not in ("call", "return") and all(s in self.tops for s in work.successors):
            behind = [self.tops[s] for s in work.successors]
        parts = _regions(self.machine, work.operations)
        bundles: Bundles = []
        for number, (begin, end) in reversed(list(enumerate(parts))):
            bottom = number == len(parts) - 1
            region = self._region(work, begin, end, behind if bottom else None, prologue if bottom else [])
            bundles = region + bundles
            if number == 0:
                self.tops[work.label] = region
        if not parts:
            bundles = list(prologue)
            self.tops[work.label] = bundles
        self.bodies[work.label] = bundles

    def _region(self, work: Work, begin: int, end: int, behind: Sequence[Bundles] | None, prologue: Bundles) -> Bundles:
        operations = work.operations[begin:end]
        graph = build(self.machine, operations)
        board = end_board(self.machine, behind)
        for ago, bundle in enumerate(reversed(prologue)):
            for held in bundle:
                board.place(held.footprint, -ago)
        last = [self._last(operation, behind, prologue) for operation in operations]
        places = place(Region(graph, last, board))
        region = bundled(work.label, graph, places)
        moved: Bundles = [[replace(held, index=held.index + begin) for held in bundle] for bundle in region]
        length = max(len(moved), len(prologue))
        moved = [[] for _ in range(length - len(moved))] + moved
        for ago, bundle in enumerate(reversed(prologue)):
            moved[length - 1 - ago] = moved[length - 1 - ago] + bundle
        return moved

    def _last(self, operation: Operation, behind: Sequence[Bundles] | None, prologue: Bundles) -> int:
        row = self.machine.row(operation.name)
        last = last_cycle(operation, row, behind, self.machine.delay_slots)
        if LOOP_REGISTERS & set(operation.defs):
            last = min(last, 1 - self.machine.setup_distance)
        touch = first_touch(operation, row, prologue, len(prologue))
        if touch is not None:
            last = min(last, touch - len(prologue) + 1 - max_latency(row, stages=True))
        return last

    def _result(self) -> Schedule:
        blocks = {}
        for block in self.function.blocks:
            blocks[block.label] = self._finish(block.label)
        loops: dict[str, LoopSchedule] = {header: found.summary for header, found in self.loops.items()}
        pipelined = {h: self.plan.entries[h] for h, summary in loops.items() if summary.kind == "pipelined"}
        return Schedule(self.function.name, self.machine.name, blocks, loops, pipelined)

    def _finish(self, label: str) -> BlockSchedule:
        body = self.bodies[label]
        work = self.plan.blocks[label]
        before: Bundles = []
        for header, found in self.loops.items():
            if header != label and label in self.plan.blocks[header].successors:
                own = found.epilogue or found.bundles
                wait = gap(self.machine, own, body) if label not in self.loops else 0
                longer = [*found.epilogue, *([[] for _ in range(wait)])]
                before = longer if len(longer) > len(before) else before
        prologue = 0
        if len(work.successors) == 1 and work.successors[0] in self.loops and label not in self.loops:
            prologue = len(self.loops[work.successors[0]].prologue)
        calls = sum(operation.call.cycles for operation in work.operations if operation.call)
        return BlockSchedule(
            label=label,
            bundles=tuple(self._bundle(bundle) for bundle in [*before, *body]),
            prologue=prologue,
            epilogue=len(before),
            call_cycles=calls,
            spills=self.spills[label],
        )

    def _issue(self, held: Held) -> Issue:
        origin = self.plan.blocks[held.block].origin
        index = origin[held.index] if held.index < len(origin) else -1
        if index < 0:
            return Issue(held.operation, held.footprint.slot, held.block, index, held.stage)
        given = self.given[held.block][index]
        known = self.plan.blocks[held.block].operations[held.index]
        moved = held.operation.uses if held.operation.uses != known.uses else ()
        return Issue(given, held.footprint.slot, held.block, index, held.stage, moved)

    def _bundle(self, bundle: Sequence[Held]) -> Bundle:
        issues = [self._issue(held) for held in bundle]
        order = {slot: i for i, slot in enumerate((*SLOTS, "lng"))}
        return tuple(sorted(issues, key=lambda issue: order[issue.slot]))


def _regions(machine: Machine, operations: Sequence[Operation]) -> list[tuple[int, int]]:
    """(begin, end) of the stretches that branches and calls end."""
    parts, begin = [], 0
    for i, operation in enumerate(operations):
        if machine.row(operation.name).sort in CONTROL:
            parts.append((begin, i + 1))
            begin = i + 1
    if begin < len(operations):
        parts.append((begin, len(operations)))
    return parts


def _postorder(function: Function) -> list[str]:
    """Labels of the blocks, each behind those that it leads to; blocks that nothing reaches come last."""
    successors: Mapping[str, tuple[str, ...]] = {block.label: block.successors for block in function.blocks}
    seen: set[str] = set()
    order: list[str] = []
    for root in successors:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(successors[root]))]
        while stack:
            label, rest = stack[-1]
            for successor in rest:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(successors[successor])))
                    break
            else:
                order.append(label)
                stack.pop()
    return order
