"""KernelGen-LM and models trained like it: a chain of thought, then code in tags (AscendKernelGen, arXiv 2601.07160).

Such a model was trained on one user message without a system prompt, in the chat format of its base model (Qwen3:
ChatML), and answers with `<think>…</think>` and then `<kernel_impl>…</kernel_impl>` (kernel-only), or one fenced file
behind each line `====== path ======` (full). This generator asks in that form, whatever serves the model, limits what
it thinks, and notices a model that does not answer so.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kbench.core.errors import ConfigError, ServerError
from kbench.core.generator import Completion, Generator, MakeGenerator, Message, Request
from kbench.generators import options as texts
from kbench.generators.served import without_system
from kbench.generators.transformers import Transformers

#: Finished answers that are looked at before a model is said not to know the format.
_LOOKED_AT = 8
_CHAT_MARKS = ("<|im_start|>", "<|im_end|>")
_ANSWER = re.compile(r"<kernel_impl>|^={3,} \S+ ={3,}[ \t]*$|<file path=", re.MULTILINE)

#: How kbench's prompts show the answer that they want.
_FILE = re.compile(r'<file path="([^"\n]+)">\n(.*?)\n?</file>', re.DOTALL)


class KernelGenLM(Generator):
    """The `kernelgen_lm` generator: wraps `transformers` (weights, adapter or GGUF) or, with a base URL, `openai`.

    Args:
        base_url: of an OpenAI-compatible server; without one the weights are loaded here.
        thinking: tokens that the model may think, where the run does not say (`--thinking-tokens`); 0 for no limit.
        check: `no` to go on with a model that does not answer in this form.
        others: options of the generator that is wrapped: `model`, `adapter`, `key_env` …
    """

    name = "kernelgen_lm"

    def __init__(
        self, base_url: str = "", thinking: str = "0", check: str = "yes", *, make: MakeGenerator, **others: str
    ) -> None:
        options = {**others, "system": "no"}
        if base_url:
            options["base_url"] = base_url
        self._inner = make("openai" if base_url else "transformers", options)
        self._thinking = texts.whole("thinking", thinking)
        self._check = texts.yes("check", check)
        self.concurrency, self.batch = self._inner.concurrency, self._inner.batch
        self._lock = threading.Lock()
        self._finished = self._in_form = 0

    def generate(self, request: Request) -> Completion:
        return self._checked(self._inner.generate(self._asked(request)))

    def generate_batch(self, requests: Sequence[Request]) -> Sequence[Completion | Exception]:
        answers = self._inner.generate_batch([self._asked(request) for request in requests])
        return [a if isinstance(a, Exception) else self._checked(a) for a in answers]

    def identity(self) -> Mapping[str, object] | None:
        inner = self._inner.identity()
        return None if inner is None else {"form": 1, "thinking": self._thinking, **inner}

    def prepare(self) -> None:
        self._inner.prepare()
        self._require_template()

    def _require_template(self) -> None:
        template = self._inner.source.template_text() if isinstance(self._inner, Transformers) else ""
        if self._check and template and not all(mark in template for mark in _CHAT_MARKS):
            raise ConfigError(
                "the model's chat template is not the one that KernelGen-LM was trained with (ChatML, as Qwen3 has "
                "it): ask it with --generator transformers, or go on with --generator-option check=no"
            )

    def close(self) -> None:
        self._inner.close()

    def _asked(self, request: Request) -> Request:
        """The request in the form of the training."""
        sampling = request.sampling
        if self._thinking and sampling.thinking_tokens is None:
            sampling = replace(sampling, thinking_tokens=self._thinking)
        messages = [
            Message(m.role, _in_form(m.content)) if m.role == "user" else m for m in without_system(request.messages)
        ]
        return replace(request, messages=messages, sampling=sampling)

    def _checked(self, completion: Completion) -> Completion:
        """Raises ServerError where no finished answer so far had the form: what follows would only cost."""
        if not self._check or completion.finish_reason != "stop":
            return completion
        with self._lock:
            self._finished += 1
            self._in_form += bool(_ANSWER.search(completion.text))
            if self._in_form or self._finished < _LOOKED_AT:
                return completion
        raise ServerError(
            f"none of {self._finished} finished answers of {completion.model or 'the model'} has the form that "
            "KernelGen-LM was trained with (<kernel_impl>, or ====== PATH ====== lines): ask it with --generator "
            "transformers or openai, or start a run with --generator-option check=no"
        )


def _in_form(text: str) -> str:
    """A prompt with the answer asked for as the training has it."""
    paths = dict(_FILE.findall(text))
    if len(paths) == 1:
        return _FILE.sub(lambda m: f"<kernel_impl>\n```cpp\n{m[2]}\n```\n</kernel_impl>", text)
    return _FILE.sub(lambda m: f"====== {m[1]} ======\n```cpp\n{m[2]}\n```", text)
