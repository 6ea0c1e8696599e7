"""What an accelerator must offer: an interface to prompt with, a compiler, a runner, and a doctor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.errors import HarnessError, unknown_name
from kbench.core.profile import Profile
from kbench.core.program import Program, ProgramRun
from kbench.core.record import Finding
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Values
from kbench.core.timeline import Timeline

#: Version of the plugin API. A backend built for another major version is refused by name.
API_VERSION = 1
#: The profile component that profiles nothing: every backend has it.
NO_PROFILE = "none"


@dataclass(frozen=True)
class Settings:
    """How one attempt is judged: the same for every stage of it.

    `engine` maps a part (`compile`, `run`, `profile`) to a component name: `sim` or a native one, and `none` for a
    `profile` that is not wanted. `numerics` is how an engine rounds what the documentation of the target only bounds:
    `exact` rounds correctly, `worst` gives results at the bound.
    """

    target: str
    track: Track = Track.FULL
    shapes: Shapes = Shapes.DYNAMIC
    engine: Mapping[str, str] = field(default_factory=lambda: {"compile": "sim", "run": "sim", "profile": "sim"})
    sandbox: str = "auto"
    compile_timeout_s: float = 60.0
    run_timeout_s: float = 60.0
    seed: int = 0
    numerics: str = "exact"

    @property
    def profiles(self) -> bool:
        """Whether cases that pass are profiled."""
        return self.engine.get("profile", NO_PROFILE) != NO_PROFILE


@dataclass(frozen=True)
class Interface:
    """Everything about the backend that a prompt needs for one task.

    `files` are the paths a candidate must give, by role; `signature` is the kernel's declaration; `scaffold` maps a
    path to a starting text; `rules` and `limits` are the target's, in words; `host` is the launch and tiling that the
    backend supplies on the kernel-only track. `templates` is a folder of prompt templates that go before kbench's own
    (`core/prompting/prompt.py`).
    """

    language: str
    entry: str
    files: Mapping[str, str]
    signature: str
    scaffold: Mapping[str, str]
    rules: Sequence[str]
    limits: Mapping[str, str]
    host: str = ""
    example: str = ""
    templates: str = ""


@dataclass
class Build:
    """What `compile` leaves for `run`: opaque to everyone but the backend. Lives below `workdir`."""

    workdir: Path
    findings: tuple[Finding, ...] = ()
    log: str = ""
    data: Any = None


@dataclass(frozen=True)
class Again:
    """The outputs of the same case where memory held other garbage before: they must be as right. `finding`: what to
    say where they are not."""

    outputs: Values
    finding: Finding


@dataclass(frozen=True)
class RunResult:
    """Outputs of one case (by tensor name, in the declared dtypes and shapes) and what the machine noticed.

    Outputs start from a poison pattern, so an unwritten tail never looks right. `stats` is what the backend's own
    `profile`, `timeline` and `listing` want to know of the run.
    """

    outputs: Values
    findings: tuple[Finding, ...] = ()
    stats: Mapping[str, Any] = field(default_factory=dict)
    log: str = ""
    again: Again | None = None


@dataclass(frozen=True)
class Probe:
    """One line of `kbench doctor`. `device_tested` is False where the code has never run on the device."""

    component: str
    status: Literal["ok", "missing", "broken", "unavailable"]
    detail: str
    fix: str = ""
    device_tested: bool = True


@dataclass(frozen=True)
class Sheet:
    """A table that a backend shows of a task: what it says in words, and rows of these columns."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Backend(ABC):
    """An accelerator.

    A third party subclasses this, registers an instance by the hook `kbench_register_backends`, and runs the
    conformance kit `kbench.testing.BackendConformance` on it. `compile` and `run` execute hostile code: they must do it
    in a child process (see `kbench.core.hostcc`), write below `workdir` only, and leave `inputs` untouched.
    """

    name: str = ""
    api_version: int = API_VERSION
    targets: tuple[str, ...] = ()
    components: ClassVar[Mapping[str, tuple[str, ...]]] = {"compile": ("sim",), "run": ("sim",), "profile": ()}
    numerics: ClassVar[tuple[str, ...]] = ("exact",)
    default_suite: str = "quick"
    program_suffixes: tuple[str, ...] = ()  # of the sources that run_program takes

    @property
    def default_target(self) -> str:
        return self.targets[0]

    def check_settings(self, settings: Settings) -> None:
        """Refuse a target, an engine component or numerics that this backend does not have, before anything runs.

        Raises:
            ConfigError: it names what there is.
        """
        if settings.target not in self.targets:
            raise unknown_name(f"target of backend {self.name!r}", settings.target, self.targets)
        for part, component in settings.engine.items():
            known = self.components.get(part, ())
            if part == "profile" and component == NO_PROFILE:
                continue
            if known and component not in known:
                raise unknown_name(f"{part} component of backend {self.name!r}", component, known)
        if settings.numerics not in self.numerics:
            raise unknown_name(f"numerics of backend {self.name!r}", settings.numerics, self.numerics)

    def prepare(self, settings: Settings) -> None:
        """Make ready what every attempt needs (compiler, sandbox, prebuilt libraries), once, before a run starts: so
        that a machine on which nothing can work says so at once, and no attempt pays for the others.

        Raises:
            HarnessError: nothing can be judged here; the message says what to do.
        """
        return None

    @abstractmethod
    def interface(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
        """What a prompt must say, derived from the task alone. One case on static shapes, all on dynamic."""

    def sheets(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Sequence[Sheet]:
        """What `kbench show TASK` tells of a task on this backend besides its interface."""
        return ()

    @abstractmethod
    def compile(
        self, candidate: Candidate, entry: SuiteTask, cases: Sequence[Case], settings: Settings, workdir: Path
    ) -> Build:
        """Build the candidate for these cases below `workdir`.

        Raises:
            CompileError: the candidate's source is at fault.
            UnsupportedApi: it uses a real API that this engine does not model.
            HarnessError: the toolchain is.
        """

    @abstractmethod
    def run(self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings) -> RunResult:
        """Run one case in a child process, on copies of `inputs`.

        Raises:
            RunError: the candidate crashed, hung, broke a device rule or was stopped by the sandbox.
            UnsupportedApi, HarnessError: as above.
        """

    def profile(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Profile | None:
        """How long one case took and why, or None where the engine has no profiler. Asked of cases that passed only;
        `result` is what `run` gave for this case.

        Raises:
            UnsupportedApi, HarnessError: there is no profile of this case; its verdict stands.
        """
        return None

    def timeline(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Timeline | None:
        """What each unit of the machine did when, in one case; None where the engine cannot tell. May run it again."""
        return None

    def listing(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> str | None:
        """What the machine executes, for a reader: bundles, or the source with the cost of its lines."""
        return None

    def read_program(self, source: Path, folder: Path, arguments: Sequence[str]) -> Program:
        """The program of a source file, with the files that it includes, to run in `folder`."""
        raise HarnessError(f"the backend {self.name!r} runs no programs")

    def run_program(self, program: Program, settings: Settings, workdir: Path) -> ProgramRun:
        """Build a program of host code and kernels below `workdir`, and run it.

        Raises:
            CompileError, RunError: the program is at fault.
            UnsupportedApi, HarnessError: as above; also where the backend runs no programs.
        """
        raise HarnessError(f"the backend {self.name!r} runs no programs")

    def reference(self, entry: SuiteTask, track: Track) -> Candidate | None:
        """The backend's own solution of the task, or None."""
        return None

    def solutions(self, entry: SuiteTask, track: Track) -> Sequence[Candidate]:
        """Every solution of the task that the backend brings: none of them may reach a model that is asked for it."""
        known = self.reference(entry, track)
        return (known,) if known else ()

    def source_labels(self, source: str) -> frozenset[str]:
        """What a look at a source shows, for choosing examples: `vectorised`, names of dialects, and `foreign` for the
        dialect of a compiler that this backend does not use."""
        return frozenset()

    def doctor(self) -> list[Probe]:
        """What works here, what does not, and what to install."""
        return []
