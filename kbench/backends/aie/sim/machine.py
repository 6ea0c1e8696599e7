"""Runs a built kernel, in the sandboxed server, and tells why a run ended."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kbench.backends.aie.sim.build import UNSET, AieBuild
from kbench.backends.aie.sim.client import Server, server
from kbench.backends.aie.sim.lower import COUNTS, GLOBALS, MARKS, Site
from kbench.core.errors import RunError, RunTimeout
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.record import Finding
from kbench.core.task import Array

#: What a run may use: steps of WebAssembly. A loop that needs more never ends on the device in useful time either.
FUEL = 2_000_000_000
#: What memory holds before anything is written: a pattern that check knows as untouched, and another one.
POISONS = (0xFF, 0x5A)


@dataclass(frozen=True)
class Buffer:
    """A buffer in the tile's memory: `data` for an input, `nbytes` for an output (padding to whole words included)."""

    name: str
    nbytes: int
    data: bytes = b""
    writable: bool = False


@dataclass(frozen=True)
class Call:
    """One call of the kernel: buffers, then arguments in order, each a buffer's index or (type, value)."""

    buffers: Sequence[Buffer]
    arguments: Sequence[tuple[str, Any]]
    stack_bytes: int
    fuel: int = FUEL


@dataclass(frozen=True)
class Mark:
    """The first event of its kind: which call it was, and what the counters said then (its own block is counted)."""

    site: Site
    counts: Array


@dataclass(frozen=True)
class Ran:
    """What one run left: the bytes of every writable buffer, in order, the fuel that it took, and how often each block
    ran (as `Lowered.labels` names them). `suspect`: the place of the first read of what nothing had written, or 0.
    `events`: event0 and event1, where the run met them."""

    outputs: list[Array]
    fuel: int
    suspect: int = 0
    counts: Array = field(default_factory=lambda: np.zeros(0, np.uint64))
    events: tuple[Mark | None, Mark | None] = (None, None)


def run_kernel(build: AieBuild, call: Call, sandbox: Sandbox, timeout_s: float) -> list[Ran]:
    """Calls the kernel once over each poison.

    Raises:
        RunError, RunTimeout: it broke a rule of the device, with the candidate's line, or did not end.
        HarnessError: the machine fails.
    """
    machine = server(sandbox)
    if build.other is None:
        return _runs(machine, build, call, POISONS, timeout_s)
    first = _runs(machine, build, call, POISONS[:1], timeout_s)
    return first + _runs(machine, build.other, call, POISONS[1:], timeout_s)


def _runs(machine: Server, build: AieBuild, call: Call, poisons: Sequence[int], timeout_s: float) -> list[Ran]:
    request = {**_request(build, call), "poisons": poisons}
    done = machine.run(build.module.read_bytes(), request, [b.data for b in call.buffers], timeout_s)
    if done is None:
        raise RunTimeout(f"{build.entry} had not ended after {timeout_s:g} s")
    answer, data = done
    found, at = [], 0
    for run in answer["runs"]:
        if run["trap"]:
            raise _failure(build, call, run)
        sizes = np.cumsum([at, *run["outputs"]])
        outputs = [np.frombuffer(data, np.uint8, b - a, a) for a, b in itertools.pairwise(map(int, sizes))]
        at = int(sizes[-1])
        blocks = len(build.facts.blocks)
        counts = np.frombuffer(data, np.uint64, blocks, at)
        at += counts.nbytes
        events: tuple[Mark | None, Mark | None] = (None, None)
        if build.facts.sites:
            marks = np.frombuffer(data, np.uint64, 2 * (blocks + 1), at).reshape(2, -1)
            at += marks.nbytes
            events = _mark(build, marks[0]), _mark(build, marks[1])
        found.append(Ran(outputs, run["fuel"], run["suspect"], counts, events))
    return found


def _mark(build: AieBuild, words: Array) -> Mark | None:
    site = int(words[0])
    return Mark(build.facts.sites[site - 1], words[1:]) if site else None


