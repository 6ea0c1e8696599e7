"""Which of Peano's two pipeliners overlaps the trips of a loop, and what it asks for.

Both want to know how many trips a loop makes at least: a constant (llvm-aie pull request 471 attaches it to the loop),
or what the source says; neither has more stages than that.

The one before register allocation (AIEBasePipelinerLoopInfo.cpp) takes hardware loops and loops that count down and
branch. It wants no more than three stages, and increases the interval for that; but a hardware loop with an interval
below 11 that wants more stages, or one below 4 in which a latency is as long as the interval, it leaves to the other.
Values may outlive the interval: they are moved.

The one behind register allocation (AIEPostPipeliner.cpp, isPostPipelineCandidate) takes hardware loops; each value
keeps its register.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbench.backends.aie.sim.schedule import pressure
from kbench.backends.aie.sim.schedule.bounds import MAX_II, Bounds, bounds
from kbench.backends.aie.sim.schedule.copies import keep
from kbench.backends.aie.sim.schedule.graph import Graph
from kbench.backends.aie.sim.schedule.modulo import Pipeline, Wanted, pipeline
from kbench.backends.aie.sim.schedule.program import Loop, Operation
from kbench.backends.aie.sim.schedule.result import Kind
from kbench.backends.aie.sim.schedule.table import Machine

#: Stages that the pipeliner before register allocation takes (aie-pipeliner-max-stagecount).
_STAGES = 3

#: The interval below which it leaves a loop that wants more stages to the other (aie-postpipeliner-cutoff).
_MANY_STAGES = 11

#: The interval below which it leaves a loop with long latencies to the other (aie-postpipeliner-limit).
_SHORT = 4

#: Intervals beyond the bound that it tries (pipeliner-ii-search-range), and the greatest bound for which it tries any
#: (pipeliner-max-mii, LLVM's MachinePipeliner.cpp).
_RANGE, _LARGEST = 10, 27


@dataclass(frozen=True)
class Body:
    """An innermost loop of one block, its control included."""

    loop: Loop
    kind: Kind
    operations: Sequence[Operation]
    dedicated: bool
    """Its preheader leads nowhere else."""
    fixed: bool
    """Names are registers of the machine."""
    kinds: pressure.Kinds
    """Which values are vectors and accumulators."""


def known_trips(body: Body) -> int:
    """How many trips the pipeliners may count on; 0: nothing is known."""
    return max(body.loop.min_trips or 0, body.loop.trips or 0)


def obstacle(body: Body, graph: Graph) -> str:
    """Why trips may not overlap; empty: they may."""
    if any(row.sort == "call" for row in graph.rows):
        return "it calls a routine"
    if body.kind == "branch" or (body.kind == "counted" and body.fixed):
        return "it is no hardware loop"
    if any(row.sort == "lock" for row in graph.rows):
        return "it takes or gives a lock"
    if not body.dedicated:
        return "the block before it leads elsewhere too"
    if not body.loop.pipeline and (body.loop.min_trips is None or body.kind != "hardware"):
        return "the source disables it"
    if known_trips(body) < 2:
        return "how many trips it makes at least is not known"
    return ""


def failure(limits: Bounds, trips: int, found: bool) -> str:
    """Why none of the schedules that overlap trips was taken."""
    if found:
        return "the shortest interval takes the whole trip"
    if limits.interval > MAX_II:
        return f"the bound of {limits.interval} cycles is beyond the {MAX_II} that are tried"
    return f"no schedule with an interval of at most {MAX_II} cycles and at most {trips} stages was found"


def overlapped(
    machine: Machine, body: Body, graph: Graph, free: Graph, limits: Bounds
) -> tuple[Pipeline, Bounds] | None:
    """A schedule in which trips overlap, and the bounds that it was searched under. `free` and `limits`: where values
    may outlive the interval; `graph`: where they may not."""
    if not body.fixed and body.loop.pipeline and limits.interval <= _LARGEST:
        found = _before(machine, body, free, limits)
        if found is not None:
            return found, limits
    if body.kind != "hardware":
        return None
    strict = limits if body.fixed else bounds(machine, graph)
    found = _behind(machine, body, graph, strict)
    return None if found is None else (found, strict)


def _before(machine: Machine, body: Body, graph: Graph, limits: Bounds) -> Pipeline | None:
    """As before register allocation."""

    def take(schedule: Pipeline) -> Pipeline | None:
        if body.kind == "hardware" and _prefers_other(schedule):
            return None
        moved = keep(machine, schedule)
        return moved if moved is not None and pressure.fits(machine, moved, body.kinds) else None

    def leave(schedule: Pipeline) -> bool:
        return body.kind == "hardware" and _prefers_other(schedule)

    stages = min(_STAGES, known_trips(body))
    return pipeline(graph, limits, Wanted(stages, limits.interval + _RANGE, machine.delay_slots, take, leave))


def _prefers_other(schedule: Pipeline) -> bool:
    """Whether the other pipeliner is thought to do better."""
    if schedule.stages > _STAGES and schedule.ii < _MANY_STAGES:
        return True
    edges = (edge for edges in schedule.graph.successors for edge in edges)
    return schedule.ii < _SHORT and any(edge.latency >= schedule.ii for edge in edges)


def _behind(machine: Machine, body: Body, graph: Graph, limits: Bounds) -> Pipeline | None:
    """As behind register allocation."""

    def take(schedule: Pipeline) -> Pipeline | None:
        return schedule if body.fixed or pressure.fits(machine, schedule, body.kinds) else None

    return pipeline(graph, limits, Wanted(known_trips(body), MAX_II, machine.delay_slots, take))
