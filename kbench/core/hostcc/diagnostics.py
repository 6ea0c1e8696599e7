"""The compiler's words → findings in the candidate's own lines, and one class of failure."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from kbench.core.errors import CompileError
from kbench.core.record import Finding

_PLACE = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?:\d+:)? (?P<kind>fatal error|error|warning|note): (?P<text>.*)$"
)
_BARE = re.compile(r"^(?:zig: |clang: )?(?P<kind>fatal error|error): (?P<text>.*)$")
_INCLUDED = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^\n:]+):(?P<line>\d+)[:,]")
_OPTION = re.compile(r" \[-W[^\]]*\]$")

_UNKNOWN = re.compile(
    r"use of undeclared identifier '(?P<undeclared>[^']+)'"
    r"|unknown type name '(?P<type>[^']+)'"
    r"|no (?:member|type|template) named '(?P<member>[^']+)' in (?P<kind>namespace )?'(?P<scope>[^']+)'"
    r"|no template named '(?P<template>[^']+)'"
    r"|use of undeclared label '(?P<label>[^']+)'"
    r"|call to undeclared function '(?P<call>[^']+)'"
)
_MISSING = re.compile(r"'(?P<file>[^']+)' file not found|cannot open file '(?P<denied>[^']+)'")
_LIMITS = re.compile(
    r"recursive template instantiation exceeded maximum depth|maximum (?:constexpr )?(?:step limit|depth)"
    r"|constexpr evaluation (?:hit maximum step limit|exceeded maximum depth)|bracket nesting level exceeded"
    r"|instantiating fold expression with more than|stack nearly exhausted|exceeded expression nesting limit"
    r"|hit maximum step limit|exceeded maximum depth of"
)
_ASSEMBLY = re.compile(
    r"inline assembly is disabled|inline asm|assembler statement|MS-style inline assembly"
    r"|expected 'volatile', 'inline', 'goto'"  # what `__asm {` gives
)
_NOT_VIABLE = re.compile(r"^candidate (?:\w+ )*?(?:template ignored|not viable): (.+)$")
_DIRECTIVE = re.compile(r"\s*#\s*(?P<what>include|include_next|import|embed)\s*[\"<](?P<name>[^\">]+)[\">]")


@dataclass
class Diagnostic:
    """One error or warning with where it came through: `(file, line)` of itself, its notes and its includes."""

    kind: str
    text: str
    file: str
    line: int
    notes: list[tuple[str, int, str]] = field(default_factory=list)
    included_from: list[tuple[str, int]] = field(default_factory=list)

    def place(self, own: Collection[str]) -> tuple[str, int]:
        """The candidate's own file and line: where it is, else where it was asked for or included; ("", 0) if none."""
        wanted = [(self.file, self.line)]
        wanted += [(f, n) for f, n, text in self.notes if "requested here" in text or "expanded from" in text]
        wanted += [(f, n) for f, n, _ in self.notes]
        wanted += self.included_from
        return next(((f, n) for f, n in wanted if f in own), ("", 0))


def parse(log: str) -> list[Diagnostic]:
    """Errors and warnings of clang's text, in order."""
    found: list[Diagnostic] = []
    includes: list[tuple[str, int]] = []
    for line in log.splitlines():
        if m := _INCLUDED.match(line):
            includes.append((_clean(m["file"]), int(m["line"])))
        elif m := _PLACE.match(line):
            place = (_clean(m["file"]), int(m["line"]))
            if m["kind"] == "note":
                if found:
                    found[-1].notes += [(*place, m["text"]), *((f, n, "requested here") for f, n in includes)]
            else:
                found.append(Diagnostic(m["kind"].removeprefix("fatal "), m["text"], *place, included_from=includes))
            includes = []
        elif m := _BARE.match(line):
            found.append(Diagnostic("error", m["text"], "", 0))
    return found


def _clean(path: str) -> str:
    return path if path.startswith("/") else posixpath.normpath(path)


