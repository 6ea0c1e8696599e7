"""Worker processes: each takes one attempt at a time; one that dies costs its attempt, never the run."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from kbench.core.errors import HarnessError
from kbench.core.evaluate import Evaluation
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.worker import Failed, Order, Ready, Setup

#: A worker that dies before it is ready, so many times in a row, cannot be had on this machine.
_MOST_STARTS = 3
#: What an attempt may take beyond its timeouts: queues, a slow machine.
GRACE_S = 900.0
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from kbench.core.runs.worker import main; main(int(sys.argv[1]))"
)


def default_jobs() -> int:
    """Workers where the user names no number: one for each core that this process may use, up to 8."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 8)


@dataclass(frozen=True)
class WorkerDied:
    """The worker ended under this attempt; nobody knows what the candidate would have done."""

    message: str


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    line: Connection[object, object]
    ready: bool = False
    order: Order | None = None
    until: float = 0.0  # of the attempt: then a backend or a generator hangs

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.line.close()


@dataclass
class Pool:
    """`jobs` workers on one run. Use as a context manager: leaving it ends them and removes their scratch folder."""

    manifest: Manifest
    jobs: int
    _queue: deque[tuple[float, Order]] = field(default_factory=deque)
    _workers: list[_Worker] = field(default_factory=list)
    _failed_starts: int = 0

    def __enter__(self) -> Pool:
        prefix = f"kbench-{self.manifest.run}-"
        for stale in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            shutil.rmtree(stale, ignore_errors=True)  # of a session that was killed: this one holds the run's lock
        self._scratch = tempfile.mkdtemp(prefix=prefix)
        self._setup = Setup(self.manifest.model_dump_json(by_alias=True), self._scratch)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def put(self, order: Order, since: float | None = None) -> None:
        """Evaluate this when a worker is free. `since` is when it began to wait (time.monotonic), now by default."""
        self._queue.append((time.monotonic() if since is None else since, order))

    def results(self, wake: socket.socket | None = None) -> Iterator[tuple[Order, Evaluation | WorkerDied]]:
        """What finished by now; waits a second at most for something to finish, or for `wake` to be readable. The
        caller may put an order back while it iterates.

        Raises:
            HarnessError: no worker can be started.
        """
        self._hire()
        for worker in self._waiting(wake):
            finished = self._hear(worker)
            if finished is not None:
                yield finished
        for worker in [w for w in self._workers if w.order and time.monotonic() > w.until]:
            yield self._end(worker)

    def _hire(self) -> None:
        """Start workers while there is work for them, and give the idle ones theirs."""
        idle = sum(w.order is None for w in self._workers)
        while len(self._workers) < self.jobs and idle < len(self._queue):
            self._workers.append(_start(self._setup))
            idle += 1
        for worker in self._workers:
            self._give(worker)

    def _give(self, worker: _Worker) -> None:
        if worker.ready and worker.order is None and self._queue:
            since, order = self._queue.popleft()
            now = time.monotonic()
            worker.order = replace(order, queue_s=round(now - since, 6))
            worker.until = now + self._limit_s(order.attempt)
            with contextlib.suppress(OSError):  # a dead worker is noticed when it is listened to
                worker.line.send(worker.order)

    def _waiting(self, wake: socket.socket | None) -> list[_Worker]:
        """Workers that have something to say, or have died without a word."""
        lines: list[Any] = [w.line for w in self._workers]
        speaking = set(wait([*lines, wake] if wake else lines, timeout=1.0))
        return [w for w in self._workers if w.line in speaking or w.process.poll() is not None]

    def _hear(self, worker: _Worker) -> tuple[Order, Evaluation | WorkerDied] | None:
        try:
            said = worker.line.recv() if worker.line.poll() else None
        except (EOFError, OSError):
            said = None
        if isinstance(said, Failed):
            raise HarnessError(f"a worker cannot start: {said.message}")
        if isinstance(said, Ready):
            worker.ready, self._failed_starts = True, 0
            self._give(worker)
            return None
        if isinstance(said, Evaluation):
            order, worker.order = worker.order, None
            self._give(worker)  # before the result is written: the worker does not wait for the disk
            assert order is not None
            return order, said
        return self._bury(worker)

    def _limit_s(self, attempt: Attempt) -> float:
        """More than an attempt can take whose timeouts work: host and kernel compiled, every case run twice."""
        settings = self.manifest.settings
        cases = len(self.manifest.tasks[attempt.task].seeds) if attempt.cases_key == "*" else 1
        return GRACE_S + 4 * cases * (settings.compile_timeout_s + settings.run_timeout_s)

    def _end(self, worker: _Worker) -> tuple[Order, WorkerDied]:
        """A worker that does not answer: what hangs there is no candidate, for those run under limits of their own."""
        order = worker.order
        assert order is not None
        worker.stop()
        self._workers.remove(worker)
        limit = f"{self._limit_s(order.attempt):g} s"
        return order, WorkerDied(f"the worker did not answer for {limit}: its backend hangs")

    def _bury(self, worker: _Worker) -> tuple[Order, WorkerDied] | None:
        worker.stop()
        self._workers.remove(worker)
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_STARTS:
                raise HarnessError(f"workers die before they start: {_how(worker.process.returncode)}")
        if worker.order is None:
            return None
        return worker.order, WorkerDied(f"the worker process {_how(worker.process.returncode)}")


def _how(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with status {returncode}"


def _start(setup: Setup) -> _Worker:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs.fileno()), json.dumps([os.path.abspath(p) for p in sys.path])],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=2,  # standard output belongs to the parent's result
            start_new_session=True,  # Ctrl-C reaches the parent alone, and the worker's children end with it
        )
    line: Connection[object, object] = Connection(ours.detach())
    with contextlib.suppress(OSError):
        line.send(setup)
    return _Worker(process, line)
