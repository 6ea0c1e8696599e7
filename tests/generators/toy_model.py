"""A causal language model of two layers with random weights, called as transformers' models are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch

WIDTH, HEADS, KINDS, LAYERS, VOCABULARY = 32, 4, 2, 2, 64


class ToyModel:
    """Attends as it is told: `attend` of the code under test, or plain attention of its own over a growing cache.

    It has rotary-like positions (added, not rotated), grouped heads and nothing else: what is tested is who attends to
    whom, not how good the answers are.
    """

    device = torch.device("cpu")

    def __init__(self, attend: Any = None, seed: int = 0) -> None:
        draw = torch.Generator().manual_seed(seed)

        def weight(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, generator=draw, dtype=torch.float64) / shape[0] ** 0.5

        self.attend = attend
        self.embedding = weight(VOCABULARY, WIDTH) * VOCABULARY**0.5
        self.positions = weight(4096, WIDTH) * 20
        head = WIDTH // HEADS
        self.layers = [
            (weight(WIDTH, WIDTH), weight(WIDTH, KINDS * head), weight(WIDTH, KINDS * head), weight(WIDTH, WIDTH))
            for _ in range(LAYERS)
        ]
        self.out = weight(WIDTH, VOCABULARY) * 3
        self.tokens_read = 0

    def __call__(
        self,
        input_ids: torch.Tensor,
        position_ids: torch.Tensor,
        cache: Any = None,
        use_cache: bool = True,
        logits_to_keep: int = 0,
    ) -> SimpleNamespace:
        self.tokens_read += input_ids.numel()
        rows, count = input_ids.shape
        x = self.embedding[input_ids] + self.positions[position_ids]
        cache = GrowingCache() if cache is None else cache
        for index, (wq, wk, wv, wo) in enumerate(self.layers):
            q, k, v = (_heads(x @ w) for w in (wq, wk, wv))
            k, v = cache.update(k, v, index)
            if self.attend is not None:
                mixed, _ = self.attend(SimpleNamespace(layer_idx=index), q, k, v, None, scaling=q.shape[-1] ** -0.5)
            else:
                mixed = plain(q, k, v)
            x = x + torch.tanh(mixed.reshape(rows, count, WIDTH) @ wo)
        return SimpleNamespace(logits=(x @ self.out)[:, -logits_to_keep:], cache=cache)


class GrowingCache:
    def __init__(self) -> None:
        self.layers: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def update(self, k: torch.Tensor, v: torch.Tensor, layer: int) -> tuple[torch.Tensor, torch.Tensor]:
        if layer in self.layers:
            k, v = (torch.cat(pair, dim=2) for pair in zip(self.layers[layer], (k, v), strict=True))
        self.layers[layer] = (k, v)
        return k, v


def _heads(x: torch.Tensor) -> torch.Tensor:
    rows, count, width = x.shape
    return x.view(rows, count, width // (WIDTH // HEADS), WIDTH // HEADS).transpose(1, 2)


def plain(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Causal attention of the last queries over all keys."""
    k, v = (x.repeat_interleave(HEADS // KINDS, dim=1) for x in (k, v))
    scores = q @ k.transpose(2, 3) * q.shape[-1] ** -0.5
    count, seen = q.shape[2], k.shape[2]
    later = torch.arange(seen) > torch.arange(seen - count, seen)[:, None]
    return (scores.masked_fill(later, float("-inf")).softmax(-1) @ v).transpose(1, 2)
