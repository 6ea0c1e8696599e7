"""The committed record of drawn sets of mutants: what killed each, and why each survivor survived.

    python -m benchmarks.mutants_ledger FACTS --draw NAME --seed 2 --commit HASH [--about TEXT]
        [--ledger benchmarks/mutants_ledger.json]

`FACTS` is what `mutants.py --log` (or `--out`) wrote; the ledger keeps a draw by each name. The arguments that it
already gives for a survivor stay; a survivor without one is listed, and the exit status is 1. An argument is written
into the ledger by hand: `class` is `equivalent` (the same results for every legal input, on the device as well),
`cases` (the task's cases cannot show it), `time` (a hazard between pipes, which needs a model of time) or `checker` (
the simulator or the checker was too lax), `argument` says why.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    from benchmarks.mutations import KINDS, SYNC_KINDS
except ImportError:  # beside a script
    from mutations import KINDS, SYNC_KINDS

PER_KIND = 10  # mutants of each kind, those argued equivalent aside, that make a draw whole
SYNCHRONISATION = 200  # mutants that make a draw of the synchronisation kinds whole: some of these have few places
COUNTED = ("killed", "survivor")
REJECTED = ("compile_error", "unknown_api", "link_error", "template_limit", "source_limit", "missing_include")
_PLACE = ("kind", "what", "task", "file", "line")


def read_facts(path: Path) -> list[dict[str, Any]]:
    """One fact a line, or the whole file of `--out`; in the order of the kinds."""
    text = path.read_text()
    facts = json.loads(text)["mutants"] if text.startswith('{\n "settings"') else [*map(json.loads, text.splitlines())]
    order = [*KINDS, *SYNC_KINDS]
    return sorted(facts, key=lambda f: order.index(f["kind"]))


def ledger(facts: Sequence[dict[str, Any]], old: dict[str, Any], kinds: Sequence[str] = ()) -> dict[str, Any]:
    """Counts by kind (of `kinds`, or mutations.py's), and each mutant in a line; the survivors with the arguments given
    before. Of a diff the digest is kept, for the sources are not ours."""
    given = {_key(s): s for s in old.get("survivors", ())}
    counted = [f for f in facts if f["verdict"] in COUNTED]
    survivors = [_survivor(f, given.get(_key(f), {})) for f in counted if f["verdict"] == "survivor"]
    equivalent = sum(s["class"] == "equivalent" for s in survivors)
    killed = len(counted) - len(survivors)
    rejected = sum(f["outcome"] in REJECTED for f in counted)
    kinds = tuple(kinds or (SYNC_KINDS if any(f["kind"] in SYNC_KINDS for f in facts) else KINDS))
    return {
        "complete": _complete(counted, survivors, kinds),
        "killed": killed,
        "of": len(counted),
        "rate": round(killed / max(1, len(counted)), 4),
        "rate_of_those_that_build": round((killed - rejected) / max(1, len(counted) - rejected), 4),
        "rate_without_equivalent": round(killed / max(1, len(counted) - equivalent), 4),
        "kinds": {kind: _counts([f for f in facts if f["kind"] == kind]) for kind in kinds},
        "survivors": survivors,
        "mutants": [_line(f) for f in facts],
    }


def _complete(counted: Sequence[dict[str, Any]], survivors: Sequence[dict[str, Any]], kinds: Sequence[str]) -> bool:
    judged = Counter(f["kind"] for f in counted)
    if kinds == tuple(SYNC_KINDS):
        return judged.total() >= SYNCHRONISATION
    judged.subtract(s["kind"] for s in survivors if s["class"] == "equivalent")
    return all(judged[kind] >= PER_KIND for kind in kinds)


def _line(fact: dict[str, Any]) -> dict[str, Any]:
    kept = {k: fact[k] for k in (*_PLACE, "verdict", "outcome", "message")}
    told = {k: fact[k] for k in ("same_bits", "warnings") if k in fact}
    return {**kept, **told, "diff_sha256": digest(fact)}


def _key(fact: dict[str, Any]) -> tuple[Any, ...]:
    return (*(fact[k] for k in _PLACE), digest(fact))


def digest(fact: dict[str, Any]) -> str:
    """Which change it was, without the text."""
    return fact.get("diff_sha256") or hashlib.sha256(fact["diff"].encode()).hexdigest()


def _survivor(fact: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    words = {"class": old.get("class", ""), "argument": old.get("argument", "")}
    told = {"same_bits": fact["same_bits"], "warnings": fact.get("warnings", [])}
    return {**{k: fact[k] for k in _PLACE}, **told, **words, "diff_sha256": digest(fact)}


def _counts(facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    verdicts = Counter(f["verdict"] for f in facts)
    killers = Counter(f["outcome"] for f in facts if f["verdict"] == "killed")
    replaced = {name: n for name, n in sorted(verdicts.items()) if name not in COUNTED}
    kept = {"killed": verdicts["killed"], "survived": verdicts["survivor"]}
    return {**kept, "replaced": replaced, "by": dict(killers.most_common())}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("facts", type=Path)
    parser.add_argument("--draw", required=True, help="the draw's name in the ledger")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--commit", required=True, help="what the simulator was when the mutants ran")
    parser.add_argument("--about", default="", help="what was drawn from; kept where it is not given")
    parser.add_argument("--ledger", type=Path, default=Path("benchmarks/mutants_ledger.json"))
    given = parser.parse_args(arguments)
    draws = json.loads(given.ledger.read_text()) if given.ledger.exists() else {}
    old = draws.get(given.draw, {})
    about = given.about or old.get("about", "")
    new = {"about": about, "seed": given.seed, "commit": given.commit, **ledger(read_facts(given.facts), old)}
    draws[given.draw] = new
    given.ledger.write_text(json.dumps(draws, indent=1, ensure_ascii=False) + "\n")
    print(
        f"{new['killed']} of {new['of']}, {new['rate']:.1%} ({new['rate_without_equivalent']:.1%} without equivalent)"
    )
    bare = [s for s in new["survivors"] if not s["argument"]]
    for s in bare:
        print(f"no argument yet: {s['task']} {s['file']}:{s['line']} {s['kind']}, {s['what']}")
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
