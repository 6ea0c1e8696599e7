"""What a model sees: rendered from the Task and the backend's Interface, with nothing left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from kbench.core.backend import Interface, Settings
from kbench.core.generator import Message
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Shapes, Task

if TYPE_CHECKING:
    import jinja2


def render_prompt(entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings) -> list[Message]:
    """The messages that ask for a candidate: one case on static shapes, every case on dynamic ones.

    Raises:
        jinja2.UndefinedError: a template names what nobody gives; never rendered as an empty string.
    """
    facts = {
        "task": entry.task,
        "cases": cases,
        "interface": interface,
        "settings": settings,
        "target": settings.target,
        "outputs": {case.name: _output_shapes(entry.task, case) for case in cases},
        "tolerances": _tolerances(entry.task, cases),
    }
    templates = _templates()
    return [
        Message(role, templates.get_template(f"{role}.j2").render(facts).strip() + "\n") for role in ("system", "user")
    ]


@cache
def _templates() -> jinja2.Environment:
    import jinja2  # here, so that listing names does not wait for it

    return jinja2.Environment(
        loader=jinja2.PackageLoader("kbench.core", "prompts"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _output_shapes(task: Task, case: Case) -> dict[str, Shapes]:
    """Shapes of the pure outputs where they follow from the case alone; those that depend on values are left to the
    task's words."""
    try:
        shapes = task.out_shapes(case, {})
    except (KeyError, TypeError):
        return {}
    return {t.name: shapes[t.name] for t in task.outputs if t.role == "out" and t.name in shapes}


def _tolerances(task: Task, cases: Sequence[Case]) -> list[str]:
    lines: dict[str, None] = {}
    for output in task.outputs:
        if output.name in task.comparers:
            lines[f"{output.name}: by a comparison of its own"] = None
            continue
        for case in cases:
            dtype = task.dtype_of(output, case)
            allowed = task.tolerance_of(output.name, dtype, case)
            terms = f"{allowed.atol:g}", f"{allowed.rtol:g}·|expected|"
            size = f"the larger of {' and '.join(terms)}" if allowed.either else " + ".join(terms)
            lines[f"{output.name} ({dtype}): {'exact, bit for bit' if allowed.exact else size}"] = None
    return list(lines)
