"""One process's work on a run: ask for what is missing, judge it in worker processes, append what comes back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from kbench.core.bench import Loop
from kbench.core.errors import ConfigError
from kbench.core.evaluate import Evaluation, identity_facts, unanswered
from kbench.core.generation.asker import Asker, stopped
from kbench.core.generation.asking import Turn
from kbench.core.generation.completions import CompletionCache
from kbench.core.generation.questions import Answered, Questions, Wanted
from kbench.core.hostcc.cache import default_cache
from kbench.core.record import Record
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.pool import Pool, WorkerDied
from kbench.core.runs.store import RunFolder, RunWriter
from kbench.core.runs.workbench import Workbench
from kbench.core.runs.worker import Order

#: An attempt on which kbench itself failed is evaluated so often at most.
MOST_TRIES = 2
_SESSION_NOTE_S = 1.0


def missing(run: RunFolder, *, retry_harness: bool = False) -> list[Attempt]:
    """The next attempt of every sample that is not done; with `retry_harness`, those on which kbench itself failed
    (`unsupported` apart) are taken up again."""
    loop = Loop(run.manifest.attempts_each, run.manifest.optimise)
    latest: dict[Attempt, tuple[int, str]] = {}
    for done, outcome in run.recorded().items():
        first = done._replace(attempt=0)
        latest[first] = max(latest.get(first, (-1, "")), (done.attempt, outcome))
    following = (_next(attempt, latest.get(attempt), loop, retry_harness) for attempt in run.manifest.attempts())
    return [attempt for attempt in following if attempt is not None]


def _next(first: Attempt, latest: tuple[int, str] | None, loop: Loop, retry_harness: bool) -> Attempt | None:
    if latest is None:
        return first
    number, outcome = latest
    if outcome == "harness_error" and retry_harness:
        return first._replace(attempt=number)
    return first._replace(attempt=number + 1) if loop.goes_on(number, outcome) else None


def work(
    run: RunFolder,
    *,
    jobs: int,
    watch: Callable[[Record], None],
    retry_harness: bool = False,
    concurrency: int | None = None,
    cache: bool | None = None,
    asked: Callable[[Answered], None] = lambda answered: None,
) -> None:
    """Ask for what is missing, judge it and append it. Stopped at any moment, the run can be resumed.

    Args:
        jobs: worker processes.
        concurrency: requests to the generator at once; None leaves it to the generator.
        cache: whether completions may come from the cache, and go there; None is as planned.
        watch: sees each record once it is on disk; asked: each answer before it is judged.

    Raises:
        StoreError: the disk does not take a record, or another process works on the run.
        HarnessError: no worker can be started, or the model cannot be asked.
    """
    if jobs < 1:
        raise ConfigError(f"--jobs {jobs}: at least one worker is needed")
    if concurrency is not None and concurrency < 1:
        raise ConfigError(f"--concurrency {concurrency}: at least one request is needed")
    cached = run.manifest.cache if cache is None else cache
    with RunWriter(run) as writer:
        bench = Workbench.open(run.manifest)
        try:
            _Session(run, writer, bench, watch, asked).work(
                missing(run, retry_harness=retry_harness), jobs, concurrency, cached
            )
        finally:
            bench.close()


class _Session:
    """One process's work on a run: asks, judges, records, and lets failed attempts be followed by the next."""

    def __init__(
        self,
        run: RunFolder,
        writer: RunWriter,
        bench: Workbench,
        watch: Callable[[Record], None],
        asked: Callable[[Answered], None],
    ) -> None:
        self._run, self._writer, self._work = run, writer, bench
        self._watch, self._told = watch, asked
        self._clock = _Clock(writer)
        self._failures: dict[Attempt, tuple[str, ...]] = {}
        self._turns: dict[Attempt, tuple[Turn, ...]] = {}

    def work(self, todo: Sequence[Attempt], jobs: int, concurrency: int | None, cache: bool) -> None:
        generator = self._work.bench.generator
        store = CompletionCache(default_cache().root) if cache and not generator.free else None
        kept = {} if generator.free else self._run.completions(set(todo))
        questions = Questions(self._work, self._writer, store, kept)
        threads = min(concurrency or generator.concurrency, max(1, len(todo)))
        batch = max(1, generator.batch)
        room = 2 * threads * batch + 4 * jobs
        with (
            Asker(questions, _wanted(self._run, todo), threads=threads, batch=batch, room=room) as asker,
            Pool(self._run.manifest, jobs) as pool,
        ):
            while not asker.finished:
                for answered in asker.take():
                    self._told(answered)
                    self._answered(answered, asker, pool)
                for order, result in pool.results(asker.wake):
                    self._judged(order, _evaluation(self._run.manifest, order.attempt, result), asker, pool)
            failure = asker.failure
        self._clock.note(ended=True)
        if failure is not None:
            done = self._run.manifest.planned - len(missing(self._run))
            raise stopped(failure, done, self._run.manifest.planned, self._run.path) from failure

    def _answered(self, answered: Answered, asker: Asker, pool: Pool) -> None:
        attempt = answered.wanted.attempt
        self._turns[attempt] = answered.wanted.turns
        if answered.answer is not None:
            pool.put(Order(attempt, answered.answer), answered.at)
            return
        assert answered.error is not None
        entry, cases = self._work.entry(attempt), self._work.cases(attempt)
        done = unanswered(attempt, entry, cases, self._work.bench, answered.error, answered.prompt)
        self._keep(Order(attempt, answered.prompt), done, asker)

    def _judged(self, order: Order, done: Evaluation, asker: Asker, pool: Pool) -> None:
        """Record a verdict; where kbench itself failed, judge the same answer once more first."""
        earlier = self._failures.pop(order.attempt, ())
        record = done.record
        if record.outcome == "harness_error" and done.retry and len(earlier) + 1 < MOST_TRIES:
            self._failures[order.attempt] = (*earlier, record.message)
            pool.put(order)
            return
        if earlier:
            record = record.model_copy(update={"tries": len(earlier) + 1, "earlier": earlier})
        self._keep(order, Evaluation(record, done.texts), asker)

    def _keep(self, order: Order, done: Evaluation, asker: Asker) -> None:
        record = done.record
        self._writer.append(record, done.texts)
        self._clock.note()
        turns = self._turns.pop(order.attempt, ())
        following = None
        if not record.last:
            turn = Turn(order.answer.completion.text, done.texts.get(record.feedback_sha, ""))
            following = Wanted(order.attempt._replace(attempt=order.attempt.attempt + 1), (*turns, turn))
        asker.release(following)
        self._watch(record)


