"""`kbench exec`: a program with its own launches."""

from __future__ import annotations

import pytest

from tests.cli.program import kbench


@pytest.mark.parametrize(("severity", "status"), [("", 3), ("warning", 3), ("error", 1)])
def test_exec_ends_as_the_program_does(tmp_path, severity, status):
    (tmp_path / "p.fake").write_text(severity)
    done = kbench("exec", "-D", "N=1", tmp_path / "p.fake", "a", "--", "-b")
    assert (done.returncode, done.stdout) == (status, "fake1 p.fake a -b N=1")
    told = [f"p.fake:1: {severity}: seen"] if severity else []
    assert done.stderr.splitlines() == [*told, "ran k on 2 blocks (V 4)"]


def test_exec_names_the_sources_that_it_takes(tmp_path):
    (tmp_path / "p.txt").write_text("")
    done = kbench("exec", tmp_path / "p.txt")
    assert done.returncode == 2
    assert "no backend runs programs of this kind; there are: .fake" in done.stderr
