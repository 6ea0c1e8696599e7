"""One attempt, as facts. One JSON line of `records.jsonl`; scores are computed from it, never stored in it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from kbench.core.profile import Baseline, Profile, free_form, speedup_over_reference
from kbench.core.taxonomy import OUTCOMES, is_harness

#: 2: attempts after the first, more of the completion; `profile` has a shape of its own; `baseline`, `profile_s`.
SCHEMA = 2


def whole_text(text: str) -> str:
    """The text with lone surrogates replaced: a model may write them, and no file can hold them."""
    return text if text.isascii() else text.encode(errors="replace").decode()


_Text = Annotated[str, AfterValidator(whole_text)]


class _Facts(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Finding(_Facts):
    """One diagnostic, in the candidate's own file and line.

    `rule` is the id of a device rule or of a compiler diagnostic; `severity` follows the documented policy: `error`
    makes the result wrong or hang on the device, `warning` is harmless there, `note` informs.
    """

    severity: Literal["error", "warning", "note"]
    message: _Text
    rule: str = ""
    api: _Text = ""
    file: _Text = ""
    line: int = 0
    expected: _Text = ""
    got: _Text = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else ""
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{where}{self.severity}: {self.message}{rule}"


class OutputError(_Facts):
    """How far one output of one case is from the reference. Absolute and relative errors are maxima over finite
    elements; `mismatched` counts elements outside the tolerance, of `total`."""

    output: str
    outcome: str
    mismatched: int = 0
    total: int = 0
    max_abs: float | None = None
    max_rel: float | None = None
    first: _Text = ""  # 'y[0, 3]: expected 0.12573, got inf'


class CaseResult(_Facts):
    """One case of the attempt: `outcome` is `passed`, `skipped` (see `reason`) or a class of failure. What passed may
    have a `profile`, and as `baseline` the time of the task's reference kernel in this case."""

    case: str
    outcome: str
    reason: _Text = ""
    message: _Text = ""
    outputs: tuple[OutputError, ...] = ()
    findings: tuple[Finding, ...] = ()
    profile: Profile | None = None
    baseline: Baseline | None = None
    run_s: float = 0.0
    check_s: float = 0.0
    profile_s: float = 0.0

    @model_validator(mode="after")
    def _only_what_passed_has_a_time(self) -> Self:
        if self.outcome != "passed" and (self.profile or self.baseline):
            raise ValueError(f"case {self.case}: a profile of a case that is {self.outcome}, not passed")
        return self

    @property
    def speedup_over_reference(self) -> float | None:
        """The reference kernel's time over this one's; None where one is unknown."""
        return speedup_over_reference(self.profile, self.baseline) if self.profile and self.baseline else None


class Times(_Facts):
    """Seconds of each part of the attempt."""

    queue_s: float = 0.0
    generate_s: float = 0.0
    compile_s: float = 0.0
    run_s: float = 0.0
    check_s: float = 0.0
    profile_s: float = 0.0


class Record(_Facts):
    """The facts of one attempt (schema 2; schema 1 has no attempts after the first, and less of the completion).

    Identity is (`suite`, `task`, `cases_key`, `sample`, `attempt`): `cases_key` is the case name on the static track,
    where one candidate answers one case, and `*` on the dynamic one. Attempts of one sample are turns of one
    conversation; `last` is False where another one follows, to which the model is told the text of `feedback_sha`.
    `template` names the templates of the prompt and their hash, `model` who answered, `retrieved` what a retriever put
    into the prompt; `cached` says that the completion was not asked for anew.
    """

    schema_: int = Field(default=SCHEMA, alias="schema")
    suite: str
    task: str
    level: int = 0
    category: str = ""
    cases_key: str = "*"
    sample: int = 0
    attempt: int = 0
    backend: str
    target: str
    engine: dict[str, str]  # component of each stage: {"compile": "sim", "run": "sim", ...}
    track: str
    shapes: str
    generator: str
    seed: int
    numerics: str = "exact"
    stage: str
    outcome: str
    message: _Text = ""
    unsupported: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    prompt_sha: str = ""
    completion_sha: str = ""
    source_sha: str = ""
    log_sha: str = ""
    reasoning_sha: str = ""
    feedback_sha: str = ""
    template: _Text = ""
    model: _Text = ""
    finish_reason: _Text = ""
    cached: bool = False
    retrieved: tuple[dict[str, Any], ...] = ()
    last: bool = True
    usage: dict[str, Any] = {}
    times: Times = Times()
    versions: dict[str, str] = {}
    tries: int = 1  # 2 where kbench's own failure made it try once more
    earlier: tuple[str, ...] = ()  # what failed in the tries before

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _of_schema_1(cls, facts: Any) -> Any:
        """In schema 1 a profile was whatever a backend said."""
        if isinstance(facts, dict) and facts.get("schema") == 1:
            cases = [
                {**case, "profile": free_form(case.get("profile"))} if isinstance(case, dict) else case
                for case in facts.get("cases", ())
            ]
            return {**facts, "cases": cases}
        return facts

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.outcome not in OUTCOMES:
            raise ValueError(f"outcome {self.outcome!r} is not a known class")
        if self.outcome == "passed" and not any(c.outcome == "passed" for c in self.cases):
            raise ValueError("an attempt in which no case ran cannot have passed")
        return self

    @property
    def identity(self) -> tuple[str, str, str, int, int]:
        return (self.suite, self.task, self.cases_key, self.sample, self.attempt)

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"

    @property
    def compiled(self) -> bool:
        """True where the compiler accepted the candidate, whatever came after."""
        return not is_harness(self.outcome) and self.stage in ("run", "check", "done")
