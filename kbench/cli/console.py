"""Where words for people go, and what is said while nothing seems to happen."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

#: Columns of tables that go to a file or a pipe, where no terminal says how wide it is.
FILE_WIDTH = 140
#: Seconds without a word after which a file or pipe is told what goes on.
QUIET_S = 2.0


def make_console(*, stderr: bool = True) -> Console:
    """Standard error, or standard output for what is a command's result."""
    from rich.console import Console

    console = Console(stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    return console


def making_ready() -> contextlib.AbstractContextManager[None]:
    """Around a backend's `prepare`, which may build for minutes."""
    return _waiting(make_console(), "making ready: the first time builds the backend's libraries, a minute or more …")


@contextlib.contextmanager
def _waiting(console: Console, words: str) -> Iterator[None]:
    """Say what takes long: at once on a terminal; in a file only where it does take long, as no later word hides it."""
    if console.is_terminal:
        with console.status(words):
            yield
        return
    timer = threading.Timer(QUIET_S, console.print, (words,), {"highlight": False})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
