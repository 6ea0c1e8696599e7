"""The words of a prompt: styles, templates of the user's and of a plugin's, and what records say of them."""

from __future__ import annotations

import pytest
from fake_plugin import make_entry

from kbench import Candidate, Settings
from kbench.core.errors import ConfigError
from kbench.core.prompting.prompt import Wording
from kbench.core.runs.campaign import Options, check_prompt, plan
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.workbench import Workbench
from tests.core.prompting.test_prompt import INTERFACE

ALONE = ("fake_plugin", "no:aie", "no:ascend", "no:task_specs")


def messages(wording):
    entry = make_entry()
    return wording.messages(None, entry, entry.cases, INTERFACE, Settings("fake1"))


def planned(**more):
    return plan(Options(**{"backend": "fake", "suite": "fakes", "plugins": ALONE, "tasks": ["absolute"]} | more))


def test_a_style_says_how_to_answer_after_the_question():
    plain, reasoned = messages(Wording()), messages(Wording("cot"))
    assert reasoned[0] == plain[0]
    assert reasoned[1].content.startswith(plain[1].content.rstrip())
    assert "Reason before you write code" in reasoned[1].content


def test_a_template_of_the_users_goes_before_and_may_extend(tmp_path):
    (tmp_path / "system.j2").write_text("Be terse, {{ target }}.")
    (tmp_path / "style-haiku.j2").write_text("Answer in three lines.")
    (tmp_path / "user.j2").write_text('{% include "core/user.j2" %}\n\nThank you.')
    system, user = messages(Wording("haiku", str(tmp_path)))
    assert system.content == "Be terse, fake1.\n"
    assert "# Task: absolute" in user.content
    assert user.content.endswith("Thank you.\n\nAnswer in three lines.\n")


def test_the_version_changes_with_every_word(tmp_path):
    plain = Wording().version(INTERFACE)
    (tmp_path / "feedback.j2").write_text("Wrong.")
    versions = {plain, Wording("cot").version(INTERFACE), Wording(folder=str(tmp_path)).version(INTERFACE)}
    assert len(versions) == 3
    assert all(version.startswith("2-") for version in versions)


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no style of prompts named 'cott'; did you mean 'cot'"):
        check_prompt(planned(style="cott"))
    with pytest.raises(ConfigError, match="no template"):
        check_prompt(planned(templates=str(tmp_path)))


def test_words_that_a_preset_would_not_use_are_refused(tmp_path):
    (tmp_path / "user.j2").write_text("Write it.")
    with pytest.raises(ConfigError, match=r"user\.j2: not used, for --preset npueval words the prompt itself"):
        check_prompt(planned(templates=str(tmp_path), preset="npueval"))
    (tmp_path / "user.j2").rename(tmp_path / "feedback.j2")
    check_prompt(planned(templates=str(tmp_path), preset="npueval"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("user.j2", "A\n{{ task.nam }}", "template user.j2, line 2: .* has no attribute 'nam'"),
        ("user.j2", "{% if task %}", "template user.j2, line 1: Unexpected end of template"),
        ("user.j2", '{% include "parts.j2" %}', "no template 'parts.j2'"),
        (
            "feedback.j2",
            '{% if outcome == "passed" %}{{ tims }}{% endif %}',
            "line 1: 'tims' is undefined",
        ),
        ("usr.j2", "Hello.", "no template .* named 'usr.j2'; did you mean 'user.j2'"),
    ],
)
def test_a_template_that_does_not_work_is_told_before_anything_is_asked(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=said):
        check_prompt(planned(templates=str(tmp_path)))


def test_the_version_changes_with_what_a_template_includes(tmp_path):
    (tmp_path / "user.j2").write_text('{% include "parts.j2" %}')
    versions = set()
    for text in ("One.", "Two."):
        (tmp_path / "parts.j2").write_text(text)
        versions.add(Wording(folder=str(tmp_path)).version(INTERFACE))
    assert len(versions) == 2
    check_prompt(planned(templates=str(tmp_path)))


def test_a_plugin_may_bring_templates(tmp_path, monkeypatch):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "system.j2").write_text("Words of a plugin.")
    (tmp_path / "wordy_plugin.py").write_text(
        "from pathlib import Path\nfrom kbench import hookimpl\n\n@hookimpl\ndef kbench_register_templates():\n"
        "    return [('wordy', Path(__file__).parent / 'words')]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    manifest = planned(templates="wordy", plugins=(*ALONE, "wordy_plugin"))
    assert manifest.templates == "wordy"
    check_prompt(manifest)
    work = Workbench.open(manifest)
    assert work.messages(Attempt("absolute"))[0].content == "Words of a plugin.\n"


def test_templates_that_changed_after_the_plan_are_refused(tmp_path):
    (tmp_path / "system.j2").write_text("One.")
    manifest = planned(templates=str(tmp_path))
    Workbench.open(manifest)
    (tmp_path / "system.j2").write_text("Two.")
    with pytest.raises(ConfigError, match="have changed since this run was planned"):
        Workbench.open(manifest)


def test_an_answer_is_in_the_form_that_is_asked_for():
    candidate = Candidate({"own.h": "h", "kernel.c": "k", "kernel.h": "g"}, {}, "absolute")
    assert Wording().answer(candidate, INTERFACE) == (
        '<file path="kernel.c">\nk\n</file>\n<file path="kernel.h">\ng\n</file>\n<file path="own.h">\nh\n</file>\n'
    )
