"""Recordings of a kernel's event stream: what runtime/stream.h writes, decoded.

launch = replace(launch, record_bytes=1 << 20)
recording = decode(run_kernel(program, launch, ...).recording)
[(e.name, e.pipe, [(a.space, a.first, a.size, a.write) for a in e.accesses]) for e in recording.events]
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from kbench.core.errors import HarnessError
from kbench.core.hostcc import compiler

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
SPACES = ("UB", "L1", "L0A", "L0B", "L0C", "BT", "FB", "GM")

_MAGIC = int.from_bytes(b"KBEVECT1", "little")
_HEADER = struct.Struct("<4Q")
_NAME = struct.Struct("<2H44s")
_EVENT = struct.Struct("<2H2BH2I2Q2I")
_ACCESS = struct.Struct("<4B2H4Q2I")


@dataclass(frozen=True)
class Access:
    """What an operation read or wrote: `rows` rows, `row_step` bytes apart, of `pieces` pieces of `bytes` bytes, `step`
    bytes apart, from byte `first` of its space (in GM: of the launch's buffer number `buffer`; on chip `buffer` is the
    queue's buffer, or 0)."""

    space: str
    write: bool
    buffer: int
    first: int
    bytes: int
    pieces: int = 1
    step: int = 0
    rows: int = 1
    row_step: int = 0

    @property
    def size(self) -> int:
        """Bytes from the first to the last that are accessed."""
        return self.bytes + (self.pieces - 1) * self.step + (self.rows - 1) * self.row_step


@dataclass(frozen=True)
class Event:
    """One operation of one block. `op`, `a` and `b` are as runtime/machine.h and include/kb_vec.h say, `name` is the
    API's; `bits`: of the widest operand's elements; `pc`: the candidate's return address."""

    block: int
    pipe: str
    op: int
    name: str
    bits: int
    repeats: int
    bytes: int
    a: int
    b: int
    pc: int
    accesses: tuple[Access, ...]

    def line(self, program: Path) -> tuple[str, int] | None:
        """The candidate's file and line."""
        return compiler.line_of(program, self.pc - 1)


@dataclass(frozen=True)
class Recording:
    """The first events of a run, in the order in which they happened; `dropped` more did not fit."""

    events: tuple[Event, ...]
    dropped: int = 0


def decode(recording: bytes) -> Recording:
    """Raises HarnessError where the bytes are no recording."""
    if len(recording) < _HEADER.size:
        return Recording(())
    magic, used, _, dropped = _HEADER.unpack_from(recording)
    if magic != _MAGIC or used > len(recording) - _HEADER.size:
        raise HarnessError("the recording of a kernel's events is damaged")
    names: dict[int, str] = {}
    events: list[Event] = []
    at, end = _HEADER.size, _HEADER.size + used
    while at < end:
        kind, op = struct.unpack_from("<2H", recording, at)
        if kind == 1:
            names[op] = _NAME.unpack_from(recording, at)[2].split(b"\0")[0].decode()
            at += _NAME.size
            continue
        _, op, pipe, bits, n, block, repeats, size, pc, a, b = _EVENT.unpack_from(recording, at)
        at += _EVENT.size
        accesses = tuple(_access(recording, at + i * _ACCESS.size) for i in range(n))
        at += n * _ACCESS.size
        events.append(Event(block, PIPES[pipe], op, names[op], bits, repeats, size, a, b, pc, accesses))
    return Recording(tuple(events), dropped)


def _access(recording: bytes, at: int) -> Access:
    space, write, _, _, buffer, _, first, size, step, row_step, pieces, rows = _ACCESS.unpack_from(recording, at)
    return Access(SPACES[space], bool(write), buffer, first, size, pieces, step, rows, row_step)