def warnings_of(log: str, own: Collection[str]) -> tuple[Finding, ...]:
    """The compiler's warnings in the candidate's own lines; those in the simulator's headers are ours."""
    found = []
    for d in parse(log):
        file, line = d.place(own)
        if d.kind == "warning" and file:
            found.append(_finding(d, file, line, "warning", d.text))
    return tuple(found)


def _finding(d: Diagnostic, file: str, line: int, severity: str, message: str) -> Finding:
    option = _OPTION.search(d.text)
    return Finding(
        severity="warning" if severity == "warning" else "error",
        message=_OPTION.sub("", message),
        rule=option[0].strip(" []") if option else "",
        file=file,
        line=line,
    )


@dataclass(frozen=True)
class Judge:
    """Classifies a failed compilation.

    Args:
        files: the candidate's files, path → text.
        allowed: prefixes of absolute paths that the compiler may read.
        known_api: names for suggestions, or a function that gives them.
        hidden: real path → what the candidate sees instead, applied to every message.
    """

    files: Mapping[str, str]
    allowed: tuple[str, ...]
    known_api: Collection[str] | Callable[[], Collection[str]] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)

    def error(self, log: str) -> CompileError:
        """The CompileError of the compiler's output."""
        log = self.scrub(log)
        errors = [d for d in parse(log) if d.kind == "error" and "too many errors emitted" not in d.text]
        if (outside := self._outside(errors)) is not None:
            return self.forbidden(outside)
        judged = [self._judge(d) for d in errors]
        if not judged:
            first = next((line for line in log.splitlines() if line.strip()), "no message")
            return CompileError(f"the compiler fails: {first}", outcome="compile_error", log=log, component="sim")
        for security in ("forbidden_include", "inline_assembly", "template_limit"):
            judged.sort(key=lambda pair, s=security: pair[0] != s)  # type: ignore[misc]
        outcome, first_finding = judged[0]
        more = f" (and {len(judged) - 1} more)" if len(judged) > 1 else ""
        return CompileError(
            str(first_finding) + more,
            outcome=outcome,
            log=log,
            findings=[f for _, f in judged],
            component="sim",
        )

    def scrub(self, log: str) -> str:
        """The log without paths of this machine."""
        for real, shown in sorted(self.hidden.items(), key=lambda pair: -len(pair[0])):
            log = log.replace(real, shown)
        return log

    def _outside(self, errors: Iterable[Diagnostic]) -> str | None:
        """A file that was read although the candidate may not read it (a mode without isolation)."""
        for d in errors:
            for file in (d.file, *(f for f, _ in d.included_from)):
                if file.startswith("/") and not file.startswith(self.allowed):
                    return file
        return None

    def forbidden(self, name: str) -> CompileError:
        """The candidate read, or tried to read, a file that is neither its own nor a header of the device. Says which,
        and nothing of what stands in it."""
        file, line, _ = self._directive(name)
        finding = Finding(severity="error", message=_outside_words(name), file=file, line=line)
        return CompileError(str(finding), outcome="forbidden_include", findings=[finding], component="sim")

    def unreadable_embed(self) -> CompileError:
        """The candidate embeds a file that cannot be opened."""
        file, line, name = self._directive("")
        outcome, message = self._outside_or_missing(name, file)
        finding = Finding(severity="error", message=message, file=file, line=line)
        return CompileError(str(finding), outcome=outcome, findings=[finding], component="sim")

    def _directive(self, name: str) -> tuple[str, int, str]:
        """Where the candidate includes the file of that name, or (for an empty one) embeds any: file, line, name."""
        for file, text in self.files.items():
            for number, line in enumerate(text.split("\n"), start=1):
                m = _DIRECTIVE.match(line)
                if m and (m["name"].endswith(name) if name else m["what"] == "embed"):
                    return file, number, m["name"]
        return "", 0, name

    def _outside_or_missing(self, name: str, file: str, denied: bool = False) -> tuple[str, str]:
        here = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
        if denied or name.startswith("/") or here.startswith(".."):
            return "forbidden_include", _outside_words(name)
        return "missing_include", f"no file {name!r} to include"

    def _judge(self, d: Diagnostic) -> tuple[str, Finding]:
        file, line = d.place(self.files)
        if m := _MISSING.search(d.text):
            outcome, message = self._outside_or_missing(m["file"] or m["denied"], file, bool(m["denied"]))
            return outcome, _finding(d, file, line, "error", message)
        if _ASSEMBLY.search(d.text):
            return "inline_assembly", _finding(d, file, line, "error", "inline assembly is not part of the language")
        limit = next((t for t in (d.text, *(text for _, _, text in d.notes)) if _LIMITS.search(t)), None)
        if limit is not None:
            return "template_limit", _finding(d, file, line, "error", limit)
        if m := _UNKNOWN.search(d.text):
            return self._unknown(d, m, file, line)
        return "compile_error", _finding(d, file, line, "error", d.text + _why_not(d))

    def _unknown(self, d: Diagnostic, m: re.Match[str], file: str, line: int) -> tuple[str, Finding]:
        name = next(v for k, v in m.groupdict().items() if v and k not in ("scope", "kind"))
        scope = (m["scope"] or "").partition("<")[0]
        names = self.known_api() if callable(self.known_api) else self.known_api
        short = name.rpartition("::")[2]
        source = _line(self.files.get(file, ""), line)
        near = nearest(short, names)
        device = scope.split("::")[0] == "AscendC" or scope.split("::")[0] == "aie" or name.startswith("AscendC::")
        called = bool(names) and re.search(rf"\b{re.escape(short)}\s*[(<]", source) is not None
        looks_like = re.match(r"[A-Z]\w*[a-z]", short) is not None and not _is_prose(short, source)
        if not device and not (looks_like and (near or called)):
            hint = (
                f"; did you mean {near!r}?"
                if near and called and len(short) > 4 and "did you mean" not in d.text
                else ""
            )
            return "compile_error", _finding(d, file, line, "error", d.text + hint)
        full = f"{scope}::{name}" if scope else name
        hint = f"; did you mean {near!r}?" if near else ""
        return "unknown_api", _finding(d, file, line, "error", f"no API named {full!r}{hint}")


