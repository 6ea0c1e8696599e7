"""How models wrap what they write: thoughts, fences, tags, chat tokens, and what a transport did to the code inside.

Nothing here knows what is asked for; `extract` does.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kbench.core.record import whole_text

_TAGS = "think|thinking|reasoning|thought|thoughts|analysis|scratchpad"
_THOUGHT_TAG = re.compile(rf"<(/?)({_TAGS})>", re.IGNORECASE)
_THOUGHT_END = re.compile(rf"^.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
#: A thought that nothing closes begins a line; `// <think>` in a comment of code is none.
_THOUGHT_OPEN = re.compile(rf"^[ \t]*<(?:{_TAGS})>(.*)\Z", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_MARKED_THOUGHT = re.compile(r"<\|begin_of_thought\|>.*?(?:<\|end_of_thought\|>|$)|◁think▷.*?(?:◁/think▷|$)", re.DOTALL)
#: Channels of models that name them: only the final one is the answer.
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>(.*?)(?=<\|(?:end|return|start|channel)\|>|$)", re.DOTALL
)
_NEXT_TURN = re.compile(
    r"<\|im_start\|>\s*(?:user|system)\b.*$|<\|start_header_id\|>\s*(?:user|system)\b.*$"
    r"|<start_of_turn>\s*user\b.*$|<\|user\|>.*$",
    re.DOTALL,
)
_CHAT_TOKEN = re.compile(
    r"<\|(?:im_start\|>\s*assistant|im_end\|>|endoftext\|>|eot_id\|>|end\|>|end_of_text\|>|begin_of_text\|>|eom_id\|>"
    r"|return\|>|assistant\|>|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|begin_of_solution\|>"
    r"|end_of_solution\|>|eos\|>)|<(?:end_of_turn|eos|start_of_turn>\s*model)>|</s>|<｜end▁of▁sentence｜>"
)
_OPENING = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([^\n]*)$")
_CODE_IN_INFO = re.compile(r"#\s*include\b|[;{]\s*$")
_NUMBERED = re.compile(r"^[ \t]*(\d+)(?:[ \t]*[|:│][ \t]?|\.?[ \t]{1,8}|\.?$)", re.MULTILINE)
#: Of a line that may name a file, so much is looked at.
_LONGEST_NAME = 400
#: Code as a page holds it; a fence that is quoted as a whole; tags that came through a page's escapes.
_HTML_CODE = re.compile(r"<pre\b[^<>]*>\s*<code\b[^<>]*>((?:(?!<pre\b).)*?)</code>\s*</pre>", re.DOTALL | re.IGNORECASE)
_QUOTED_FENCE = re.compile(r"^> ?(?:`{3,}|~{3,})([^\n]*)$")
_ESCAPED_TAG = re.compile(r"&lt;file\s+(?:path|name)\s*=", re.IGNORECASE)
_MARKDOWN = ("", "markdown", "md")


def plain(text: str) -> str:
    """The text with one kind of line end, without byte order marks and the tokens of chat templates; what a model went
    on to write in the user's name is cut off."""
    text = whole_text(text).replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    return _CHAT_TOKEN.sub("", _NEXT_TURN.sub("", _final_channel(text)))


def unwrapped(text: str) -> str:
    """The text with what a page or a quotation put around its code taken off."""
    if _ESCAPED_TAG.search(text) and "<file" not in text.lower():
        text = html.unescape(text)
    text = _HTML_CODE.sub(lambda m: f"\n```\n{html.unescape(m[1]).strip()}\n```\n", text)
    return "\n".join(_unquoted(text.split("\n"))) if "\n> " in f"\n{text}" else text


def _unquoted(lines: list[str]) -> Iterator[str]:
    """The lines, those of a quoted fence up to the end of the quotation without its marks."""
    inside = False
    for line in lines:
        fence = _QUOTED_FENCE.match(line)
        opens = fence is not None and not inside
        inside = (inside or opens) and line.startswith(">")
        yield re.sub(r"^> ?", "", line) if inside else line
        if fence and not opens and not fence[1].strip():
            inside = False


