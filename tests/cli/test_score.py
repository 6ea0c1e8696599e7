"""`kbench score` and `kbench extract`: a run read again."""

from __future__ import annotations

import json

from tests.cli.program import kbench


def test_score_says_the_same(finished):
    out, done = finished
    scored = kbench("score", out, "--json", "-k", "1,2,5")
    assert scored.returncode == 0, scored.stderr
    ran, again = json.loads(done.stdout), json.loads(scored.stdout)
    assert {k: v for k, v in again.items() if k not in ("overall", "levels", "warnings")} == {
        k: v for k, v in ran.items() if k not in ("overall", "levels", "warnings")
    }
    assert again["overall"]["pass_at_k"] == {"1": [0.5, 0.5], "2": [1.0, 1.0], "5": None}
    assert kbench("score", out, "-k", "0").returncode == 2


def test_extract_reads_a_run_again_without_a_model(finished, tmp_path):
    out, _ = finished
    done = kbench("extract", out, "--out", tmp_path / "again.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [{"before": "extracted", "now": "extracted", "same": True, "attempts": 4}]
    assert "4 completions extracted, 0 otherwise than when judged" in done.stderr
    lines = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert {line["task"] for line in lines} == {"absolute", "distance"}
    assert "exists; give another --out" in kbench("extract", out, "--out", tmp_path / "again.jsonl").stderr
