"""What models write, case by case: `extract/NAME.txt` holds what is asked, what must come out, and the completion.

The first line is JSON: `ask` (`one` file or `three`), `finish_reason`, and `outcome` where nothing comes out. Then each
expected file under a line `===== PATH`, and the completion, to the last byte, under `===== completion`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kbench import Completion, Interface
from kbench.core.errors import ExtractError
from kbench.core.extract import extract
from kbench.core.taxonomy import OUTCOMES

CORPUS = sorted((Path(__file__).parent / "extract").glob("*.txt"))
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


def read(file: Path) -> tuple[dict, dict[str, str], str]:
    """(facts, expected files, completion)"""
    head, _, rest = file.read_bytes().decode().partition("\n")
    expected, _, completion = rest.partition("===== completion\n")
    parts = re.split(r"^===== (\S+)\n", expected, flags=re.MULTILINE)
    return json.loads(head), dict(zip(parts[1::2], parts[2::2], strict=True)), completion


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
    from kbench.core.prompt import Wording

    facts, expected, text = read(file)
    interface = ASKED[facts["ask"]]
    once = extract(Completion(text, finish_reason=facts["finish_reason"]), interface)
    again = extract(Completion(Wording().answer(once, interface)), interface)
    assert {path: text.strip() for path, text in again.files.items()} == {p: t.strip() for p, t in expected.items()}
