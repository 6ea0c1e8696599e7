"""Retrieval, measured: is kin found, are copies in disguise withheld, and what is withheld without need?

    python -m benchmarks.rag.planted COPIES
    python -m benchmarks.rag.measure COPIES [--half tune|judge] [--embedder none|minilm] [--list]

- **copies**: each copy of `planted.py` is judged for the task whose solution it is, by content alone and by name;
- **kin**: how often the guard takes kin (`kin.json`) for copies, and which pairs of different operators;
- **top 3**: for each task with kin, whether one of them is among the three examples that a model would be shown.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kbench.core.likeness.words import same_operator
from kbench.core.plugins import registry
from kbench.core.runs.workbench import load_suite, make_backend
from kbench.generators.rag.corpus import Passage, about, from_references, split
from kbench.generators.rag.embed import embedder
from kbench.generators.rag.guard import Known, Registry
from kbench.generators.rag.index import build
from kbench.generators.rag.retrieve import Retriever, Wanted

KIN = Path(__file__).with_name("kin.json")
SUITES = {"npueval": "aie", "npukernelbench": "ascend"}


@dataclass(frozen=True)
class Corpus:
    """The known solutions of the built-in tasks by suite, and the tasks' own words."""

    passages: Mapping[str, Sequence[Passage]]
    abouts: Mapping[tuple[str, str], str]

    @classmethod
    def load(cls) -> Corpus:
        known = registry(use_entry_points=False)
        suites = {name: load_suite(name, known) for name in SUITES}
        passages = {
            name: tuple(from_references(suite, make_backend(SUITES[name], known))) for name, suite in suites.items()
        }
        return cls(passages, {(n, t): about(e.task) for n, s in suites.items() for t, e in s.tasks.items()})

    def of(self, suite: str, task: str) -> list[Passage]:
        return [p for p in self.passages[suite] if p.task == task]


def folder_name(task: str) -> str:
    """The folder of a task's solutions: `AddCustom` → `add_custom`."""
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(task))


def copies_of(root: Path, half: str) -> Iterator[tuple[dict[str, str], Passage]]:
    for row in json.loads((root / "planted.json").read_text())["copies"]:
        if row["half"] == half:
            text = (root / row["file"]).read_text(encoding="utf-8")
            for passage in split(text, Path(row["file"]).name, "code"):
                yield row, replace(passage, backend=row["backend"])


def judge_copies(corpus: Corpus, root: Path, half: str) -> list[dict[str, Any]]:
    """How each copy is judged for its own task."""
    known: dict[tuple[str, str], Known] = {}
    for suite, passages in corpus.passages.items():
        filed = Registry(passages)
        for task in {p.task for p in passages}:
            known[SUITES[suite], folder_name(task)] = filed.known(task, {})
    rows = []
    for row, passage in copies_of(root, half):
        judged = known[row["backend"], row["task"]]
        verdict = judged.verdict(passage)
        nameless = judged.verdict(replace(passage, source="x", chunks=()))
        rows.append({**row, "source": passage.source, "verdict": verdict.withheld, "content": nameless.withheld,
                     "share": nameless.share, "lacking": nameless.lacking,
                     "surplus": nameless.surplus})  # fmt: skip
    return rows


def judge_kin(corpus: Corpus, kin: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[dict[str, Any]]:
    """How each solution of another operator is judged for each task; `kin` marks the labelled pairs."""
    for suite, passages in corpus.passages.items():
        filed = Registry(passages)
        for task in sorted({p.task for p in passages}):
            known = filed.known(task, {})
            for passage in passages:
                if not same_operator(passage.task, task):
                    verdict = known.verdict(passage)
                    yield {
                        "suite": suite, "task": task, "other": passage.task, "source": passage.source,
                        "kin": passage.task in kin[suite].get(task, ()), "withheld": verdict.withheld,
                        "share": verdict.share, "lacking": verdict.lacking, "surplus": verdict.surplus,
                        "role": passage.role, "nearest": verdict.solution,
                    }  # fmt: skip


def top_three(
    corpus: Corpus, kin: Mapping[str, Mapping[str, Sequence[str]]], wanted: str, folder: Path
) -> Iterator[dict[str, Any]]:
    for suite, backend in SUITES.items():
        model = embedder(wanted)
        index = build(folder / f"{suite}.duckdb", corpus.passages[suite], model)
        looking = Retriever(index, model)
        for task, near in kin[suite].items():
            query = Wanted(corpus.abouts[suite, task], task=task, backend=backend, count=3, budget=1 << 30)
            shown = [hit.passage.task for hit in looking.find(query).shown]
            yield {"suite": suite, "task": task, "shown": shown, "kin": list(near), "hit": bool(set(shown) & set(near))}
        index.close()


def tell_copies(rows: Sequence[dict[str, Any]], listed: bool) -> None:
    print("| disguise | copies | withheld | by content alone |\n|---|---|---|---|")
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        withheld, content = (sum(bool(row[k]) for row in own) for k in ("verdict", "content"))
        print(f"| {kind} | {len(own)} | {withheld} | {content} |")
    for row in rows if listed else ():
        if not row["content"]:
            print(
                "missed:",
                {k: row[k] for k in ("kind", "backend", "task", "source", "verdict", "share", "lacking", "surplus")},
            )


def tell_kin(rows: Sequence[dict[str, Any]], listed: bool) -> None:
    for name, chosen in (("kin", [r for r in rows if r["kin"]]), ("any other operator", rows)):
        taken = [r for r in chosen if r["withheld"]]
        pairs = {(r["suite"], r["task"], r["other"]) for r in chosen}
        shown = {(r["suite"], r["task"], r["other"]) for r in chosen if not r["withheld"]}
        print(
            f"{name}: {len(taken)} of {len(chosen)} passages withheld ({len(taken) / len(chosen):.1%}); "
            f"{len(pairs - shown)} of {len(pairs)} pairs with no passage left"
        )
    for row in rows if listed else ():
        if row["withheld"]:
            print("withheld:", {k: row[k] for k in ("task", "source", "kin", "share", "nearest")})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("copies", type=Path)
    parser.add_argument("--half", choices=("tune", "judge"), default="tune")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--list", action="store_true", help="also what was missed and what was withheld")
    given = parser.parse_args()
    labels = json.loads(KIN.read_text(encoding="utf-8"))
    corpus = Corpus.load()
    print(f"copies of the half {given.half!r}:")
    tell_copies(judge_copies(corpus, given.copies, given.half), given.list)
    tell_kin(list(judge_kin(corpus, labels)), given.list)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(top_three(corpus, labels, given.embedder, Path(folder)))
    print(f"kin in the top three, {given.embedder}: {Counter(r['hit'] for r in rows)[True]} of {len(rows)}")
    for row in rows if given.list else ():
        if not row["hit"]:
            print("no kin:", row)


if __name__ == "__main__":
    main()
