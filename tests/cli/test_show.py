"""`kbench show`, `list`, `prompt` and `doctor`: what there is, and what a model would be asked."""

from __future__ import annotations

import json

from tests.cli.program import PLUGINS, kbench


def test_show_tells_a_run_a_task_and_an_attempt(finished):
    out, _ = finished
    assert "2 of 4 attempts passed" in kbench("show", out).stdout
    shown = kbench("show", out, "absolute", "--sample", "1", "--source")
    assert "fakes/absolute sample 1: wrong_values" in shown.stdout
    assert "case odd: wrong_values  y[0, 0]: expected " in shown.stdout
    assert "case large: skipped  size: 8,192 elements, at most 100" in shown.stdout
    assert "--- kernel.c\nvoid kernel() {} // half" in shown.stdout
    assert "--- log\nthe kernel says: minus" in kbench("show", out, "absolute", "--sample", "1", "--log").stdout
    records = [json.loads(line) for line in kbench("show", out, "--json").stdout.splitlines()]
    assert [r["schema"] for r in records] == [2] * 4
    assert "did you mean 'absolute'" in kbench("show", out, "absolut").stderr
    assert "y = |x|." in kbench("show", "absolute", "--suite", "fakes").stdout
    assert kbench("show", "nowhere").returncode == 2


def test_list(tmp_path):
    everything = kbench("list", "--suite", "fakes").stdout
    for name in ("fake1", "replay", "reference", "fakes", "quick", "distance"):
        assert name in everything
    assert json.loads(kbench("list", "targets", "--json").stdout) == {"targets": ["fake1", "fake2"]}


def test_prompt_prints_exactly_the_messages():
    options = ("prompt", "absolute", "--backend", "fake", "--suite", "fakes")
    text = kbench(*options).stdout
    messages = json.loads(kbench(*options, "--json").stdout)
    assert [m["role"] for m in messages] == ["system", "user"]
    assert text == "\n".join(f"--- {m['role']}\n\n{m['content']}" for m in messages)
    for shown in (
        "y = |x|.",
        "x=(3, 5)",
        "x=(64, 64)",
        '<file path="kernel.c">',
        "void kernel(const float *x, float *y);",
    ):
        assert shown in text
    static = kbench(*options, "--shapes", "static", "--cases", "odd").stdout
    assert "x=(3, 5)" in static
    assert "x=(64, 64)" not in static


def test_doctor_shows_every_component_and_goes_on():
    done = kbench("doctor", plugins=(*PLUGINS, "-p", "no_such_plugin"))
    assert done.returncode == 0
    assert "plugin 'no_such_plugin'" in done.stdout
    assert "fake runner" in done.stdout
    statuses = {probe["component"]: probe["status"] for probe in json.loads(kbench("doctor", "--json").stdout)}
    assert statuses["kbench"] == statuses["fake runner"] == "ok"
    assert {"compiler", "cache", "sandbox bwrap", "sandbox seccomp"} <= set(statuses)
