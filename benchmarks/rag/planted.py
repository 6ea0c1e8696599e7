"""Copies of known solutions in disguise, drawn from a seed: renamed, reformatted, re-templated, retyped.

    python -m benchmarks.rag.planted OUT [--seed 20]

Writes `OUT/HALF/TASK/…` and `OUT/planted.json`, which says of each file whose solution it is, in which half the task
fell (`tune` or `judge`) and what was done to it. Retrieval must never return one of them for its task. Everything here
works on the text alone and imports nothing from what it puts to the test.

Beside the four disguises, and all four at once, there is `padded` (dead statements between the others): nobody promises
that it is seen through, and it is counted by itself.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

KBENCH = Path(__file__).parents[2] / "kbench"
KINDS = ("renamed", "reformatted", "retemplated", "retyped", "all", "padded")

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<line>^[ \t]*#(?:[^\n\\]|\\.|\\\n)*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<number>(?:\d|\.\d)(?:[eEpP][+-]|[\w.'])*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark><<=|>>=|\.\.\.|->\*?|::|\+\+|--|<<|[-+*/%&|^=!<>]=|&&|\|\||[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_KEYWORDS = frozenset({
    "alignas", "alignof", "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr",
    "const_cast", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "noexcept", "nullptr", "operator", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename",
    "union", "unsigned", "using", "virtual", "void", "volatile", "while", "__restrict", "__aicore__",
    "__global__", "__gm__", "restrict", "main"
})  # fmt: skip
_TYPES = frozenset({
    "auto", "bool", "char", "double", "float", "int", "long", "short", "unsigned", "void", "half", "bfloat16",
    "bfloat16_t", "accfloat", "acc32", "acc48", "acc64", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t",
    "uint32_t", "int64_t", "uint64_t", "int8", "uint8", "int16", "uint16", "int32", "uint32", "size_t",
    "GM_ADDR", "DataType"
})  # fmt: skip
#: What an element type may become.
_RETYPED = {
    "bfloat16": ("int16_t", "float", "int8_t"),
    "float": ("bfloat16", "int32_t", "half"),
    "half": ("float", "bfloat16_t", "int16_t"),
    "bfloat16_t": ("half", "float"),
    "int8_t": ("uint8_t", "int16_t", "bfloat16"),
    "uint8_t": ("int8_t", "uint16_t"),
    "int16_t": ("int32_t", "uint16_t", "bfloat16"),
    "uint16_t": ("int16_t", "uint32_t"),
    "int32_t": ("int16_t", "float"),
    "accfloat": ("acc32", "acc64"),
    "acc32": ("accfloat", "acc48"),
    "acc64": ("acc32",),
    "int8": ("uint8", "int16"),
    "int16": ("int32", "bfloat16"),
    "int32": ("int16", "float"),
    "DT_FLOAT16": ("DT_FLOAT", "DT_INT16"),
    "DT_FLOAT": ("DT_FLOAT16", "DT_INT32"),
    "DT_BF16": ("DT_FLOAT16",),
}
_LANES = {"8": "16", "16": "32", "32": "64", "64": "32", "128": "64"}
_SYLLABLES = [a + b for a, b in zip("bdfghjklmnprstvwxyz", "aeioaieuoiauaeioeou", strict=True)]

Token = tuple[str, str]  # kind, text


def tokens_of(text: str) -> list[Token]:
    return [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]


def joined(tokens: list[Token]) -> str:
    """Plain text of the tokens: a line after `;`, `{`, `}`, and lines of the preprocessor by themselves."""
    out, depth = [], 0
    for kind, text in tokens:
        if kind == "line":
            out.append(f"\n{text.strip()}\n")
        elif kind == "comment":
            out.append(f" {text}\n" if text.startswith("//") else f" {text} ")
        else:
            depth += {"(": 1, ")": -1}.get(text, 0)
            out.append(text)
            out.append("\n" if text in ("{", "}") or (text == ";" and depth == 0) else " ")
    return "".join(out).strip() + "\n"


def declared(tokens: list[Token]) -> list[str]:
    """Names that the file gives itself: of its variables, functions, classes, parameters of templates, and macros."""
    code = [t for t in tokens if t[0] not in ("comment", "line")]
    found: dict[str, None] = {}
    for i, (kind, text) in enumerate(code):
        if kind != "name" or text in _KEYWORDS or text in _TYPES or text.startswith("__"):
            continue
        before = code[i - 1][1] if i else ""
        after = code[i + 1][1] if i + 1 < len(code) else ""
        is_type = before in ("class", "struct", "typename", "enum", "namespace") or (before == "using" and after == "=")
        is_value = after in ("=", ";", ",", ")", "[", "(", "{", ":", ">") and _after_type(code, i)
        is_bound = before in ("[", ",") and after in (",", "]") and _in_binding(code, i)
        if is_type or is_value or is_bound:
            found[text] = None
    for kind, text in tokens:
        macro = re.match(r"\s*#\s*define\s+(\w+)", text) if kind == "line" else None
        if macro:
            found[macro[1]] = None
    return list(found)


def _after_type(code: list[Token], i: int) -> bool:
    j = i - 1
    while j >= 0 and code[j][1] in ("*", "&", "&&", "const", "__restrict", "restrict"):
        j -= 1
    if j < 0:
        return False
    kind, text = code[j]
    if text == ">":
        return j == i - 1 or code[j + 1][1] in ("*", "&", "const", "__restrict")
    if text == ",":  # the second of `float a = 1, b = 2`
        return False
    if kind != "name" or (text in _KEYWORDS and text not in _TYPES and text != "auto"):
        return False
    return text in _TYPES or j == i - 1


def _in_binding(code: list[Token], i: int) -> bool:
    j = i
    while j >= 0 and code[j][1] != "[":
        if code[j][1] in (";", "(", "{", "]"):
            return False
        j -= 1
    return j > 0 and code[j - 1][1] in ("auto", "&")


# ------------------------------------------------------------------------------------------------------- disguises


def renamed(tokens: list[Token], draw: random.Random) -> list[Token]:
    names: dict[str, str] = {}
    for name in declared(tokens):
        words = ["".join(draw.choice(_SYLLABLES) for _ in range(draw.randint(1, 3))) for _ in range(draw.randint(1, 2))]
        style = draw.choice(("snake", "camel", "pascal"))
        new = "_".join(words) if style == "snake" else "".join(w.capitalize() for w in words)
        new = new[0].lower() + new[1:] if style == "camel" else new
        names[name] = f"{new}{len(names)}"

    def swapped(kind: str, text: str) -> Token:
        if kind == "name":
            return kind, names.get(text, text)
        return kind, re.sub(r"\b\w+\b", lambda m: names.get(m[0], m[0]), text) if "define" in text else text

    return [swapped(kind, text) for kind, text in tokens]


def reformatted(tokens: list[Token], draw: random.Random) -> list[Token]:
    """Other comments; how the tokens are spaced is drawn where they are written (`spaced`)."""
    kept = [t for t in tokens if t[0] != "comment"]
    out: list[Token] = []
    for token in kept:
        out.append(token)
        if token[1] in (";", "{", "}") and draw.random() < 0.3:
            words = " ".join(draw.choice(_SYLLABLES) for _ in range(draw.randint(2, 7)))
            out.append(("comment", f"/* {words} */"))
    return out


def spaced(tokens: list[Token], draw: random.Random) -> str:
    """The tokens with drawn blanks and line ends between them."""
    style, out, indent = draw.choice(("dense", "loose", "tall")), [], 0
    for kind, text in tokens:
        if kind == "line":
            out.append(f"\n{text.strip()}\n")
            continue
        if text == "}":
            indent -= 1
        out.append(text)
        indent += text == "{"
        if style == "dense":
            out.append(" " if kind in ("name", "number") or text in ("+", "-", "&", "<", ">", ":", ",") else "")
        elif style == "loose":
            out.append(draw.choice((" ", "  ", " ", "\n" + "\t" * max(indent, 0))))
        else:
            out.append("\n" + "  " * max(indent, 0) if text in ("{", "}", ";", ",") else " ")
    return "".join(out).strip() + "\n"


def retyped(tokens: list[Token], draw: random.Random) -> list[Token]:
    present = sorted({text for _, text in tokens if text in _RETYPED})
    to = {text: draw.choice(_RETYPED[text]) for text in present}
    whole = draw.random() < 0.5
    out: list[Token] = []
    for i, (kind, text) in enumerate(tokens):
        before = tokens[i - 1][1] if i else ""
        after = tokens[i + 1][1] if i + 1 < len(tokens) else ""
        if text in to:
            text = to[text]
        elif kind == "number" and text in _LANES and before in ("<", ",") and after == ">":
            text = _LANES[text]
        elif kind == "number" and whole and re.fullmatch(r"\d+\.0*f?", text):
            text = text.split(".")[0]
        out.append((kind, text))
    return out


def retemplated(tokens: list[Token], draw: random.Random) -> list[Token]:
    """Functions over a type and a size, called by one with the old name; classes over a type."""
    code = [t for t in tokens if t[0] != "comment"]
    if any(text == "class" for _, text in code):
        return _class_template(code, draw)
    start, opening, closing, end = _last_function(code)
    function = code[start:end]
    types = Counter(t for _, t in code[opening:closing] if t in _RETYPED)
    sizes = Counter(t for k, t in function if k == "number" and t.isdigit() and int(t) >= 8)
    if not types:
        return code
    element = types.most_common(1)[0][0]
    size = sizes.most_common(1)[0][0] if sizes else ""
    name = code[opening - 1][1]
    head = "template <typename Element" + (", unsigned Size>" if size else ">")
    swap = {element: "Element", name: f"{name}_of", **({size: "Size"} if size else {})}
    body = [("name", swap[t]) if t in swap else (k, t) for k, t in function if t not in ("extern", '"C"')]
    parameters = code[opening : closing + 1]
    given = ", ".join(_parameter_names(parameters))
    call = f"{{ {name}_of<{element}{', ' + size if size else ''}>({given}); }}"
    wrapper = [*code[start:opening], *parameters, *tokens_of(call)]
    return [*code[:start], *tokens_of(head), *body, *wrapper, *code[end:]]


def _last_function(code: list[Token]) -> tuple[int, int, int, int]:
    """(start of the declaration, its parenthesis, the closing one, past its end) of the last function at top level."""
    depth, start, best = 0, 0, (0, 0, 0, 0)
    i = 0
    while i < len(code):
        text = code[i][1]
        if depth == 0 and text == "(" and code[i - 1][0] == "name":
            closing = _closing(code, i, "(", ")")
            if closing + 1 < len(code) and code[closing + 1][1] == "{":
                end = _closing(code, closing + 1, "{", "}") + 1
                best, start, i = (start, i, closing, end), end, end
                continue
        depth += {"{": 1, "}": -1}.get(text, 0)
        if depth == 0 and (text in (";", "}") or code[i][0] == "line"):
            start = i + 1
        i += 1
    return best


def _closing(code: list[Token], i: int, opening: str, closing: str) -> int:
    depth = 0
    for j in range(i, len(code)):
        depth += {opening: 1, closing: -1}.get(code[j][1], 0)
        if depth == 0:
            return j
    return len(code) - 1


def _parameter_names(parameters: list[Token]) -> list[str]:
    found = []
    for i, (kind, text) in enumerate(parameters):
        if text in (",", ")") and parameters[i - 1][0] == "name" and kind == "mark":
            found.append(parameters[i - 1][1])
    return found


def _class_template(code: list[Token], draw: random.Random) -> list[Token]:
    at = next(i for i, (_, text) in enumerate(code) if text == "class")
    brace = next(i for i in range(at, len(code)) if code[i][1] in ("{", ";"))
    if code[brace][1] == ";" or any(text == "public" for _, text in code[at:brace]):
        return code  # a base class decides the interface: nothing to make a template of
    end, name = _closing(code, brace, "{", "}"), code[at + 1][1]
    if code[at - 1][1] == ">":  # a template already: one parameter more
        depth = draw.choice(("Depth", "Stages"))
        body = [(k, depth if t == "BUFFER_NUM" else t) for k, t in code[at:end]]
        return [*code[: at - 1], *tokens_of(f", int {depth} = BUFFER_NUM"), code[at - 1], *body, *code[end:]]
    types = Counter(text for _, text in code[at:end] if text in _RETYPED)
    if not types:
        return code
    element = types.most_common(1)[0][0]
    body = [(k, "Element" if t == element else t) for k, t in code[at:end]]
    after: list[Token] = []
    for kind, text in code[end:]:
        after += [(kind, text), *tokens_of(f"<{element}>")] if text == name else [(kind, text)]
    return [*code[:at], *tokens_of("template <typename Element>"), *body, *after]


def padded(tokens: list[Token], draw: random.Random) -> list[Token]:
    out: list[Token] = []
    brackets, depth = 0, 0
    for token in (t for t in tokens if t[0] != "comment"):
        out.append(token)
        brackets += {"(": 1, ")": -1}.get(token[1], 0)
        depth += {"{": 1, "}": -1}.get(token[1], 0)
        if token[1] == ";" and brackets == 0 and depth > 0 and draw.random() < 0.25:
            out += tokens_of(f"int spare{len(out)} = {draw.randint(0, 99)};")
    return out


_STEPS: dict[str, tuple[Callable[[list[Token], random.Random], list[Token]], ...]] = {
    "renamed": (renamed,),
    "reformatted": (reformatted,),
    "retemplated": (retemplated,),
    "retyped": (retyped,),
    "all": (retemplated, retyped, renamed, reformatted),
    "padded": (padded,),
}


def disguise(text: str, kind: str, draw: random.Random) -> str:
    """The text after the steps of this kind; the same for the same seed."""
    tokens = tokens_of(text)
    for step in _STEPS[kind]:
        tokens = step(tokens, draw)
    return spaced(tokens, draw) if kind in ("reformatted", "all") else joined(tokens)


# ------------------------------------------------------------------------------------------------------------- draw


def solutions() -> list[tuple[str, str, Path]]:
    """(backend, task folder, file) of every solution that ships with kbench."""
    found = []
    for backend in ("aie", "ascend"):
        root = KBENCH / "backends" / backend / "references"
        for file in sorted(root.rglob("*")):
            if file.suffix in (".cc", ".cpp", ".h"):
                found.append((backend, file.relative_to(root).parts[0], file))
    return found


def halves(seed: int) -> dict[str, str]:
    """backend/task → `tune` or `judge`."""
    names = sorted({f"{backend}/{task}" for backend, task, _ in solutions()})
    random.Random(seed).shuffle(names)
    return {name: "tune" if i % 2 else "judge" for i, name in enumerate(names)}


def draw_all(out: Path, seed: int) -> list[dict[str, str]]:
    half, rows = halves(seed), []
    for backend, task, file in solutions():
        for kind in KINDS:
            draw = random.Random(f"{seed} {backend} {task} {file.name} {kind}")
            text = disguise(file.read_text(encoding="utf-8"), kind, draw)
            folder = out / half[f"{backend}/{task}"] / f"{backend}-{task}"
            copy = folder / f"{kind}-{file.parent.name}-{file.name}"
            folder.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
            rows.append(
                {
                    "file": str(copy.relative_to(out)),
                    "backend": backend,
                    "task": task,
                    "of": str(file.relative_to(KBENCH)),
                    "kind": kind,
                    "half": half[f"{backend}/{task}"],
                }
            )
    (out / "planted.json").write_text(json.dumps({"seed": seed, "copies": rows}, indent=1), encoding="utf-8")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    rows = draw_all(given.out, given.seed)
    print(f"{len(rows)} copies of {len({(r['backend'], r['task']) for r in rows})} tasks in {given.out}")


if __name__ == "__main__":
    main()
