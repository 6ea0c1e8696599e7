"""Few-shot examples: solved tasks before the one that is asked for, as turns of the conversation.

Never the task's own solution nor a near-copy of it: an example of the same operator (on other data types, say), or
whose kernel is one of the task's known kernels in disguise (`core/likeness/likeness.py`), is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from kbench.core.backend import Backend, Settings
from kbench.core.bench import Bench
from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.cases import MAX_ELEMENTS, plan_cases
from kbench.core.errors import ConfigError, HarnessError
from kbench.core.extraction.forms import defines
from kbench.core.generator import Message
from kbench.core.likeness.likeness import likeness, prints
from kbench.core.likeness.words import same_operator
from kbench.core.plugins import Registry
from kbench.core.prompting.prompt import DIRECT
from kbench.core.solutions import Solution, every_solution_of, solutions
from kbench.core.suite import Suite, SuiteTask

#: Cases of an example that are shown: it is an example of an answer, not a task.
_CASES = 3


def few_shots(known: Registry, suite: Suite, entry: SuiteTask, bench: Bench, count: int) -> list[Message]:
    """`count` examples for this task, each a question and its answer; the same for every sample of a run.

    Raises:
        ConfigError: there are not so many solved tasks for this backend and track.
    """
    own = every_solution_of(entry, bench.backend, bench.settings.track)
    found = []
    for other in _in_order(_all(known, suite, bench.backend, bench.settings.track), entry, bench.settings):
        if not same_operator(other.task, entry.task.name) and not any(_too_like(other.candidate, c) for c in own):
            shot = _shown(other, bench)
            if shot:
                found.append(shot)
        if len(found) == count:
            return [message for shot in found for message in shot]
    raise ConfigError(
        f"--shots {count}: backend {bench.backend.name!r} has {len(found)} solved tasks on the {bench.settings.track} "
        f"track besides {entry.task.name!r} that are not like it"
    )


def _all(known: Registry, suite: Suite, backend: Backend, track: Track) -> tuple[Solution, ...]:
    key = (id(known), id(suite), backend.name, track)
    if key not in _ALL:
        _ALL.clear()
        _ALL[key] = tuple(solutions(known, backend, track, (suite,)))
    return _ALL[key]


#: Solutions of the run at hand: reading them all for each prompt would take longer than the prompt.
_ALL: dict[tuple[int, int, str, Track], tuple[Solution, ...]] = {}


def _in_order(found: tuple[Solution, ...], entry: SuiteTask, settings: Settings) -> Iterator[Solution]:
    """Drawn by seed and name, so that neither the order of suites nor what else is selected changes an example."""

    def rank(solution: Solution) -> str:
        text = "\0".join((str(settings.seed), entry.task.name, solution.task))
        return hashlib.sha256(text.encode()).hexdigest()

    yield from sorted(found, key=rank)


def _too_like(one: Candidate, other: Candidate) -> bool:
    pairs = ((mine, theirs) for mine in _kernels(other) for theirs in _kernels(one))
    return any(likeness(prints(mine).whole, prints(theirs).whole).copy for mine, theirs in pairs)


def _kernels(candidate: Candidate) -> list[str]:
    """The files that hold the kernel: host code looks alike for many operators."""
    found = [text for text in candidate.files.values() if defines(candidate.entry, text)]
    return found or list(candidate.files.values())


def _shown(solution: Solution, bench: Bench) -> list[Message]:
    """The example's question and answer; nothing where this backend cannot be asked it."""
    entry, settings = solution.entry, bench.settings
    runnable = plan_cases(entry, entry.cases, MAX_ELEMENTS).run
    cases = runnable[: 1 if settings.shapes == Shapes.STATIC else _CASES]
    if not cases:
        return []
    try:
        interface = bench.backend.interface(entry, cases, settings)
    except HarnessError:
        return []
    plain = replace(bench.wording, style=DIRECT)
    asked = plain.messages(bench.preset.ask, entry, cases, interface, settings)[-1]
    form = bench.preset.form or plain.answer
    return [asked, Message("assistant", form(solution.candidate, interface))]
