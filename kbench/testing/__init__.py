"""Conformance kits: what a third party runs on its own backend or generator, with pytest.

    class TestMine(BackendConformance):
        good, wrong, unwritten, syntax_error, crash, hang = ...  # six tiny kernels for the task SCALE_AND_ADD

        @pytest.fixture
        def backend(self):
            return MyBackend()

Each test asks one question and its failure says what the contract wants. What a plugin cannot do yet is listed in
`known_gaps` (test name → reason): it is then expected to fail, and reported when it no longer does.
"""

try:
    import pytest  # noqa: F401
except ImportError as missing:
    raise ImportError("kbench.testing needs pytest: pip install pytest") from missing

from kbench.testing.backends import BackendConformance
from kbench.testing.generators import ANSWERS, GeneratorConformance, request
from kbench.testing.task import SCALE_AND_ADD

__all__ = ["ANSWERS", "SCALE_AND_ADD", "BackendConformance", "GeneratorConformance", "request"]
