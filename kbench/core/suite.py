"""A suite: named tasks with their cases. Identity of a case is `suite/task/case`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbench.core.candidate import Candidate, Track
from kbench.core.task import Case, Task, Values


@dataclass(frozen=True)
class SuiteTask:
    """A task and the cases that a suite asks of it.

    `cases` are in the suite's own order; `reference` gives the suite's own solution for a backend and a track, where
    the suite ships one (an imported benchmark's answers); `plain_launch` says that the suite leaves launch and tiling
    to the candidate even where only the kernel is asked for (the backend then starts every core with no tiling data);
    `invalid` names the benchmark's cases that cannot be run by anyone, each with the reason: they are shown as skipped.
    """

    task: Task
    cases: tuple[Case, ...]
    reference: Callable[[str, Track], Candidate | None] | None = None
    plain_launch: bool = False
    invalid: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    """Named tasks with their cases.

    `checker` replaces kbench's strict check where the user asks for the benchmark's own (`--checker upstream`):
    (task, case, inputs, expected, got) → None when right, else what is wrong.
    """

    name: str
    tasks: Mapping[str, SuiteTask]
    description: str = ""
    checkers: Mapping[str, Callable[[Task, Case, Values, Values, Values], str | None]] = field(default_factory=dict)
    close: Callable[[], None] = lambda: None

    def select(self, names: Sequence[str] = (), level: int | None = None) -> dict[str, SuiteTask]:
        """The tasks of these names (all where none is given) and of this level, in the suite's order."""
        from kbench.core.errors import unknown_name

        for name in names:
            if name not in self.tasks:
                raise unknown_name(f"task in suite {self.name!r}", name, self.tasks)
        return {
            name: entry
            for name, entry in self.tasks.items()
            if (not names or name in names) and (level is None or entry.task.level == level)
        }


#: Hooks register suites by name with a function that loads them, so that listing names imports nothing heavy.
SuiteLoader = Callable[[], Suite]
Extra = dict[str, Any]
