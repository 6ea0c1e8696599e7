"""The process that evaluates attempts. The parent sends one attempt at a time and writes what comes back.

    parent → worker   the manifest (JSON) and the scratch folder, then (attempt, answer, seconds it waited) …
    worker → parent   Ready or Failed, then one Evaluation for each attempt

A worker is a program of its own, not a fork: it inherits neither the parent's memory nor its open files.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import tempfile
import traceback
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from kbench.core.bench import Answer
from kbench.core.errors import KbenchError
from kbench.core.evaluate import Evaluation, judge
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.workbench import Workbench

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Ready:
    """The worker has loaded everything."""


@dataclass(frozen=True)
class Failed:
    """The worker cannot work; the parent says why."""

    message: str


@dataclass(frozen=True)
class Setup:
    manifest_json: str
    scratch: str


@dataclass(frozen=True)
class Order:
    """One attempt to evaluate: what the model answered, and how long that waited for a worker."""

    attempt: Attempt
    answer: Answer
    queue_s: float = 0.0


def main(fd: int) -> None:
    """Serve the parent at the other end of this socket until it closes."""
    os.set_inheritable(fd, False)  # children of this process must not hold the line open
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    _die_with_parent()
    with Connection(fd) as parent:
        try:
            _serve(parent)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # the parent is gone, and with it everyone who could use the result


def _serve(parent: Connection[object, object]) -> None:
    setup = parent.recv()
    assert isinstance(setup, Setup)
    try:
        bench = Workbench.open(Manifest.model_validate_json(setup.manifest_json), asks=False)
    except KbenchError as error:
        parent.send(Failed(str(error)))
        return
    except Exception:
        parent.send(Failed(traceback.format_exc()))
        return
    parent.send(Ready())
    while True:
        order = parent.recv()
        assert isinstance(order, Order)
        parent.send(_evaluate(order, bench, setup.scratch))


def _evaluate(order: Order, work: Workbench, scratch: str) -> Evaluation:
    with tempfile.TemporaryDirectory(dir=scratch, ignore_cleanup_errors=True) as workdir:
        attempt = order.attempt
        done = judge(attempt, work.entry(attempt), work.cases(attempt), work.bench, Path(workdir), order.answer)
    times = done.record.times.model_copy(update={"queue_s": order.queue_s})
    return replace(done, record=done.record.model_copy(update={"times": times}))


def _die_with_parent() -> None:
    """A parent that is killed takes its workers along (Linux; elsewhere they end at their next message)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
