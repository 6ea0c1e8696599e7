"""Wanted attempts become answers: from what the run has kept, from the cache, or from the generator.

Every answer is kept on disk by the thread that received it, before anyone looks at it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbench.core.backend import Interface
from kbench.core.bench import Answer
from kbench.core.errors import ConfigError, GenerateError, HarnessError, ServerError
from kbench.core.generation.asking import Turn, answer_to, request_for, template_of, with_turns
from kbench.core.generation.completions import CompletionCache, answer_of, facts_of, keep_in
from kbench.core.generator import Completion, Message, Request
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.store import RunWriter
from kbench.core.runs.workbench import Workbench

#: Prompts that are remembered: samples of a task follow one another.
_MOST_PROMPTS = 64
#: How long a request that failed for a reason of ours rests before it is tried once more.
_RETRY_S = 1.0


@dataclass(frozen=True)
class Wanted:
    """An attempt, and the conversation before it."""

    attempt: Attempt
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Answered:
    """What became of a wanted attempt: an answer, or why there is none. `prompt` is what was sent."""

    wanted: Wanted
    answer: Answer | None
    error: Exception | None = None
    prompt: Answer = field(default_factory=Answer)
    at: float = field(default_factory=time.monotonic)


class Questions:
    """Turns wanted attempts into answers: from the run's own store, from the cache, or from the generator."""

    def __init__(
        self,
        work: Workbench,
        writer: RunWriter,
        cache: CompletionCache | None = None,
        kept: Mapping[Attempt, Mapping[str, Any]] | None = None,
    ) -> None:
        self._work, self._writer, self._cache = work, writer, cache
        self._kept = dict(kept or {})
        self._prompts: dict[tuple[str, str], tuple[Interface, list[Message], str]] = {}

    def answers(self, wanted: Sequence[Wanted]) -> Iterator[Answered]:
        """An answer for each of them, in any order.

        Raises:
            HarnessError: the model cannot be asked, or its answer not be kept; what was answered before is kept.
        """
        open_ones: list[tuple[Wanted, Request, str]] = []
        for one in wanted:
            found = self._without_asking(one)
            if isinstance(found, Answered):
                yield found
            else:
                open_ones.append((one, *found))
        if open_ones:
            yield from self._asked(open_ones)

    def _without_asking(self, one: Wanted) -> Answered | tuple[Request, str]:
        kept = self._kept.pop(one.attempt, None)
        if kept is not None:
            return Answered(one, answer_of(kept, self._writer.run.text))
        try:
            request, template = self._request(one, one.turns)
        except Exception as error:  # the task does not fit the backend, or a template names what is not there
            return Answered(one, None, error)
        key = self._cache.key(self._work.bench.generator, request) if self._cache else None
        cached = self._cache.get(key) if self._cache and key else None
        if cached is not None:
            self._keep(one.attempt, cached)
            return Answered(one, cached)
        return request, template

    def _request(self, one: Wanted, turns: Sequence[Turn]) -> tuple[Request, str]:
        interface, messages, template = self._prompt(one.attempt)
        entry = self._work.entry(one.attempt)
        request = request_for(one.attempt, entry, with_turns(messages, turns), interface, self._work.bench)
        return request, template

    def _prompt(self, attempt: Attempt) -> tuple[Interface, list[Message], str]:
        """Interface, messages and templates of an attempt: the same for all samples, so worded once."""
        key = (attempt.task, attempt.cases_key)
        found = self._prompts.get(key)
        if found is None:
            interface = self._work.interface(attempt)
            found = (interface, self._work.messages(attempt), template_of(self._work.bench, interface))
            if len(self._prompts) >= _MOST_PROMPTS:
                self._prompts.clear()
            self._prompts[key] = found
        return found

    def _asked(self, open_ones: Sequence[tuple[Wanted, Request, str]]) -> Iterator[Answered]:
        start = time.perf_counter()
        results = self._generate([request for _, request, _ in open_ones])
        each = (time.perf_counter() - start) / len(open_ones)
        failure: Exception | None = None
        for (one, request, template), result in zip(open_ones, results, strict=True):
            if isinstance(result, GenerateError) and result.outcome == "context_limit" and len(one.turns) > 1:
                result = self._shorter(one)
            if isinstance(result, Completion):
                answer = answer_to(request, result, each, template)
                self._keep(one.attempt, answer, request)
                yield Answered(one, answer)
            elif _stops(result):
                failure = failure or result
            else:
                prompt = Answer(Completion(), tuple(request.messages), each, template=template)
                yield Answered(one, None, result, prompt)
        if failure is not None:
            raise failure

    def _generate(self, requests: Sequence[Request]) -> Sequence[Completion | Exception]:
        """What the generator says to each; a failure of ours is tried once more."""
        generator = self._work.bench.generator
        if len(requests) == 1:
            return [self._one(requests[0])]
        try:
            results = list(generator.generate_batch(requests))
        except Exception as error:
            if _final(error):
                return [error] * len(requests)
            return [self._one(request) for request in requests]
        return [
            r if isinstance(r, Completion) or _final(r) else self._one(q)
            for r, q in zip(results, requests, strict=True)
        ]

    def _one(self, request: Request) -> Completion | Exception:
        for rest_s in (_RETRY_S, 0.0):
            try:
                return self._work.bench.generator.generate(request)
            except Exception as error:
                if _final(error) or not rest_s:
                    return error
                time.sleep(rest_s)
        raise AssertionError("unreachable")

    def _shorter(self, one: Wanted) -> Completion | Exception:
        """Ask with less of the conversation, the oldest turns left out first."""
        for first in range(1, len(one.turns)):
            request, _ = self._request(one, one.turns[first:])
            result = self._one(request)
            if isinstance(result, Completion):
                sent = result.asked or tuple(request.messages)
                return Completion(**{**vars(result), "asked": sent})
            if not (isinstance(result, GenerateError) and result.outcome == "context_limit"):
                return result
        return result

    def _keep(self, attempt: Attempt, answer: Answer, request: Request | None = None) -> None:
        if self._work.bench.generator.free:
            return
        texts: dict[str, str] = {}
        facts = facts_of(answer, keep_in(texts))
        self._writer.keep_completion(attempt, facts, texts)
        key = self._cache.key(self._work.bench.generator, request) if self._cache and request else None
        if self._cache and key:
            self._cache.put(key, answer)


def _final(error: object) -> bool:
    """Whether asking again could not help, or was done already."""
    return isinstance(error, (ConfigError, GenerateError, ServerError))


def _stops(error: Exception) -> bool:
    """Whether the run cannot go on: all of ours that is not about this one request."""
    return isinstance(error, HarnessError) and not isinstance(error, ConfigError)
