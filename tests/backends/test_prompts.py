"""Prompts of both backends hold all that a candidate is judged by, and nothing is cut."""

from __future__ import annotations

import pytest

from kbench import Completion, Settings, Shapes, Track
from kbench.core.backend import Backend
from kbench.core.extraction.extract import extract
from kbench.core.plugins import registry
from kbench.core.prompting.outline import outline
from kbench.core.prompting.prompt import Wording, render_prompt

KNOWN = registry()
ASKED = [
    ("ascend", "quick", "Gelu"),
    ("ascend", "quick", "ForeachAbs"),
    ("ascend", "quick", "MseLoss"),
    ("ascend", "quick", "Fill"),
    ("aie", "npueval", "relu_bfloat16"),
    ("aie", "npueval", "conv1d_int32"),
]


def asked(backend: str, suite: str, task: str, **more):
    engine: Backend = KNOWN.backends[backend]()
    entry = KNOWN.suites[suite]().tasks[task]
    settings = Settings(engine.default_target, **more)
    cases = entry.cases[:1] if settings.shapes is Shapes.STATIC else entry.cases
    return engine, entry, cases, settings, engine.interface(entry, cases, settings)


@pytest.mark.parametrize("shapes", list(Shapes))
@pytest.mark.parametrize("track", list(Track))
@pytest.mark.parametrize(("backend", "suite", "task"), ASKED)
def test_everything_is_in_the_prompt(backend, suite, task, track, shapes):
    _, entry, cases, settings, interface = asked(backend, suite, task, track=track, shapes=shapes)
    system, user = render_prompt(entry, cases, interface, settings)
    for part in (
        entry.task.summary,
        interface.signature,
        *interface.files.values(),
        *interface.rules,
        *interface.limits,
        *interface.limits.values(),
        *(text.strip() for text in interface.scaffold.values()),
        *(case.describe() for case in cases),
        interface.host.strip(),
    ):
        assert part in user.content, part
    assert "…\n</file>" not in user.content  # a file without its scaffold
    assert settings.target in system.content
    assert ("The case\n" in user.content or "one case" in user.content) or len(cases) > 1


def test_a_tile_is_asked_for_with_the_file_to_fill_in():
    _, entry, cases, settings, interface = asked("aie", "npueval", "relu_bfloat16")
    _, user = render_prompt(entry, cases, interface, settings)
    assert user.content.startswith(f"/*\n{outline(entry.task, cases)}\n*/\n#include <aie_api/aie.hpp>")


@pytest.mark.parametrize(("backend", "suite", "task"), [ASKED[0], ASKED[4]])
def test_a_known_solution_in_the_asked_form_comes_out_as_it_went_in(backend, suite, task):
    engine, entry, _, settings, interface = asked(backend, suite, task)
    known = engine.reference(entry, settings.track)
    found = extract(Completion(Wording().answer(known, interface)), interface)
    assert {path: text.strip() for path, text in found.files.items()} == {
        path: text.strip() for path, text in known.files.items()
    }
