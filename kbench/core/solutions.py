"""Known solutions: what a suite or a backend ships, for runs that need no model and for examples of other tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbench.core.backend import Backend
from kbench.core.candidate import Candidate, Track
from kbench.core.suite import Suite, SuiteTask

if TYPE_CHECKING:
    from kbench.core.plugins import Registry


@dataclass(frozen=True)
class Solution:
    """A task of a suite with a candidate that is known to be right."""

    suite: str
    entry: SuiteTask
    candidate: Candidate

    @property
    def task(self) -> str:
        return self.entry.task.name


def reference_of(entry: SuiteTask, backend: Backend, track: Track) -> Candidate | None:
    """The suite's own solution where it ships one, else the backend's."""
    own = entry.reference(backend.name, track) if entry.reference else None
    return own or backend.reference(entry, track)


def every_solution_of(entry: SuiteTask, backend: Backend, track: Track) -> tuple[Candidate, ...]:
    """The suite's and all of the backend's, each text once: none may reach a model that is asked for the task."""
    known = (reference_of(entry, backend, track), *backend.solutions(entry, track))
    return tuple({candidate.sha: candidate for candidate in known if candidate}.values())


def solutions_of(suite: Suite, backend: Backend, track: Track) -> Iterator[Solution]:
    """The known solutions of a suite's tasks, in its order."""
    for entry in suite.tasks.values():
        candidate = reference_of(entry, backend, track)
        if candidate is not None:
            yield Solution(suite.name, entry, candidate)


def solutions(known: Registry, backend: Backend, track: Track, suites: Sequence[Suite] = ()) -> Iterator[Solution]:
    """Those of these suites, and then of every registered one, each task once: the first of a name counts."""
    seen: set[str] = set()
    for suite in (*suites, *(load() for load in known.suites.values())):
        for found in solutions_of(suite, backend, track):
            if found.task not in seen:
                seen.add(found.task)
                yield found
