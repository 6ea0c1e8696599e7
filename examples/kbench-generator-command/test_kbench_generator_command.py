import sys

import pytest
from kbench_generator_command import Command

from kbench.testing import ANSWERS, GeneratorConformance

PROGRAM = "import json, sys; q = json.load(sys.stdin); sys.stdout.buffer.write(%r[q['task']][q['sample']].encode())"


class TestCommand(GeneratorConformance):
    @pytest.fixture
    def generator(self, tmp_path):
        (tmp_path / "model.py").write_text(PROGRAM % {"ScaleAndAdd": ANSWERS}, encoding="utf-8")
        return Command(f"{sys.executable} {tmp_path / 'model.py'}")
