"""What is made from the headers and the tests: the table of APIs in README.md.

python -m kbench.backends.aie.docs   # rewrites the table
"""

from __future__ import annotations

import ast
import functools
import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kbench.backends.aie.sim import build
from kbench.core.hostcc.toolchain import toolchain

README = Path(__file__).with_name("README.md")
#: What the property tests check, and the tests that mention an API; in a checkout only.
TESTS = Path(__file__).parents[3] / "tests" / "backends" / "aie"
CHECKED = TESTS / "properties" / "checked.json"
TARGETS = tuple(build.ARCHITECTURES)
#: Headers that a kernel includes by name; what they include belongs to them.
PUBLIC = (
    "aie_api/aie.hpp", "aie_api/operators.hpp", "aie_api/utils.hpp", "aie_kernel_utils.h", "lut_based_ops.h",
)  # fmt: skip
_HIDDEN = ("detail", "kbaie", "std", "utils", "Utils")
#: Members that our headers need among themselves.
_INTERNAL = frozenset(["lanes", "from_lanes", "kind", "tag", "total_bits", "memory_bits", "trim", "words", "last", "T"])
#: What a function of another device says where a kernel uses it, and a body that is there to say so.
_LACKING = re.compile(r'static_assert\(kbaie::never<\w+>, "aie::" "(\w+)"')
_REFUSAL = re.compile(r"\{\s*static_assert\(kbaie::never\b")
_MARKER = re.compile(r'# (\d+) "([^"]*)"')

Names = Mapping[str, str]  # API → the header that declares it


# --- reading the headers ---------------------------------------------------------------------------------------------


