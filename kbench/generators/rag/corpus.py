"""What a corpus is made of: passages that a model can be shown, each with what it is found by."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kbench.core.backend import Backend
from kbench.core.candidate import Candidate, Track
from kbench.core.errors import ConfigError
from kbench.core.likeness.tokens import Source
from kbench.core.suite import Suite, SuiteTask
from kbench.core.task import Task

CODE, DOC = "code", "doc"
CODE_SUFFIXES = (".cc", ".cpp", ".cxx", ".c", ".h", ".hpp", ".hh", ".inl", ".cce", ".asc")
DOC_SUFFIXES = (".md", ".rst", ".txt")
#: A file up to this many characters is shown whole; of a longer one the functions are passages of their own.
WHOLE_FILE = 8_000
#: A piece is cut here: what is longer than this is no example for a prompt.
LONGEST = 16_000
#: A piece of a file with fewer tokens shows nothing.
SMALLEST_PIECE = 40
_MOST_BYTES = 2_000_000
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_FENCE_OF_RST = re.compile(r"^ {0,3}```", re.MULTILINE)  # where a row of ~ underlines a heading
_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(.+?)[ \t]*#*|(.+)\n[=~^-]{3,}[ \t]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Chunk:
    """What a passage is found by: a function or a section."""

    name: str
    text: str


@dataclass(frozen=True)
class Passage:
    """A text that a model can be shown.

    `task` and `suite` say whose known solution it is, where it is one; `about` is what that task computes; `labels` are
    what the backend sees in the text (a dialect of another compiler, vector code); `own` are the names that the file
    of a piece defines. An empty `backend` or `target` fits any.
    """

    source: str
    kind: str
    text: str
    chunks: tuple[Chunk, ...]
    backend: str = ""
    target: str = ""
    suite: str = ""
    task: str = ""
    about: str = ""
    role: str = ""
    labels: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def about(task: Task) -> str:
    """What a task computes, in the words that it is looked up by."""
    return "\n".join(part for part in (task.name, task.summary, task.formula, task.category) if part)


def from_folder(
    folder: Path,
    *,
    target: str = "",
    backends: Iterable[Backend] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Passage]:
    """The passages of every source and document below a folder, in the order of their paths; `tell` hears of files that
    are left out: too large, unreadable, no text.

    Raises:
        ConfigError: there is no such folder.
    """
    if not folder.exists():
        raise ConfigError(f"no folder or file to index at {folder}")
    files = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.is_file())
    engines = list(backends)
    for file in files:
        kind = _kind_of(file)
        if not kind:
            continue
        text, why = _read(file)
        if why:
            tell(f"{file} is left out: {why}")
            continue
        name = file.name if folder.is_file() else str(file.relative_to(folder.parent))
        for passage in split(text, name, kind):
            for engine in engines or [None]:
                yield _told(passage, engine, target)


def _read(file: Path) -> tuple[str, str]:
    """A file's text; or why it is none: one bad file among many stops no indexing."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return "", f"it is larger than {_MOST_BYTES} bytes"
        content = file.read_bytes()
    except OSError as error:
        return "", f"it cannot be read ({error.strerror or error})"
    if b"\0" in content:
        return "", "it is no text"
    return content.decode("utf-8", errors="replace").replace("\r\n", "\n").removeprefix("\ufeff"), ""


def _kind_of(file: Path) -> str:
    if file.suffix in CODE_SUFFIXES:
        return CODE
    return DOC if file.suffix in DOC_SUFFIXES else ""


def _told(passage: Passage, backend: Backend | None, target: str) -> Passage:
    if backend is None:
        return replace(passage, target=target)
    labels = tuple(sorted(backend.source_labels(passage.text))) if passage.kind == CODE else ()
    return replace(passage, backend=backend.name, target=target, labels=labels)


def from_references(suite: Suite, backend: Backend) -> Iterator[Passage]:
    """The known solutions of a suite's tasks on a backend: the suite's own, and each that the backend has."""
    for entry in suite.tasks.values():
        for number, candidate in enumerate(solutions_of(entry, backend)):
            roles = {path: role for role, path in candidate.roles.items()}
            for path, text in candidate.files.items():
                name = f"{suite.name}/{entry.task.name}" + (f".{number}" if number else "") + f"/{path}"
                for passage in split(text, name, CODE):
                    yield replace(
                        _told(passage, backend, ""),
                        suite=suite.name,
                        task=entry.task.name,
                        about=about(entry.task),
                        role=roles.get(path, ""),
                    )


def solutions_of(entry: SuiteTask, backend: Backend) -> list[Candidate]:
    """Every known solution of a task for a backend, each once."""
    found: dict[str, Candidate] = {}
    for track in Track:
        own = entry.reference(backend.name, track) if entry.reference else None
        for candidate in (own, *backend.solutions(entry, track)):
            if candidate is not None:
                found.setdefault(candidate.sha, candidate)
    return list(found.values())


def split(text: str, source: str, kind: str) -> Iterator[Passage]:
    """The passages of one file."""
    if not text.strip():
        return
    chunks = _functions(text, source) if kind == CODE else _sections(text, source)
    if kind == CODE and len(text) <= WHOLE_FILE:
        yield Passage(source, kind, text.strip("\n") + "\n", tuple(chunks))
        return
    whole = Source(text)
    own = tuple(sorted(whole.names)) if kind == CODE else ()
    for number, chunk in enumerate(chunks):
        if kind == CODE and len(Source(chunk.text).tokens) < SMALLEST_PIECE:
            continue
        place = f"{source}#{number}:{chunk.name}" if len(chunks) > 1 else source
        yield Passage(place, kind, chunk.text[:LONGEST].strip("\n") + "\n", (chunk,), own=own)


def _functions(text: str, source: str) -> Sequence[Chunk]:
    found = Source(text)
    pieces = [Chunk(f.name, found.text_of(f)) for f in found.functions]
    return pieces or [Chunk(Path(source).stem, text)]


def _sections(text: str, source: str) -> Sequence[Chunk]:
    """Sections under their headings; a part before the first heading bears the file's name."""
    fence = _FENCE_OF_RST if source.endswith(".rst") else _FENCE
    fences = [m.start() for m in fence.finditer(text)]
    marks = [m for m in _HEADING.finditer(text) if bisect(fences, m.start()) % 2 == 0]
    starts = [0, *(m.start() for m in marks), len(text)]
    names = [Path(source).stem, *((m[1] or m[2]).strip() for m in marks)]
    pieces = [Chunk(n, text[a:b]) for n, a, b in zip(names, starts, starts[1:], strict=False)]
    return [p for p in pieces if p.text.strip()]
