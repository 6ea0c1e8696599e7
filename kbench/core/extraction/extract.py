"""From a completion's text to source files: forgiving in the form, exact in the code.

In order: `<file path="…">…</file>` blocks, as the prompt asks; fenced blocks that a heading, the fence itself or a
first comment line names; sections under headings that are nothing but a file's name; an answer in JSON; strings of a
Python answer; where one file is asked for, a tagged answer, the last fenced block that defines the kernel, or a text
that is nothing but code. What a model thought aloud is not read, and of several drafts of a file the last counts.
Nothing is changed in the code but what a transport did to it (HTML entities, line numbers), and that is noted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from kbench.core.backend import Interface
from kbench.core.candidate import Candidate
from kbench.core.errors import ExtractError
from kbench.core.extraction.forms import DIFF, TAG_OPEN, files_of, names, tagged, untagged, whole
from kbench.core.extraction.markup import (
    blocks,
    open_thought,
    plain,
    repeats_itself,
    undone,
    unwrapped,
    without_thoughts,
)
from kbench.core.generator import Completion
from kbench.core.record import whole_text

_TORN_TAG = re.compile(r"<file(?:\s[^<>]*)?$", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\bI(?:'m|’m| am) (?:very |really |so )?(?:sorry|unable|not able)\b"
    r"|\bI (?:can(?:no|'|’)t|won['’]t|must decline|am not"
    r" going to)\b|\bas an AI\b|抱歉|无法(?:提供|完成|帮助|满足)",
    re.IGNORECASE,
)


def extract(completion: Completion, interface: Interface) -> Candidate:
    """The candidate that a completion holds.

    Raises:
        ExtractError: `empty_response`, `only_reasoning`, `refusal`, `truncated`, `repetition`, `diff`, `no_code`,
            `missing_part` or `missing_symbol`.
    """
    if completion.candidate is not None:
        given = completion.candidate
        files = {path: whole_text(text) for path, text in given.files.items()}
        return replace(given, files=files, entry=given.entry or interface.entry)
    text = plain(completion.text)
    if not text.strip():
        raise _nothing(completion)
    answer, cut = _answer(text, completion.finish_reason), completion.finish_reason == "length"
    found = files_of(answer, interface, cut)
    if not found:
        raise _no_files(answer, completion)
    files, notes = _undone(found)
    missing = [path for path in interface.files.values() if not files.get(path, "").strip()]
    if missing:
        outcome = "truncated" if cut or _unfinished(answer) else "missing_part"
        raise ExtractError(f"expected {', '.join(missing)}; the completion holds {', '.join(files)}", outcome=outcome)
    candidate = Candidate(files=files, roles=dict(interface.files), entry=interface.entry, notes=notes)
    require_entry(candidate)
    return candidate


def require_entry(candidate: Candidate) -> None:
    """Raise where no source file names the kernel function that the task asks for."""
    if candidate.entry and not any(names(candidate.entry, text) for text in candidate.files.values()):
        raise ExtractError(f"no kernel function named {candidate.entry!r} in the sources", outcome="missing_symbol")


def _answer(text: str, finish_reason: str) -> str:
    """The text without thoughts. A thought that is never closed, in a completion that ended by itself, is where such a
    model put its answer."""
    answer = unwrapped(without_thoughts(text))
    if not answer.strip() and finish_reason == "stop" and (said := open_thought(text)):
        return said if blocks(said) or tagged(said) else ""
    return answer


def _undone(files: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    texts, notes = {}, {}
    for path, text in files.items():
        texts[path], changed = undone(text)
        if changed:
            notes[path] = f"undone: {', '.join(changed)}"
    return texts, notes


# --- what is wrong with it --------------------------------------------------------------------------------------------


def _nothing(completion: Completion) -> ExtractError:
    if completion.finish_reason in ("content_filter", "refusal"):
        return ExtractError(f"no answer ({completion.finish_reason})", outcome="refusal")
    if completion.reasoning.strip():
        return _only_thoughts(completion)
    return ExtractError("the completion is empty", outcome="empty_response")


def _only_thoughts(completion: Completion) -> ExtractError:
    cut = ", until its limit" if completion.finish_reason == "length" else ""
    return ExtractError(f"the model reasoned{cut} and gave no answer", outcome="only_reasoning")


def _no_files(answer: str, completion: Completion) -> ExtractError:
    cut = completion.finish_reason == "length"
    said = answer if answer.strip() else plain(completion.text)
    if cut and repeats_itself(said):
        return ExtractError("the completion repeats itself until its limit", outcome="repetition")
    if not answer.strip() and not open_thought(plain(completion.text)):
        return _only_thoughts(completion)
    if not answer.strip():
        return ExtractError("the completion stops in the middle of its thoughts", outcome="truncated")
    if cut or _unfinished(answer):
        return ExtractError("the completion stops before its first file is complete", outcome="truncated")
    if DIFF.search(answer):
        return ExtractError("the completion is a diff of parts, not the whole files", outcome="diff")
    if completion.finish_reason in ("content_filter", "refusal") or _REFUSAL.search(answer[:600]):
        return ExtractError(f"the model declined: {answer.strip()[:200]}", outcome="refusal")
    return ExtractError("the completion holds no file and no fenced block of code", outcome="no_code")


def _unfinished(answer: str) -> bool:
    """True where a file or a fenced block is opened, not closed, and not whole."""
    rest = untagged(answer)
    open_tag = TAG_OPEN.search(rest)
    return (
        _TORN_TAG.search(rest) is not None
        or bool(open_tag and not whole(open_tag[2]))
        or any(not b.closed for b in blocks(answer) if b.info or b.body)
    )
