"""Fixtures of the generators' tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.generators.fault_server import FaultServer


@pytest.fixture
def serve() -> Iterator[Callable[..., FaultServer]]:
    """serve(script, …) → a running server, ended with the test."""
    with ExitStack() as stack:
        yield lambda *script, **options: stack.enter_context(FaultServer(script, **options))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers are on loopback, whatever proxy the environment names."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
