"""What happened when, in one case: the tracks of a machine, what each did, and what waited for what.

A backend's `timeline` gives one; `kbench.core.profiles.trace` writes it as a file that trace viewers open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Track(NamedTuple):
    """A row of the picture: one unit (`MTE2`) of one group (`core 0`). Rows are drawn in the order of the timeline."""

    group: str
    name: str


class Span(NamedTuple):
    """Something that a track did for a while. Spans of a track do not overlap.

    `name` is the operation's, without the line. `wait` spans are time in which the track stood, named by what it waited
    for. `operations` of one kind in a row may be one span: `busy_us` is then what they took without the gaps.
    """

    track: int
    name: str
    start_us: float
    duration_us: float
    kind: Literal["busy", "wait"] = "busy"
    file: str = ""
    line: int = 0
    operations: int = 1
    busy_us: float | None = None
    facts: Mapping[str, str | int | float] = {}

    @property
    def end_us(self) -> float:
        return self.start_us + self.duration_us


class Arrow(NamedTuple):
    """What one track told another (a flag): it leaves `source` when its work up to then has ended, and lets `target` go
    on no earlier than `arrives_us`."""

    name: str
    source: int
    leaves_us: float
    target: int
    arrives_us: float


@dataclass(frozen=True)
class Timeline:
    """One case on one machine. Times are microseconds from the start of the kernel, its launch apart.

    `facts` say what it is of (task, case, target); `notes` what was left out or assumed.
    """

    tracks: Sequence[Track]
    spans: Sequence[Span]
    arrows: Sequence[Arrow] = ()
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def end_us(self) -> float:
        return max((span.end_us for span in self.spans), default=0.0)
