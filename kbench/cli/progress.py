"""How far a run is, told while it works."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from kbench.core.generation.questions import Answered
    from kbench.core.record import Record

_MOST_TOLD = 20  # failures told while a run goes on; `kbench show` has them all


class Watch:
    """Counts what comes back and draws it: two bars on a terminal, asked and judged; in a file a line a tenth."""

    def __init__(self, console: Console, bar: Progress, total: int, *, asks: bool) -> None:
        self._console, self._bar, self._total = console, bar, total
        self._asking = bar.add_task("asking", total=total) if asks else None
        self._judging = bar.add_task("judging", total=total)
        self._answers = self._tokens = self._done = self._told = 0
        self._solved: set[tuple[Any, ...]] = set()

    def asked(self, answered: Answered) -> None:
        """A model has answered, or could not."""
        if self._asking is None:
            return
        self._answers += 1
        if answered.answer is not None:
            self._tokens += int(answered.answer.completion.usage.get("output_tokens") or 0)
        words = f"asked, {self._tokens:,} tokens" if self._tokens else "asked"
        self._bar.update(
            self._asking, completed=self._answers, total=max(self._total, self._answers), description=words
        )

    def judged(self, record: Record) -> None:
        """An attempt is recorded; the first failures are told at once."""
        self._done += record.last
        if record.passed:
            self._solved.add(record.identity[:-1])
        else:
            self._tell(record)
        words = f"{len(self._solved)} passed, now {record.task}"
        self._bar.update(self._judging, completed=self._done, description=words)
        if not self._console.is_terminal and record.last and self._done % max(1, self._total // 10) == 0:
            self._console.print(f"{self._done} of {self._total} judged, {len(self._solved)} passed", highlight=False)

    def _tell(self, record: Record) -> None:
        from kbench.core.report import failure_line

        if self._told < _MOST_TOLD:
            self._told += 1
            self._bar.console.print(failure_line(record), markup=False, highlight=False, soft_wrap=True)


@contextlib.contextmanager
def watched(console: Console, total: int, *, asks: bool) -> Iterator[Watch]:
    """While work on `total` samples goes on; `asks` where a model is asked and not only read from a file."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield Watch(console, bar, total, asks=asks)