def _final_channel(text: str) -> str:
    channels = [(m[1].lower(), m[2]) for m in _CHANNEL.finditer(text)]
    if not channels:
        return text
    final = [said for name, said in channels if name == "final"]
    return final[-1] if final else "".join(f"<think>{said}</think>" for _, said in channels)


def without_thoughts(text: str) -> str:
    """What is left of a text when its thoughts are taken out, those that were never closed included."""
    return _THOUGHT_OPEN.sub("", _closed_thoughts_out(text))


def open_thought(text: str) -> str:
    """The text of a thought that was never closed; empty where there is none."""
    found = _THOUGHT_OPEN.search(_closed_thoughts_out(text))
    return found[1] if found else ""


def _closed_thoughts_out(text: str) -> str:
    text = _MARKED_THOUGHT.sub("", _paired_out(text))
    return _THOUGHT_END.sub("", text)  # a template that opened the thought in the prompt leaves only its end


def _paired_out(text: str) -> str:
    """The text without what stands between an opening tag and the next closing one of its name. In one pass: a model
    may write nothing but opening tags."""
    tags = list(_THOUGHT_TAG.finditer(text))
    ends: dict[str, int] = {}
    closing = [0] * len(tags)  # for each opening tag, where the next closing one of its name ends
    for i in range(len(tags) - 1, -1, -1):
        name = tags[i][2].lower()
        if tags[i][1]:
            ends[name] = tags[i].end()
        closing[i] = ends.get(name, 0)
    kept, at = [], 0
    for tag, end in zip(tags, closing, strict=True):
        if not tag[1] and end and tag.start() >= at:
            kept.append(text[at : tag.start()])
            at = end
    return "".join([*kept, text[at:]])


@dataclass(frozen=True)
class Block:
    """A fenced block: the last line of text before it, what follows the fence's marks, its text, and whether it was
    closed. `start` and `end` are its lines in the text."""

    heading: str
    info: str
    body: str
    closed: bool
    start: int
    end: int

    @property
    def language(self) -> str:
        """The first word after the fence's marks: `cpp` of ```` ```cpp title="x.cpp" ````."""
        return re.split(r"[\s:{,=]", self.info, maxsplit=1)[0].lower().strip(".")


def blocks(text: str, depth: int = 2) -> list[Block]:
    """Fenced blocks in order. Those inside a fence that only wraps Markdown count, not the wrapper, `depth` of them."""
    lines = text.split("\n")
    found: list[Block] = []
    at = 0
    while at < len(lines):
        opening = _OPENING.match(lines[at])
        if opening is None or not _opens(opening[2], opening[3]):
            at += 1
            continue
        block = _block(lines, at, opening)
        if depth and block.language in _MARKDOWN and _has_fence(block.body):
            found += [_moved(inner, at + 1) for inner in blocks(block.body, depth - 1)]
        else:
            found.append(block)
        at = block.end + 1
    return found


def _opens(marks: str, info: str) -> bool:
    """A line such as ```` ```x``` ```` is a span of code, and opens nothing."""
    return marks[0] not in info or marks[0] == "~"


def _block(lines: list[str], at: int, opening: re.Match[str]) -> Block:
    indent, marks, info = opening[1], opening[2], opening[3].strip()[:_LONGEST_NAME]
    closing = re.compile(rf"^[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    glued = re.compile(rf"^(.*[}};)/>])[ \t]*{re.escape(marks)}[ \t]*$")
    heading = next((lines[i] for i in range(at - 1, -1, -1) if lines[i].strip()), "")[:_LONGEST_NAME]
    body: list[str] = []
    if _CODE_IN_INFO.search(info):
        language, _, code = info.partition(" ")
        first = info if _CODE_IN_INFO.search(language) else code
        info = "" if first == info else language
        body.append(first)
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if closing.match(line):
            return Block(heading, info, _text(body, indent), True, at, number)
        if last := glued.match(line):
            return Block(heading, info, _text([*body, last[1]], indent), True, at, number)
        body.append(line)
    return Block(heading, info, _text(body, indent), False, at, len(lines) - 1)


