"""Values that are read after the next trip has written theirs: moves to other registers, in slots that are free."""

from __future__ import annotations

from dataclasses import replace

from kbench.backends.aie.sim.schedule.board import ModuloBoard
from kbench.backends.aie.sim.schedule.decide import move
from kbench.backends.aie.sim.schedule.graph import Graph, anti_latency, read, units, values, written
from kbench.backends.aie.sim.schedule.linear import Placed
from kbench.backends.aie.sim.schedule.modulo import Pipeline
from kbench.backends.aie.sim.schedule.program import Operation
from kbench.backends.aie.sim.schedule.table import Machine, Operand, Row


def keep(machine: Machine, pipeline: Pipeline) -> Pipeline | None:
    """The schedule with the moves that such values need; None if the moves have no slots."""
    graph, ii = pipeline.graph, pipeline.ii
    board = ModuloBoard(ii)
    for place in pipeline.places:
        board.place(place.footprint, place.cycle)
    operations, rows, places = list(graph.operations), list(graph.rows), list(pipeline.places)
    own = values(graph.operations, graph.rows)
    writers = {name: i for i, o in enumerate(graph.operations) for name, _ in written(o, graph.rows[i]) if name in own}
    readers: dict[str, list[int]] = {}
    for i, operation in enumerate(graph.operations):
        for name, _ in read(operation, graph.rows[i]):
            if name in writers:
                readers.setdefault(name, []).append(i)
    for name, late in readers.items():
        at, current = writers[name], name
        copy = 0
        left = sorted(late, key=lambda i: places[i].cycle)
        while left:
            expires = places[at].cycle + ii  # the next trip writes it
            makes = [operand for unit, operand in written(operations[at], rows[at]) if unit == current]
            left = [i for i in left if places[i].cycle + _ahead(rows[i], operations[i], current, makes) > expires]
            if not left:
                break
            copy += 1
            added = _copy(machine, board, rows[at], operations[at], places[at], current, f"{name}~{copy}")
            if added is None:
                return None
            operation, row, place = added
            available = place.cycle + row.written(0).cycle
            if place.cycle + _ahead(row, operation, current, makes) > expires:
                return None
            if any(places[i].cycle + _cycle(rows[i], operations[i], current, write=False) <= available for i in left):
                return None
            operations.append(operation)
            rows.append(row)
            places.append(place)
            for i in left:
                operations[i] = _reading(operations[i], current, operation.defs[0])
            at, current = len(operations) - 1, operation.defs[0]
    stages = max(place.cycle for place in places) // ii + 1
    return Pipeline(Graph(operations, rows), ii, stages, tuple(places))


def _ahead(row: Row, operation: Operation, name: str, makes: list[Operand]) -> int:
    """How far ahead of the operation that makes a name anew its reader must issue."""
    asks = [operand for unit, operand in read(operation, row) if unit == name]
    return max(anti_latency(use, write) for use in asks for write in makes)


def _cycle(row: Row, operation: Operation, name: str, write: bool) -> int:
    """When an operation writes a name, or reads it last."""
    found = written(operation, row) if write else read(operation, row)
    return max(operand.cycle for unit, operand in found if unit == name)


def _copy(
    machine: Machine, board: ModuloBoard, row: Row, writer: Operation, where: Placed, name: str, new: str
) -> tuple[Operation, Row, Placed] | None:
    """A move of a value to another register, as late as it is sure to be there."""
    how = machine.row(move(machine, writer, name))
    ready = where.cycle + _cycle(row, writer, name, write=True) - how.read(0).cycle + 1
    for cycle in range(ready + board.ii - 1, ready - 1, -1):
        footprint = board.fit(how, cycle)
        if footprint is not None:
            board.place(footprint, cycle)
            return Operation(how.name, (new,), (name,)), how, Placed(cycle, footprint)
    return None


def _reading(operation: Operation, old: str, new: str) -> Operation:
    uses = tuple("|".join(new if unit == old else unit for unit in units(operand)) for operand in operation.uses)
    return replace(operation, uses=uses)
