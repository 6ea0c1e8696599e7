"""How fast one case ran, and why: one shape for every accelerator, from a model or from a device.

A backend's `profile` makes a `Profile` of each case that passed; it enters the record, so it holds sums, not events (a
timeline is `kbench.core.timeline`). A `cycle` is one of the target's clock. Absent means unknown: nothing is ever -1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

#: So many units, limits, hints, loops and lines at most: a record stays small. `costliest` chooses among more.
MOST = 32
#: Sums of rounded numbers may exceed the whole by this share of it.
_SLACK = 1e-3


def _short(text: str) -> str:
    if len(text) > 500:
        raise ValueError(f"a text of a profile has at most 500 characters, this one {len(text)}")
    return text if text.isascii() else text.encode(errors="replace").decode()


def _rounded(value: float) -> float:
    """Nine digits: what a record keeps of a number that is not whole."""
    return float(f"{value:.9g}")


Text = Annotated[str, AfterValidator(_short)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False), AfterValidator(_rounded)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), AfterValidator(_rounded)]


class _Facts(BaseModel):
    """Facts of which those that say nothing (empty, or the default) are not written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_serializer(mode="wrap")
    def _without_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        facts: dict[str, Any] = write(self)
        return {
            name: v
            for name, v in facts.items()
            if fields[name].is_required() or getattr(self, name) != fields[name].default
        }


class Unit(_Facts):
    """One part of the machine that works beside the others: a pipe of an Ascend core, a slot of an AIE tile.

    `busy_cycles` and `waiting` (on whom or what → cycles: another unit's name, `SyncAll`, `queue` …) are means over the
    cores in use, so that together they are at most the profile's cycles; what is left is idle. `most_busy_cycles` is
    the busiest core's. `operations` and `bytes` are sums over the cores.
    """

    name: Text
    busy_cycles: Amount
    waiting: dict[Text, Amount] = {}
    most_busy_cycles: Amount | None = None
    operations: Count = 0
    bytes: Count = 0


class Traffic(_Facts):
    """What moved along one way (`GM→UB`): `gb_per_s` is bytes over the time of the kernel without its launch,
    `peak_gb_per_s` the most that the way carries with the cores in use."""

    path: Text
    bytes: Count
    transfers: Count = 0
    gb_per_s: Amount | None = None
    peak_gb_per_s: Amount | None = None


class Roofline(_Facts):
    """The fewest cycles that the work could take: the largest of `limits` (what limits → cycles).

    `basis` says what was counted: `task` (the task's own tensors moved once, which no candidate can change) or
    `kernel` (the operations and bytes that this kernel did).
    """

    limits: dict[Text, Amount] = Field(min_length=1, max_length=MOST)
    basis: Literal["task", "kernel"]
    bytes: Count = 0
    operations: Count = 0

    @property
    def cycles(self) -> float:
        return max(self.limits.values())

    @property
    def bound(self) -> str:
        """What limits: the name of the largest limit."""
        return max(self.limits, key=lambda name: self.limits[name])


class Hint(_Facts):
    """A sentence that a model or an engineer can act on. `rule` is its kind, `share` how much of the time it is about.
    A `suspect` is no advice: the figures may not mean what they say (useless work, a moved window)."""

    message: Text
    rule: Text = ""
    kind: Literal["hint", "suspect"] = "hint"
    file: Text = ""
    line: Count = 0
    share: Share | None = None

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else ""
        return f"{where}{self.message}"


class Loop(_Facts):
    """A loop of a statically scheduled kernel. `trips` counts iterations over all `entries` into it; `length` is the
    cycles of one iteration's straight line, `interval` those between two iterations' starts, which overlap in
    `stages` where the loop is pipelined. `bound` says what keeps it from being faster (`slot st`, `recurrence`,
    `aliasing`, `call` …)."""

    file: Text = ""
    line: Count = 0
    entries: Count = 1
    trips: Count
    interval: Amount
    length: Amount
    stages: Count = 1
    pipelined: bool = False
    cycles: Amount
    bound: Text = ""
    hint: Text = ""


class Line(_Facts):
    """What the operations of one line of the candidate cost a unit: busy cycles, a mean over the cores in use."""

    file: Text
    line: Count
    unit: Text
    cycles: Amount
    operations: Count = 0


