"""What a model is told after an attempt, so that its next one is better: one message, cut to what helps.

Compiler errors and broken rules come with the line that they are about, in the model's own files and line numbers, and
without any path of this machine. Wrong values are shown on other inputs than those of the verdict, drawn from a seed
that no verdict uses: what a model is told can be repaired, and cannot be learnt by heart. Once the kernel is right, the
profile's hints say what makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kbench.core.backend import Build, Interface
from kbench.core.bench import Bench
from kbench.core.cases import Drawn, arrays, case_seed, draw
from kbench.core.errors import CheckError, KbenchError
from kbench.core.prompting.prompt import Wording
from kbench.core.record import CaseResult, Finding, OutputError
from kbench.core.suite import SuiteTask
from kbench.core.task import Case

#: Diagnostics, hints and cases that are told; what is more is counted.
MOST_PROBLEMS, MOST_HINTS, MOST_CASES = 8, 6, 3
#: Draws that are tried for a wrong value to show.
_DRAWS = 3
_LONGEST = 400
_PATH = re.compile(r"(?:file://|(?<![\w./]))/(?:[\w.+-]+/)+([\w.+-]+)")


@dataclass(frozen=True)
class Judged:
    """What became of an attempt, as far as a model is told."""

    stage: str
    outcome: str
    message: str
    findings: Sequence[Finding]
    cases: Sequence[CaseResult]
    files: Mapping[str, str]
    attempt: int


class _Facts(NamedTuple):
    """What `feedback.j2` may name."""

    stage: str
    outcome: str
    message: str
    problems: list[str]
    failures: list[str]
    failed: int
    told: int
    ran: int
    hints: list[str]
    times: list[str]
    interface: Interface
    attempts_left: int


def feedback(judged: Judged, entry: SuiteTask, interface: Interface, bench: Bench, build: Build | None) -> str:
    """The text of the message, by the template `feedback.j2`."""
    failed = [c for c in judged.cases if c.outcome not in ("passed", "skipped", "unsupported")]
    ran = [c for c in judged.cases if c.outcome != "skipped"]
    told = problems([*judged.findings, *(f for c in failed for f in c.findings)], judged.files)
    wordless = judged.stage == "compile" and not told
    facts = _Facts(
        stage=judged.stage,
        outcome=judged.outcome,
        message=_plain(judged.message) if wordless or judged.stage in ("generate", "extract") else "",
        problems=told,
        failures=_failures(failed, entry, bench, build, judged.attempt),
        failed=len(failed),
        told=min(len(failed), MOST_CASES),
        ran=len(ran),
        hints=hints(judged.cases),
        times=times(judged.cases),
        interface=interface,
        attempts_left=bench.loop.attempts - judged.attempt - 1,
    )
    return bench.wording.render("feedback.j2", interface, facts._asdict())


def check_feedback(wording: Wording, interface: Interface) -> None:
    """Word a message of each kind, so that a template that does not work says so before any model was asked.

    Raises:
        ConfigError: what is wrong with it, and where.
    """
    some = _Facts("", "", "why", ["a problem"], ["a failure"], 1, 1, 2, ["a hint"], ["a time"], interface, 1)
    for stage, outcome in (
        ("extract", "no_code"),
        ("compile", "compile_error"),
        ("check", "wrong_values"),
        ("done", "passed"),
    ):
        wording.render("feedback.j2", interface, some._replace(stage=stage, outcome=outcome)._asdict())


def problems(findings: Iterable[Finding], files: Mapping[str, str]) -> list[str]:
    """Errors (warnings where there is none), each once, with the source line that it is about."""
    found = list(dict.fromkeys(findings))
    wanted = [f for f in found if f.severity == "error"] or [f for f in found if f.severity == "warning"]
    told = list(dict.fromkeys(_problem(f, files) for f in wanted))
    more = len(told) - MOST_PROBLEMS
    return [*told[:MOST_PROBLEMS], f"… and {more} more"] if more > 0 else told


def _problem(finding: Finding, files: Mapping[str, str]) -> str:
    where = f"{finding.file}:{finding.line}: " if finding.file in files and finding.line else ""
    text = f"{where}{_plain(finding.message)}"
    if finding.expected or finding.got:
        text += f" (expected {_plain(finding.expected) or '–'}, got {_plain(finding.got) or '–'})"
    lines = files.get(finding.file, "").split("\n")  # as compilers count: a form feed ends no line
    if where and finding.line <= len(lines):
        text += f"\n    {finding.line} | {lines[finding.line - 1].strip()[:160]}"
    return text


def _plain(text: str) -> str:
    """A message without paths of this machine, and not longer than anyone reads."""
    short = _PATH.sub(r"\1", text).strip()
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]} …"


def _failures(
    failed: Sequence[CaseResult], entry: SuiteTask, bench: Bench, build: Build | None, attempt: int
) -> list[str]:
    """What is wrong with the first failing cases; those that fail alike are told once."""
    cases = {case.name: case for case in entry.cases}
    told: dict[str, list[str]] = {}
    for result in failed[:MOST_CASES]:
        case = cases[result.case]
        why = _why(result, case, entry, bench, build, attempt)
        told.setdefault(why, []).append(f"case {case.name} ({case.describe()})")
    return [f"{', '.join(about)}: {why}" for why, about in told.items()]


def _why(result: CaseResult, case: Case, entry: SuiteTask, bench: Bench, build: Build | None, attempt: int) -> str:
    if not result.outputs:
        return _plain(result.message) if not _has_values(result) else f"{result.outcome}, see below"
    shown = _on_other_inputs(case, entry, bench, build, attempt) if build else ()
    if shown:
        return "; ".join(f"{_plain(o.first)} (on other inputs, drawn to show it)" for o in shown)
    return "; ".join(_counted(o) for o in result.outputs if o.outcome != "passed")


def _has_values(result: CaseResult) -> bool:
    """Whether the message tells an element of the verdict's own outputs."""
    return bool(result.findings) and "expected" in result.message and "got" in result.message


