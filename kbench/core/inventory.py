"""What there is, by name, with a few words on each: what `kbench list` shows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from kbench.core.plugins import Registry
from kbench.core.runs.workbench import load_suite

#: (name, a few words on it)
Row = tuple[str, str]


def inventory(known: Registry, kinds: Iterable[str], suite: str) -> dict[str, list[Row]]:
    """kind → rows, for kinds of `KINDS`; `tasks` are those of `suite`.

    Raises:
        ConfigError: no such suite.
    """
    return {kind: list(KINDS[kind](known, suite)) for kind in kinds}


def _classes(shelf: Mapping[str, type]) -> Iterator[Row]:
    yield from ((name, _first_line(kind)) for name, kind in sorted(shelf.items()))


def _first_line(thing: type) -> str:
    """What a class says of itself, or else its module."""
    said = thing.__doc__ or getattr(sys.modules.get(thing.__module__), "__doc__", None) or ""
    return said.strip().split("\n", 1)[0]


def _targets(known: Registry, _: str) -> Iterator[Row]:
    yield from ((target, name) for name, backend in sorted(known.backends.items()) for target in backend.targets)


def _presets(known: Registry, _: str) -> Iterator[Row]:
    yield from ((name, preset.about) for name, preset in sorted(known.presets.items()))


def _suites(known: Registry, _: str) -> Iterator[Row]:
    for name in sorted(known.suites):
        suite = load_suite(name, known)
        yield suite.name, f"{len(suite.tasks)} tasks; {suite.description}"


def _tasks(known: Registry, suite: str) -> Iterator[Row]:
    for name, entry in load_suite(suite, known).tasks.items():
        yield name, f"{suite}, level {entry.task.level}, {len(entry.cases)} cases: {entry.task.summary}"


KINDS: Mapping[str, Callable[[Registry, str], Iterator[Row]]] = {
    "backends": lambda known, _: _classes(known.backends),
    "targets": _targets,
    "generators": lambda known, _: _classes(known.generators),
    "presets": _presets,
    "suites": _suites,
    "tasks": _tasks,
}
