"""Programs run by the backend that reads their kind of source."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbench.core.errors import ConfigError
from kbench.core.execute import execute

FAKES = ["tests.core.fake_plugin"]


def test_the_suffix_chooses_the_backend(tmp_path: Path) -> None:
    source = tmp_path / "p.fake"
    source.write_text("")
    done = execute(source, ["a", "b"], tmp_path, defines=["N=1"], plugins=FAKES)
    assert (done.code, done.stdout) == (3, "fake1 p.fake a b N=1")
    with pytest.raises(ConfigError, match="target"):
        execute(source, [], tmp_path, plugins=FAKES, target="fake9")


def test_sources_that_nobody_runs(tmp_path: Path) -> None:
    source = tmp_path / "p.nothing"
    source.write_text("")
    with pytest.raises(ConfigError, match=r"no backend runs programs of this kind; there are: \.asc, \.cpp"):
        execute(source, [], tmp_path)
    with pytest.raises(ConfigError, match="backend"):
        execute(source, [], tmp_path, backend="none")
