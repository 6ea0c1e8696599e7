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
        report = tmp_path_factory.mktemp("kit") / "report.xml"
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*paths, *sys.path]))}
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
