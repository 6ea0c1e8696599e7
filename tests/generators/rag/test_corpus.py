"""Folders and known solutions become passages, cut by function and by section."""

from __future__ import annotations

import pytest

from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError
from kbench.core.suite import Suite, SuiteTask
from kbench.generators.rag.corpus import WHOLE_FILE, about, from_folder, from_references, solutions_of, split
from kbench.testing import SCALE_AND_ADD


class Engine:
    """The part of a backend that a corpus asks."""

    name = "engine"

    def solutions(self, entry, track):
        return [candidate("second"), candidate("first")]

    def source_labels(self, source):
        return frozenset({"foreign", "chess"} if "chess_" in source else {"vectorised"})


def candidate(text: str) -> Candidate:
    return Candidate({"k.cc": f"void f() {{ {text}(); }}", "k.h": "int x;"}, {"kernel": "k.cc"})


def test_a_small_file_is_one_passage_found_by_its_functions(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "k.cc").write_text("void f() { g(); }\nvoid h() { g(); }\n")
    (tmp_path / "a" / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "a" / "empty.h").write_text("\n")
    (passage,) = from_folder(tmp_path / "a", target="t1")
    assert (passage.source, passage.kind, passage.backend, passage.target) == ("a/k.cc", "code", "", "t1")
    assert [c.name for c in passage.chunks] == ["f", "h"]
    (tmp_path / "a" / "large.h").write_bytes(b" " * 2_000_001)
    told = []
    assert len(list(from_folder(tmp_path / "a", tell=told.append))) == 1
    assert "large.h is left out" in told[0]
    (alone,) = from_folder(tmp_path / "a" / "k.cc")
    assert alone.source == "k.cc"


def test_one_bad_file_stops_no_indexing(tmp_path):
    (tmp_path / "binary.cc").write_bytes(b"void f() {}\n\0\x7fELF")
    (tmp_path / "good.cc").write_text("void f() { g(); }\n")
    (tmp_path / "torn.cc").symlink_to("/proc/self/mem")  # a file whose reading fails
    told: list[str] = []
    (good,) = from_folder(tmp_path, tell=told.append)
    assert good.source.endswith("good.cc")
    assert "binary.cc is left out: it is no text" in told[0]
    assert "torn.cc is left out: it cannot be read" in told[1]


def test_a_long_file_is_cut_by_function():
    long = "\n".join(f"// What f{i} does.\nvoid f{i}() {{ {'g(); ' * 60} }}" for i in range(40))
    assert len(long) > WHOLE_FILE
    passages = list(split(long, "long.cc", "code"))
    assert len(passages) == 40
    assert passages[7].source == "long.cc#7:f7"
    assert passages[7].text.startswith("// What f7 does.")


def test_a_document_is_cut_by_its_headings():
    text = "Before.\n\n# One\n\n```sh\n# no heading\n```\n\nTwo\n===\n\nwords\n"
    assert [(p.source, p.chunks[0].name) for p in split(text, "d.md", "doc")] == [
        ("d.md#0:d", "d"),
        ("d.md#1:One", "One"),
        ("d.md#2:Two", "Two"),
    ]


def test_a_backend_labels_what_it_sees(tmp_path):
    (tmp_path / "k.cc").write_text("void f() { for (;;) chess_prepare_for_pipelining { } }")
    (passage,) = from_folder(tmp_path, backends=[Engine()])
    assert (passage.backend, passage.labels) == ("engine", ("chess", "foreign"))


def test_known_solutions_are_filed_under_their_task():
    own = candidate("own")
    entry = SuiteTask(SCALE_AND_ADD.task, SCALE_AND_ADD.cases, reference=lambda backend, track: own)
    suite = Suite("s", {"ScaleAndAdd": entry})
    passages = list(from_references(suite, Engine()))
    assert [c.files["k.cc"] for c in solutions_of(entry, Engine())] == [
        candidate(t).files["k.cc"] for t in ("own", "second", "first")
    ]
    assert [p.source for p in passages] == [f"s/ScaleAndAdd{n}/{f}" for n in ("", ".1", ".2") for f in ("k.cc", "k.h")]
    assert {(p.task, p.suite, p.backend, p.role) for p in passages} == {
        ("ScaleAndAdd", "s", "engine", "kernel"),
        ("ScaleAndAdd", "s", "engine", ""),
    }
    assert passages[0].about == about(SCALE_AND_ADD.task)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="no folder or file to index"):
        list(from_folder(tmp_path / "none"))
