"""From a completion's text to source files."""

from __future__ import annotations

import pytest

from kbench import Candidate, Completion, Interface
from kbench.core.errors import ExtractError
from kbench.core.extraction.extract import extract

ONE = Interface("C", "add", {"kernel": "add.c"}, "", {}, (), {})
TWO = Interface("C", "add", {"op_kernel": "op_kernel/add.cpp", "op_host": "op_host/add.cpp"}, "", {}, (), {})
KERNEL, HOST = "void add() {}\n", "int tiling();\n"
TAGGED = f'<file path="op_kernel/add.cpp">\n{KERNEL}</file>\n<file path="op_host/add.cpp">\n{HOST}</file>\n'


def files(text, interface=TWO, **more):
    return dict(extract(Completion(text, **more), interface).files)


def outcome(text, interface=TWO, **more):
    with pytest.raises(ExtractError) as caught:
        extract(Completion(text, **more), interface)
    return caught.value.outcome


BOTH = {"op_kernel/add.cpp": KERNEL, "op_host/add.cpp": HOST}


@pytest.mark.parametrize(
    "text",
    [
        TAGGED,
        f"Here it is.\n\n{TAGGED}\nDone.",
        "\ufeff" + TAGGED.replace("\n", "\r\n"),
        f"<think>first I try\n```cpp\nvoid add() {{ bad }}\n```\n</think>\n{TAGGED}",
        f"a thought that the prompt opened\n```\nvoid add()\n</think>{TAGGED}",
        TAGGED.replace(KERNEL, f"```cpp\n{KERNEL}```\n")
        .replace('"op_host', "'./op_host")
        .replace('cpp">\nint', "cpp'>\nint"),
        f"### op_kernel/add.cpp\n```cpp\n{KERNEL}```\n\n**`op_host/add.cpp`**:\n\n~~~cpp\n{HOST}~~~\n",
        f"====== op_kernel/add.cpp ======\n```\n{KERNEL}```\n====== op_host/add.cpp ======\n```\n{HOST}```\n",
        f"```cpp op_kernel/add.cpp\n{KERNEL}```\n```cpp title=op_host/add.cpp\n{HOST}```\n",
        TAGGED.replace("void", "broken draft of void") + TAGGED,
    ],
)
def test_files_are_found(text):
    assert files(text) == BOTH


def test_a_comment_may_name_the_file():
    text = f"```cpp\n// op_kernel/add.cpp\n{KERNEL}```\n```cpp\n// op_host/add.cpp\n{HOST}```\n"
    assert files(text)["op_kernel/add.cpp"] == f"// op_kernel/add.cpp\n{KERNEL}"


def test_headers_of_the_candidates_own_come_along():
    found = files(TAGGED + '<file path="op_host/add_tiling.h">\nstruct T {};\n</file>')
    assert found["op_host/add_tiling.h"] == "struct T {};\n"


def test_one_file_needs_no_name():
    text = "Compile with:\n```sh\ncc add.c\n```\nThe kernel:\n```c\nvoid add() {}\n```\n"
    assert files(text, ONE) == {"add.c": KERNEL}
    two_drafts = "```c\nvoid add() { 1; }\n```\nBetter:\n```c\nvoid add() {}\n```"
    assert files(two_drafts, ONE) == {"add.c": KERNEL}


def test_a_candidate_passes_through_and_gets_the_entry():
    given = Candidate({"add.c": KERNEL}, {"kernel": "add.c"})
    assert extract(Completion(candidate=given), ONE).entry == "add"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty_response"),
        (" \r\n\ufeff", "empty_response"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("The kernel adds two vectors.", "no_code"),
        ("<think>hmm, let me see", "truncated"),
        ("```cpp\nvoid add() {", "truncated"),
        (TAGGED[:60], "truncated"),
        (TAGGED.split('<file path="op_host')[0], "missing_part"),
        (TAGGED.split("</file>")[0] + '</file>\n<file path="op_host/add.cpp">\nint', "truncated"),
        (TAGGED.replace("add()", "sum()"), "missing_symbol"),
        (TAGGED.replace("op_host/add.cpp", "../../etc/add.h"), "missing_part"),
        (TAGGED.replace("op_host/add.cpp", "/etc/add.h"), "missing_part"),
    ],
)
def test_what_is_wrong_is_named(text, expected):
    assert outcome(text) == expected


def test_the_finish_reason_tells_a_cut_answer():
    assert outcome(TAGGED.split('<file path="op_host')[0], finish_reason="length") == "truncated"
    assert outcome("Let me begin with", finish_reason="length") == "truncated"
