"""Local decoding: prompts with a common beginning are read once, their rows are drawn together.

Prompts are read in blocks of a fixed size, one at a time, so that what is kept of a block depends on the tokens up to
its end and on nothing else: a prompt whose beginning was read before gives the same numbers as one that was not.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kbench.generators.guesses import AHEAD, Guesses
from kbench.generators.sampling import Draw
from kbench.generators.shared_prefix import Keep, SharedCache, using

if TYPE_CHECKING:
    import torch

#: Tokens read at once: large enough for matrix products, small enough that little of a prompt is left beside blocks.
BLOCK = 256


@dataclass(frozen=True)
class Thinking:
    """How long a model may think before it answers: after `most` tokens its thought is ended for it.

    `opened` says that the prompt ends within a thought; `closing` are the tokens that end one.
    """

    most: int
    opened: bool
    closing: tuple[int, ...]


@dataclass
class Row:
    """One completion in the making; `most` tokens at most."""

    prompt: Sequence[int]
    draw: Draw
    most: int
    stop: Sequence[str] = ()
    thinking: Thinking | None = None
    written: list[int] = field(default_factory=list)
    forced: list[int] = field(default_factory=list)
    finish_reason: str = ""

    def guesses(self, seen: Guesses) -> Sequence[int]:
        """What may come next, no more than fits; nothing where the likeliest token is asked for, which must not hang on
        the rounding that a pass over several tokens brings about."""
        return seen.next(min(AHEAD, self.most - len(self.written) - 1)) if self.draw.temperature > 0 else ()


@dataclass
class Decoder:
    """Draws completions of a causal language model.

    Args:
        model: of transformers, with the attention of `shared_prefix` where `shared`.
        ends: tokens that end a completion.
        decode: tokens → text, for `stop`.
        cache_name: what the model calls the argument that holds what it read before.
        kept_bytes: how much of prompts read before is kept.
    """

    model: Any
    ends: frozenset[int]
    decode: Callable[[Sequence[int]], str]
    shared: bool
    cache_name: str = "cache"
    kept_bytes: int = 1 << 30
    _kept: OrderedDict[bytes, Keep] = field(default_factory=OrderedDict)

    def run(self, rows: Sequence[Row], most_rows: int) -> None:
        """Write every row to its end; at most so many together, those with a common beginning first."""
        import torch

        with torch.inference_mode():
            if not self.shared:
                for row in rows:
                    self._alone(row)
                return
            greedy = [row for row in rows if row.draw.temperature <= 0]
            for row in greedy:  # what is likeliest must not hang on the rounding that neighbours bring about
                self._together([row])
            drawn = sorted((row for row in rows if row.draw.temperature > 0), key=lambda row: list(row.prompt))
            for start in range(0, len(drawn), most_rows):
                self._together(drawn[start : start + most_rows])

    # --- several rows, prefixes shared

    def _together(self, rows: Sequence[Row]) -> None:
        groups = _groups(rows)
        prefixes = [(self._prefix(group[0].prompt, blocks), len(group)) for group, blocks in groups]
        suffixes = [list(row.prompt[blocks * BLOCK :]) for group, blocks in groups for row in group]
        room = AHEAD + max(len(s) + row.most for s, row in zip(suffixes, rows, strict=True))
        cache = SharedCache(prefixes, room)
        owners = [prefix for prefix, count in prefixes for _ in range(count)]
        for i, (prefix, suffix) in enumerate(zip(owners, suffixes, strict=True)):
            cache.put(i, self._read(prefix, suffix[:-1]))
        with using(cache):
            self._write(list(rows), suffixes, cache)

    def _read(self, prefix: Keep, suffix: Sequence[int]) -> SharedCache:
        """One row's tokens behind its prefix. Rows are read one at a time, for their lengths differ."""
        import torch

        cache = SharedCache([(prefix, 1)], len(suffix))
        with using(cache):
            for start in range(0, len(suffix), BLOCK):
                part = torch.tensor([suffix[start : start + BLOCK]])
                self._forward(part, torch.arange(start, start + part.shape[1])[None], cache)
        return cache

    def _write(self, rows: list[Row], suffixes: Sequence[Sequence[int]], cache: SharedCache) -> None:
        import torch

        known = [Guesses(row.prompt) for row in rows]
        last, spots = [s[-1] for s in suffixes], [len(s) - 1 for s in suffixes]
        while rows:
            guesses = _worth_it([row.guesses(seen) for row, seen in zip(rows, known, strict=True)])
            width = 1 + max(map(len, guesses))
            ids = torch.tensor([[t, *g, *[0] * (width - 1 - len(g))] for t, g in zip(last, guesses, strict=True)])
            at = torch.tensor(spots)[:, None] + torch.arange(width)
            logits = self._forward(ids, at, cache, width).float().cpu()
            taken = [self._take(row, guess, lines) for row, guess, lines in zip(rows, guesses, logits, strict=True)]
            stay = [i for i, row in enumerate(rows) if not row.finish_reason]
            for i in stay:
                known[i].add(taken[i])
            if len(stay) < len(rows) and stay:
                cache.drop(stay)
            rows, known = [rows[i] for i in stay], [known[i] for i in stay]
            last, spots = [taken[i][-1] for i in stay], [spots[i] + len(taken[i]) for i in stay]

    def _take(self, row: Row, guess: Sequence[int], logits: torch.Tensor) -> list[int]:
        """Draws from each line of logits (1 + guess, vocabulary) as long as the tokens that led to it were drawn."""
        taken: list[int] = []
        for line, guessed in zip(logits, (*guess, None), strict=False):
            token = self._token(row, line)
            taken.append(token)
            if not self._goes_on(row, token) or token != guessed:
                break
        return taken

    def _forward(self, ids: torch.Tensor, spots: torch.Tensor, cache: SharedCache, keep: int = 1) -> torch.Tensor:
        cache.at(spots)
        positions = spots + cache.before[:, None]
        device = self.model.device
        out = self.model(
            input_ids=ids.to(device),
            position_ids=positions.to(device),
            use_cache=True,
            logits_to_keep=keep,
            **{self.cache_name: cache},
        )
        logits: torch.Tensor = out.logits
        return logits

    def _prefix(self, prompt: Sequence[int], blocks: int) -> Keep:
        """Keys and values of a prompt's first blocks, read now where they were not read before."""
        import torch

        found: list[Keep] = []
        for number in range(blocks):
            name = _name(prompt[: (number + 1) * BLOCK])
            known = self._kept.get(name)
            if known is None:
                cache = SharedCache([(Keep.joined(found), 1)], BLOCK)
                with using(cache):
                    ids = torch.tensor([list(prompt[number * BLOCK : (number + 1) * BLOCK])])
                    self._forward(ids, torch.arange(BLOCK)[None], cache)
                known = cache.keep(BLOCK)
                self._kept[name] = known
            self._kept.move_to_end(name)
            found.append(known)
        self._forget(found)
        return Keep.joined(found)

    def _forget(self, used: Sequence[Keep]) -> None:
        """What was not used for longest, down to the limit; never what is in use."""
        size = sum(keep.bytes for keep in self._kept.values())
        in_use = {id(keep) for keep in used}
        for name in list(self._kept):
            if size <= self.kept_bytes:
                return
            if id(self._kept[name]) not in in_use:
                size -= self._kept.pop(name).bytes

    # --- one row, with whatever attention and cache the model has

    def _alone(self, row: Row) -> None:
        import torch

        device = self.model.device
        ids, cache, seen = torch.tensor([list(row.prompt)], device=device), None, 0
        while True:
            positions = torch.arange(seen, seen + ids.shape[1], device=device)[None]
            past = {self.cache_name: cache}
            out = self.model(input_ids=ids, position_ids=positions, use_cache=True, logits_to_keep=1, **past)
            cache, seen = getattr(out, self.cache_name), seen + ids.shape[1]
            token = self._token(row, out.logits[0, -1].float().cpu())
            if not self._goes_on(row, token):
                return
            ids = torch.tensor([[token]], device=device)

    def _token(self, row: Row, logits: torch.Tensor) -> int:
        thinking = row.thinking
        if thinking is not None and len(row.written) == thinking.most:
            text = self.decode(row.written)
            if (thinking.opened or _OPEN in text) and _CLOSE not in text:
                row.forced = list(thinking.closing)
        return row.forced.pop(0) if row.forced else row.draw.token(logits)

    def _goes_on(self, row: Row, token: int) -> bool:
        """Takes a token down; False where it was the row's last."""
        if token in self.ends:
            row.finish_reason = "stop"
            return False
        row.written.append(token)
        if row.stop and any(text in self.decode(row.written[-_TAIL:]) for text in row.stop):
            row.finish_reason = "stop"
        elif len(row.written) >= row.most:
            row.finish_reason = "length"
        return not row.finish_reason


_OPEN, _CLOSE = "<think>", "</think>"
_TAIL = 32  # tokens in which a stop text is looked for: it ends in the newest


def _worth_it(guesses: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The guesses, or none of them where so few rows have one that the others' wider pass costs more than it saves."""
    return guesses if 3 * sum(map(bool, guesses)) >= len(guesses) else [()] * len(guesses)


def _name(tokens: Sequence[int]) -> bytes:
    return hashlib.sha256(b"".join(token.to_bytes(4, "little") for token in tokens)).digest()


def _groups(rows: Sequence[Row]) -> list[tuple[list[Row], int]]:
    """Neighbours that share most of their blocks, and how many they share."""
    groups: list[tuple[list[Row], int]] = []
    for row in rows:
        whole = (len(row.prompt) - 1) // BLOCK
        if groups:
            group, blocks = groups[-1]
            same = _same_blocks(group[0].prompt, row.prompt, min(blocks, whole))
            if 2 * same >= max(blocks, whole):
                groups[-1] = ([*group, row], same)
                continue
        groups.append(([row], whole))
    return groups


def _same_blocks(one: Sequence[int], other: Sequence[int], most: int) -> int:
    for number in range(most):
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        if one[part] != other[part]:
            return number
    return most
