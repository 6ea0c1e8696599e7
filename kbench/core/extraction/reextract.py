"""An old run's completions, extracted anew by the rules of today: no model is asked and nothing is compiled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kbench.core.candidate import Candidate
from kbench.core.errors import ExtractError
from kbench.core.extraction.extract import extract
from kbench.core.generation.completions import candidate_text
from kbench.core.generator import Completion
from kbench.core.record import Record
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.store import RunFolder, sha_of
from kbench.core.runs.workbench import Workbench

EXTRACTED = "extracted"


@dataclass(frozen=True)
class Reextracted:
    """One attempt: what came out of its completion when it was judged, and what comes out now.

    `before` and `now` are `extracted` or a class of failure; `same` says that not a character differs.
    """

    attempt: Attempt
    before: str
    now: str
    same: bool
    message: str
    candidate: Candidate | None
    completion: Completion

    def to_line(self) -> dict[str, Any]:
        """The attempt as a line that `--replay` takes: its files, or (where there are none) its completion."""
        if self.candidate is None:
            facts = {"completion": self.completion.text, "finish_reason": self.completion.finish_reason}
            return {**self.attempt._asdict(), **facts}
        return {**self.attempt._asdict(), **json.loads(candidate_text(self.candidate))}


def reextract(run: RunFolder) -> Iterator[Reextracted]:
    """Every attempt of a run that has a completion, in the order of its records.

    Raises:
        ConfigError: the run's suite or backend is gone.
        StoreError: a record or a text cannot be read.
    """
    wordless = {"templates": "", "template": ""}  # nothing is asked: the user's templates may be gone
    work = Workbench.open(run.manifest.model_copy(update=wordless), asks=False)
    try:
        for record in run.records():
            if record.completion_sha or record.reasoning_sha:
                yield _again(record, run, work)
    finally:
        work.close()


def _again(record: Record, run: RunFolder, work: Workbench) -> Reextracted:
    attempt = Attempt(record.task, record.cases_key, record.sample, record.attempt)
    completion = Completion(
        text=run.text(record.completion_sha),
        reasoning=run.text(record.reasoning_sha),
        finish_reason=record.finish_reason or "stop",
        model=record.model,
    )
    before = record.outcome if record.stage == "extract" else EXTRACTED
    try:
        candidate = extract(completion, work.interface(attempt))
    except ExtractError as error:
        same = before == error.outcome
        return Reextracted(attempt, before, error.outcome, same, str(error), None, completion)
    same = sha_of(candidate_text(candidate)) == record.source_sha
    return Reextracted(attempt, before, EXTRACTED, same, "", candidate, completion)
