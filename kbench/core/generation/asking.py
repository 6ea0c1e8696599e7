"""One request and its answer: from an attempt to messages, to a completion."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from kbench.core.backend import Interface
from kbench.core.bench import Answer, Bench
from kbench.core.extraction.markup import repeats_itself, without_thoughts
from kbench.core.generator import Completion, Message, Request, Subject
from kbench.core.runs.manifest import Attempt
from kbench.core.solutions import every_solution_of, reference_of
from kbench.core.suite import SuiteTask
from kbench.core.task import Case

#: Of an answer that goes back to its model, so much at most; of one that repeats itself to its limit, less.
_MOST_OF_AN_ANSWER, _MOST_OF_A_LOOP = 40_000, 2_000


class Turn(NamedTuple):
    """A failed attempt in the conversation: what the model answered, and what it was told about it."""

    answer: str
    feedback: str


def ask(attempt: Attempt, entry: SuiteTask, cases: Sequence[Case], bench: Bench) -> Answer:
    """Ask the bench's generator, here and now."""
    interface = bench.backend.interface(entry, cases, bench.settings)
    messages = bench.wording.messages(bench.preset.ask, entry, cases, interface, bench.settings)
    request = request_for(attempt, entry, messages, interface, bench)
    start = time.perf_counter()
    completion = bench.generator.generate(request)
    return answer_to(request, completion, time.perf_counter() - start, template_of(bench, interface))


def answer_to(request: Request, completion: Completion, seconds: float, template: str) -> Answer:
    """An answer, whose messages are those that the generator sent."""
    messages = completion.asked or tuple(request.messages)
    return Answer(replace(completion, asked=()), messages, seconds, template=template)


def request_for(
    attempt: Attempt, entry: SuiteTask, messages: Sequence[Message], interface: Interface, bench: Bench
) -> Request:
    sampling, generator = bench.sampling or bench.preset.sampling, bench.generator
    return Request(
        messages=messages,
        suite=bench.suite,
        task=attempt.task,
        cases_key=attempt.cases_key,
        sample=attempt.sample,
        attempt=attempt.attempt,
        seed=bench.settings.seed if sampling.seed is None else sampling.seed,
        sampling=sampling,
        reference=reference_of(entry, bench.backend, bench.settings.track) if generator.wants_reference else None,
        subject=subject_of(entry, interface, bench) if generator.wants_subject else None,
    )


def subject_of(entry: SuiteTask, interface: Interface, bench: Bench) -> Subject:
    """What is asked for, with every known solution of it."""
    task = entry.task
    return Subject(
        summary=task.summary,
        formula=task.formula,
        category=task.category,
        level=task.level,
        backend=bench.backend.name,
        target=bench.settings.target,
        track=str(bench.settings.track),
        language=interface.language,
        entry=interface.entry,
        roles=tuple(interface.files),
        solutions=every_solution_of(entry, bench.backend, bench.settings.track),
    )


def template_of(bench: Bench, interface: Interface) -> str:
    """Which words the messages are made of: the preset's name where it brings its own, else the templates' hash."""
    words = bench.wording.version(interface)
    return f"{bench.preset.name} {words}" if bench.preset.ask else words


def with_turns(messages: Sequence[Message], turns: Sequence[Turn]) -> list[Message]:
    """The conversation so far. An assistant's turn holds no thoughts, and is never empty: servers refuse that."""
    said = [*messages]
    for turn in turns:
        answer = without_thoughts(turn.answer).strip() or "(no answer)"
        most = _MOST_OF_A_LOOP if repeats_itself(answer) else _MOST_OF_AN_ANSWER
        if len(answer) > most:
            answer = f"{answer[:most]}\n… (cut)"
        said += [Message("assistant", answer), Message("user", turn.feedback)]
    return said
