"""Fixtures of the hostile candidates' tests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbench.core.errors import HarnessError
from kbench.core.hostcc.sandbox import sandbox
from tests.hostile.bait import SECRET, Bait


@pytest.fixture
def bait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bait]:
    folder = tmp_path / "bait"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    (folder / "sibling.cpp").write_text("int other_sample;\n")
    (folder / "victim").write_text("untouched")
    monkeypatch.setenv("KBENCH_CANARY", "swordfish_7413")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        yield Bait(folder / "secret", folder / "sibling.cpp", folder / "victim", server)


@pytest.fixture(params=["bwrap", "seccomp"])
def mode(request: pytest.FixtureRequest) -> str:
    try:
        return sandbox(request.param).mode
    except HarnessError as e:
        pytest.skip(str(e))
