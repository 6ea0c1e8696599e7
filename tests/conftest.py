"""Fixtures of many tests."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

Failures = dict[str, dict[str, str]]


@pytest.fixture(scope="session")
def run_kit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Failures]:
    """run_kit(file) → class → failing test → message, of a pytest run of that file in a process of its own."""

    def run(file: Path, *paths: Path) -> Failures:
        folder = tmp_path_factory.mktemp("kit")
        report = folder / "report.xml"
        search = os.pathsep.join(map(str, [*paths, *sys.path]))
        environment = os.environ | {"PYTHONPATH": search, "TMPDIR": str(folder)}  # a faulty plugin may leave files
        command = [sys.executable, "-m", "pytest", str(file), f"--junitxml={report}", "-p", "no:cacheprovider"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert report.exists(), done.stdout + done.stderr
        failures: Failures = defaultdict(dict)
        for case in ET.parse(report).iter("testcase"):
            name = case.attrib["classname"].rpartition(".")[2]
            wrong = [part.attrib["message"] for part in case if part.tag in ("failure", "error")]
            failures[name] |= dict.fromkeys([case.attrib["name"]] if wrong else [], "\n".join(wrong))
        return failures

    return run


@pytest.fixture(scope="session")
def installed_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example backend was installed, entry point and all; put it on PYTHONPATH."""
    folder = tmp_path_factory.mktemp("installed")
    example = Path(__file__).parents[1] / "examples" / "kbench-backend-c"
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(example)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
