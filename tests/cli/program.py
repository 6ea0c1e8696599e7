"""The program as the tests run it, in a process of its own, with a backend and a suite of fakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FAKES = Path(__file__).parents[1] / "core"
PLUGINS = ("-p", "fake_plugin", "-p", "no:aie", "-p", "no:ascend")


def kbench(*arguments, plugins=PLUGINS, cwd=None, **environment):
    return subprocess.run(
        command(*arguments, plugins=plugins),
        capture_output=True,
        text=True,
        cwd=cwd,
        env=searching() | {"COLUMNS": "200", "NO_COLOR": "1"} | environment,
    )


def command(*arguments, plugins=PLUGINS):
    return [sys.executable, "-m", "kbench.cli", *plugins, *map(str, arguments)]


def searching():
    """The environment in which a process finds the fakes."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(FAKES), *sys.path])}


def run_fakes(out, *more, **environment):
    return kbench("run", "--backend", "fake", "--suite", "fakes", "--out", out, *more, **environment)


def write_replay(file, behaviors):
    """A file for --replay: a candidate of that behavior for each (task, sample)."""
    lines = [
        {"task": task, "sample": sample, "completion": f"```c\nvoid kernel() {{}} // {behavior}\n```"}
        for (task, sample), behavior in behaviors.items()
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file
