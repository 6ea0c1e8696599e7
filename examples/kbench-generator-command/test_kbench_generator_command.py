import sys

import pytest
from kbench_generator_command import Command

from kbench.testing import ANSWERS, GeneratorConformance

PROGRAM = "import json, sys; q = json.load(sys.stdin); sys.stdout.reconfigure(encoding='utf-8', newline='');"
PROGRAM += f"q['task'] == 'ScaleAndAdd' or sys.exit('no such task'); print({ANSWERS!r}[q['sample']], end='')"


class TestCommand(GeneratorConformance):
    @pytest.fixture
    def generator(self, tmp_path):
        (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
        return Command(f"{sys.executable} {tmp_path / 'program.py'}")
