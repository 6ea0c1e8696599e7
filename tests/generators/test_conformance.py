"""kbench's own generators keep the contract that third parties are held to."""

from __future__ import annotations

import json

import pytest

from kbench.core.candidate import Candidate
from kbench.generators.openai import OpenAI
from kbench.generators.reference import Reference
from kbench.generators.replay import Replay
from kbench.testing import ANSWERS, GeneratorConformance, request


class TestReference(GeneratorConformance):
    reference = Candidate({"kernel.cpp": "// Größe\n"}, {"kernel": "kernel.cpp"}, "ScaleAndAdd")

    @pytest.fixture
    def generator(self):
        return Reference()

    @pytest.fixture
    def unanswerable(self):
        return request(reference=None)


class TestReplayOfLines(GeneratorConformance):
    @pytest.fixture(params=[True, False], ids=["ascii", "utf-8"])
    def generator(self, request, tmp_path):
        lines = [{"task": "ScaleAndAdd", "sample": i, "completion": text} for i, text in enumerate(ANSWERS)]
        file = tmp_path / "completions.jsonl"
        text = "".join(json.dumps(line, ensure_ascii=request.param) + "\n" for line in lines)
        file.write_text(text, encoding="utf-8")
        return Replay(str(file))


class TestReplayOfFolder(GeneratorConformance):
    @pytest.fixture
    def generator(self, tmp_path):
        folder = tmp_path / "completions" / "ScaleAndAdd"
        folder.mkdir(parents=True)
        for i, text in enumerate(ANSWERS):
            (folder / f"{i}.md").write_text(text, encoding="utf-8")
        return Replay(str(folder.parent))


class TestOpenAI(GeneratorConformance):
    @pytest.fixture
    def server(self, serve):
        return serve(answer=lambda body: ANSWERS[body["seed"]])

    @pytest.fixture(params=["yes", "no"], ids=["streamed", "at-once"])
    def generator(self, request, server):
        made = OpenAI(model="tiny", base_url=server.url, stream=request.param)
        yield made
        made.close()

    @pytest.fixture
    def unanswerable(self, server):
        server.faults_of = lambda body: "no_model"
        return request()