class Profile(_Facts):
    """How long one case took and where the time went.

    `latency_us` is the whole of it, what a profiler on the device calls the task's duration: `launch_us`, then `cycles`
    at `clock_mhz`. One of `latency_us` and `cycles` is there, both where the clock is known. `bound` names the unit,
    resource or effect that decides. `scores` (between 0 and 1) and `counts` are what has no field here, by names that
    the backend documents: `vectorization`, `vpu_cycles`. `folded` operations were summed instead of followed one by
    one; `assumptions` are what the model had to take for granted in this case.
    """

    latency_us: Amount | None = None
    cycles: Amount | None = None
    clock_mhz: Amount | None = None
    launch_us: Amount = 0.0
    cores: Annotated[int, Field(ge=1)] = 1
    units: tuple[Unit, ...] = Field(default=(), max_length=MOST)
    traffic: tuple[Traffic, ...] = Field(default=(), max_length=MOST)
    roofline: Roofline | None = None
    bound: Text = ""
    hints: tuple[Hint, ...] = Field(default=(), max_length=MOST)
    loops: tuple[Loop, ...] = Field(default=(), max_length=MOST)
    lines: tuple[Line, ...] = Field(default=(), max_length=MOST)
    scores: dict[Text, Share] = Field(default={}, max_length=MOST)
    counts: dict[Text, Amount] = Field(default={}, max_length=MOST)
    folded: Count = 0
    assumptions: tuple[Text, ...] = Field(default=(), max_length=MOST)

    @property
    def efficiency(self) -> float | None:
        """The roofline's cycles over the kernel's own (its launch apart), 0 … 1; None where one is unknown."""
        if self.roofline is None or not self.cycles:
            return None
        return min(1.0, self.roofline.cycles / self.cycles)

    @property
    def suspects(self) -> tuple[Hint, ...]:
        return tuple(hint for hint in self.hints if hint.kind == "suspect")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.latency_us is None and self.cycles is None:
            raise ValueError("a profile without latency_us and without cycles says nothing")
        self._check_latency()
        names = [unit.name for unit in self.units]
        if len(set(names)) != len(names):
            raise ValueError(f"units: a name stands twice in {names}")
        if self.cycles is not None:
            self._check_parts(self.cycles)
        return self

    def _check_latency(self) -> None:
        """Latency is launch plus cycles at the clock, where all three are known."""
        if self.latency_us is None or self.cycles is None or not self.clock_mhz:
            return
        expected = self.launch_us + self.cycles / self.clock_mhz
        if not math.isclose(self.latency_us, expected, rel_tol=_SLACK):
            raise ValueError(f"latency_us {self.latency_us:g}: expected launch_us + cycles / clock_mhz = {expected:g}")

    def _check_parts(self, cycles: float) -> None:
        """No part is longer than the whole."""
        most = cycles * (1 + _SLACK)
        for unit in self.units:
            parts = unit.busy_cycles + math.fsum(unit.waiting.values())
            if max(parts, unit.most_busy_cycles or 0.0) > most:
                raise ValueError(f"unit {unit.name}: {parts:g} cycles busy or waiting, of {cycles:g} in all")
        if self.roofline is not None and self.roofline.cycles > most:
            raise ValueError(f"roofline: {self.roofline.cycles:g} cycles at least, and the kernel took {cycles:g}")


class Baseline(_Facts):
    """The time of the task's reference kernel in the same case, from the same component: what a speed-up is over."""

    source_sha: Text
    latency_us: Amount | None = None
    cycles: Amount | None = None


def costliest(items: Iterable[Any], most: int = MOST) -> tuple[Any, ...]:
    """The items with the most `cycles`, in falling order: what fits into a profile of its loops or lines."""
    return tuple(sorted(items, key=lambda item: -item.cycles)[:most])


def free_form(facts: Any) -> Profile | None:
    """The numbers of a profile from before it had a shape; None where it has no time."""
    if not isinstance(facts, dict):
        return None
    numbers = {k: v for k, v in facts.items() if type(v) in (int, float) and 0 <= v < math.inf}
    times = {name: numbers.pop(name) for name in ("latency_us", "cycles") if name in numbers}
    return Profile(**times, counts=dict(list(numbers.items())[:MOST])) if times else None


def speedup_over_reference(profile: Profile, baseline: Baseline) -> float | None:
    """The reference kernel's time over this one's: latencies (launch included), or cycles where one latency is unknown.
    None where the two have no measure in common."""
    pairs = ((baseline.latency_us, profile.latency_us), (baseline.cycles, profile.cycles))
    return next((theirs / ours for theirs, ours in pairs if theirs is not None and ours), None)
