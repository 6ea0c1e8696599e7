"""What the ledger of mutants counts, and that it keeps the arguments."""

from __future__ import annotations

from typing import Any

from benchmarks.mutants_ledger import PER_KIND, SYNCHRONISATION, ledger
from benchmarks.mutations import KINDS, SYNC_KINDS


def fact(verdict: str, outcome: str, **more: Any) -> dict[str, Any]:
    place = {"kind": "tail", "what": "count - 1", "task": "suite/Task", "file": "kernel.cpp", "line": 7}
    return {**place, "verdict": verdict, "outcome": outcome, "message": "", "diff": "-a\n+b", **more}


def test_counts_and_arguments() -> None:
    facts = [fact("killed", "crash"), fact("void", "unsupported"), fact("survivor", "passed", line=9, same_bits=True)]
    first = ledger(facts, {})
    assert (first["killed"], first["of"], first["rate"], first["complete"]) == (1, 2, 0.5, False)
    assert first["kinds"]["tail"] == {"killed": 1, "survived": 1, "replaced": {"void": 1}, "by": {"crash": 1}}
    (survivor,) = first["survivors"]
    argued = {**survivor, "class": "equivalent", "argument": "the last element is written twice"}
    again = ledger(facts, {**first, "survivors": [argued]})
    assert again["survivors"] == [argued]
    assert again["rate_without_equivalent"] == 1.0


def test_a_draw_is_whole_without_what_is_equivalent() -> None:
    facts = [{**fact("killed", "crash", line=n), "kind": kind} for kind in KINDS for n in range(PER_KIND)]
    assert ledger(facts, {})["complete"]
    facts[0] |= {"verdict": "survivor", "outcome": "passed", "same_bits": True}
    first = ledger(facts, {})
    argued = [{**s, "class": "equivalent", "argument": "nobody reads it"} for s in first["survivors"]]
    assert first["complete"]
    assert not ledger(facts, {**first, "survivors": argued})["complete"]


def test_a_draw_of_synchronisation_is_whole_at_two_hundred() -> None:
    facts = [{**fact("killed", "rule_violation", line=n), "kind": "wait"} for n in range(SYNCHRONISATION)]
    whole = ledger(facts, {})
    assert whole["complete"]
    assert list(whole["kinds"]) == list(SYNC_KINDS)
    assert not ledger(facts[1:], {})["complete"]


def test_a_draw_may_have_kinds_of_its_own() -> None:
    facts = [{**fact("killed", "crash", line=n), "kind": "alias"} for n in range(PER_KIND)]
    assert ledger(facts, {}, ("alias",))["kinds"]["alias"]["killed"] == PER_KIND
    assert ledger(facts, {}, ("alias",))["complete"]
