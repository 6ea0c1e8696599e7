"""Few-shot examples: solved tasks, never the task's own solution in any disguise."""

from __future__ import annotations

import dataclasses

import pytest
from fake_plugin import FakeBackend, candidate, make_entry

from kbench import Candidate, Settings, Shapes, Suite
from kbench.core.bench import Bench
from kbench.core.errors import ConfigError
from kbench.core.plugins import Registry
from kbench.core.prompting.prompt import Wording
from kbench.core.prompting.shots import few_shots
from kbench.generators.reference import Reference

ROOT = "void kernel(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = sqrtf(x[i]) * 0.5f; }"
RENAMED = """void kernel(const float* in, float* out, int len)
{
  // half of the root
  for (int k = 0; k < len; k++)
    out[k] = sqrtf(in[k]) * 0.5f;
}"""
OTHER = "void kernel(const float *x, float *y, int n) { y[0] = 0; for (int i = 0; i < n; i++) y[0] += expf(x[i]) + 1; }"


def solution(text: str) -> Candidate:
    return Candidate({"kernel.c": text}, {"kernel": "kernel.c"}, "kernel")


def suite(**texts: str) -> Suite:
    """A suite of tasks of these names, with these solutions."""
    entries = {
        name: dataclasses.replace(make_entry(name), reference=lambda backend, track, text=text: solution(text))
        for name, text in texts.items()
    }
    return Suite("s", entries)


def bench(**settings) -> Bench:
    return Bench("s", FakeBackend(), Reference(), Settings("fake1", **settings))


def shots(solved: Suite, task: str, count: int, **settings):
    return few_shots(Registry(), solved, solved.tasks[task], bench(**settings), count)


def test_an_example_is_a_question_and_its_answer():
    question, answer = shots(suite(damp_root=ROOT, exp_sum=OTHER), "damp_root", 1)
    assert (question.role, answer.role) == ("user", "assistant")
    assert "# Task: exp_sum" in question.content
    assert answer.content == f'<file path="kernel.c">\n{OTHER}\n</file>\n'


def test_a_copy_of_what_only_the_backend_brings_is_no_example(monkeypatch):
    monkeypatch.setattr(FakeBackend, "solutions", lambda self, entry, track: (solution(ROOT),))
    solved = suite(damp_root=OTHER, damped=RENAMED)
    with pytest.raises(ConfigError, match="has 0 solved tasks"):
        shots(solved, "damp_root", 1)


def test_neither_the_task_nor_its_copies_are_examples():
    solved = suite(damp_root=ROOT, damp_root_bfloat16=OTHER, damped=RENAMED, exp_sum=OTHER)
    question, _ = shots(solved, "damp_root", 1)
    assert "# Task: exp_sum" in question.content
    with pytest.raises(ConfigError, match=r"--shots 2: backend 'fake' has 1 solved tasks .*besides 'damp_root'"):
        shots(solved, "damp_root", 2)


def test_examples_are_the_same_for_every_sample_and_differ_by_seed():
    texts = {
        f"task_{word}": OTHER.replace("exp", word) for word in ("sin", "cos", "tan", "log", "erf", "ceil", "floor")
    }
    solved = suite(damp_root=ROOT, **texts)
    first = shots(solved, "damp_root", 3)
    assert first == shots(solved, "damp_root", 3)
    assert len(first) == 6
    assert any(shots(solved, "damp_root", 3, seed=seed) != first for seed in range(1, 5))


def test_an_example_shows_few_cases_and_asks_for_no_style():
    solved = suite(damp_root=ROOT, exp_sum=OTHER)
    static, _ = shots(solved, "damp_root", 1, shapes=Shapes.STATIC)
    assert "x=(4,)" in static.content
    assert "x=(3, 5)" not in static.content
    styled = dataclasses.replace(bench(), wording=Wording("cot"))
    question, _ = few_shots(Registry(), solved, solved.tasks["damp_root"], styled, 1)
    assert "## How to answer" not in question.content


def test_the_prompt_holds_its_examples_before_the_question(tmp_path):
    from kbench.core.runs.campaign import Options, check_prompt, plan
    from kbench.core.runs.manifest import Attempt
    from kbench.core.runs.workbench import Workbench

    plugins = ("fake_plugin", "no:aie", "no:ascend", "no:task_specs")
    manifest = plan(Options(backend="fake", suite="fakes", plugins=plugins, shots=1, tasks=["absolute"]))
    # Both tasks of the fake suite are solved by the same kernel: none may be an example of the other.
    assert candidate("good").files
    with pytest.raises(ConfigError, match="--shots 1: backend 'fake' has 0 solved tasks"):
        check_prompt(manifest)
    plain = Workbench.open(manifest.model_copy(update={"shots": 0})).messages(Attempt("absolute"))
    assert [m.role for m in plain] == ["system", "user"]
