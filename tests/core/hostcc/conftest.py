from __future__ import annotations

import pytest

from kbench.core.errors import HarnessError
from kbench.core.hostcc.sandbox import Sandbox, sandbox


def _box(mode: str) -> Sandbox:
    try:
        return sandbox(mode)
    except HarnessError as e:
        pytest.skip(str(e))


@pytest.fixture(params=["bwrap", "seccomp"])
def box(request: pytest.FixtureRequest) -> Sandbox:
    """Each isolating sandbox that works here."""
    return _box(request.param)


@pytest.fixture(params=["bwrap", "seccomp", "none"])
def any_box(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox that works here, the one without isolation too."""
    return _box(request.param)


@pytest.fixture
def fast_box() -> Sandbox:
    """The quickest one, where the sandbox is not what is tested."""
    return _box("seccomp")
