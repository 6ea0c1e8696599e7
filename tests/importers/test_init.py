"""A folder to import into."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbench.core.errors import ConfigError
from kbench.importers import new_folder


def break_off(out: Path) -> None:
    with new_folder(out) as here:
        (here / "half").touch()
        raise KeyboardInterrupt


def test_an_import_that_is_broken_off_leaves_nothing_and_can_be_started_again(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "suite"
    with pytest.raises(KeyboardInterrupt):
        break_off(out)
    assert list(out.parent.iterdir()) == []
    (out.parent / "suite.part").mkdir()  # of one that was killed
    (out.parent / "suite.part" / "half").touch()
    with new_folder(out) as here:
        (here / "whole").touch()
        assert not out.exists()
    assert [p.name for p in out.iterdir()] == ["whole"]
    assert [p.name for p in out.parent.iterdir()] == ["suite"]


def test_an_empty_folder_is_taken_and_a_full_one_is_not(tmp_path: Path) -> None:
    out = tmp_path / "suite"
    out.mkdir()
    with new_folder(out) as here:
        (here / "whole").touch()
    assert (out / "whole").is_file()
    with pytest.raises(ConfigError, match="suite exists and is not empty"), new_folder(out):
        pass
    with pytest.raises(ConfigError, match="whole exists and is a file"), new_folder(out / "whole"):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["suite"]
