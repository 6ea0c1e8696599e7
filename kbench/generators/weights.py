"""A local model: where its weights are, how they are loaded, and what stands between messages and tokens."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbench.core.errors import ConfigError, GenerateError, ServerError, ToolMissing
from kbench.core.generator import Completion, Request
from kbench.generators import shared_prefix
from kbench.generators.decoding import Decoder, Row, Thinking
from kbench.generators.sampling import Draw
from kbench.generators.served import without_system

#: Files that an answer depends on.
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.jinja", "*.model", "*.txt")
_PIECE, _PIECES = 1 << 16, 128


@dataclass(frozen=True)
class Source:
    """What to load, and how. `kept_bytes` is the memory for prompts read before; 0 for `context`, `threads` is the
    model's or library's own choice."""

    model: str
    adapter: str = ""
    revision: str = ""
    device: str = "auto"
    dtype: str = "auto"
    template: str = ""
    system: bool = True
    context: int = 0
    threads: int = 0
    kept_bytes: int = 1 << 31

    @property
    def gguf(self) -> bool:
        return self.model.lower().endswith(".gguf")

    def check(self) -> None:
        """Raises ConfigError where a path leads nowhere."""
        path = Path(self.model)
        local = self.gguf or path.is_absolute() or self.model.startswith((".", "~"))
        if local and not path.expanduser().exists():
            raise ConfigError(f"no model at {self.model}: expected a folder of weights or a GGUF file")
        if path.is_dir() and not (path / "config.json").is_file():
            guessed = next(path.glob("*.gguf"), None)
            hint = f"; name the file in it: model={guessed}" if guessed else ""
            raise ConfigError(f"{path} is no model: it has no config.json{hint}")
        if self.adapter and not (Path(self.adapter).expanduser() / "adapter_config.json").is_file():
            raise ConfigError(f"{self.adapter} is no adapter: it has no adapter_config.json")

    def check_library(self) -> None:
        """Raises ToolMissing where a package is missing."""
        needed = ["torch", "transformers", *(["gguf"] if self.gguf else []), *(["peft"] if self.adapter else [])]
        missing = [name for name in needed if importlib.util.find_spec(name) is None]
        if missing:
            raise ToolMissing(
                f"the transformers generator needs {', '.join(missing)}: pip install 'kbench[transformers]'"
            )

    def template_text(self) -> str:
        """The chat template, as far as it can be had without loading the model; empty where it cannot."""
        if self.template:
            return self.template
        path = Path(self.model).expanduser()
        for file in (path / "chat_template.jinja", path / "tokenizer_config.json"):
            if file.is_file():
                return file.read_text(encoding="utf-8", errors="replace")
        return _gguf_template(path) if self.gguf else ""

    def identity(self) -> dict[str, Any]:
        """What an answer depends on: the weights' content, not their place."""
        return {
            "weights": _weights(self.model),
            "revision": self.revision,
            "adapter": _weights(self.adapter) if self.adapter else "",
            "template": self.template,
            "system": self.system,
            "context": self.context,
            "device": self.device,
            "dtype": self.dtype,
        }


@dataclass
class Loaded:
    """A model in memory. `context` is 0 where its configuration names no limit."""

    name: str
    tokenizer: Any
    decoder: Decoder
    context: int
    system: bool

    def row(self, request: Request, most: int) -> Row:
        """The request as tokens.

        Raises:
            GenerateError: they are more than the model can read.
            ConfigError: the chat template does not take the messages.
        """
        import torch

        prompt = self.tokens(request)
        wanted = request.sampling.max_tokens
        room = (self.context or len(prompt) + most) - len(prompt)
        if room < (wanted or 1):
            raise GenerateError(
                f"the prompt has {len(prompt)} tokens and the completion may have {wanted or 1}; {self.name} has room "
                f"for {self.context}",
                outcome="context_limit",
            )
        sampling = request.sampling
        generator = torch.Generator().manual_seed(request.sample_seed % 2**63)
        temperature = 1.0 if sampling.temperature is None else sampling.temperature
        draw = Draw(temperature, sampling.top_k or 0, 1.0 if sampling.top_p is None else sampling.top_p, generator)
        return Row(prompt, draw, wanted or min(most, room), sampling.stop, self._thinking(request, prompt))

    def _thinking(self, request: Request, prompt: Sequence[int]) -> Thinking | None:
        most = request.sampling.thinking_tokens
        if most is None:
            return None
        opened = self.decoder.decode(prompt[-8:]).rstrip().endswith("<think>")
        closing = self.tokenizer("\n</think>\n\n", add_special_tokens=False)["input_ids"]
        return Thinking(most, opened, tuple(closing))

    def tokens(self, request: Request) -> list[int]:
        messages = request.messages if self.system else without_system(request.messages)
        asked = [{"role": m.role, "content": m.content} for m in messages]
        try:
            text = self.tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
        except Exception as error:  # templates are programs of the model's makers
            raise ConfigError(
                f"the chat template of {self.name} does not take these messages ({error}): give system=no, or a "
                "template with chat_template=FILE"
            ) from error
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def completion(self, row: Row) -> Completion:
        text = self.decoder.decode(row.written)
        for stop in row.stop:
            text = text.split(stop)[0]
        usage = {"input_tokens": len(row.prompt), "output_tokens": len(row.written)}
        return Completion(text, finish_reason=row.finish_reason, usage=usage, model=self.name)


