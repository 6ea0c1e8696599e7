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
from collections.abc import Iterable

from kbench.core.errors import HarnessError, KbenchError, ServerError, StoreError
from kbench.core.generation.questions import Answered, Questions, Wanted

#: How long the other threads' requests may still take after one of them has failed for good.
_PATIENCE_S = 120.0


class Asker:
    """Threads that ask. Use as a context manager; one thread, the run's, puts in and takes out.

    Args:
        fresh: first attempts, taken when there is room; `release` may put further ones before them.
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
