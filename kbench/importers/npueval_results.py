"""NPUEval's result files, written on a device, and where a run of kbench judged the same kernels otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from kbench.core.errors import ConfigError
from kbench.core.record import Record
from kbench.core.runs.manifest import Manifest
from kbench.importers.npueval_files import json_object, text_of

RESULT_SUFFIX = "_wrapper.json"
#: The name of the benchmark's own vector among a task's cases.
PUBLISHED = "published"
_REPAIR = "take the file away, or judge the kernel on the device again"
#: In an error of the benchmark's harness: the variable that it never assigns where a run on the device, or the reading
#: of its trace, fails; then nothing was compared.
_NEVER_COMPARED = "'eval_output'"


@dataclass(frozen=True)
class DeviceResult:
    """What a result file says of one kernel.

    `passed` is None where the benchmark's harness failed, so that there is no verdict; `why` says how a kernel failed;
    cycles are None where there are none.
    """

    name: str
    passed: bool | None
    why: str = ""
    cycles: float | None = None
    vector_cycles: float | None = None


def read_results(folder: Path) -> dict[str, DeviceResult]:
    """The result files of a folder, by kernel.

    Raises:
        ConfigError: no such folder, no result file there, or one that is none.
    """
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: expected a folder of NPUEval's results, got {'a file' if folder.exists() else 'nothing'}"
        )
    files = sorted(folder.glob(f"*{RESULT_SUFFIX}"))
    if not files:
        raise ConfigError(
            f"{folder} holds no results of NPUEval: expected NAME{RESULT_SUFFIX}, as in results/evaluations/… of a "
            "checkout; a folder of solutions (NAME.json) is judged with kbench run --replay"
        )
    return {result.name: result for result in map(_result, files)}


def _result(file: Path) -> DeviceResult:
    facts = json_object(text_of(file), file, 1, "a result of NPUEval", _REPAIR)
    verdict = facts.get("result")
    if verdict not in ("Pass", "Fail"):
        got = repr(verdict) if "result" in facts else f"only {', '.join(map(repr, facts)) or 'nothing'}"
        raise ConfigError(f"{file}:1: expected 'result' to be 'Pass' or 'Fail', got {got}; {_REPAIR}")
    passed, why = (True, "") if verdict == "Pass" else _failure(facts)
    return DeviceResult(
        name=file.name.removesuffix(RESULT_SUFFIX),
        passed=passed,
        why=why,
        cycles=_cycles(file, facts, "total_cycles"),
        vector_cycles=_cycles(file, facts, "vector_cycles"),
    )


def _failure(facts: Mapping[str, Any]) -> tuple[bool | None, str]:
    """(the verdict, how it failed): what the benchmark writes tells how far the kernel came."""
    error = next((line for line in str(facts.get("Error", "")).splitlines() if line.strip()), "")[:160]
    if "Trace" in facts:
        harness = "stats" in facts or _NEVER_COMPARED in error
        return (None if harness else False), f"{'the harness broke off' if harness else 'build or run'}: {error}"
    if error:
        return False, f"compilation: {error}"
    stats = facts.get("stats")
    if isinstance(stats, Mapping):
        return False, f"wrong values, largest error {stats.get('max_absolute_error', '?')}"
    return False, "no code"


def _cycles(file: Path, facts: Mapping[str, Any], key: str) -> float | None:
    """A number of cycles; the benchmark writes Infinity where it found none."""
    value = facts.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{file}:1: expected {key!r} to be a number, got {value!r}; {_REPAIR}")
    return float(value) if math.isfinite(value) else None


# --- comparison -------------------------------------------------------------------------------------------------------

Kind = Literal["same", "other_cases", "different", "unknown"]


@dataclass(frozen=True)
class Compared:
    """One kernel here and on the device.

    `kind`: the verdicts are the same; they differ although the published vector has the device's verdict here too, so
    that a case decides which the benchmark does not ask; they differ; or there is none on one of the sides.
    """

    kernel: str
    kind: Kind
    here: str
    there: str
    cycles: float | None = None
    vector_cycles: float | None = None

    def __str__(self) -> str:
        note = "; the published vector alone has the device's verdict here too" if self.kind == "other_cases" else ""
        return f"{self.kernel}: {self.here}; {self.there}{note}"


def compare(records: Iterable[Record], results: Mapping[str, DeviceResult]) -> list[Compared]:
    """What both judged, in the order of the results."""
    ours: dict[str, list[Record]] = {}
    for record in records:
        ours.setdefault(record.task, []).append(record)
    return [_compared(result, ours[name]) for name, result in results.items() if name in ours]


def _compared(result: DeviceResult, records: Sequence[Record]) -> Compared:
    known = [r for r in records if r.outcome not in ("unsupported", "harness_error")]
    passing = sum(r.passed for r in known)
    here = f"{passing} of {len(records)} pass here"
    other = next((r for r in records if not r.passed), None)
    if other is not None:
        here += f" ({next(iter(other.message.splitlines()), other.outcome)[:160]})"
    words = {True: "passed", False: "failed", None: "no verdict"}[result.passed]
    there = f"{words} on the device" + (f" ({result.why})" if result.why else "")
    return Compared(result.name, _kind(result, known), here, there, result.cycles, result.vector_cycles)


def _kind(result: DeviceResult, known: Sequence[Record]) -> Kind:
    if result.passed is None or not known:
        return "unknown"
    if all(record.passed == result.passed for record in known):
        return "same"
    verdicts = [case.outcome == "passed" for record in known for case in record.cases if case.case == PUBLISHED]
    return "other_cases" if verdicts and all(v == result.passed for v in verdicts) else "different"


def totals(found: Sequence[Compared], manifest: Manifest, results: Mapping[str, DeviceResult]) -> str:
    """The comparison in one sentence, with what it does not cover and by which checker the run was judged."""
    counts = {kind: sum(kernel.kind == kind for kernel in found) for kind in get_args(Kind)}
    here, there = len(manifest.tasks) - len(found), len(results) - len(found)
    text = f"{len(found)} kernels in both: {counts['same']} agree, {counts['different']} differ"
    if counts["other_cases"]:
        text += f", {counts['other_cases']} differ by cases that the benchmark does not ask"
    if counts["unknown"]:
        text += f", {counts['unknown']} without a verdict on one side"
    if here or there:
        text += f"; {here} only in the run, {there} only in the results"
    return f"{text} (checker {manifest.checker})"
