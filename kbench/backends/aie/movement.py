"""How a Task's buffers reach a tile and leave it: whole, double-buffered, each over a port of its own.

The tile's DMA has two ports in each direction and moves words of 4 bytes: a buffer whose size is no multiple of them is
padded at its end. One transfer of every buffer is one call of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kbench.core.backend import Sheet
from kbench.core.errors import ConfigError
from kbench.core.task import DTYPES, Case, Shapes, Task, Tensor

#: Data memory of a tile, stack included, and the stack that a core gets.
MEMORY_BYTES = 64 * 1024
STACK_BYTES = 1024
#: Ports of the tile's DMA in each direction; copies of a buffer that are in use at once; bytes of a word.
PORTS = 2
DEPTH = 2
WORD_BYTES = 4


@dataclass(frozen=True)
class Buffer:
    """A buffer of the kernel: what it holds, and over which port of its direction it moves."""

    name: str
    direction: Literal["in", "out"]
    port: int
    dtype: str
    elements: int

    @property
    def nbytes(self) -> int:
        return self.elements * DTYPES[self.dtype].itemsize

    @property
    def padding(self) -> int:
        """Elements added at the end, up to a whole word."""
        return -self.nbytes % WORD_BYTES // DTYPES[self.dtype].itemsize

    @property
    def moved_bytes(self) -> int:
        return self.nbytes + self.padding * DTYPES[self.dtype].itemsize


@dataclass(frozen=True)
class Movement:
    """The buffers of one call, in the kernel's order."""

    buffers: tuple[Buffer, ...]

    @property
    def tile_elements(self) -> int:
        """The tile size of a design: elements of the largest input, which is moved in one piece."""
        return max(b.elements for b in self.buffers if b.direction == "in")

    @property
    def memory_bytes(self) -> int:
        """What the tile needs: every buffer as often as it is in use at once, and the stack."""
        return STACK_BYTES + DEPTH * sum(b.moved_bytes for b in self.buffers)


def movement(task: Task, case: Case) -> Movement:
    """The movement of a case's buffers.

    Raises:
        ConfigError: the task does not fit one call on one tile: a tensor list, an absent or an in-place tensor, more
            buffers than ports, or more bytes than memory.
    """
    shapes = {**case.shapes, **task.out_shapes(case, {})}
    buffers = []
    directions: tuple[Literal["in", "out"], ...] = ("in", "out")
    for direction in directions:
        tensors = [t for t in task.tensors if t.role == direction]
        if len(tensors) > PORTS:
            raise ConfigError(f"task {task.name} has {len(tensors)} buffers {direction}, a tile {PORTS} ports")
        for port, t in enumerate(tensors):
            buffers.append(Buffer(t.name, direction, port, task.dtype_of(t, case), _size(task, t, shapes)))
    found = Movement(tuple(buffers))
    if len(buffers) != len(task.tensors):
        raise ConfigError(f"task {task.name} changes a tensor in place; a tile's buffers go one way")
    if found.memory_bytes > MEMORY_BYTES:
        need = f"{found.memory_bytes} bytes, two of each buffer and the stack"
        raise ConfigError(f"task {task.name}, case {case.name} needs {need}; a tile has {MEMORY_BYTES}")
    return found


def _size(task: Task, tensor: Tensor, shapes: dict[str, Shapes]) -> int:
    shape = shapes[tensor.name]
    if not isinstance(shape, tuple):
        kind = "absent" if shape is None else "a list of tensors"
        raise ConfigError(f"{tensor.name} of task {task.name} is {kind}; a tile's kernel takes plain buffers")
    return int(np.prod(shape, dtype=np.int64))


# --- shown ------------------------------------------------------------------------------------------------------------

_COLUMNS = ("buffer", "direction", "port", "dtype", "elements", "bytes", "padding", "moved bytes")


def sheets(task: Task, cases: Sequence[Case]) -> list[Sheet]:
    """A table of buffers for each size that the cases have.

    Raises:
        ConfigError: as `movement`.
    """
    sizes: dict[Movement, list[str]] = {}
    for case in cases:
        sizes.setdefault(movement(task, case), []).append(case.name)
    return [_sheet(found, names if len(sizes) > 1 else []) for found, names in sizes.items()]


def _sheet(found: Movement, cases: Sequence[str]) -> Sheet:
    memory = f"{found.memory_bytes} of {MEMORY_BYTES} bytes of the tile's memory: {DEPTH} of each buffer"
    title = f"data movement: tiles of {found.tile_elements} elements; {memory}, {STACK_BYTES} bytes of stack"
    rows = [
        (b.name, b.direction, b.port, b.dtype, b.elements, b.nbytes, b.padding, b.moved_bytes) for b in found.buffers
    ]
    return Sheet(
        f"{title} (cases {', '.join(cases)})" if cases else title, _COLUMNS, [tuple(map(str, row)) for row in rows]
    )
