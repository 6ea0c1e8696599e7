"""What a model sees: everything that it needs, and nothing elided."""

from __future__ import annotations

import dataclasses

import jinja2
import pytest
from fake_plugin import make_case, make_entry, make_task

from kbench import Attr, Case, Interface, Settings, Shapes, SuiteTask, Tensor, Tolerance
from kbench.core.errors import ConfigError
from kbench.core.extraction.extract import extract
from kbench.core.generator import Completion
from kbench.core.prompting import prompt

INTERFACE = Interface(
    language="C",
    entry="absolute",
    files={"kernel": "kernel.c", "header": "kernel.h"},
    signature="void absolute(const float *x, float *y);",
    scaffold={"kernel.c": "void absolute(const float *x, float *y)\n{\n}"},
    rules=("No <recursion> & no 'heap'.",),
    limits={"stack": "8 KiB"},
)


def user_text(entry=None, interface=INTERFACE, **settings):
    entry = entry or make_entry()
    messages = prompt.render_prompt(entry, entry.cases, interface, Settings("fake1", **settings))
    assert [m.role for m in messages] == ["system", "user"]
    assert "fake1" in messages[0].content
    return messages[1].content


def test_it_says_what_to_compute_where_and_under_which_rules():
    text = user_text()
    for part in (
        "# Task: absolute",
        "y = |x|.",
        "- `x` (in): T",
        "T = float32",
        "1. x=(4,); T=float32; y (out) = (4,)",
        "3. x=(64, 64); T=float32; y (out) = (64, 64)",
        "- y (float32): 0 + 1e-06·|expected|",
        "void absolute(const float *x, float *y);",
        "- No <recursion> & no 'heap'.",
        "- stack: 8 KiB",
    ):
        assert part in text, part
    assert "## The host side" not in text


def test_nothing_is_elided():
    cases = tuple(make_case(f"c{i}", *range(1, 30), i + 1000) for i in range(200))
    text = user_text(SuiteTask(make_task(), cases))
    for case in cases:
        assert str(case.shapes["x"]) in text


def test_on_static_shapes_constants_are_allowed():
    entry = make_entry()
    text = user_text(dataclasses.replace(entry, cases=entry.cases[:1]), shapes=Shapes.STATIC)
    assert "## The case\n" in text
    assert "may be constants" in text


def test_the_given_host_is_shown():
    host = "int blocks = 8;"
    assert f"## The host side, which is given\n\n{host}" in user_text(
        interface=dataclasses.replace(INTERFACE, host=host)
    )


def test_extract_reads_the_form_that_the_prompt_shows():
    answer = user_text().split("in exactly this form", 1)[1]
    candidate = extract(Completion(answer), INTERFACE)
    assert candidate.roles == INTERFACE.files
    assert candidate.files["kernel.c"] == "void absolute(const float *x, float *y)\n{\n}\n"


def test_lists_optionals_attributes_values_and_tolerances_are_told():
    task = dataclasses.replace(
        make_task(),
        tensors=(
            Tensor("x", is_list=True),
            Tensor("bias", optional=True),
            Tensor("dims", dtype="int64", host_value=True),
            Tensor("y", "inout"),
        ),
        attrs=(Attr("axis", "int"), Attr("eps", "float", 1e-5)),
        tolerance={"y": {"*": Tolerance(0, 0, "moves")}},
        out_shapes=lambda case, inputs: {"y": tuple(int(n) for n in inputs["dims"])},
        formula="y = x",
    )
    case = Case("a", {"x": [(2,), (3,)], "bias": None, "y": (2,)}, {"T": "float32"}, {"axis": 1}, {"dims": [2]})
    text = user_text(SuiteTask(task, (case,)))
    for part in (
        "- `x` (in, a list of tensors): T",
        "- `bias` (in, optional): T",
        "- `dims` (in, its values are read on the host): int64",
        "- `axis` (attribute, int)\n",
        "- `eps` (attribute, float), default 1e-05",
        "x=[(2,), (3,)], bias=None, y=(2,); T=float32; axis=1; values of dims: [2]",
        "- y (float32): exact, bit for bit",
        "Definition: y = x",
    ):
        assert part in text, part


def test_a_name_that_nobody_gives_is_an_error(monkeypatch):
    templates = jinja2.Environment(
        loader=jinja2.DictLoader({"system.j2": "{{ nobody_gives_this }}", "user.j2": ""}),
        undefined=jinja2.StrictUndefined,
    )
    monkeypatch.setattr(prompt, "_environment", lambda folders: templates)
    with pytest.raises(ConfigError, match="nobody_gives_this"):
        user_text()
