"""What both kits share: gaps that are known, and a candidate in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import pytest

from kbench.core.errors import CompileError, RunError, RunTimeout, StageError, unknown_name
from kbench.core.record import Finding


class Kit:
    """Known gaps are expected failures, by name; a name that is no test of the kit is refused."""

    known_gaps: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        tests = [name for name in dir(cls) if name.startswith("test_")]
        for name in cls.known_gaps:
            if name not in tests:
                raise unknown_name(f"test in {cls.__name__}", name, tests)

    @pytest.fixture(autouse=True)
    def _expect_known_gaps(self, request: pytest.FixtureRequest) -> None:
        reason = self.known_gaps.get(request.function.__name__)
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=f"known gap: {reason}", strict=True))


class Failure(NamedTuple):
    """A StageError, carried over a pipe."""

    kind: str
    outcome: str
    message: str
    log: str = ""
    findings: tuple[Finding, ...] = ()


def attempt(action: Callable[[], object]) -> Failure | None:
    """How the candidate failed, or None where it did not."""
    try:
        action()
    except StageError as e:
        kind = next(c.__name__ for c in (RunTimeout, RunError, CompileError, StageError) if isinstance(e, c))
        return Failure(kind, e.outcome, str(e), e.log, e.findings)
    return None


def survive(action: Callable[[], object], deadline_s: float) -> Failure | None:
    """`attempt` in a process of its own, so that a backend that dies or hangs with its candidate fails one test
    instead of ending the test run."""

    def child() -> None:
        os.setsid()
        try:
            sender.send(attempt(action))
        except BaseException:
            sender.send(traceback.format_exc())

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child)
    with warnings.catch_warnings():  # Python 3.12 warns of NumPy's idle threads; the child uses none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    try:
        if not receiver.poll(deadline_s):
            pytest.fail(f"the backend had not returned after {deadline_s:g} s", pytrace=False)
        answer = receiver.recv()
    except EOFError:
        process.join()
        pytest.fail(
            f"the process of the backend died (exit status {process.exitcode}) together with its candidate: "
            "candidates must run in a child process",
            pytrace=False,
        )
    finally:
        _kill_session(process)
    if isinstance(answer, str):
        pytest.fail(f"expected a StageError, got\n{answer}", pytrace=False)
    assert answer is None or isinstance(answer, Failure)
    return answer


def _kill_session(process: Any) -> None:
    # The child leads a session: what it started goes with it.
    if process.pid is not None and process.is_alive():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    process.join()
