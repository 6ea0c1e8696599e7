from __future__ import annotations

import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbench.core.errors import ConfigError
from kbench.core.hostcc import cache as cache_module
from kbench.core.hostcc.cache import Cache, content_key, default_cache


def _make(text: str):
    def make(folder: Path) -> None:
        (folder / "sub").mkdir()
        (folder / "sub" / "file").write_text(text)
        (folder / "empty").write_text("")

    return make


def test_builds_once_and_finds_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("k1") is None
    first = cache.build("k1", _make("one"))
    assert (first / "sub" / "file").read_text() == "one"
    assert cache.build("k1", _make("two")) == first
    assert (first / "sub" / "file").read_text() == "one"
    assert cache.get("k1") == first


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("x")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        Cache(tmp_path).build("k1", fail)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]
    assert Cache(tmp_path).get("k1") is None


@pytest.mark.parametrize("damage", ["truncate", "delete", "no_seal", "torn_seal"])
def test_a_damaged_entry_is_rebuilt(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    entry = cache.build("k1", _make("whole"))
    seal = entry / cache_module.ENTRY
    if damage == "truncate":
        (entry / "sub" / "file").write_text("w")
    elif damage == "delete":
        (entry / "empty").unlink()
    elif damage == "no_seal":
        seal.unlink()
    else:
        seal.write_text(seal.read_text()[:5])
    assert cache.get("k1") is None
    again = cache.build("k1", _make("whole"))
    assert (again / "sub" / "file").read_text() == "whole"
    assert cache.get("k1") == again


def _worker(arguments: tuple[str, int]) -> list[str]:
    root, seed = arguments
    cache = Cache(Path(root))
    seen = []
    for i in range(30):
        key = f"key{(i * 7 + seed) % 10}"
        entry = cache.build(key, _make(key * 1000))
        seen.append((entry / "sub" / "file").read_text()[: len(key)])
        if (i + seed) % 11 == 0:  # somebody damages an entry meanwhile
            (entry / cache_module.ENTRY).unlink(missing_ok=True)
    return seen


def test_many_processes_see_whole_entries_only(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        results = pool.map(_worker, [(str(tmp_path), seed) for seed in range(3)])
    for seed, seen in enumerate(results):
        assert seen == [f"key{(i * 7 + seed) % 10}" for i in range(30)]
    left = [p for p in tmp_path.rglob(".*") if p.name != cache_module.ENTRY]
    assert left == [], "no private folder remains"


def test_an_unwritable_cache_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(file / "cache"))
    with pytest.raises(ConfigError, match=r"KBENCH_CACHE_DIR") as caught:
        default_cache()
    assert str(file / "cache") in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_cache_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(tmp_path))
    with pytest.raises(ConfigError, match="KBENCH_CACHE_DIR"):
        default_cache()


@given(st.lists(st.binary(max_size=8), max_size=4), st.lists(st.binary(max_size=8), max_size=4))
def test_keys_are_equal_only_for_equal_parts(a: list[bytes], b: list[bytes]) -> None:
    assert (content_key(*a) == content_key(*b)) == (a == b)


def test_a_path_stands_for_its_content(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_text("1")
    before = content_key(tmp_path / "d")
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "x").write_text("1")
    assert content_key(tmp_path / "e") == before
    (tmp_path / "e" / "y").write_text("")
    assert content_key(tmp_path / "e") != before


def test_a_limited_cache_lets_go_of_what_was_not_used_for_longest(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit_bytes=1000)
    for n in range(10):
        folder = cache.build(f"k{n}", _make("x" * 150))
        os.utime(folder / cache_module.ENTRY, (n, n))
    assert cache.get("k0") is not None  # used again
    cache.prune(1000)
    left = [n for n in range(10) if cache.get(f"k{n}")]
    assert left == [0, 6, 7, 8, 9]


def test_a_limited_cache_looks_at_its_size_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_BETWEEN_PRUNINGS", 4)
    cache = Cache(tmp_path, limit_bytes=1000)
    for n in range(40):
        cache.build(f"k{n}", _make("x" * 150))
    assert sum(p.stat().st_size for p in tmp_path.rglob("file")) <= 1000 + 4 * 150


def test_without_a_folder_of_its_own_it_lies_with_other_caches(tmp_path, monkeypatch):
    monkeypatch.delenv("KBENCH_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for named, root in ((str(tmp_path / "xdg"), tmp_path / "xdg"), ("relative", tmp_path / "home/.cache")):
        monkeypatch.setenv("XDG_CACHE_HOME", named)
        assert default_cache().root == root / "kbench"