@functools.cache
def declared(target: str) -> Names:
    """Every API that the headers declare for a target: functions, classes and their members, constants and macros."""
    text = "".join(f"#include <{name}>\n" for name in PUBLIC if (build.INCLUDE / name).is_file())
    arguments = ["-x", "c++", "-", f"-I{build.INCLUDE}", f"-D__AIE_ARCH__={build.ARCHITECTURES[target]}"]
    command = [str(toolchain().zig), "clang", *build._front(), "-E", "-dD", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found: dict[str, str] = {}
    lacking = set(_LACKING.findall(done.stdout))
    for header, own in _own_lines(done.stdout).items():
        for name in (*_macros(own), *_declarations(own)):
            if name not in lacking:
                found.setdefault(name, header)
    return found


def _own_lines(text: str) -> dict[str, str]:
    """Header of ours → its preprocessed text."""
    found: dict[str, list[str]] = defaultdict(list)
    header = ""
    for line in text.splitlines():
        marker = _MARKER.match(line)
        if marker:
            path = Path(os.path.normpath(marker[2]))
            header = str(path.relative_to(build.INCLUDE)) if path.is_relative_to(build.INCLUDE) else ""
        elif header:
            found[header].append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def _macros(text: str) -> Iterator[str]:
    """Names of macros, ours for internal use aside."""
    for name in re.findall(r"^#define (\w+)", text, re.MULTILINE):
        if not name.startswith(("KB_", "_")):
            yield name


def _declarations(text: str) -> Iterator[str]:
    """What is declared at namespace scope and publicly in classes, `aie::` left out; nothing of internal namespaces."""
    code = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    scopes: list[_Scope] = []
    start = 0
    for at in (m.start() for m in re.finditer(r"[{};]", code)):
        head, char, start = code[start:at], code[at], at + 1
        if scopes and scopes[-1].is_type:
            access = re.findall(r"\b(public|private|protected)\s*:(?!:)", head)
            scopes[-1].public = access[-1] == "public" if access else scopes[-1].public
        if char == "}":
            if scopes:
                scopes.pop()
            continue
        plain = _plain(head)
        name = _declared_name(plain, bool(scopes) and scopes[-1].is_type)
        if name and all(s.public for s in scopes) and not _REFUSAL.match(code, at):
            yield "::".join([*(s.name for s in scopes if s.name and s.name != "aie"), name])
        if char == "{":
            scopes.append(_scope(plain))


@dataclass
class _Scope:
    """An open brace: of a namespace, of a type, or (never public) of a body."""

    name: str
    public: bool = True
    is_type: bool = False


def _plain(head: str) -> str:
    """A declaration without its template heads, constraints and attributes."""
    text = re.sub(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|alignas\s*\([^()]*\)", " ", head, flags=re.DOTALL)
    text = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", " ", text)
    while True:
        m = re.search(r"\b(template\s*<|requires\s*\()", text)
        if not m:
            return " ".join(text.split())
        end = _closing(text, m.end() - 1)
        text = text[: m.start()] + " " + text[end + 1 :]


def _closing(text: str, at: int) -> int:
    depth, (opens, closes) = 0, ("<", ">") if text[at] == "<" else ("(", ")")
    for i in range(at, len(text)):
        depth += (text[i] == opens) - (text[i] == closes)
        if depth == 0:
            return i
    return len(text)


_TYPE = re.compile(r"^(?:enum\s+(?:class\s+)?|class\s+|struct\s+)(\w+)")
_ALIAS = re.compile(r"^(?:using\s+(\w+)\s*=|typedef\s.*?\b(\w+)$|concept\s+(\w+))")
_FUNCTION = re.compile(r"(?<![\w:.])(~?\w+|operator\s*(?:\(\)|\[\]|[-+*/%&|^<>=!~]+))\s*\(")
_VALUE = re.compile(r"^(?:static|inline)\s+(?:inline\s+)?constexpr\s+.*?\b(\w+)\s*=")


def _declared_name(head: str, member: bool) -> str:
    if not head or head.startswith(("friend", "namespace", "static_assert", "extern", "return")):
        return ""
    if member and _ALIAS.match(head):
        return ""
    found = _TYPE.match(head) or _ALIAS.match(head) or _VALUE.match(head) or _FUNCTION.search(head)
    name = re.sub(r"\s+", "", next((g for g in found.groups() if g), "")) if found else ""
    hidden = name.startswith(("_", "~", "kb_", "KB_")) or name in (
        *_HIDDEN,
        "if",
        "for",
        "while",
        "switch",
        "decltype",
        "noexcept",
    )
    return "" if hidden or (member and name in _INTERNAL) else name


def _scope(head: str) -> _Scope:
    namespace = re.match(r"(?:inline\s+)?namespace\s+([\w:]+)?", head)
    if namespace:
        name = (namespace[1] or "").split("::")[-1]
        return _Scope(name, name not in _HIDDEN)
    of_type = re.match(r"(class|struct)\s+(\w+)", head)
    if of_type:
        return _Scope(of_type[2], of_type[1] == "struct" and of_type[2] not in _HIDDEN, True)
    return _Scope("", head.startswith("extern"))


# --- the table -------------------------------------------------------------------------------------------------------


@functools.cache
def unmodelled() -> frozenset[str]:
    """APIs with an operation that the runtime does not define."""
    names = {api for name, api in build._public_names().items() if f"kbrt_{name}" not in build.defined()}
    return frozenset(name.removeprefix("aie::") for name in names)


def state(api: str, target: str) -> str:
    """An operation that the runtime lacks may stand for several names: those that begin with its."""
    if api not in declared(target):
        return "no such name"
    parts = api.split("::")[0]
    of = any(parts == name or parts.startswith(f"{name}_") for name in unmodelled())
    return "unsupported" if of or api in unmodelled() else "modelled"


def api_table() -> str:
    """Every API: its state on each device, and how its result was checked."""
    checked: Mapping[str, str] = json.loads(CHECKED.read_text())
    tested = _tests_by_word()
    every = {name: header for target in TARGETS for name, header in declared(target).items()}
    lines = [f"| API | {' | '.join(TARGETS)} | how its result was checked |", f"|---{'|---' * len(TARGETS)}|---|"]
    for header in sorted(set(every.values())):
        rows: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in sorted(n for n, h in every.items() if h == header):
            states = tuple(state(name, target) for target in TARGETS)
            rows[(*states, _how(name, states, checked, tested))].append(f"`{name}`")
        lines.append(f"| **{header}** {'| ' * len(TARGETS)}| |")
        lines += [f"| {', '.join(names)} | {' | '.join(row)} |" for row, names in sorted(rows.items())]
    lone = sorted(unmodelled() - set(every))
    if lone:
        lines.append(f"| **members and forms without a meaning here** {'| ' * len(TARGETS)}| |")
        lines.append(f"| {', '.join(f'`{n}`' for n in lone)} {'| unsupported ' * len(TARGETS)}| - |")
    return "\n".join(lines) + "\n"


def _how(name: str, states: tuple[str, ...], checked: Mapping[str, str], tested: Mapping[str, list[str]]) -> str:
    if "modelled" not in states:
        return "-"
    if name in checked:
        return f"oracle: {checked[name]}"
    files = tested.get(name.split("::")[-1], [])
    return f"its own tests: {', '.join(files[:3])}" if files else "it compiles; no test of its own"


@functools.cache
def _tests_by_word() -> dict[str, list[str]]:
    """Word → the tests below tests/backends/aie whose kernels use it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((*TESTS.rglob("*.py"), *TESTS.rglob("*.cc"))):
        text = path.read_text() if path.suffix == ".cc" else _strings_of_code(path)
        for word in set(re.findall(r"\w+", text)):
            found[word].append(path.name)
    return found


def _strings_of_code(path: Path) -> str:
    """The strings of a Python file that hold C++: with a call of the API in them, or a statement; no docstrings."""
    tree = ast.parse(path.read_text())
    prose = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in prose)
    texts = (n.value for n in nodes if isinstance(n.value, str))
    return "\n".join(t for t in texts if "aie::" in t or re.search(r";\s*($|\w|\})", t))


def readme() -> str:
    """README.md with the table of today."""
    text = README.read_text()
    before, mark, rest = text.partition("<!-- apis -->\n")
    return before + mark + api_table() + rest[rest.index("<!-- end of apis -->") :]


if __name__ == "__main__":
    README.write_text(readme())
