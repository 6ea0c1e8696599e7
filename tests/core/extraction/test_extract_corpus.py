"""What models write, case by case: `extract/NAME.txt` holds what is asked, what must come out, and the completion.

The first line is JSON: `ask` (`one` file or `three`), `finish_reason`, and `outcome` where nothing comes out. Then each
expected file under a line `===== PATH`, and the completion, to the last byte, under `===== completion`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbench import Completion, Interface
from kbench.core.errors import ExtractError
from kbench.core.extraction.extract import extract
from kbench.core.taxonomy import OUTCOMES

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.txt"))
ASKED = {
    "one": Interface("C++", "add", {"kernel": "add.cc"}, "", {}, (), {}),
    "three": Interface(
        "C++",
        "add",
        {"op_kernel": "op_kernel/add.cpp", "op_host": "op_host/add.cpp", "tiling": "op_host/add_tiling.h"},
        "",
        {},
        (),
        {},
    ),
}


#: What answers are made of, for answers that nobody thought of.
PIECES = [
    "```cpp\n", "```\n", "````\n", "~~~\n", "void add(int x) {\n", "}\n", "add(1);\n", "prose\n", "<think>", "</think>",
    '<file path="add.cc">\n', '<file path="op_host/add.cpp">\n', "</file>\n", "### op_kernel/add.cpp\n", "{", '"""',
    "k = ",
    '{"code": "void add() {}"}', "--- a/add.cc\n", "@@ -1 +1 @@\n", "<|im_end|>", "1 | ", "&lt;", "\r\n", "\ufeff",
    "<kernel_impl>", "</kernel_impl>", "I'm sorry, but", "// op_host/add_tiling.h\n", "#include <a.h>\n", "\ud800",
]  # fmt: skip


def read(file: Path) -> tuple[dict, dict[str, str], str]:
    """(facts, expected files, completion)"""
    head, _, rest = file.read_bytes().decode().partition("\n")
    expected, _, completion = rest.partition("===== completion\n")
    parts = re.split(r"^===== (\S+)\n", expected, flags=re.MULTILINE)
    return json.loads(head), dict(zip(parts[1::2], parts[2::2], strict=True)), completion


def outcome_of(text, finish_reason, interface) -> str:
    """`files` where every asked file comes out, else the class of failure."""
    try:
        found = extract(Completion(text, finish_reason=finish_reason), interface).files
    except ExtractError as error:
        return error.outcome
    return "files" if set(interface.files.values()) <= set(found) else "a file is missing"


@pytest.mark.parametrize("file", CORPUS, ids=lambda f: f.stem)
def test_corpus(file):
    facts, expected, text = read(file)
    completion = Completion(text, finish_reason=facts["finish_reason"], reasoning=facts.get("reasoning", ""))
    interface = ASKED[facts["ask"]]
    if "outcome" in facts:
        assert facts["outcome"] in OUTCOMES
        with pytest.raises(ExtractError) as caught:
            extract(completion, interface)
        assert caught.value.outcome == facts["outcome"], str(caught.value)
    else:
        assert dict(extract(completion, interface).files) == expected


def test_the_corpus_is_there():
    assert len(CORPUS) >= 90


@pytest.mark.parametrize("file", [f for f in CORPUS if read(f)[0].get("outcome") is None], ids=lambda f: f.stem)
def test_what_was_extracted_is_extracted_again(file):
    """Files in the form that kbench asks for come out as they went in."""
    from kbench.core.prompting.prompt import Wording

    facts, expected, text = read(file)
    interface = ASKED[facts["ask"]]
    once = extract(Completion(text, finish_reason=facts["finish_reason"]), interface)
    again = extract(Completion(Wording().answer(once, interface)), interface)
    assert {path: text.strip() for path, text in again.files.items()} == {p: t.strip() for p, t in expected.items()}


LONG = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * LONG,
        "</think>" * LONG,
        "<think><reasoning>" * LONG,
        '<file path="a.c">' * LONG,
        "</file>" * LONG,
        "<kernel>" * LONG,
        "```\n" * LONG,
        "```\n\n```\n" * LONG,
        "\n".join("`" * n for n in range(1200, 3, -1)),
        "add(" * LONG,
        "add()" * LONG,
        "add(){" * LONG,
        "```cpp\n" + "/*" * LONG,
        "```cpp\n" + '"' * LONG,
        "a" * LONG + "\n```\nvoid add() {}\n```\n",
        "```" + "a" * LONG + "\nx\n",
        "[" * LONG,
        '{"a":' * LONG,
        '{"a":' * 600 + "1" + "}" * 600,
        'x = """' * LONG,
        "<|channel|>final<|message|>" * LONG,
        "<|begin_of_thought|>" * LONG,
        "=" * LONG + "\n" + "-=" * LONG,
        "@@ -1\n" * LONG,
        "1 | \n" * LONG,
        "&lt;" * LONG,
        "# \n" * LONG,
        "<pre><code>" * LONG,
        "<pre><code>" * LONG + "</code>",
        "> ```a\n" * LONG,
        "```\n" + "<<<<<<< SEARCH\n" * LONG + "```\n",
        "```\n// " + "-" * LONG + "\n```\n",
        "```\n// " + "a." * LONG + "\n```\n",
        "<answer>" * LONG + "</answer>",
        '<file path="a.c">' * LONG + "</file>",
        '{"a": 1}\n' * LONG,
    ],
    ids=lambda text: text[:14].replace("\n", "|"),
)
@pytest.mark.parametrize("finish_reason", ["stop", "length"])
def test_what_never_ends_is_read_in_one_pass(text, finish_reason):
    """A model that repeats itself, or means harm, writes such texts; reading them takes no longer than other texts."""
    for interface in ASKED.values():
        assert outcome_of(text, finish_reason, interface) in (*OUTCOMES, "files")


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(["stop", "length"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_whatever_is_written_gives_files_or_a_class_of_failure(text, finish_reason):
    for interface in ASKED.values():
        assert outcome_of(text, finish_reason, interface) in (*OUTCOMES, "files")
