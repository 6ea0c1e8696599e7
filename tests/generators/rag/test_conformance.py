"""The wrapper keeps the contract of generators, whatever it wraps."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kbench.core.generator import Subject
from kbench.generators.rag.generator import Rag
from kbench.generators.rag.index import build
from kbench.generators.replay import Replay
from kbench.testing import ANSWERS, GeneratorConformance, request
from tests.generators.rag.corpora import solutions


class TestRag(GeneratorConformance):
    subject = Subject("y = scale * x + z, elementwise over vectors of float32.", backend="c", target="host")

    @pytest.fixture
    def generator(self, tmp_path):
        lines = [{"task": "ScaleAndAdd", "sample": i, "completion": text} for i, text in enumerate(ANSWERS)]
        (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        build(tmp_path / "i.duckdb", solutions(), None).close()
        options = {"generator": "replay", "index": str(tmp_path / "i.duckdb"), "path": str(tmp_path / "answers.jsonl")}
        made = Rag(**options, make=lambda name, given: Replay(**given))
        yield made
        made.close()

    @pytest.fixture
    def unanswerable(self):
        return replace(request(), task="no_such_task", subject=self.subject)
