"""Presets: registered like everything else, planned into the manifest, and told to generators."""

from __future__ import annotations

import dataclasses

import pytest
from fake_plugin import make_entry
from rich.console import Console

import kbench
from kbench.core.cases import plan_cases
from kbench.core.errors import ConfigError
from kbench.core.evaluate import Bench, judge
from kbench.core.generator import Completion, Generator, Message, Request, Sampling
from kbench.core.plugins import registry
from kbench.core.preset import Preset
from kbench.core.report import summary
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.manifest import Attempt, Manifest, PresetFacts
from kbench.core.runs.resume import require_same
from kbench.core.runs.workbench import Workbench, find_preset
from kbench.core.score import score
from kbench.core.scoring.tally import tally

ALONE = ("fake_plugin", "no:aie", "no:ascend", "no:task_specs")
PLUGIN = """
from kbench import Message, Preset, Sampling, hookimpl

def ask(entry, cases, interface, settings):
    return [Message("user", f"{entry.task.name} in {interface.language}, please")]

@hookimpl
def kbench_register_presets():
    return [Preset("terse", "few words", Sampling(seed=7, temperature=0.5, attempts=3), ask)]
"""


@pytest.fixture
def terse(tmp_path, monkeypatch):
    """The name of a plugin with the preset `terse`."""
    (tmp_path / "terse_plugin.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    return "terse_plugin"


def planned(plugin, **more):
    return plan(Options(backend="fake", suite="fakes", plugins=(*ALONE, plugin), preset="terse", **more))


def test_the_manifest_says_how_models_are_asked(terse):
    manifest = planned(terse)
    assert manifest.preset == PresetFacts(name="terse", seed=7, temperature=0.5, attempts=3)
    assert Manifest.model_validate_json(manifest.model_dump_json(by_alias=True)) == manifest
    assert manifest.preset.describe() == "terse: seed 7, temperature 0.5, up to 3 attempts"
    assert manifest.settings.seed == 0  # the inputs' seed stays the user's
    assert plan(Options(backend="fake", suite="fakes", plugins=ALONE)).preset is None


def test_a_run_shows_its_preset(terse):
    manifest = planned(terse)
    console = Console(width=120, record=True)
    console.print(summary(manifest, score(manifest, tally([]))))
    assert "models asked as by preset terse: seed 7, temperature 0.5, up to 3 attempts" in console.export_text()


def test_the_prompt_is_the_preset_s(terse):
    bench = Workbench.open(planned(terse))
    assert bench.messages(Attempt("absolute")) == [Message("user", "absolute in C, please")]


class Listening(Generator):
    name = "listening"

    def __init__(self):
        self.heard: list[Request] = []

    def generate(self, request):
        self.heard.append(request)
        return Completion(text="```c\nvoid kernel() {} // good\n```")


def heard(preset: Preset | None) -> Request:
    entry, generator = make_entry(), Listening()
    known = registry(plugins=ALONE)
    backend = known.backends["fake"]()
    settings = kbench.Settings(target=backend.default_target, seed=5)
    bench = Bench("fakes", backend, generator, settings, **({} if preset is None else {"preset": preset}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "compile", lambda *_: (_ for _ in ()).throw(kbench.core.errors.HarnessError("enough")))
        judge(Attempt("absolute"), entry, plan_cases(entry, entry.cases, 10**6), bench, None)
    return generator.heard[0]


def test_a_generator_is_told_how_to_ask():
    plain = heard(None)
    assert (plain.seed, plain.sampling) == (5, Sampling())
    sampling = Sampling(seed=42, temperature=0.0, top_p=1.0, attempts=10)
    asked = heard(Preset("p", "", sampling))
    assert (asked.seed, asked.sampling) == (42, sampling)
    assert heard(Preset("p", "", Sampling(temperature=1.0))).seed == 5


def test_names_that_are_not_there(terse):
    known = registry(plugins=(*ALONE, terse))
    with pytest.raises(ConfigError, match="no preset named 'ters'; did you mean 'terse'"):
        find_preset("ters", known)
    with pytest.raises(ConfigError, match="no preset named 'loud'"):
        plan(Options(backend="fake", suite="fakes", plugins=ALONE, preset="loud"))


def test_a_plan_keeps_its_preset(terse):
    manifest = planned(terse)
    require_same(manifest, {"preset": "terse"})
    with pytest.raises(ConfigError, match="planned with preset terse"):
        require_same(manifest, {"preset": "other"})
    facts = dataclasses.replace(Sampling(**{**manifest.preset.model_dump(exclude={"name"}), "seed": 8}))
    older = manifest.model_copy(update={"preset": PresetFacts(name="terse", **vars(facts))})
    with pytest.raises(ConfigError, match=r"planned with preset terse: seed 8.*it is terse: seed 7.*start a new run"):
        Workbench.open(older)


def test_what_is_no_preset_is_refused(tmp_path, monkeypatch):
    text = "from kbench import hookimpl\n@hookimpl\ndef kbench_register_presets():\n    return ['loud']\n"
    (tmp_path / "loud_plugin.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=r"'loud_plugin' fails to register its presets: .*expected Preset objects"):
        registry(plugins=(*ALONE, "loud_plugin"))