def _counted(output: OutputError) -> str:
    """How wrong an output is, with none of its values."""
    if output.outcome == "wrong_shape":
        return _plain(output.first)
    what = {"unwritten": "never written", "nonfinite": "not finite where the reference is, or the reverse"}
    of = f"{output.mismatched} of {output.total} elements are " if output.total else "some elements are "
    error = f", by up to {output.max_abs:.3g}" if output.max_abs is not None else ""
    return f"{output.output}: {of}{what.get(output.outcome, 'wrong')}{error}"


def _on_other_inputs(case: Case, entry: SuiteTask, bench: Bench, build: Build, attempt: int) -> tuple[OutputError, ...]:
    """The wrong outputs of a run on inputs that no verdict is given on; none where these show nothing wrong."""
    verdict = bench.bank.get(bench.suite, entry, case, bench.settings.seed)
    for number in range(_DRAWS):
        seed = case_seed(bench.settings.seed, f"{bench.suite} feedback {attempt} {number}", entry.task.name, case.name)
        try:
            other = draw(entry.task, case, seed)
            if _same_inputs(other, verdict):
                return ()
            result = bench.backend.run(build, entry, case, other.inputs, bench.settings)
            bench.checker(entry.task, case, other.inputs, other.expected, result.outputs)
        except CheckError as error:
            return tuple(o for o in error.outputs if o.outcome != "passed")[:MOST_CASES]
        except KbenchError:
            return ()
    return ()


def _same_inputs(one: Drawn, other: Drawn) -> bool:
    """A case whose inputs are fixed draws the same from every seed."""
    pairs = zip(arrays(one.inputs), arrays(other.inputs), strict=True)
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


def hints(cases: Sequence[CaseResult]) -> list[str]:
    """What the profiles advise, the most frequent first; nothing that they only suspect."""
    timed = [case for case in cases if case.profile]
    named: dict[str, list[str]] = {}
    for case in timed:
        for hint in case.profile.hints if case.profile else ():
            if hint.kind == "hint":
                named.setdefault(_plain(str(hint)), []).append(case.case)
    often = sorted(named.items(), key=lambda item: -len(item[1]))[:MOST_HINTS]
    return [text if len(names) == len(timed) else f"{text} (case {', '.join(names)})" for text, names in often]


def times(cases: Sequence[CaseResult]) -> list[str]:
    """How long each case took, where the profile says so, and how that compares."""
    told = []
    for case in cases:
        profile = case.profile
        if profile is None:
            continue
        amounts = ((profile.latency_us, "µs"), (profile.cycles, "cycles"))
        parts = [f"{value:g} {unit}" for value, unit in amounts if value is not None]
        if case.speedup_over_reference:
            parts.append(f"{case.speedup_over_reference:.3g} times as fast as a known kernel")
        if profile.efficiency is not None:
            parts.append(f"{profile.efficiency:.1%} of what the machine could do")
        told += [f"case {case.case}: {', '.join(parts)}"] if parts else []
    return told[:MOST_HINTS]
