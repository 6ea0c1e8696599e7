"""A finished run, for the commands that read one."""

from __future__ import annotations

import pytest

from tests.cli.program import run_fakes, write_replay


@pytest.fixture(scope="package")
def finished(tmp_path_factory):
    """A run of two tasks, two samples, of which one is wrong; and how the command that made it ended."""
    folder = tmp_path_factory.mktemp("runs")
    behaviors = {
        (task, i): behavior for task in ("absolute", "distance") for i, behavior in enumerate(("good", "half"))
    }
    replay = write_replay(folder / "replay.jsonl", behaviors)
    out = folder / "run"
    done = run_fakes(out, "--samples", 2, "--replay", replay, "--max-elements", 100, "--json", "-j", 2)
    assert done.returncode == 0, done.stderr
    return out, done
