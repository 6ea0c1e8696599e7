"""What may not be shown for a task: its known solutions and copies of them. Every decision comes with its evidence.

A passage is withheld

- `own`: it is filed as a known solution of this task;
- `name`: its task, or else its file or a function of it, is named as this operator (whatever the dtype);
- `copy`: it is alike one of the known solutions, as a whole or (unless it is filed as the solution of another task) in
  one function (see `likeness`). A function of which the solutions of two other operators hold the like (a copy loop, a
  helper) is no secret of this task, and no evidence.

What is known of a task: all that the index files under its name, and what the suite and the backend give with the
request. Where nothing is known, names alone decide, and the verdict says so.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from kbench.core.likeness.likeness import Likeness, Print, Prints, likeness, prints
from kbench.core.likeness.tokens import asides
from kbench.core.likeness.words import operator, same_operator
from kbench.generators.rag.corpus import DOC, Passage

#: A function that the solutions of so many other operators hold, or one alike, is no secret of any of them.
SHARED_BY = 2
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1", re.DOTALL | re.MULTILINE)
#: What documents put before lines of code: marks of a quotation, a diff or a listing; and the tags of a page.
_LINE_MARK = re.compile(r"^[ \t]*(?:(?:>[ \t]?)+|\+|\d+[ \t]*[|:.]?(?=[ \t]|$))", re.MULTILINE)
_PAGE_TAG = re.compile(r"</?(?:a|b|br|code|div|em|i|li|ol|p|pre|span|table|td|tr|ul)\b[^>\n]*>", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """Whether a passage is withheld (`own`, `name`, `copy`) or shown (empty), and how near it comes to what is known.

    `share` is the largest part of a known solution that the passage holds, `solution` which one that is.
    """

    withheld: str = ""
    share: float = 0.0
    solution: str = ""
    lacking: float = 0.0
    surplus: float = 0.0


@dataclass(frozen=True)
class Known:
    """The known solutions of one task: name → text, what the files of pieces call their own, and the digests of
    functions that other operators share."""

    task: str
    texts: Mapping[str, str]
    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()

    @cached_property
    def prints(self) -> dict[str, Prints]:
        return {name: prints(text, self.own.get(name, frozenset())) for name, text in self.texts.items()}

    def verdict(self, passage: Passage) -> Verdict:
        """Whether this passage may be shown for the task."""
        if passage.task == self.task:
            return Verdict("own", 1.0, passage.source)
        nearest = max(self._compared(passage), key=_order, default=(Likeness(0.0, 0.0, 0.0), ""))
        like, solution = nearest
        withheld = "copy" if like.copy else "name" if self._named(passage) else ""
        return Verdict(withheld, round(like.share, 4), solution, round(like.lacking, 4), round(like.surplus, 4))

    def _named(self, passage: Passage) -> bool:
        if passage.task or passage.kind == DOC:  # filed under a task; or a text that speaks of many
            return same_operator(passage.task, self.task)
        path = PurePosixPath(passage.source.split("#", 1)[0])
        return any(same_operator(name, self.task) for name in (path.stem, *(c.name for c in passage.chunks)))

    def _compared(self, passage: Passage) -> Iterator[tuple[Likeness, str]]:
        for text in _code_of(passage):
            other = prints(text, frozenset(passage.own))
            for name, solution in self.prints.items():
                yield likeness(solution.whole, other.whole), name
                if not passage.task:  # solutions of kin have functions in common
                    yield from self._functions_compared(solution, other, name)

    def _functions_compared(self, solution: Prints, other: Prints, name: str) -> Iterator[tuple[Likeness, str]]:
        for function, one in solution.functions:
            if one.digest in self.shared:
                continue
            for _, two in other.functions:
                found = likeness(one, two)
                if found.copy:  # a function alone is evidence only where it is a copy
                    yield found, f"{name}:{function}"


def _order(compared: tuple[Likeness, str]) -> tuple[bool, float]:
    return compared[0].copy, compared[0].share


def _code_of(passage: Passage) -> Iterable[str]:
    """The sources that a passage shows: itself, what its comments and strings say, and of a document each fenced block,
    also where it is quoted, numbered or escaped."""
    texts = [passage.text]
    if passage.kind == DOC:
        shown = {passage.text, _LINE_MARK.sub("", passage.text), html.unescape(_PAGE_TAG.sub("", passage.text))}
        texts = [code for text in sorted(shown) for code in (text, *(match[2] for match in _FENCE.finditer(text)))]
    for text in texts:
        yield text
        yield from filter(None, asides(text))


class Registry:
    """The known solutions of an index, by task."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._solutions: dict[str, list[Passage]] = {}
        self._functions: dict[str, dict[str, Print]] = {}
        for passage in passages:
            if passage.task:
                self._solutions.setdefault(passage.task, []).append(passage)
                held = self._functions.setdefault("".join(operator(passage.task)), {})
                held |= {found.digest: found for _, found in _prints(passage).functions}

    def known(self, task: str, texts: Mapping[str, str]) -> Known:
        """What is known of a task: `texts`, and what the index has of it for whichever suite."""
        filed: dict[str, str] = {}
        own: dict[str, frozenset[str]] = {}
        for passage in self._solutions.get(task, ()):  # the pieces of a long file are one solution
            file = passage.source.split("#", 1)[0]
            filed[file] = f"{filed.get(file, '')}\n{passage.text}"
            own[file] = frozenset(passage.own)
        known = Known(task, {**filed, **texts}, own)
        return replace(known, shared=frozenset(self._shared(known)))

    def _shared(self, known: Known) -> Iterator[str]:
        """Digests of the task's functions that the solutions of at least `SHARED_BY` other operators hold."""
        own = {found.digest: found for p in known.prints.values() for _, found in p.functions}
        others = [held for name, held in self._functions.items() if name != "".join(operator(known.task))]
        for digest, function in own.items():
            holders = (digest in held or any(_alike(function, one) for one in held.values()) for held in others)
            if sum(itertools.islice(filter(None, holders), SHARED_BY)) == SHARED_BY:
                yield digest


def _alike(one: Print, other: Print) -> bool:
    return one.size <= 2 * other.size and other.size <= 2 * one.size and likeness(one, other).copy


def _prints(passage: Passage) -> Prints:
    return prints(passage.text, frozenset(passage.own))
