"""What was compiled before is not compiled again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kbench.core.hostcc import cache, compiler
from kbench.core.hostcc.compiler import CompileJob, Source, compile_object
from kbench.core.hostcc.sandbox import Finished, Sandbox


@pytest.fixture
def launches(fast_box: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands that ran in the sandbox; the kept objects begin empty."""
    monkeypatch.setattr(compiler.objects, "object_cache", lambda: cache.Cache(tmp_path / "objects", 1 << 30))
    seen: list[list[str]] = []
    run = type(fast_box).run

    def counted(self: Sandbox, argv: list[str], **options: Any) -> Finished:
        seen.append(argv)
        return run(self, argv, **options)

    monkeypatch.setattr(type(fast_box), "run", counted)
    return seen


def made(text: str, box: Sandbox, folder: Path, **options: Any) -> tuple[Path, tuple[Any, ...]]:
    return compile_object(CompileJob(Source({"k.cpp": text}, "k.cpp"), (), **options), box, 60, folder)


def test_the_same_source_is_compiled_once(fast_box: Sandbox, tmp_path: Path, launches: list[list[str]]) -> None:
    text = "int f(int x) {\n  if (x = 3) return 1;\n  return 0;\n}\n"
    first, findings = made(text, fast_box, tmp_path / "a")
    again, same = made(text, fast_box, tmp_path / "b")
    assert len(launches) == 1
    assert findings
    assert same == findings
    assert again != first
    assert again.read_bytes() == first.read_bytes()


def test_what_follows_may_write_into_the_copy(fast_box: Sandbox, tmp_path: Path, launches: list[list[str]]) -> None:
    first, _ = made("int f() { return 1; }\n", fast_box, tmp_path / "a")
    whole = first.read_bytes()
    first.write_bytes(b"spoilt")
    again, _ = made("int f() { return 1; }\n", fast_box, tmp_path / "b")
    again.write_bytes(b"spoilt")
    third, _ = made("int f() { return 1; }\n", fast_box, tmp_path / "c")
    assert third.read_bytes() == whole
    assert len(launches) == 1


@pytest.mark.parametrize(
    "change", [{"defines": ("TWO",)}, {"flags": ("-O1",)}, {"part": "host"}], ids=["macro", "flag", "part"]
)
def test_other_options_are_another_object(
    fast_box: Sandbox, tmp_path: Path, launches: list[list[str]], change: dict[str, Any]
) -> None:
    made("int f() { return 1; }\n", fast_box, tmp_path / "a")
    made("int f() { return 1; }\n", fast_box, tmp_path / "b", **change)
    assert len(launches) == 2


def test_a_failure_is_judged_again(fast_box: Sandbox, tmp_path: Path, launches: list[list[str]]) -> None:
    for folder in "ab":
        with pytest.raises(compiler.CompileError):
            made("int f() { return }\n", fast_box, tmp_path / folder)
    assert len(launches) == 2
