"""From a completion's text to source files.

In order: `<file path="…">…</file>` blocks, as the prompt asks; fenced blocks that a heading, the fence itself or a
first comment line names; where one file is asked for, the last fenced block with the kernel's name. What a model
thought aloud is not read, and of several drafts of a file the last counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from kbench.core.backend import Interface
from kbench.core.candidate import Candidate
from kbench.core.errors import ExtractError
from kbench.core.generator import Completion
from kbench.core.record import whole_text

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_THOUGHT_OPEN = re.compile(r"<(think|thinking|reasoning)>.*$", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<file\s+(?:path|name)\s*=\s*[\"']([^\"'\n]+)[\"']\s*>(.*?)</file>", re.DOTALL | re.IGNORECASE)
_TAG_OPEN = re.compile(r"<file(?=\s|$)", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)\n(.*?)^ {0,3}\1[ \t]*$", re.DOTALL | re.MULTILINE)
_FENCE_OPEN = re.compile(r"^ {0,3}(?:`{3,}|~{3,})", re.MULTILINE)
_PATH = re.compile(r"[\w./+-]*\w\.(?:cpp|cc|cxx|c|h|hpp|hh|inl|cce|py)\b")
_REFUSAL = re.compile(
    r"\b(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:no|')t|won't|must decline)|as an AI)\b", re.IGNORECASE
)


def extract(completion: Completion, interface: Interface) -> Candidate:
    """The candidate that a completion holds.

    Raises:
        ExtractError: `empty_response`, `refusal`, `truncated`, `no_code`, `missing_part` or `missing_symbol`.
    """
    if completion.candidate is not None:
        given = completion.candidate
        files = {path: whole_text(text) for path, text in given.files.items()}
        return replace(given, files=files, entry=given.entry or interface.entry)
    text = _plain(completion.text)
    if not text.strip():
        raise ExtractError("the completion is empty", outcome="empty_response")
    cut = completion.finish_reason == "length"
    answer = _without_thoughts(text)
    files = _named_files(answer, interface.files) or _only_file(answer, interface)
    if not files:
        raise _no_files(answer, cut)
    missing = [path for path in interface.files.values() if path not in files]
    if missing:
        outcome = "truncated" if cut or _unfinished(answer) else "missing_part"
        raise ExtractError(f"expected {', '.join(missing)}; the completion holds {', '.join(files)}", outcome=outcome)
    candidate = Candidate(files=files, roles=dict(interface.files), entry=interface.entry)
    require_entry(candidate)
    return candidate


def require_entry(candidate: Candidate) -> None:
    """Raise where no source file names the kernel function that the task asks for."""
    if candidate.entry and not any(
        re.search(rf"\b{re.escape(candidate.entry)}\b", t) for t in candidate.files.values()
    ):
        raise ExtractError(f"no kernel function named {candidate.entry!r} in the sources", outcome="missing_symbol")


def _plain(text: str) -> str:
    return whole_text(text).replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


def _without_thoughts(text: str) -> str:
    text = _THINKING.sub("", text)
    text = _THOUGHT_END.sub("", text)  # a template that opened the thought in the prompt leaves only its end
    return _THOUGHT_OPEN.sub("", text)


def _no_files(answer: str, cut: bool) -> ExtractError:
    if cut or _unfinished(answer) or not answer.strip():
        return ExtractError("the completion stops before its first file is complete", outcome="truncated")
    if _REFUSAL.search(answer):
        return ExtractError(f"the model declined: {answer.strip()[:200]}", outcome="refusal")
    return ExtractError("the completion holds no file and no fenced block of code", outcome="no_code")


def _unfinished(answer: str) -> bool:
    """True where a file or a fenced block is opened and not closed."""
    rest = _FENCE.sub("", _TAGGED.sub("", answer))
    return bool(_TAG_OPEN.search(rest) or _FENCE_OPEN.search(rest))


@dataclass(frozen=True)
class _Block:
    """A fenced block: the line before it, what follows the fence's marks, and its text."""

    heading: str
    info: str
    body: str


def _blocks(answer: str) -> list[_Block]:
    found = []
    for match in _FENCE.finditer(answer):
        before = answer[: match.start()].rstrip().rsplit("\n", 1)[-1]
        found.append(_Block(before, match[2].strip(), match[3]))
    return found


def _named_files(answer: str, asked: Mapping[str, str]) -> dict[str, str]:
    files: dict[str, str] = {}
    for path, body in _TAGGED.findall(answer):
        files[_safe(_asked_path(path.strip(), asked))] = _unfenced(body)
    if files:
        return files
    for block in _blocks(answer):
        first_line = block.body.split("\n", 1)[0]
        comment = (
            first_line if first_line.lstrip().startswith(("//", "/*", "#")) and "#include" not in first_line else ""
        )
        named = _PATH.search(block.info) or _PATH.search(block.heading) or _PATH.search(comment)
        if named:
            files[_safe(_asked_path(named[0], asked))] = block.body
    # A heading may name a file that nobody asked for: then the names say nothing about what was asked.
    return files if any(path in files for path in asked.values()) else {}


def _only_file(answer: str, interface: Interface) -> dict[str, str]:
    if len(interface.files) != 1:
        return {}
    blocks = _blocks(answer)
    with_entry = [b for b in blocks if re.search(rf"\b{re.escape(interface.entry)}\b", b.body)]
    (path,) = interface.files.values()
    return {path: (with_entry or blocks)[-1].body} if blocks else {}


def _asked_path(path: str, asked: Mapping[str, str]) -> str:
    """The asked path that this one means: the same, or the only one with this file name."""
    path = path.removeprefix("./")
    if path in asked.values():
        return path
    same_name = [a for a in asked.values() if PurePosixPath(a).name == PurePosixPath(path).name]
    return same_name[0] if len(same_name) == 1 else path


def _safe(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in path or "\0" in path:
        raise ExtractError(f"the file path {path!r} leads outside the candidate's folder", outcome="missing_part")
    return str(parts)


def _unfenced(body: str) -> str:
    """The text of a tagged file, without the fence that many models put inside the tag."""
    match = _FENCE.fullmatch(body.strip("\n") + "\n") or _FENCE.fullmatch(body.strip())
    return match[3] if match else body.removeprefix("\n")
