"""Symbols of object files: two translations of one source, told apart before they are linked."""

from __future__ import annotations

from pathlib import Path

from kbench.core.hostcc.compiler import CompileJob, Source, compile_object
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.symbols import read_symbols, rename_definitions, section_bytes

_TEXT = """
extern "C" int outside(int);
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
static const unsigned kept[2] __attribute__((used, retain, section("marks"))) = {1, 2};
volatile unsigned shared;
extern "C" int entry(int x) { return twice(x) + outside(x); }
int other() { return shared + static_cast<int>(entry(1)); }
"""


def _compiled(box: Sandbox, folder: Path, hook: str = "") -> Path:
    job = CompileJob(Source({"k.cpp": _TEXT}, "k.cpp"), (), volatile_hook=hook)
    return compile_object(job, box, 60, folder)[0]


def test_definitions_get_a_prefix_but_for_those_that_are_kept(fast_box: Sandbox, tmp_path: Path) -> None:
    object_ = _compiled(fast_box, tmp_path)
    before = read_symbols(object_)
    rename_definitions(object_, "second.", keep=lambda name: name == "entry")
    after = read_symbols(object_)
    assert after.undefined == before.undefined == {"outside"}
    assert after.strong == {name if name == "entry" else f"second.{name}" for name in before.strong}
    assert after.weak == {f"second.{name}" for name in before.weak} == {"second._Z5twiceIiET_S0_"}


def test_sections_are_read_by_name(fast_box: Sandbox, tmp_path: Path) -> None:
    assert section_bytes(_compiled(fast_box, tmp_path))["marks"] == bytes((1, 0, 0, 0, 2, 0, 0, 0))


def test_volatile_loads_call_the_hook(fast_box: Sandbox, tmp_path: Path) -> None:
    assert read_symbols(_compiled(fast_box, tmp_path, "watch")).undefined == {"outside", "watch"}
