"""Driver kernels, built once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.ascend.properties.machine import Machine, built
from tests.backends.ascend.sim.vec_steps import DRIVER

DRIVERS = Path(__file__).parent / "drivers"


@pytest.fixture(scope="session")
def vector(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return built(DRIVER, tmp_path_factory.mktemp("vector"))
