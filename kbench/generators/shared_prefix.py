"""Attention over a prefix that several rows of a batch share, and a suffix that is each row's own.

Samples of one task have the same prompt: its keys and values are computed once, kept once and read once for each step
of all of them. Rows form groups; each group has its prefix (batch 1), each row its suffix in a buffer of fixed size.

    key of row r, position p  =  prefix of r's group [p]  where p < its length,  else  suffix of r [p - length]

A model runs with it where its attention is plain causal softmax attention (`fits`), through transformers' interface
for attention functions.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

NAME = "kbench_shared_prefix"
#: Arguments with which a model asks for another attention than the plain one.
_OTHER = ("sliding_window", "softcap", "s_aux", "position_bias", "block_indices")


@dataclass(frozen=True)
class Keep:
    """Keys and values of some tokens: one pair of (1, heads, tokens, width) for each layer."""

    layers: tuple[tuple[torch.Tensor, torch.Tensor], ...]

    @property
    def tokens(self) -> int:
        return self.layers[0][0].shape[2] if self.layers else 0

    @property
    def bytes(self) -> int:
        return sum(k.nbytes + v.nbytes for k, v in self.layers)

    @staticmethod
    def joined(parts: Sequence[Keep]) -> Keep:
        import torch

        if not parts:
            return Keep(())
        layers = zip(*(part.layers for part in parts), strict=True)
        return Keep(
            tuple(
                (torch.cat([k for k, _ in pairs], dim=2), torch.cat([v for _, v in pairs], dim=2)) for pairs in layers
            )
        )


class SharedCache:
    """What transformers takes for a cache: `update` stores the suffix; the prefix is for `attend` alone.

    Args:
        groups: (prefix, number of rows) in the order of the rows.
        room: tokens that a suffix may have.
    """

    is_compileable = False

    def __init__(self, groups: Sequence[tuple[Keep, int]], room: int) -> None:
        import torch

        self.groups = [(prefix, count) for prefix, count in groups if count]
        self.room = room
        self.rows = sum(count for _, count in self.groups)
        self.before = torch.tensor([p.tokens for p, count in self.groups for _ in range(count)])
        self.buffers: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.spots = torch.zeros(self.rows, 1, dtype=torch.long)
        self.filled = 0

    def at(self, spots: torch.Tensor) -> None:
        """Where in their suffixes the tokens (rows, n) of the next pass stand."""
        self.spots = spots
        self.filled = max(self.filled, int(spots.max()) + 1)
        self._placed = spots

    def spots_on(self, device: torch.device) -> torch.Tensor:
        """`spots`, brought to the layers' device once for each pass."""
        if self._placed.device != device:
            self._placed = self.spots.to(device)
        return self._placed

    def update(
        self, keys: torch.Tensor, values: torch.Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        self._make_room(layer_idx, keys, values)
        for buffer, new in zip(self.buffers[layer_idx], (keys, values), strict=True):
            spots = self.spots_on(new.device)[:, None, :, None].expand(-1, new.shape[1], -1, new.shape[3])
            buffer.scatter_(2, spots, new)
        kept, valued = self.buffers[layer_idx]
        return kept[:, :, : self.filled], valued[:, :, : self.filled]

    def get_seq_length(self, layer_idx: int = 0, *_: Any) -> int:
        return int(self.before[0]) + int(self.spots[0, 0]) if self.rows else 0

    def get_mask_sizes(self, query: Any, layer_idx: int = 0) -> tuple[int, int]:
        return self.filled, 0

    def _make_room(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> None:
        if layer == len(self.buffers):
            empty = [x.new_zeros((self.rows, x.shape[1], self.room, x.shape[3])) for x in (keys, values)]
            self.buffers.append((empty[0], empty[1]))

    def put(self, row: int, other: SharedCache) -> None:
        """What another cache's only row has in its suffix becomes this row's."""
        for layer, pair in enumerate(other.buffers):
            self._make_room(layer, *pair)
            for buffer, new in zip(self.buffers[layer], pair, strict=True):
                buffer[row, :, : other.filled] = new[0, :, : other.filled]
        self.filled = max(self.filled, other.filled)

    def keep(self, tokens: int) -> Keep:
        """The first tokens of the only row's suffix, as a prefix for others."""
        return Keep(tuple((k[:, :, :tokens].clone(), v[:, :, :tokens].clone()) for k, v in self.buffers))

    def drop(self, stay: Sequence[int]) -> None:
        """Go on with these rows only."""
        import torch

        counts, start = [], 0
        for _, count in self.groups:
            counts.append(sum(start <= row < start + count for row in stay))
            start += count
        self.groups = [(p, n) for (p, _), n in zip(self.groups, counts, strict=True) if n]
        chosen = torch.tensor(list(stay), dtype=torch.long)
        self.rows, self.before = len(stay), self.before[chosen]
        for layer, (k, v) in enumerate(self.buffers):  # one after the other: never all of them twice
            self.buffers[layer] = (k[chosen.to(k.device)], v[chosen.to(v.device)])


_current = threading.local()


class using:
    """The cache that `attend` reads in this thread."""

    def __init__(self, cache: SharedCache) -> None:
        self._cache = cache

    def __enter__(self) -> SharedCache:
        _current.cache = self._cache
        return self._cache

    def __exit__(self, *_: object) -> None:
        _current.cache = None


def attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: Any = None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **others: Any,
) -> tuple[torch.Tensor, None]:
    """softmax(q·kᵀ·scaling)·v over prefix and suffix; query (rows, heads, n, width) → (rows, n, heads, width)."""
    import torch

    asked = [name for name in _OTHER if others.get(name) is not None]
    if asked:
        raise NotImplementedError(f"attention with {', '.join(asked)}")
    cache: SharedCache = _current.cache
    rows, heads, count, width = query.shape
    kinds = key.shape[1]
    scale = width**-0.5 if scaling is None else scaling
    q = (query * scale).reshape(rows, kinds, heads // kinds * count, width)
    spots = cache.spots_on(query.device)
    hidden = torch.arange(key.shape[2], device=query.device) > spots[:, :, None]  # rows, n, suffix
    hidden = hidden[:, None].expand(-1, heads // kinds, -1, -1).reshape(rows, 1, heads // kinds * count, -1)
    own = (q @ key.transpose(2, 3)).masked_fill_(hidden, float("-inf"))
    parts, start = [], 0
    for prefix, size in cache.groups:
        group = slice(start, start + size)
        start += size
        parts.append(_group(q[group], own[group], value[group], prefix, module.layer_idx))
    out = torch.cat(parts) if len(parts) > 1 else parts[0]
    return out.reshape(rows, heads, count, -1).transpose(1, 2).contiguous(), None


def _group(q: torch.Tensor, own: torch.Tensor, value: torch.Tensor, prefix: Keep, layer: int) -> torch.Tensor:
    """The rows of one group: all their queries meet the prefix at once."""
    import torch

    if not prefix.tokens:
        return own.softmax(-1, dtype=torch.float32).to(value.dtype) @ value
    keys, values = (x[0] for x in prefix.layers[layer])  # heads, tokens, width
    size, kinds, queries, width = q.shape
    together = q.transpose(0, 1).reshape(kinds, size * queries, width)
    shared = (together @ keys.transpose(1, 2)).reshape(kinds, size, queries, -1).transpose(0, 1)
    shares = torch.cat([shared, own], dim=-1).softmax(-1, dtype=torch.float32).to(value.dtype)
    before = shares[..., : prefix.tokens].transpose(0, 1).reshape(kinds, size * queries, -1)
    return (before @ values).reshape(kinds, size, queries, -1).transpose(0, 1) + shares[..., prefix.tokens :] @ value


def fits(config: Any) -> bool:
    """Whether a model's attention is the plain one in every layer, as far as its configuration says."""
    text = getattr(config, "text_config", config)
    kinds = getattr(text, "layer_types", None) or ["full_attention"]
    if any(kind != "full_attention" for kind in kinds):
        return False
    windowed = getattr(text, "sliding_window", None) and getattr(text, "use_sliding_window", True)
    if windowed and not getattr(text, "layer_types", None):
        return False
    return not getattr(text, "attn_logit_softcapping", None) and text.model_type in _KNOWN


#: Model families whose attention was read: they call the interface and pass nothing that `attend` does not take.
_KNOWN = frozenset({"llama", "qwen2", "qwen3", "mistral", "qwen2_moe", "qwen3_moe"})