def _text(body: list[str], indent: str) -> str:
    text = "\n".join(body)
    if indent and all(line.startswith(indent) or not line.strip() for line in body):
        text = textwrap.dedent(text)
    return text.rstrip("\n") + "\n" if text.strip() else ""


def _has_fence(text: str) -> bool:
    return any((m := _OPENING.match(line)) and _opens(m[2], m[3]) for line in text.split("\n"))


def _moved(block: Block, lines: int) -> Block:
    start, end = block.start + lines, block.end + lines
    return Block(block.heading, block.info, block.body, block.closed, start, end)


def without_stray_fence(text: str) -> str:
    """The text before a closing fence that nothing opened (its opening stood in the prompt)."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.match(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*$", line):
            return "\n".join(lines[:number])
        if last := re.match(r"^(.*[};])[ \t]*`{3,}[ \t]*$", line):
            return "\n".join([*lines[:number], last[1]])
    return text


# --- what a transport did to code -------------------------------------------------------------------------------------


def undone(code: str) -> tuple[str, tuple[str, ...]]:
    """Code as its author meant it, and what was undone: HTML entities, line numbers."""
    notes = []
    if re.search(r"&(?:lt|gt|amp|quot|#39|#x27);", code) and "<" not in code:
        code = html.unescape(code)
        notes.append("HTML entities")
    if _is_numbered(code):
        code = _NUMBERED.sub("", code)
        notes.append("line numbers")
    return code, tuple(notes)


def _is_numbered(code: str) -> bool:
    """Every line begins with its number, counted on by one."""
    lines = code.rstrip("\n").split("\n")
    numbers = [int(m[1]) if (m := _NUMBERED.match(line)) else None for line in lines]
    if len(numbers) < 3 or numbers[0] not in (0, 1):
        return False
    return all(number == i for i, number in enumerate(numbers, numbers[0]))


# --- texts that never end ---------------------------------------------------------------------------------------------

_LONGEST_PERIOD = 1000
_LEAST_REPEATED = 300


def repeats_itself(text: str) -> bool:
    """The end of the text is one passage, over and over: four times at least, and 300 characters."""
    tail = text.rstrip()[-5 * _LONGEST_PERIOD :]
    for period in range(1, min(_LONGEST_PERIOD, len(tail) // 4) + 1):
        length = max(3 * period, _LEAST_REPEATED)
        if length + period <= len(tail) and tail[-length:] == tail[-length - period : -period]:
            return True
    return False


# --- texts with one heading for each file -----------------------------------------------------------------------------


def sections(text: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(name, text below it) for every line that is nothing but one of these names, in whatever ornaments. The only one
    in a fence is a comment of the file there, `@file add.cpp`, and heads nothing."""
    lines = text.split("\n")
    heads = [(i, name) for i, line in enumerate(lines) if (name := _headed(line, names))]
    fenced = {i: number for number, block in enumerate(blocks(text)) for i in range(block.start + 1, block.end)}
    inside = Counter(fenced[i] for i, _ in heads if i in fenced)
    heads = [(i, name) for i, name in heads if i not in fenced or inside[fenced[i]] > 1]
    ends = [*(i for i, _ in heads[1:]), len(lines)]
    for (i, name), end in zip(heads, ends, strict=False):
        yield name, "\n".join(lines[i + 1 : end]).strip("\n") + "\n"


_ORNAMENT = re.compile(r"^[\W_\d]*(?:(?:file(?:name)?|path|文件名?|路径)\s*[:：]?\s*)?[\W_]*|[\W_]+$", re.IGNORECASE)


def _headed(line: str, names: tuple[str, ...]) -> str:
    if len(line) > 200:
        return ""
    bare = _ORNAMENT.sub("", line.removeprefix("./"))
    return next((name for name in names if bare == name.lstrip("./")), "")
