"""The two kinds of failure.

KbenchError
├── HarnessError              ours: retried where that helps, recorded, shown, never scored as the candidate's
│   ├── ConfigError           a wrong flag, name or file: told to the user before anything runs
│   ├── ToolMissing           a tool or package that is not installed
│   ├── StoreError            the run folder cannot be read or written
│   ├── ServerError           the model cannot be asked: the run stops, resumable
│   └── UnsupportedApi        a documented device API that the simulator does not model yet
└── StageError                the candidate's: becomes a record and counts
    ├── GenerateError         the model's: it cannot read the prompt, or its server declines for it
    ├── ExtractError
    ├── CompileError
    ├── RunError
    │   └── RunTimeout
    └── CheckError
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from kbench.core.record import Finding, OutputError


class KbenchError(Exception):
    """Everything kbench raises on purpose."""


class HarnessError(KbenchError):
    """kbench, its configuration or its machine failed; the candidate is not to blame."""

    outcome = "harness_error"


class ConfigError(HarnessError):
    """The user asked for something that does not exist or does not fit; the message says what does."""


class ToolMissing(HarnessError):
    """A tool or package is not installed; the message says how to get it."""


class StoreError(HarnessError):
    """The run folder cannot be read or written: a full disk, a newer schema, another process that holds it."""


class ServerError(HarnessError):
    """The model cannot be asked, after all retries: its server is gone or refuses the key, there is no such model, its
    weights do not load. A run stops here rather than record what no model said."""


class UnsupportedApi(HarnessError):
    """The candidate uses a real device API that is not modelled: nobody knows whether it is right."""

    outcome = "unsupported"

    def __init__(self, name: str, detail: str = "") -> None:
        self.name = name
        super().__init__(f"unsupported: {name}" + (f" ({detail})" if detail else ""))


class StageError(KbenchError):
    """The candidate failed at one stage.

    Args:
        message: what was expected, what was got and where; a model reads this in a repair turn.
        outcome: the class of failure, one of `taxonomy.OUTCOMES`.
        log: the tool's full output, kept beside the record.
        findings: the single diagnostics, with the candidate's own file and line.
        component: the part of the engine that judged.
    """

    stage = ""

    def __init__(
        self,
        message: str,
        *,
        outcome: str,
        log: str = "",
        findings: Sequence[Finding] = (),
        component: str = "",
    ) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.log = log
        self.findings = tuple(findings)
        self.component = component


class GenerateError(StageError):
    """The model gave no answer, and that is its own doing: `context_limit` or `refusal`."""

    stage = "generate"


class ExtractError(StageError):
    stage = "extract"


class CompileError(StageError):
    stage = "compile"


class RunError(StageError):
    stage = "run"


class RunTimeout(RunError):
    """The candidate did not end in its time."""

    def __init__(self, message: str, *, log: str = "", findings: Sequence[Finding] = ()) -> None:
        super().__init__(message, outcome="timeout", log=log, findings=findings)


class CheckError(StageError):
    """An output is wrong; `outputs` holds the evidence for every output of the case, right ones included."""

    stage = "check"

    def __init__(self, message: str, *, outcome: str, outputs: Sequence[OutputError] = (), log: str = "") -> None:
        super().__init__(message, outcome=outcome, log=log)
        self.outputs = tuple(outputs)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """A `ConfigError` that lists what there is and suggests the nearest name."""
    names = sorted(known)
    lowered = {n.lower(): n for n in reversed(names)}  # of two names that differ in case only, the first
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.5)
    near = lowered[close[0]] if close else None
    hint = f"; did you mean {near!r}?" if near else "."
    listed = ", ".join(names) if len(names) <= 20 else ", ".join(names[:20]) + f", … ({len(names)} in all)"
    return ConfigError(f"no {kind} named {name!r}{hint} There are: {listed or 'none'}")
