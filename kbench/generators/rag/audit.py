"""Looks at a run's prompts again: was what they show found in this index, and is none of it a solution of its task?

The records say what was retrieved and by which evidence. This takes nothing from them but the identity of the passages:
each must stand, as it is in the index, in the prompt that was sent, and is judged anew against the solutions that the
suite and the backend have now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kbench.core.errors import ConfigError
from kbench.core.plugins import Registry
from kbench.core.record import Record
from kbench.core.runs.store import RunFolder
from kbench.core.runs.workbench import load_suite, make_backend
from kbench.generators.rag.corpus import Passage, solutions_of
from kbench.generators.rag.guard import Registry as Solutions
from kbench.generators.rag.guard import Verdict
from kbench.generators.rag.index import Index
from kbench.generators.rag.retrieve import texts_of


@dataclass(frozen=True)
class Shown:
    """A passage that a prompt showed, and the verdict on it; `wrong` says what is amiss, empty where nothing is."""

    task: str
    sample: int
    source: str
    verdict: Verdict
    wrong: str = ""


def audit(run: Path, index: Path, known: Registry) -> Iterator[Shown]:
    """Everything that the prompts of a run showed.

    Raises:
        ConfigError: no run or index there, the run retrieved nothing, or from another index.
    """
    folder, found = RunFolder.open(run), Index(index)
    try:
        passages = {p.sha: p for p in found.passages().values()}
        judge = _Judge(folder, known, Solutions(passages.values()))
        records = [record for record in folder.records() if record.retrieved]
        if not records:
            raise ConfigError(f"no record of {run} says that anything was retrieved: there is nothing to audit")
        for record in records:
            for facts in record.retrieved:
                if facts.get("index") != found.digest:
                    raise ConfigError(f"{record.task} was shown what another index holds ({facts.get('index')})")
                for hit in facts["shown"]:
                    yield judge.shown(record, hit["source"], passages.get(hit["sha"]))
    finally:
        found.close()


class _Judge:
    def __init__(self, folder: RunFolder, known: Registry, filed: Solutions) -> None:
        self._folder, self._filed = folder, filed
        self._suite = load_suite(folder.manifest.suite_source, known)
        self._backend = make_backend(folder.manifest.backend, known)

    def shown(self, record: Record, source: str, passage: Passage | None) -> Shown:
        if passage is None:
            return Shown(record.task, record.sample, source, Verdict(), "the index holds no such passage")
        solutions = texts_of(solutions_of(self._suite.tasks[record.task], self._backend))
        verdict = self._filed.known(record.task, solutions).verdict(passage)
        wrong = f"may not be shown: {verdict.withheld} of {verdict.solution}" if verdict.withheld else ""
        if not wrong and not self._stands_in_prompt(record, passage):
            wrong = "the prompt as sent does not show it as it is in the index"
        return Shown(record.task, record.sample, source, verdict, wrong)

    def _stands_in_prompt(self, record: Record, passage: Passage) -> bool:
        from kbench.core.bench import messages_of

        sent = messages_of(self._folder.text(record.prompt_sha))
        return any(passage.text.strip() in message.content for message in sent)
