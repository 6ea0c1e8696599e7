"""What a row writes next, guessed from what it has read and written: text that repeats is then read in one pass.

Models copy, from the question (signatures, templates) and from themselves (loops). A guess costs a look into a table,
and a model that is given several tokens at once tells for each whether it would have drawn it: those up to the first
other one count, as if they had been drawn one by one. Known as prompt lookup decoding (A. Saxena, 2023), a form of
speculative decoding (Leviathan et al., arXiv 2211.17192) without a second model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: Tokens that must have come before in this order: fewer find more, and are wrong more often.
_ALIKE = 6
#: Tokens that must have been foreseen in a row: a guess that fails costs as much as one that comes true.
_SURE = 8
#: Tokens guessed at once.
AHEAD = 8


class Guesses:
    """What one row has read and written, and where it has come by before."""

    def __init__(self, tokens: Iterable[int]) -> None:
        self._tokens: list[int] = []
        self._after: dict[tuple[int, ...], int] = {}
        self._found: int | None = None
        self._foreseen = 0
        self.add(tokens)

    def add(self, tokens: Iterable[int]) -> None:
        """Tokens that came."""
        for token in tokens:
            as_before = self._found is not None and self._tokens[self._found] == token
            self._foreseen = self._foreseen + 1 if as_before else 0
            self._tokens.append(token)
            end = len(self._tokens)
            if end >= _ALIKE:
                last = tuple(self._tokens[-_ALIKE:])
                self._found = self._after.get(last)
                self._after[last] = end

    def next(self, most: int = AHEAD) -> Sequence[int]:
        """The tokens that came after the last few when those came before; none where that did not foresee the last few.
        What repeats with a period shorter than the guess is guessed to go on so."""
        if self._found is None or self._foreseen < _SURE:
            return ()
        period = len(self._tokens) - self._found
        return [self._tokens[self._found + i % period] for i in range(most)]
