"""The preset `akgen`: one message, everything in it, and an answer in its form is read."""

from __future__ import annotations

import pytest

from kbench import Candidate, Completion, Settings, Shapes, Track
from kbench.backends.ascend import kbench_register_backends
from kbench.core.extraction.extract import extract
from kbench.core.plugins import registry
from kbench.core.preset import Preset
from kbench.task_specs import kbench_register_suites

PRESET: Preset = registry(plugins=["no:aie"]).presets["akgen"]


def asked(track, shapes, task="Gelu"):
    (backend,) = kbench_register_backends()
    suite = dict(kbench_register_suites())["quick"]()
    entry = suite.tasks[task]
    cases = entry.cases[:1] if shapes is Shapes.STATIC else entry.cases
    engine = backend()
    settings = Settings("ascend910b1", track, shapes)
    interface = engine.interface(entry, cases, settings)
    return entry, interface, PRESET.ask(entry, cases, interface, settings)


@pytest.mark.parametrize("track", list(Track))
@pytest.mark.parametrize("shapes", list(Shapes))
def test_one_message_with_everything_in_it(track, shapes):
    entry, interface, messages = asked(track, shapes)
    assert [m.role for m in messages] == ["user"]
    text = messages[0].content
    cases = entry.cases[:1] if shapes is Shapes.STATIC else entry.cases
    for part in (
        entry.task.summary,
        entry.task.formula,
        interface.signature,
        *interface.rules,
        *interface.limits.values(),
        *(case.describe() for case in cases),
        *(scaffold.strip() for scaffold in interface.scaffold.values()),
    ):
        assert part in text, part
    assert ("<kernel_impl>" in text) == (track is Track.KERNEL_ONLY)
    assert ("====== op_host/gelu.cpp ======" in text) == (track is Track.FULL)


@pytest.mark.parametrize("track", list(Track))
def test_an_answer_in_its_form_is_read(track):
    _, interface, _ = asked(track, Shapes.DYNAMIC)
    files = {path: f"// {path}\nvoid gelu() {{}}\n" for path in interface.files.values()}
    answer = PRESET.form(Candidate(files, interface.files, "gelu"), interface)
    thought = "<think>a draft: <kernel_impl>void gelu() {}</kernel_impl></think>\n"
    assert extract(Completion(thought + answer), interface).files == files


def test_its_settings_are_those_of_the_benchmarks_configuration():
    sampling = PRESET.sampling
    assert (sampling.temperature, sampling.max_tokens, sampling.attempts) == (0.7, 16384, 1)