def _wanted(run: RunFolder, todo: Sequence[Attempt]) -> Iterator[Wanted]:
    """Attempts with the conversation before them, as the run's own texts tell it."""
    later = {attempt._replace(attempt=0) for attempt in todo if attempt.attempt}
    turns: dict[Attempt, dict[int, Turn]] = {}
    for record in run.records() if later else ():
        first = Attempt(record.task, record.cases_key, record.sample)
        if first in later and record.feedback_sha:
            turn = Turn(run.text(record.completion_sha), run.text(record.feedback_sha))
            turns.setdefault(first, {})[record.attempt] = turn
    for attempt in todo:
        before = turns.get(attempt._replace(attempt=0), {})
        yield Wanted(attempt, tuple(before[i] for i in range(attempt.attempt) if i in before))


def _evaluation(manifest: Manifest, attempt: Attempt, result: Evaluation | WorkerDied) -> Evaluation:
    if isinstance(result, Evaluation):
        return result
    settings = manifest.settings.settings()
    plan = manifest.tasks[attempt.task]
    record = Record(
        **identity_facts(attempt, manifest.suite, manifest.backend, manifest.generator, settings),
        level=plan.level,
        category=plan.category,
        stage="generate",
        outcome="harness_error",
        message=result.message,
        versions=manifest.versions,
    )
    return Evaluation(record, {}, retry=True)


class _Clock:
    """Keeps the time of this process on the run, so that a killed session counts up to its last record."""

    def __init__(self, writer: RunWriter) -> None:
        self._writer = writer
        self._name = f"{datetime.now(UTC).isoformat(timespec='seconds')}-{os.getpid()}"
        self._start = time.monotonic()
        self._noted = 0.0

    def note(self, *, ended: bool = False) -> None:
        seconds = time.monotonic() - self._start
        if ended or seconds - self._noted >= _SESSION_NOTE_S:
            self._noted = seconds
            self._writer.session({"session": self._name, "seconds": round(seconds, 3), "ended": ended})
