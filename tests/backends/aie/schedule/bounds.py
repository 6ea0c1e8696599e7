"""Lower bounds on a loop's interval and a block's length, from the judge's tables alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from tests.backends.aie.schedule.machine import SLOTS, timing

ALL_SLOTS = ("lda", "ldb", "st", "alu", "mv", "vec")


def slots_bound(machine: str, operations: Sequence[Any]) -> int:
    """Cycles that the slots alone ask for: each set of slots must hold what can go nowhere else."""
    allowed = [[set(SLOTS.get(s, (s,))) for s in timing(machine, op.name).slots] for op in operations]
    bound = 0
    for size in range(1, len(ALL_SLOTS) + 1):
        for chosen in itertools.combinations(ALL_SLOTS, size):
            inside = set(chosen)
            needed = sum(min(len(s & inside) for s in choices) for choices in allowed)
            bound = max(bound, math.ceil(needed / size))
    return bound


def chain_bound(machine: str, operations: Sequence[Any]) -> int:
    """Cycles from the first issue of the longest chain of values in straight-line code to its last."""
    ready: dict[str, tuple[int, bool]] = {}
    longest = 0
    for op in operations:
        kind = timing(machine, op.name)
        start = 0
        for place, operand in enumerate(op.uses):
            stage, takes = kind.use(place)
            for name in operand.split("|"):
                if name in ready:
                    when, forwards = ready[name]
                    start = max(start, when - stage + 1 - (takes and forwards))
        for place, operand in enumerate(op.defs):
            stage, forwards = kind.define(place)
            ready |= dict.fromkeys(operand.split("|"), (start + stage, forwards))
        longest = max(longest, start + 1)
    return longest


def recurrence_bound(machine: str, operations: Sequence[Any], carried: Sequence[tuple[str, str]]) -> int:
    """The least interval that chains of values from trip to trip allow: every cycle's latency over its distance."""
    edges = _edges(machine, operations, dict(carried))
    high = max(1, sum(max(0, latency) for _, _, latency, _ in edges))
    for ii in range(1, high + 1):
        if not _positive_cycle(len(operations), edges, ii):
            return ii
    return high


def _edges(machine: str, operations: Sequence[Any], carried: dict[str, str]) -> list[tuple[int, int, int, int]]:
    """(producer, consumer, latency, distance in trips) of each value that is read."""
    last: dict[str, tuple[int, int]] = {}
    for number, op in enumerate(operations):
        for place, operand in enumerate(op.defs):
            last |= dict.fromkeys(operand.split("|"), (number, place))
    edges = []
    current: dict[str, tuple[int, int]] = {}
    for number, op in enumerate(operations):
        for place, operand in enumerate(op.uses):
            for name in operand.split("|"):
                before = current.get(name)
                producer = before or last.get(carried.get(name, name))
                if producer is None:
                    continue
                stage, forwards = timing(machine, operations[producer[0]].name).define(producer[1])
                reads, takes = timing(machine, op.name).use(place)
                latency = stage - reads + 1 - (takes and forwards)
                edges.append((producer[0], number, latency, 0 if before else 1))
        for place, operand in enumerate(op.defs):
            current |= dict.fromkeys(operand.split("|"), (number, place))
    return edges


def _positive_cycle(nodes: int, edges: list[tuple[int, int, int, int]], ii: int) -> bool:
    """Whether some cycle's latency exceeds `ii` times its distance (Bellman and Ford, longest paths)."""
    far = [0] * nodes
    for _ in range(nodes):
        changed = False
        for producer, consumer, latency, distance in edges:
            reach = far[producer] + latency - ii * distance
            if reach > far[consumer]:
                far[consumer], changed = reach, True
        if not changed:
            return False
    return True
