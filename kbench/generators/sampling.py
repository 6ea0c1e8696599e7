"""One token from a model's logits, for each row of a batch by that row's own draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

#: Where top_p is asked for, so many of the likeliest tokens are sorted first; they nearly always suffice.
_HEAD = 128


@dataclass(frozen=True)
class Draw:
    """How one row's tokens are drawn. `temperature` 0 takes the likeliest, whatever else is given.

    `generator` belongs to the row: what it draws depends on its seed and on nothing else in the batch.
    """

    temperature: float
    top_k: int
    top_p: float
    generator: torch.Generator

    def token(self, logits: torch.Tensor) -> int:
        """Of one row of logits (vocabulary,), on the CPU."""
        import torch

        if self.temperature <= 0:
            return int(logits.argmax())
        scaled = logits.float() / self.temperature
        if not self.top_k and self.top_p >= 1:
            return int(torch.multinomial(scaled.softmax(-1), 1, generator=self.generator))
        likeliest, tokens = self._kept(scaled)
        return int(tokens[torch.multinomial(likeliest.softmax(-1), 1, generator=self.generator)])

    def _kept(self, scaled: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The likeliest logits and their tokens: `top_k` of them, and as many as hold `top_p` of the probability.

        The token that crosses `top_p` is kept, so that one always is (Holtzman et al., arXiv 1904.09751).
        """
        size = scaled.numel()
        most = min(self.top_k or size, size)
        values, tokens = scaled.topk(min(most, _HEAD) if self.top_p < 1 else most)
        if self.top_p >= 1:
            return values, tokens
        total = values if self.top_k and self.top_k <= _HEAD else scaled  # top_p is of what top_k leaves
        if self.top_k > _HEAD:
            total = scaled.topk(most).values
        shares = (values - total.logsumexp(-1)).exp()
        if shares.sum() < self.top_p and values.numel() < most:
            values, tokens = scaled.topk(most)
            shares = (values - total.logsumexp(-1)).exp()
        before = shares.cumsum(-1) - shares
        count = int((before < self.top_p).sum())
        return values[: max(count, 1)], tokens[: max(count, 1)]
