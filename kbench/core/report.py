"""Records and scores as text for people: tables of a run, of its tasks, and of single attempts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group as Lines
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from kbench.core.backend import Interface, Probe, Sheet
from kbench.core.profiles.report import headline, percent, speed_lines, speed_table
from kbench.core.record import CaseResult, Finding, Record
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.store import RunFolder
from kbench.core.score import Bounds, Group, Score
from kbench.core.suite import SuiteTask
from kbench.core.taxonomy import OUTCOMES, is_harness

if TYPE_CHECKING:
    from kbench.core.extraction.reextract import Reextracted

#: Findings of one case that are shown; the rest are counted.
_SHOWN_FINDINGS = 12
#: Letters of a message that are shown where an attempt has one line.
_SHOWN_LETTERS = 300


def style_of(outcome: str) -> str:
    if outcome in ("passed", "ok"):
        return "green"
    if outcome in OUTCOMES and is_harness(outcome):
        return "yellow"
    return "dim" if outcome in ("not_recorded", "no_case", "skipped", "unavailable") else "red"


def task_table(manifest: Manifest, score: Score) -> Table:
    """A row for each task: what became of its attempts, and what was left out."""
    table = Table("task", "level", "attempts", "passed", "other outcomes", "cases skipped", box=None, pad_edge=False)
    for task, outcomes in score.tasks.items():
        plan = manifest.tasks[task]
        attempts = sum(n for outcome, n in outcomes.items() if outcome != "no_case")
        others = Text(", ").join(
            Text(f"{outcome} {n}" if n > 1 else outcome, style=style_of(outcome))
            for outcome, n in outcomes.items()
            if outcome != "passed"
        )
        passed = outcomes.get("passed", 0)
        skipped = f"{len(plan.skipped)} of {len(plan.skipped) + len(plan.seeds)}" if plan.skipped else ""
        style = "green" if passed == attempts and attempts else ""
        table.add_row(Text(task), str(plan.level), str(attempts), Text(str(passed), style=style), others, skipped)
    return table


def level_table(score: Score) -> Table:
    """A row for each level and one for all: rates with their bounds and the 95 % interval."""
    ks = list(score.overall.pass_at_k)
    heads = ["level", "tasks", "attempts", "compiled", "passed", "95 %", *(f"pass@{k}" for k in ks)]
    table = Table(*heads, box=None, pad_edge=False)
    rows: list[tuple[str, Group]] = [(str(level), group) for level, group in score.levels.items()]
    for name, group in [*rows, ("all", score.overall)]:
        low, high = group.wilson
        table.add_row(
            name,
            str(group.tasks),
            str(group.planned),
            percent(group.compiled),
            percent(group.passed),
            f"{low:.1%} – {high:.1%}",
            *(percent(group.pass_at_k[k]) for k in ks),
        )
    return table


def scheme_lines(score: Score) -> list[str]:
    """The named schemes that have a total in this run (all three levels were planned), one line each."""
    lines = []
    for name, scheme in score.schemes.items():
        if scheme["total"] is None:
            continue
        levels = ", ".join(f"L{level} {_number(bounds)}" for level, bounds in scheme["levels"].items())
        lines.append(f"{name}: {_number(scheme['total'])} ({levels})")
    return lines


def _number(bounds: Bounds) -> str:
    if abs(bounds.high - bounds.low) < 1e-12:
        return f"{bounds.low:.4g}"
    return f"{bounds.low:.4g} … {bounds.high:.4g}"


def summary(manifest: Manifest, score: Score) -> RenderableType:
    """All that the end of a run says."""
    parts: list[RenderableType] = [Text(), task_table(manifest, score), Text(), level_table(score), Text()]
    parts += [Text(line, style="dim") for line in asking_lines(manifest, score)]
    parts += [Text(line, style="dim") for line in scheme_lines(score)]
    if score.speeds:
        parts += [Text(), speed_table(score), Text()]
        parts += [Text(line) for line in speed_lines(score)]
    parts += [Text(f"note: {line}", style="yellow") for line in score.warnings]
    parts.append(Text(_totals(manifest, score), style="bold"))
    return Lines(*parts)


def asking_lines(manifest: Manifest, score: Score) -> list[str]:
    """How models were asked, what that cost, and what further attempts gave."""
    lines = [f"models asked as by preset {manifest.preset.describe()}"] if manifest.preset else []
    wording = [
        f"style {manifest.style}" if manifest.style != "direct" else "",
        f"{manifest.shots} examples" if manifest.shots else "",
        f"templates {manifest.templates}" if manifest.templates else "",
        manifest.sampling.words() if manifest.sampling else "",
    ]
    if any(wording):
        lines.append(f"models asked with {', '.join(filter(None, wording))}")
    if manifest.attempts_each > 1:
        within = ", ".join(f"{n}: {count}" for n, count in score.passed_within.items())
        lines.append(f"samples that passed within so many attempts, of {score.planned}: {within}")
    return [*lines, *filter(None, [score.usage.words()])]


def _totals(manifest: Manifest, score: Score) -> str:
    settings = manifest.settings
    numerics = "" if settings.numerics == "exact" else f"{settings.numerics} numerics, "
    what = "attempts" if manifest.attempts_each == 1 else "samples"
    return (
        f"{score.passed} of {score.planned} {what} passed, {score.compiled} compiled; "
        f"{score.cases_passed} of {score.cases_planned} cases passed ({manifest.suite}, {manifest.backend} "
        f"{settings.target}, {settings.track}, {settings.shapes}, {numerics}{score.seconds:.1f} s)"
    )


def attempt_lines(record: Record, run: RunFolder | None = None) -> list[Text]:
    """One attempt with its diagnostics; with `run`, where its texts lie."""
    title = f"{record.suite}/{_answered(record)}"
    attempt = f" attempt {record.attempt}" if record.attempt or not record.last else ""
    lines = [Text.assemble(f"{title} sample {record.sample}{attempt}: ", (record.outcome, style_of(record.outcome)))]
    if record.outcome != "passed":
        lines.append(Text(f"  {OUTCOMES[record.outcome].meaning}", style="dim"))
    if record.message and not any(_same(record.message, f) for f in record.findings[:_SHOWN_FINDINGS]):
        lines.append(Text(f"  {record.message}"))
    lines += [Text(f"  try {n}: {message}", style="yellow") for n, message in enumerate(record.earlier, 1)]
    lines += [Text(f"  {finding}") for finding in record.findings[:_SHOWN_FINDINGS]]
    for case in record.cases:
        lines += _case_lines(case)
    if run is not None:
        lines += _text_lines(record, run)
    return lines


def failure_line(record: Record) -> str:
    """Who failed, how, and the first sentence of why."""
    why = next((text for text in record.message.splitlines() if text.strip()), "")
    attempt = f" attempt {record.attempt}" if record.attempt else ""
    return f"{_answered(record)} sample {record.sample}{attempt}: {record.outcome}: {why[:_SHOWN_LETTERS]}"


def change_line(found: Reextracted) -> str:
    """What became of a completion that is extracted otherwise than when it was judged."""
    attempt = found.attempt
    what = "other files" if found.before == found.now else f"{found.before}, now {found.now}"
    why = f" ({found.message})" if found.message else ""
    return f"{_answered(attempt)} sample {attempt.sample} attempt {attempt.attempt}: {what}{why}"


def _answered(attempt: Attempt | Record) -> str:
    """What an attempt answers: a task, or one case of it."""
    return attempt.task if attempt.cases_key == "*" else f"{attempt.task}/{attempt.cases_key}"


def _case_lines(case: CaseResult) -> list[Text]:
    detail = case.reason if case.outcome == "skipped" else case.message
    if any(_same(detail, finding) for finding in case.findings[:_SHOWN_FINDINGS]):
        detail = ""
    lines = [Text.assemble(f"  case {case.case}: ", (case.outcome, style_of(case.outcome)), f"  {detail}".rstrip())]
    if case.profile is not None:
        lines.append(Text(f"    {headline(case.profile, case.baseline)}"))
    for output in case.outputs:
        if output.outcome != "passed" and output.first != case.message:
            lines.append(Text(f"    {output.first}"))
    lines += [Text(f"    {finding}") for finding in case.findings[:_SHOWN_FINDINGS]]
    if len(case.findings) > _SHOWN_FINDINGS:
        lines.append(Text(f"    … {len(case.findings) - _SHOWN_FINDINGS} more findings in the record", style="dim"))
    return lines


def _same(message: str, finding: Finding) -> bool:
    """Whether the finding says all that the message does: one of them is enough."""
    return message in (str(finding), finding.message)


def _text_lines(record: Record, run: RunFolder) -> list[Text]:
    named = {
        "prompt": record.prompt_sha,
        "completion": record.completion_sha,
        "reasoning": record.reasoning_sha,
        "sources": record.source_sha,
        "feedback": record.feedback_sha,
        "log": record.log_sha,
    }
    return [Text(f"  {name}: {run.text_path(sha)}", style="dim") for name, sha in named.items() if sha]


def case_table(entry: SuiteTask) -> RenderableType:
    """A task of a suite: what it computes and on which cases."""
    task = entry.task
    parts: list[RenderableType] = [Text(task.name, style="bold"), Text(task.summary)]
    if task.formula:
        parts.append(Text(task.formula))
    arguments = Table("argument", "role", "dtype", "notes", box=None, pad_edge=False)
    for tensor in task.tensors:
        flags = {"a list": tensor.is_list, "optional": tensor.optional, "read on the host": tensor.host_value}
        arguments.add_row(tensor.name, tensor.role, tensor.dtype, ", ".join(k for k, v in flags.items() if v))
    for attr in task.attrs:
        arguments.add_row(
            attr.name, "attribute", attr.dtype or attr.type, "" if attr.default is None else f"default {attr.default}"
        )
    cases = Table("case", "shapes, dtypes, attributes", box=None, pad_edge=False)
    for case in entry.cases:
        cases.add_row(Text(case.name), Text(case.describe()))
    return Lines(*parts, Text(), arguments, Text(), cases)


def interface_lines(interface: Interface, sheets: Sequence[Sheet]) -> RenderableType:
    """A task on one backend: the kernel's declaration, the target's limits, and what else the backend tells of it."""
    limits = Table(f"limit ({interface.language})", "", box=None, pad_edge=False)
    for name, limit in interface.limits.items():
        limits.add_row(Text(name), Text(limit))
    parts: list[RenderableType] = [Text(), Text(interface.signature.strip()), Text(), limits]
    for sheet in sheets:
        table = Table(*sheet.columns, box=None, pad_edge=False)
        for row in sheet.rows:
            table.add_row(*map(Text, row))
        parts += [Text(), Text(sheet.title), table]
    return Lines(*parts)


def probe_table(probes: Iterable[Probe]) -> Table:
    table = Table("component", "status", "detail", "to repair", box=None, pad_edge=False)
    for probe in probes:
        detail = probe.detail + ("" if probe.device_tested else " (this code has never run on a device)")
        table.add_row(
            Text(probe.component), Text(probe.status, style=style_of(probe.status)), Text(detail), Text(probe.fix)
        )
    return table


def names_table(kinds: Mapping[str, Sequence[tuple[str, str]]]) -> RenderableType:
    """Lists of names by kind, each with a few words."""
    parts: list[RenderableType] = []
    for kind, rows in kinds.items():
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for name, words in rows:
            table.add_row(Text(f"  {name}"), Text(words, style="dim"))
        parts += [Text(kind, style="bold"), table]
    return Lines(*parts)


def sources(record: Record, run: RunFolder) -> dict[str, str]:
    """path → text of the candidate's files."""
    if not record.source_sha:
        return {}
    files: dict[str, str] = json.loads(run.text(record.source_sha))["files"]
    return files
