"""The ways in which models tell files: tags, named fences, headings, JSON, strings of a Python answer, or code alone.

Each takes an answer without thoughts and gives path → text of what it finds; `files_of` takes the first that finds any.
Whether it is all that was asked for is the business of `extract`.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from kbench.core.backend import Interface
from kbench.core.errors import ExtractError
from kbench.core.extraction.markup import Block, blocks, sections, without_stray_fence

#: `<file path="…">`, whatever else it says of the file, such as its language.
_FILE = r"<file\s(?:[^<>\n]{0,200}\s)?(?:path|name)\s*=\s*[\"']?[ \t]*([^\s\"'<>]+)[\"']?(?:\s[^<>\n]{0,200})?>"
_TAG = re.compile(_FILE, re.IGNORECASE)
TAGGED = re.compile(rf"{_FILE}(.*?)</file>", re.DOTALL | re.IGNORECASE)
TAG_OPEN = re.compile(rf"{_FILE}(.*)$", re.DOTALL | re.IGNORECASE)
DIFF = re.compile(r"^(?:diff --git |@@ -\d|--- (?:a/|/dev/null)|<{5,9} ?SEARCH\b)", re.MULTILINE)
#: What is searched for, and what is put in its place.
_REPLACED = re.compile(
    r"^<{5,9} ?SEARCH\b[^\n]*\n((?:(?!^<{5,9} ?SEARCH\b).)*?)^={5,9}[ \t]*\n((?:(?!^<{5,9} ?SEARCH\b).)*?)^>{5,9}",
    re.DOTALL | re.MULTILINE,
)
_ONE_TAG = re.compile(
    r"<(kernel_impl|kernel_code|kernel|code|answer|solution)>(.*?)(?:</\1>|$)", re.DOTALL | re.IGNORECASE
)
_PATH = re.compile(r"[\w./+-]*\w\.(?:cpp|cc|cxx|c|h|hpp|hh|inl|cce|asc|py)\b")
_CODE_LINE = re.compile(
    r"^\s*(?:#\s*(?:include|define|pragma|if|ifdef|ifndef)\b|//|/\*|extern\b|template\s*<|namespace\b"
    r"|using\s+[\w:]+.*;"
    r"|static\b|inline\b|void\s+\w|class\s+\w+|struct\s+\w+|typedef\b|const(?:expr)?\b|__\w+__"
    r"|import\s+\w|from\s+\w+ import|def\s+\w|@\w)"
)
_CODE_END = re.compile(r"(?:[};]|\*/|\)|^\s*#\s*endif.*|^\s*//.*)\s*$")
_STRING = re.compile(r"^[ \t]*(\w+)[ \t]*(?::[^=\n]*)?=?[ \t]*\(?[ \t]*[rRfFuUbB]{0,2}(\"\"\"|''')", re.MULTILINE)
#: Comments, strings and characters; a comment that nothing ends goes to the end.
_NO_CODE = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
#: Where an object or list of JSON may begin: a line, or a tag at its beginning.
_JSON_START = re.compile(r"^[ \t]*(?:<\w+>[ \t]*)?(?=[{\[])", re.MULTILINE)
_MOST_JSON = 50
#: A comment line that is nothing but a file's name, with rules around it.
_NAME_LINE = re.compile(
    r"^[ \t]*(?://|/\*|#)[ \t=*#\-]*(?:file:?[ \t]*)?([A-Za-z_][\w./+-]*\.\w+)[ \t=*#:/\-]*$",
    re.MULTILINE | re.IGNORECASE,
)
#: Fences of what is done with files; text and diffs may yet be a file where it is named.
_NO_FILE = ("sh", "bash", "shell", "console", "cmake", "makefile", "json", "yaml", "output")
_NO_SOURCE = (*_NO_FILE, "text", "txt", "diff")


def names(entry: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(entry)}\b", text) is not None


def defines(entry: str, text: str) -> bool:
    """Whether the text holds the function with its body, not only a call of it."""
    name = re.escape(entry)
    pattern = rf"\b{name}\s*\([^;{{}}]{{0,4000}}\)[^;{{}}=()]{{0,200}}\{{|\bdef\s+{name}\s*\("
    return re.search(pattern, text) is not None


def files_of(answer: str, interface: Interface, cut: bool) -> dict[str, str]:
    """path → text, by the first way of telling files that this answer uses."""
    asked = interface.files
    found = (
        _tagged_files(answer, interface, cut)
        or _named_blocks(answer, interface, cut)
        or _headed_sections(answer, asked, cut)
        or _json_files(answer, interface)
        or _assigned_strings(answer, interface, cut)
        or _unnamed(answer, interface, cut)
    )
    return found if all(path in found for path in asked.values()) else _parts_of_a_block(answer, asked, cut) or found


def tagged(answer: str) -> list[tuple[str, str]]:
    """(path, text) of every closed tag. What follows the last closing tag is not looked at: many openings that nothing
    closes would take for ever. Of several openings before a closing tag the last counts: the others are spoken of."""
    found = []
    for path, text in TAGGED.findall(answer[: _last_closing(answer)]):
        opened = [*_TAG.finditer(text)]
        found.append((opened[-1][1], text[opened[-1].end() :]) if opened else (path, text))
    return found


def untagged(answer: str) -> str:
    """The answer without its closed tags."""
    end = _last_closing(answer)
    return TAGGED.sub("", answer[:end]) + answer[end:]


def _last_closing(answer: str) -> int:
    at = answer.lower().rfind("</file>")
    return at + len("</file>") if at >= 0 else 0


def _tagged_files(answer: str, interface: Interface, cut: bool) -> dict[str, str]:
    files, asked = {}, interface.files
    for path, body in tagged(answer):
        files[_safe(_asked_path(path.strip(), asked))] = _unfenced(body)
    rest = TAG_OPEN.search(untagged(answer))
    if rest and not cut:
        path, body = _asked_path(rest[1].strip(), asked), _unfenced(rest[2])
        if path in asked.values() and path not in files and whole(body):
            files[_safe(path)] = body
    if len(asked) == 1 and len(files) == 1:
        ((path, text),) = files.items()
        if path not in asked.values() and defines(interface.entry, text):  # the one file that was asked for, renamed
            return dict.fromkeys(asked.values(), text)
    return files


def _named_blocks(answer: str, interface: Interface, cut: bool) -> dict[str, str]:
    asked, entry = interface.files, interface.entry
    files: dict[str, str] = {}
    usable = _usable(blocks(answer), cut)
    for block in usable:
        named = _PATH.search(block.info) or _PATH.search(block.heading) or _PATH.search(_first_comment(block.body))
        if not named or block.language in _NO_FILE or _is_diff_of_parts(block):
            continue
        path, text = _safe(_asked_path(named[0], asked)), _from_diff(block)
        if not _is_passage(text, files.get(path, ""), entry):
            files[path] = text
    # Words before a block may name a file that nobody asked for, or speak of the one that another block holds.
    if not any(path in files for path in asked.values()):
        return {}
    elsewhere = len(asked) == 1 and any(defines(entry, block.body) for block in usable)
    return {} if elsewhere and not any(defines(entry, text) for text in files.values()) else files


def _is_passage(text: str, draft: str, entry: str) -> bool:
    """Whether a text is no new draft of a file, but speaks of it: without its kernel, or with nothing but its lines."""
    if defines(entry, draft) and not defines(entry, text):
        return True
    lines = {line.strip() for line in draft.split("\n")}
    return all(line.strip() in lines for line in text.split("\n"))


def _first_comment(body: str) -> str:
    line = body.split("\n", 1)[0][:400]
    return line if line.lstrip().startswith(("//", "/*", "#")) and "include" not in line else ""


def _headed_sections(answer: str, asked: Mapping[str, str], cut: bool) -> dict[str, str]:
    """Files under headings that are nothing but their names; code with or without a fence."""
    short = [PurePosixPath(path).name for path in asked.values()]
    names = {name: path for name, path in zip(short, asked.values(), strict=True) if short.count(name) == 1}
    names |= {path: path for path in asked.values()}
    files = {}
    for name, text in sections(answer, tuple(names)):
        found = _usable(blocks(text), cut)
        inside = [b for b in found if not _is_diff_of_parts(b)]
        if inside:
            files[names[name]] = _from_diff(inside[0])
        elif not found and _only_code(text) and (not cut or whole(text)):
            files[names[name]] = _only_code(text)
    return files


def _json_files(answer: str, interface: Interface) -> dict[str, str]:
    """An answer in JSON: `{"files": {path: text}}`, a list of `{"path", "content"}`, or one text under any name."""
    for facts in (_json_values(answer), *(_json_values(b.body) for b in blocks(answer) if b.language in ("json", ""))):
        files = {name: text for name, text in _json_texts(facts) if "{" in text or "#" in text}
        named = {_safe(_asked_path(path, interface.files)): text for path, text in files.items() if _PATH.search(path)}
        if any(path in named for path in interface.files.values()):
            return named
        mapped = _by_role(files, interface)
        if mapped:
            return mapped
    return {}


def _json_values(text: str) -> list[Any]:
    """Objects and lists that begin a line of the text, whatever stands around them."""
    decoder, values, end = json.JSONDecoder(strict=False), list[Any](), 0
    for number, start in enumerate(_JSON_START.finditer(text)):
        if number == _MOST_JSON:
            break
        if start.end() < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            continue
        values.append(value)
    return values


def _json_texts(facts: Any) -> list[tuple[str, str]]:
    """(path or name, text) of every text in it that could be a file."""
    if isinstance(facts, list):
        return [pair for item in facts for pair in _json_texts(item)]
    if not isinstance(facts, dict):
        return []
    for path, content in (
        ("path", "content"),
        ("name", "content"),
        ("file", "content"),
        ("filename", "code"),
        ("path", "code"),
    ):
        if isinstance(facts.get(path), str) and isinstance(facts.get(content), str):
            return [(facts[path], _unfenced(facts[content]))]
    found = []
    for name, value in facts.items():
        found += [(str(name), _unfenced(value))] if isinstance(value, str) else _json_texts(value)
    return found


def _assigned_strings(answer: str, interface: Interface, cut: bool) -> dict[str, str]:
    """Sources that a Python answer holds in triple quotes, by the names that they are given."""
    inside = [b.body for b in blocks(answer) if _STRING.search(b.body)]
    strings: dict[str, str] = {}
    for text in inside or ([answer] if _STRING.search(answer) else []):
        opened = list(_STRING.finditer(text))
        ends = [*(m.start() for m in opened[1:]), len(text)]
        for match, end in zip(opened, ends, strict=True):
            body = _closed_string(text[match.end() : end], match[2])
            if body is not None and (not cut or whole(body)):
                strings[match[1]] = body.lstrip("\n")
    return _by_role(strings, interface)


def _closed_string(text: str, quotes: str) -> str | None:
    """The text before the quotes that close it: those at the start of a line, or else the last ones; where nothing
    closes it, all of it if it is whole."""
    at_start = re.search(rf"^[ \t]*{quotes}", text, re.MULTILINE)
    if at_start:
        return text[: at_start.start()]
    if quotes in text:
        return text[: text.rindex(quotes)].rstrip() + "\n"
    text = without_stray_fence(text)
    return text.rstrip() + "\n" if whole(text) else None


def _by_role(texts: Mapping[str, str], interface: Interface) -> dict[str, str]:
    """Texts that names such as `kernel_src` or `host_tiling` assign to the roles that are asked for; of a single
    file, the text that defines the kernel."""
    files: dict[str, str] = {}
    roles = sorted(interface.files, key=len, reverse=True)
    for name, text in texts.items():
        if not text.strip():
            continue
        lowered = name.lower()
        words = {role: role.lower().removeprefix("op_") for role in roles}
        fitting = [role for role in roles if words[role] in lowered]
        # `host_tiling`: of two roles that a name holds, the one it ends with.
        fitting.sort(key=lambda role: lowered.rfind(words[role]), reverse=True)
        if fitting and interface.files[fitting[0]] not in files:
            files[interface.files[fitting[0]]] = text
    if len(interface.files) == 1 and texts:
        (path,) = interface.files.values()
        defining = [text for text in texts.values() if defines(interface.entry, text)]
        return {path: defining[-1]} if defining else files
    return files


def _unnamed(answer: str, interface: Interface, cut: bool) -> dict[str, str]:
    found = [b for b in _usable(blocks(answer), cut) if b.body.strip()]
    if len(interface.files) > 1:
        return _by_content([_from_diff(b) for b in found], interface)
    (path,) = interface.files.values()
    tag = [m for m in _ONE_TAG.finditer(answer) if not cut or m[0].rstrip().endswith(">")]
    if tag and not found:  # of several openings before a closing tag the last counts
        return {path: _unfenced(re.split(rf"<{tag[-1][1]}>", tag[-1][2], flags=re.IGNORECASE)[-1])}
    for fits in (defines, names):
        fitting = [b for b in found if fits(interface.entry, b.body) and not _is_diff_of_parts(b)]
        if fitting:
            return {path: _from_diff(fitting[-1])}
    code = [b for b in found if b.language not in _NO_SOURCE and not _is_diff_of_parts(b)]
    if code:
        return {path: _from_diff(code[-1])}
    opened = any(b.closed or b.info or _CODE_LINE.match(b.body) for b in blocks(answer))
    if not opened and defines(interface.entry, answer):
        text = _only_code(without_stray_fence(answer))
        return {path: text} if text and (not cut or whole(text)) else {}
    return {}


def _parts_of_a_block(answer: str, asked: Mapping[str, str], cut: bool) -> dict[str, str]:
    """Files that stand in one block, each under a comment line with its name; empty unless all are there."""
    for block in _usable(blocks(answer), cut):
        files: dict[str, str] = {}
        parts = _NAME_LINE.split(block.body)
        for name, text in zip(parts[1::2], parts[2::2], strict=True):
            files[_asked_path(name, asked)] = text.strip("\n") + "\n"
        if all(path in files for path in asked.values()):
            return {path: files[path] for path in asked.values()}
    return {}


def _by_content(bodies: list[str], interface: Interface) -> dict[str, str]:
    """As many unnamed blocks as files are asked for: the one that defines the kernel, headers by their guards, the rest
    in the order that was asked."""
    if len(bodies) != len(interface.files):
        return {}
    rest = list(interface.files.values())
    files: dict[str, str] = {}
    for body in sorted(bodies, key=lambda text: not defines(interface.entry, text)):
        headers = [path for path in rest if path.endswith((".h", ".hpp"))]
        is_header = re.search(r"^\s*#\s*(?:ifndef\b|pragma once\b)", body, re.MULTILINE) is not None
        fitting = headers if is_header and headers else [path for path in rest if path not in headers] or rest
        files[fitting[0]] = body
        rest.remove(fitting[0])
    return files


# --- pieces -----------------------------------------------------------------------------------------------------------


def _usable(found: list[Block], cut: bool) -> list[Block]:
    """Blocks that are closed, and an unclosed one that is whole all the same."""
    return [b for b in found if b.closed or (not cut and whole(b.body))]


def whole(code: str) -> bool:
    """Whether code ends where code may end: every brace that opened is closed."""
    bare = _NO_CODE.sub("", code)
    return (
        bool(code.strip())
        and bare.count("{") == bare.count("}")
        and bool(_CODE_END.search(code.rstrip().split("\n")[-1]))
    )


def _only_code(text: str) -> str:
    """The code of a text without fences: from the first line that is code to the last that may end it."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if _CODE_LINE.match(line)), None)
    if start is None:
        return ""
    end = next((i for i in range(len(lines) - 1, start, -1) if _CODE_END.search(lines[i])), start)
    return textwrap.dedent("\n".join(lines[start : end + 1])) + "\n"


