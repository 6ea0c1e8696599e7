from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from kbench.core.errors import ConfigError, ServerError
from kbench.core.generator import Completion, Generator, Message, Request, Sampling
from kbench.core.plugins import registry
from kbench.core.runs.workbench import make_generator
from kbench.generators.kernelgen_lm import KernelGenLM

ONE_FILE = 'Answer so:\n\n<file path="op_kernel/relu.cpp">\n…\n</file>\n'
TWO_FILES = ONE_FILE + '<file path="op_host/relu.cpp">\nclass Relu;\n</file>\n'
IN_FORM = "<think>short</think>\n<kernel_impl>\n```cpp\nint x;\n```\n</kernel_impl>"


@dataclass
class Inner(Generator):
    answers: list[Completion | Exception]
    seen: list[Request] = field(default_factory=list)
    made: dict[str, object] = field(default_factory=dict)

    name = "inner"
    batch = 5

    def generate(self, request: Request) -> Completion:
        self.seen.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def generate_batch(self, requests):
        self.seen += requests
        return [self.answers.pop(0) for _ in requests]

    def identity(self):
        return {"model": "m"}


def wrapped(*answers: str | Completion | Exception, **options: str) -> tuple[KernelGenLM, Inner]:
    inner = Inner([Completion(a) if isinstance(a, str) else a for a in answers])

    def make(name: str, given: Mapping[str, str]) -> Generator:
        inner.made = {"name": name, **given}
        return inner

    return KernelGenLM(**options, make=make), inner


def request(text: str, *before: Message) -> Request:
    return Request([Message("system", "You write kernels."), *before, Message("user", text)], suite="s", task="T")


def test_one_file_is_asked_for_in_the_form_of_the_training():
    generator, inner = wrapped(IN_FORM)
    assert generator.generate(request(ONE_FILE)).text == IN_FORM
    (only,) = inner.seen[0].messages
    wanted = "Answer so:\n\n<kernel_impl>\n```cpp\n…\n```\n</kernel_impl>\n"
    assert only == Message("user", f"You write kernels.\n\n{wanted}")


def test_several_files_are_asked_for_by_their_paths():
    generator, inner = wrapped(IN_FORM)
    generator.generate(request(TWO_FILES))
    text = inner.seen[0].messages[0].content
    assert "====== op_kernel/relu.cpp ======\n```cpp\n…\n```" in text
    assert "====== op_host/relu.cpp ======\n```cpp\nclass Relu;\n```" in text
    assert "<file" not in text


def test_what_the_model_said_before_is_left_alone():
    generator, inner = wrapped(IN_FORM)
    said = Message("assistant", ONE_FILE)
    generator.generate(request("again", Message("user", ONE_FILE), said))
    assert inner.seen[0].messages[1] == said
    assert "<kernel_impl>" in inner.seen[0].messages[0].content


def test_where_the_model_is():
    assert wrapped(model="f.gguf")[1].made == {"name": "transformers", "model": "f.gguf", "system": "no"}
    served = wrapped(model="m", base_url="http://h/v1")[1].made
    assert served == {"name": "openai", "model": "m", "base_url": "http://h/v1", "system": "no"}
    assert wrapped(model="m")[0].batch == 5


def test_thinking_is_limited():
    generator, inner = wrapped(IN_FORM, IN_FORM, thinking="300")
    generator.generate(request("a"))
    asked = request("a")
    generator.generate(Request(asked.messages, "s", "T", sampling=Sampling(thinking_tokens=7)))
    assert [r.sampling.thinking_tokens for r in inner.seen] == [300, 7]


def test_a_model_that_does_not_know_the_form_is_noticed():
    generator, _ = wrapped(*["no code"] * 7, Completion("cut", finish_reason="length"), "no code")
    for _ in range(8):
        generator.generate(request("a"))
    with pytest.raises(ServerError, match=r"none of 8 finished answers .* check=no"):
        generator.generate(request("a"))


@pytest.mark.parametrize("known", [IN_FORM, "====== op_host/a.cpp ======\n```cpp\n```", '<file path="a.cpp">\n</file>'])
def test_one_answer_in_form_is_enough(known):
    generator, _ = wrapped(known, *["no code"] * 9)
    for _ in range(10):
        generator.generate(request("a"))


def test_the_check_can_be_left_out():
    generator, _ = wrapped(*["no code"] * 9, check="no")
    for _ in range(9):
        generator.generate(request("a"))


def test_a_batch_keeps_its_failures_in_place():
    failure = ConfigError("too long")
    generator, _ = wrapped(IN_FORM, failure, IN_FORM)
    answers = generator.generate_batch([request("a"), request("b"), request("c")])
    assert [isinstance(a, Completion) for a in answers] == [True, False, True]
    assert answers[1] is failure


def test_identity():
    one, other = wrapped()[0].identity(), wrapped(thinking="5")[0].identity()
    assert one != other
    assert one["model"] == "m"


def test_the_command_line_makes_it(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (model / "tokenizer_config.json").write_text('{"chat_template": "[INST] {{ messages }} [/INST]"}')
    made = make_generator("kernelgen_lm", {"model": str(model), "batch": "3"}, registry())
    assert isinstance(made, KernelGenLM)
    assert made.batch == 3
    with pytest.raises(ConfigError, match="not the one that KernelGen-LM was trained with"):
        made._require_template()
