"""The conformance kit of generators."""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

import pytest

from kbench.core.backend import API_VERSION
from kbench.core.candidate import Candidate
from kbench.core.errors import HarnessError
from kbench.core.generator import Completion, Generator, Message, Request, Subject
from kbench.testing.common import Kit

#: What a scripted source (a file, a stand-in server) holds for samples 0, 1 and 2 of `request`.
ANSWERS: tuple[str, ...] = (
    "Größe ≤ 4 µs, 中文, 𝟙, e\u0301 (two code points), tab\t, \u2028 and 🚀.",
    "Second, with a trailing blank line.\n\n",
    "```c\nint third;\n```\n",
)


def request(sample: int = 0, seed: int = 0, reference: Candidate | None = None) -> Request:
    """The kit's request for one sample."""
    messages = [Message("system", "You write kernels."), Message("user", "Write ScaleAndAdd. Größe: beliebig.")]
    return Request(messages, "kit", "ScaleAndAdd", sample=sample, seed=seed, reference=reference)


class GeneratorConformance(Kit):
    """The contract of `Generator`. A subclass gives `generator`, whose source holds `ANSWERS` for the kit's `request`,
    and `unanswerable`.

    Attributes:
        deterministic: False declares that equal requests may give different completions.
        reference: the known solution put into requests, for a generator with `wants_reference`; every sample's answer
            is then expected to be this candidate.
        subject: what is put into requests for a generator with `wants_subject`.
    """

    deterministic: ClassVar[bool] = True
    reference: ClassVar[Candidate | None] = None
    subject: ClassVar[Subject | None] = None

    @pytest.fixture
    def generator(self) -> Generator:
        raise NotImplementedError("give the kit a fixture `generator` that returns yours, holding ANSWERS")

    @pytest.fixture
    def unanswerable(self) -> Request:
        """A request that the source has no answer for: another task, a server that is gone."""
        return replace(request(), task="no_such_task")

    def request(self, sample: int = 0) -> Request:
        return replace(request(sample, reference=self.reference), subject=self.subject)

    def expected(self, sample: int) -> str | Candidate:
        return self.reference or ANSWERS[sample]

    def test_api_version(self, generator: Generator) -> None:
        assert generator.api_version == API_VERSION, (
            f"{type(generator).__name__} is built for plugin API {generator.api_version}, this kbench has {API_VERSION}"
        )

    def test_name(self, generator: Generator) -> None:
        assert generator.name.isidentifier(), f"name {generator.name!r}: expected an identifier"

    def test_returns_a_completion(self, generator: Generator) -> None:
        completion = generator.generate(self.request())
        assert isinstance(completion, Completion), f"expected Completion, got {type(completion).__name__}"
        assert (completion.candidate is None) != (not completion.text), "expected a text or a candidate, not both"
        json.dumps([dict(completion.usage), *map(dict, completion.retrieved)])  # go into the record
        assert completion.finish_reason, "finish_reason: expected 'stop', 'length' or what the source says"

    def test_each_sample_is_a_request_of_its_own(self, generator: Generator) -> None:
        for sample in (2, 1):
            got = _answer(generator.generate(self.request(sample)))
            assert got == self.expected(sample), f"sample {sample}: expected {self.expected(sample)!r}, got {got!r}"

    def test_unicode_is_preserved(self, generator: Generator) -> None:
        got = _answer(generator.generate(self.request(0)))
        assert got == self.expected(0), f"expected every character as it is: {self.expected(0)!r}, got {got!r}"

    def test_equal_requests_give_equal_completions(self, generator: Generator) -> None:
        first, again = (_answer(generator.generate(self.request(0))) for _ in range(2))
        if self.deterministic:
            assert first == again, f"the same request gave {first!r}, then {again!r}; declare deterministic = False?"

    def test_request_is_untouched(self, generator: Generator) -> None:
        asked = self.request()
        generator.generate(asked)
        assert asked == self.request(), "generate changed its request"

    def test_missing_answer_is_a_harness_error(self, generator: Generator, unanswerable: Request) -> None:
        with pytest.raises(HarnessError) as raised:  # an empty completion would count against the model
            generator.generate(unanswerable)
        assert str(raised.value), "HarnessError: expected a message that says what was looked for"

    def test_concurrent_requests(self, generator: Generator) -> None:
        alone = [_answer(generator.generate(self.request(sample))) for sample in range(3)]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda i: _answer(generator.generate(self.request(i % 3))), range(12)))
        for i, answer in enumerate(answers if self.deterministic else ()):
            assert answer == alone[i % 3], f"sample {i % 3}, four at once: expected {alone[i % 3]!r}, got {answer!r}"

    def test_a_batch_is_answered_in_its_order(self, generator: Generator) -> None:
        order = (2, 0, 1)
        alone = [_answer(generator.generate(self.request(sample))) for sample in order]
        done = generator.generate_batch([self.request(sample) for sample in order])
        assert len(done) == len(order), f"a batch of {len(order)} requests: expected as many answers, got {len(done)}"
        for sample, one, wanted in zip(order, done, alone, strict=True):
            assert isinstance(one, Completion), f"sample {sample} of a batch: expected Completion, got {one!r}"
            same = _answer(one) == wanted or not self.deterministic
            assert same, f"sample {sample}, in a batch: expected {wanted!r}, got {_answer(one)!r}"

    def test_identity_is_json_and_tells_no_key(self, generator: Generator) -> None:
        first, again = generator.identity(), generator.identity()
        told = json.dumps(first)  # enters the key of the completion cache
        assert first == again, f"identity() gave {first!r}, then {again!r}: answers would never be found again"
        secret = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
        keys = [name for name, value in os.environ.items() if secret.search(name) and len(value) >= 8 and value in told]
        assert not keys, f"identity() tells the value of {', '.join(keys)}"

    def test_close_may_be_called_twice(self, generator: Generator) -> None:
        generator.generate(self.request())
        generator.close()
        generator.close()

    def test_knows_no_backend(self, generator: Generator) -> None:
        imported = _backends_imported_by(inspect.getfile(type(generator)))
        assert not imported, f"importing {type(generator).__name__} imports {imported}: a generator knows no backend"


@functools.cache
def _backends_imported_by(file: str) -> str:
    code = (
        f"import runpy, sys; sys.path[:] = {sys.path!r}; runpy.run_path({file!r});"
        "print(*[m for m in sys.modules if m.startswith('kbench.backends.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, f"{file} does not import by itself:\n{done.stderr}"
    return done.stdout.strip()


def _answer(completion: Completion) -> str | Candidate:
    return completion.text if completion.candidate is None else completion.candidate