def _from_diff(block: Block) -> str:
    """The new file that a diff adds; any other block as it is."""
    if not DIFF.search(block.body) or _is_diff_of_parts(block):
        return block.body
    if replaced := _REPLACED.search(block.body):
        return replaced[2]
    added = [line[1:] for line in block.body.split("\n") if line.startswith("+") and not line.startswith("+++")]
    return "\n".join(added) + "\n"


def _is_diff_of_parts(block: Block) -> bool:
    """A diff that changes a file, and so does not hold it."""
    if not DIFF.search(block.body):
        return False
    if replaced := _REPLACED.findall(block.body):
        return len(replaced) > 1 or bool(replaced[0][0].strip())
    hunks = block.body[block.body.find("@@") :].split("\n")[1:]
    return any(line[:1] in (" ", "-") for line in hunks if line)


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
    """A text without what many models put inside a tag: a fence, a sentence before it, a CDATA section."""
    data = re.fullmatch(r"\s*<!\[CDATA\[(.*)\]\]>\s*", body, re.DOTALL)
    body = data[1] if data else body
    inside = blocks(body.strip("\n"))
    if len(inside) == 1:
        before = body.strip("\n").split("\n")[: inside[0].start]
        if not any(_CODE_LINE.match(line) or _CODE_END.search(line) for line in before):
            return inside[0].body
    return body.removeprefix("\n")