def _why_not(d: Diagnostic) -> str:
    """Why the nearest candidates of a call do not fit it, which only notes say."""
    if not d.text.startswith("no matching "):
        return ""
    reasons = [m[1] for _, _, text in d.notes if (m := _NOT_VIABLE.search(text))]
    fitting = [reason for reason in reasons if "argument" not in reason]  # overloads that take as many as were given
    return "".join(f"; {reason}" for reason in list(dict.fromkeys(fitting or reasons))[:2])


def _line(text: str, number: int) -> str:
    lines = text.split("\n")  # as the compiler counts: a form feed ends no line
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _is_prose(name: str, line: str) -> bool:
    """Whether the name stands among words, as in an answer that explains itself: `Here is the kernel:`."""
    words = re.search(rf"\b{re.escape(name)}(?:[ ,]+['A-Za-z]+){{2}}", line)
    return words is not None and not line.rstrip().endswith((";", "{", "}", ")", ","))


def nearest(name: str, names: Collection[str]) -> str | None:
    """The most similar known name, or None where nothing is close enough to be meant."""
    close = 0.7
    short = {n.rpartition("::")[2] for n in names}
    short.discard(name)
    if found := difflib.get_close_matches(name, sorted(short), n=1, cutoff=close):
        return found[0]
    lower = {n.lower(): n for n in sorted(short)}
    found = difflib.get_close_matches(name.lower(), list(lower), n=1, cutoff=close)
    return lower[found[0]] if found else None


def _outside_words(name: str) -> str:
    return f"includes {name!r}, which lies outside the candidate's own files and the headers of the device"
