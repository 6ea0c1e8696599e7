"""Asks the generator, from threads of the run's own process, while workers judge what came back.

What is wanted goes in, answers come out; never more than `room` attempts are between the two ends (asked, waiting for a
worker or being judged), so that memory stays bounded however fast the generator is. Every answer is kept on disk by the
thread that received it, before anyone looks at it: a run that is killed asks for none of them again.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbench.core.asking import Turn, answer_to, request_for, template_of, with_turns
from kbench.core.backend import Interface
from kbench.core.bench import Answer
from kbench.core.completions import CompletionCache, answer_of, facts_of, keep_in
from kbench.core.errors import ConfigError, GenerateError, HarnessError, KbenchError, ServerError, StoreError
from kbench.core.generator import Completion, Message, Request
from kbench.core.manifest import Attempt
from kbench.core.store import RunWriter
from kbench.core.workbench import Workbench

#: Prompts that are remembered: samples of a task follow one another.
_MOST_PROMPTS = 64
#: How long a request that failed for a reason of ours rests before it is tried once more.
_RETRY_S = 1.0
#: How long the other threads' requests may still take after one of them has failed for good.
_PATIENCE_S = 120.0


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


class Asker:
    """Threads that ask. Use as a context manager; one thread, the run's, puts in and takes out.

    Args:
        fresh: first attempts, taken when there is room; `follow` puts further ones before them.
        threads: requests at once; batch: of how many wanted attempts one request may be made.
        room: attempts between `fresh` and `release`.
    """

    def __init__(self, questions: Questions, fresh: Iterable[Wanted], *, threads: int, batch: int, room: int) -> None:
        self._questions, self._fresh, self._batch = questions, iter(fresh), batch
        self._next: deque[Wanted] = deque()
        self._done: deque[Answered] = deque()
        self._room = max(room, batch)
        self._asking = self._inside = 0
        self._exhausted = False
        self._failed_at = 0.0
        self._changed = threading.Condition()
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        self.failure: Exception | None = None
        self._closed = False
        self._threads = [threading.Thread(target=self._serve, name=f"ask-{i}", daemon=True) for i in range(threads)]

    def __enter__(self) -> Asker:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        patience = 0.0 if kind else 1.0  # a thread in the middle of a request is left alone: it ends with the process
        for thread in self._threads:
            thread.join(patience)
        if not any(thread.is_alive() for thread in self._threads):
            self._ours.close()
            self._theirs.close()

    # --- for the run's thread ---

    @property
    def wake(self) -> socket.socket:
        """Readable when there is something to take, or a thread has failed."""
        return self._ours

    @property
    def finished(self) -> bool:
        """Nothing is wanted any more, or the run must stop and nothing is on its way."""
        with self._changed:
            if self.failure is not None:
                waited = time.monotonic() - self._failed_at > _PATIENCE_S
                return self._inside == 0 or (waited and self._inside == self._asking)
            return self._exhausted and not self._next and self._inside == 0

    def take(self) -> list[Answered]:
        """Everything that was answered since the last call."""
        with contextlib.suppress(BlockingIOError):
            while self._ours.recv(4096):
                pass
        with self._changed:
            found = list(self._done)
            self._done.clear()
        return found

    def release(self, following: Wanted | None = None) -> None:
        """An attempt that was taken is recorded; another one may follow it."""
        with self._changed:
            self._inside -= 1
            if following is not None:
                self._next.append(following)
            self._changed.notify_all()

    # --- for the asking threads ---

    def _serve(self) -> None:
        left = 0
        try:
            while wanted := self._wanted():
                left = len(wanted)
                for answered in self._questions.answers(wanted):
                    left -= 1
                    self._deliver(answered)
        except BaseException as error:  # a plugin that exits must not leave the run waiting for its thread
            self._fail(error if isinstance(error, Exception) else HarnessError(f"the generator ends: {error!r}"), left)

    def _wanted(self) -> list[Wanted]:
        """The next attempts to ask for; waits for room and for attempts; empty at the end."""
        with self._changed:
            while True:
                if self._closed or self.failure is not None:
                    return []
                found = self._available()
                if found:
                    self._asking += len(found)
                    self._inside += len(found)
                    return found
                if self._exhausted and not self._next and self._inside == 0:
                    self._changed.notify_all()
                    self._signal()
                    return []
                self._changed.wait()

    def _available(self) -> list[Wanted]:
        found: list[Wanted] = []
        while len(found) < self._batch and self._inside + len(found) < self._room:
            if self._next:
                found.append(self._next.popleft())
                continue
            one = next(self._fresh, None)
            if one is None:
                self._exhausted = True
                break
            found.append(one)
        return found

    def _deliver(self, answered: Answered) -> None:
        with self._changed:
            self._asking -= 1
            self._done.append(answered)
        self._signal()

    def _fail(self, error: Exception, left: int) -> None:
        with self._changed:
            self._asking -= left
            self._inside -= left
            if self.failure is None:
                self.failure, self._failed_at = error, time.monotonic()
            self._changed.notify_all()
        self._signal()

    def _signal(self) -> None:
        with contextlib.suppress(OSError):  # full: it is readable already
            self._theirs.send(b"!")


def stopped(error: Exception, done: int, planned: int, folder: object) -> Exception:
    """The failure that stopped a run, with what is safe and how to go on."""
    if not isinstance(error, KbenchError) or isinstance(error, StoreError):
        return error
    said = f"{error}; {done} of {planned} samples are recorded, and what was answered is kept. Go on with: "
    return ServerError(f"{said}kbench run --resume --out {folder}")