def load(source: Source) -> Loaded:
    """Raises ServerError where the weights do not load, ConfigError where there is no chat template."""
    source.check_library()
    import torch
    import transformers

    transformers.AttentionInterface.register(shared_prefix.NAME, shared_prefix.attend)
    if source.threads:
        torch.set_num_threads(source.threads)
    device = _device(source.device)
    where, more = _where(source)
    try:
        config = transformers.AutoConfig.from_pretrained(where, **more)
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **more)
        shared = shared_prefix.fits(config)
        model = transformers.AutoModelForCausalLM.from_pretrained(where, dtype=_dtype(source.dtype, device), **more)
        if source.adapter:
            import peft

            model = peft.PeftModel.from_pretrained(model, source.adapter).merge_and_unload()
    except Exception as error:  # the library raises of every kind for files that it cannot read
        raise ServerError(f"{source.model} does not load: {type(error).__name__}: {error}") from error
    if source.template:
        tokenizer.chat_template = source.template
    if not tokenizer.chat_template:
        raise ConfigError(f"{source.model} has no chat template: give one with chat_template=FILE")
    if shared:
        model.set_attn_implementation(shared_prefix.NAME)
    model = model.to(device).eval()
    cache = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"  # until 5.x
    decoder = Decoder(model, _ends(model, tokenizer), _decode(tokenizer), shared, cache, source.kept_bytes)
    text = getattr(config, "text_config", config)
    context = source.context or getattr(text, "max_position_embeddings", 0) or 0
    return Loaded(Path(source.model).stem, tokenizer, decoder, context, source.system)


def _where(source: Source) -> tuple[str, dict[str, Any]]:
    """The library's two forms: a folder, and a folder with the name of a GGUF file in it."""
    path = Path(source.model).expanduser()
    if source.gguf:
        return str(path.parent), {"gguf_file": path.name}
    if path.exists():
        return str(path), {}
    return source.model, {"revision": source.revision} if source.revision else {}


def _device(asked: str) -> str:
    import torch

    if asked != "auto":
        return asked
    accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return accelerator.type if accelerator else "cpu"


def _dtype(asked: str, device: str) -> Any:
    import torch

    if asked == "auto":
        return torch.float32 if device == "cpu" else "auto"
    found = getattr(torch, asked, None)
    if not isinstance(found, torch.dtype):
        raise ConfigError(f"dtype {asked!r}: expected auto, float32, bfloat16 or float16")
    return found


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """Tokens that end an answer: what the model's settings say, and the tokenizer's own."""
    ends = getattr(model.generation_config, "eos_token_id", None)
    found = set(ends if isinstance(ends, list) else [ends]) | {tokenizer.eos_token_id}
    return frozenset(token for token in found if isinstance(token, int))


def _gguf_template(path: Path) -> str:
    from gguf import GGUFReader

    field = GGUFReader(path).get_field("tokenizer.chat_template")
    return str(field.contents()) if field is not None else ""


def _decode(tokenizer: Any) -> Any:
    return lambda tokens: tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)


def _weights(model: str) -> Mapping[str, str]:
    path = Path(model).expanduser()
    if path.is_file():
        return {"file": digest(path)}
    if not path.is_dir():
        return {"name": model}
    files = sorted({file for pattern in _WEIGHTS for file in path.glob(pattern)})
    return {file.name: digest(file) for file in files}


def digest(path: Path) -> str:
    """A hash of a file: of all of it where it is small, of pieces all over it where it is large."""
    size = path.stat().st_size
    found = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        for start in range(0, size, max(_PIECE, size // _PIECES)):
            file.seek(start)
            found.update(file.read(_PIECE))
        file.seek(max(0, size - _PIECE))
        found.update(file.read(_PIECE))
    return found.hexdigest()[:32]
