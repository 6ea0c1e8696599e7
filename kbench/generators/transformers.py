"""Asks a model whose weights lie on this machine, through the transformers library."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbench.core.errors import ConfigError, GenerateError
from kbench.core.generator import Completion, Generator, Request
from kbench.generators import options
from kbench.generators.weights import Loaded, Source, load

#: Where neither request nor user limits a completion.
_MAX_TOKENS = 4096


@dataclass
class Transformers(Generator):
    """The `transformers` generator: a folder of weights or a GGUF file, with a LoRA adapter where one is named.

    Samples of one prompt are drawn together and read it once. Each has a random state of its own, from its seed, so
    what it draws does not depend on its neighbours; the last bits of the numbers may, as everywhere that batches.

    Args:
        model: folder, GGUF file, or a name that the library can look up in its own cache.
        adapter: folder of a LoRA adapter (package peft), merged into the weights.
        revision: passed on to the library where `model` is a name.
        device: `auto` takes an accelerator where there is one.
        dtype: `auto` is float32 on the CPU, else what the model was saved in.
        batch: completions drawn together.
        context: tokens that the model reads; its configuration says where empty.
        chat_template: a file with a template of the user's own.
        system: `no` puts the system prompt before the user's first message.
        threads: of the CPU; the library's choice where empty.
        keep_mb: memory for prompts read before.
    """

    model: str = ""
    adapter: str = ""
    revision: str = ""
    device: str = "auto"
    dtype: str = "auto"
    batch: int | str = 8  # type: ignore[assignment]
    context: str = ""
    chat_template: str = ""
    system: str = "yes"
    threads: str = ""
    keep_mb: str = "2048"
    _loaded: Loaded | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    name = "transformers"

    def __post_init__(self) -> None:
        if not self.model:
            raise ConfigError("the transformers generator needs a model: --generator-option model=FOLDER or FILE.gguf")
        self.batch = options.whole("batch", self.batch, least=1)
        template = Path(self.chat_template) if self.chat_template else None
        if template is not None and not template.is_file():
            raise ConfigError(f"no chat template at {template}")
        self.source = Source(
            model=self.model,
            adapter=self.adapter,
            revision=self.revision,
            device=self.device,
            dtype=self.dtype,
            template=template.read_text(encoding="utf-8") if template else "",
            system=options.yes("system", self.system),
            context=options.whole("context", self.context or 0),
            threads=options.whole("threads", self.threads or 0),
            kept_bytes=options.whole("keep_mb", self.keep_mb) << 20,
        )
        self.source.check()

    def generate(self, request: Request) -> Completion:
        (answer,) = self.generate_batch([request])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def generate_batch(self, requests: Sequence[Request]) -> Sequence[Completion | Exception]:
        with self._lock:  # one model, and all its cores are busy with one batch
            if self._loaded is None:
                self._loaded = load(self.source)
            rows: list[Any] = []
            for request in requests:
                try:
                    rows.append(self._loaded.row(request, _MAX_TOKENS))
                except (ConfigError, GenerateError) as error:
                    rows.append(error)
            self._loaded.decoder.run([r for r in rows if not isinstance(r, Exception)], int(self.batch))
            return [row if isinstance(row, Exception) else self._loaded.completion(row) for row in rows]

    def identity(self) -> Mapping[str, Any] | None:
        return {**self.source.identity(), "batch": self.batch}

    def prepare(self) -> None:
        self.source.check_library()

    def close(self) -> None:
        with self._lock:
            self._loaded = None
