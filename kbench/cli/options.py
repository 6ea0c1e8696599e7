"""Options that several commands share, the words they take, and completion of names in the shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kbench.core.plugins import Registry


class TrackName(StrEnum):
    KERNEL_ONLY = "kernel-only"
    FULL = "full"


class ShapesName(StrEnum):
    STATIC = "static"
    DYNAMIC = "dynamic"


class SandboxMode(StrEnum):
    AUTO = "auto"
    BWRAP = "bwrap"
    SECCOMP = "seccomp"
    NONE = "none"


class NumericsName(StrEnum):
    EXACT = "exact"
    WORST = "worst"


# --- completion of names in the shell --------------------------------------------------------------------------------


def completer(names: Callable[[Registry], Sequence[str]]) -> Callable[[str], list[str]]:
    """What an option or argument offers in the shell: the names that begin as what is typed so far."""

    def complete(incomplete: str) -> list[str]:
        from kbench.core.plugins import registry

        return sorted(n for n in names(registry(collect=True)) if n.startswith(incomplete))

    return complete


def _target_names(known: Registry) -> list[str]:
    return [target for backend in known.backends.values() for target in backend.targets]


def task_names(known: Registry) -> list[str]:
    """Tasks to offer: those of the largest suite of ours, whatever suite is meant."""
    return list(known.suites["npukernelbench"]().tasks) if "npukernelbench" in known.suites else []


# --- options ---------------------------------------------------------------------------------------------------------


BackendOption = Annotated[
    str | None,
    typer.Option("--backend", help="Accelerator to judge for.", autocompletion=completer(lambda k: list(k.backends))),
]
SuiteOption = Annotated[
    str | None,
    typer.Option(
        "--suite",
        help="Suite by name, or its folder [the backend's default].",
        autocompletion=completer(lambda k: list(k.suites)),
    ),
]
CasesOption = Annotated[
    list[str] | None, typer.Option("--cases", help="Cases by name, comma-separated; ':3' means the first three [all].")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed of all inputs [0].")]
TrackOption = Annotated[TrackName | None, typer.Option("--track", help="Who gives the host side [full].")]
ShapesOption = Annotated[
    ShapesName | None, typer.Option("--shapes", help="One candidate per case, or one for all [dynamic].")
]
TargetOption = Annotated[
    str | None,
    typer.Option("--target", help="Chip [the backend's first].", autocompletion=completer(_target_names)),
]
EngineOption = Annotated[
    str | None, typer.Option("--engine", help="Component for all parts, or PART=COMPONENT,… [sim].")
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help="Ask models as a benchmark does: its prompt and its sampling [kbench's own].",
        autocompletion=completer(lambda k: list(k.presets)),
    ),
]
StyleOption = Annotated[
    str | None, typer.Option("--style", help="How models are to answer: direct, or cot (reason first) [direct].")
]
ShotsOption = Annotated[
    int | None, typer.Option("--shots", help="Solved tasks shown as examples; never the task's own or one like it [0].")
]
TemplatesOption = Annotated[
    str | None, typer.Option("--templates", help="Folder (or plugin) of prompt templates that go before kbench's own.")
]
MaxElementsOption = Annotated[
    int | None,
    typer.Option("--max-elements", help="Skip cases with more input and output elements [4194304]."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")]
RunArgument = Annotated[Path, typer.Argument(help="Run folder.", exists=False)]