def uninitialised(build: AieBuild, ran: Ran) -> Finding:
    """What to say where two runs over different garbage differ: the place that a run suspects, if it does any."""
    warned = next((f for f in build.findings if f.rule in UNSET), None)
    file, line = build.facts.places[ran.suspect or build.facts.operations.get("undef", 0)]
    if warned is not None and not ran.suspect:
        file, line = warned.file, warned.line
    message = "the outputs depend on what memory and registers held before the kernel: it reads what nothing wrote"
    return Finding(severity="error", message=message, rule="uninitialised", file=file, line=line)


def _request(build: AieBuild, call: Call) -> dict[str, Any]:
    return {
        "entry": build.entry,
        "arguments": list(call.arguments),
        "buffers": [(b.nbytes, len(b.data), int(b.writable)) for b in call.buffers],
        "fuel": call.fuel,
        "stack": call.stack_bytes,
        "first": build.symbols.first,
        "globals": (build.symbols.data[GLOBALS], build.facts.global_count),
        "counts": (build.symbols.data[COUNTS], len(build.facts.blocks)),
        "marks": build.symbols.data.get(MARKS),
    }


# --- why a run ended --------------------------------------------------------------------------------------------------

#: Bytes from a buffer within which an address is told as one beside it.
_NEAR = 1 << 16
_FAULTS = {
    1: ("out_of_bounds", "reads {bytes} {where}"),
    2: ("out_of_bounds", "writes {bytes} {where}"),
    3: ("rule_violation", "writes {bytes} {where}: an input is read-only"),
    4: ("rule_violation", "accesses {bytes} {where}, at no multiple of {z}: the device would truncate the address"),
    5: ("stack_overflow", "needs {x} bytes of stack, of {y}"),
    6: ("rule_violation", "divides by zero"),
    7: ("crash", "reaches code whose behaviour is undefined"),
    8: ("rule_violation", "{text}"),
}  # fmt: skip


def _failure(build: AieBuild, call: Call, run: dict[str, Any]) -> RunError:
    places = build.facts.places
    if run["fault"]:
        what, place, x, y, z = run["fault"]
        outcome, words = _FAULTS[what]
        size = f"{y} byte{'s' if y != 1 else ''}"
        where = _where(x, call.buffers, run["places"])
        message = words.format(x=x, y=y, z=z, bytes=size, where=where, text=run["text"])
        return _error(outcome, message, places[place])
    if run["trap"] == "OUT_OF_FUEL":
        hot = build.facts.blocks[run["hot"]] if run["hot"] >= 0 else 0
        message = f"had not ended after {call.fuel} steps: most of them in the loop here"
        return _timeout(message, places[hot])
    names = {index: name for name, index in build.symbols.functions.items()}
    frames = [names.get(index, "") for index in run["frames"]]
    place = next((build.facts.functions[f] for f in frames if build.facts.functions.get(f)), 0)
    if run["trap"] == "STACK_OVERFLOW":
        return _error("stack_overflow", "calls itself without end", places[place])
    return _error("crash", f"traps: {run['trap'].lower().replace('_', ' ')}", places[place])


def _where(address: int, buffers: Sequence[Buffer], places: Sequence[int]) -> str:
    """An address in words: the byte of the buffer that it is in, or of the nearest one."""
    found = []
    for buffer, start in zip(buffers, places, strict=True):
        off = max(start - address, address - (start + buffer.nbytes - 1), 0)
        found.append((off, f"at byte {address - start} of {buffer.name}, which has {buffer.nbytes}"))
    off, words = min(found, default=(_NEAR, ""))
    return words if off < _NEAR else f"at address {address:#x}, far from every buffer"


def _error(outcome: str, message: str, place: tuple[str, int]) -> RunError:
    finding = Finding(severity="error", message=message, rule=outcome, file=place[0], line=place[1])
    return RunError(_told(message, place), outcome=outcome, findings=[finding], component="sim")


def _timeout(message: str, place: tuple[str, int]) -> RunTimeout:
    finding = Finding(severity="error", message=message, rule="timeout", file=place[0], line=place[1])
    return RunTimeout(_told(message, place), findings=[finding])


def _told(message: str, place: tuple[str, int]) -> str:
    return f"{place[0]}:{place[1]}: {message}" if place[0] else message
