"""The cases of an attempt: which run, from which seed, and the inputs and expected outputs of each."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kbench.core.errors import ConfigError, HarnessError, unknown_name
from kbench.core.suite import SuiteTask
from kbench.core.task import Array, Case, Task, Value, Values, elements

#: Inputs and outputs of one case, in elements. Larger cases are skipped, and said to be.
MAX_ELEMENTS = 2**22


def case_seed(run_seed: int, suite: str, task: str, case: str) -> int:
    """The seed of a case's inputs: by name, so that it depends neither on order nor on what else is selected."""
    text = "\0".join((str(run_seed), suite, task, case))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class Drawn:
    """A case with its inputs and the outputs that are right for them; the arrays are read-only."""

    case: Case
    inputs: Values
    expected: Values

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for values in (self.inputs, self.expected) for a in arrays(values))


def arrays(values: Values) -> Iterable[Array]:
    """Every array of these values, tensor lists flattened, absent ones left out."""
    for value in values.values():
        if isinstance(value, list):
            yield from value
        elif value is not None:
            yield value


def draw(task: Task, case: Case, seed: int) -> Drawn:
    """Inputs from the seed and the outputs that the behavioural model gives for them.

    Raises:
        HarnessError: the task's own code failed, which is never the candidate's fault.
    """
    inputs = draw_inputs(task, case, seed)
    try:
        expected = dict(task.behavior(case, inputs))
        _freeze(expected)
    except Exception as error:
        raise HarnessError(f"the reference of {task.name}, case {case.name}, failed: {_describe(error)}") from error
    missing = [t.name for t in task.outputs if t.name not in expected and t.name not in case.unchecked]
    if missing:
        raise HarnessError(f"the reference of {task.name}, case {case.name}, gives no output {', '.join(missing)}")
    return Drawn(case, inputs, expected)


def draw_inputs(task: Task, case: Case, seed: int) -> Values:
    """The inputs alone, read-only.

    Raises:
        HarnessError: the task's own code failed.
    """
    try:
        inputs = dict(task.draw(case, np.random.default_rng(seed)))
        _freeze(inputs)
    except Exception as error:
        raise HarnessError(f"the inputs of {task.name}, case {case.name}, failed: {_describe(error)}") from error
    return inputs


def _freeze(values: dict[str, Value]) -> None:
    for name, value in values.items():
        if isinstance(value, list):
            values[name] = [_frozen(a) for a in value]
        elif value is not None:
            values[name] = _frozen(value)


def _frozen(array: Array) -> Array:
    fixed = np.ascontiguousarray(array).reshape(np.shape(array))
    fixed.setflags(write=False)
    return fixed


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class CaseBank:
    """Drawn cases, kept up to a number of bytes: samples of one task share their inputs, so they are drawn once."""

    def __init__(self, limit_bytes: int = 2**29) -> None:
        self.limit_bytes = limit_bytes
        # By identity, not by name: another task may have the same name. What is kept keeps its task and case alive.
        self._kept: OrderedDict[tuple[int, int, str, int], tuple[Task, Drawn]] = OrderedDict()
        self._bytes = 0

    def prepare(self, suite: str, entry: SuiteTask, cases: Sequence[Case], run_seed: int) -> None:
        """Draw these cases while they fit. What does not fit is drawn from its seed when its turn comes: the
        candidate runs in another process, so it cannot reach the draw."""
        total = 0
        for case in cases:
            total += self.get(suite, entry, case, run_seed).nbytes
            if total > self.limit_bytes // 2:
                return

    def get(self, suite: str, entry: SuiteTask, case: Case, run_seed: int) -> Drawn:
        key = (id(entry.task), id(case), suite, run_seed)
        if key not in self._kept:
            drawn = draw(entry.task, case, case_seed(run_seed, suite, entry.task.name, case.name))
            self._keep(key, entry.task, drawn)
        self._kept.move_to_end(key)
        return self._kept[key][1]

    def _keep(self, key: tuple[int, int, str, int], task: Task, drawn: Drawn) -> None:
        self._kept[key] = (task, drawn)
        self._bytes += drawn.nbytes
        while self._bytes > self.limit_bytes and len(self._kept) > 1:
            _, (_, old) = self._kept.popitem(last=False)
            self._bytes -= old.nbytes


@dataclass(frozen=True)
class CasePlan:
    """The cases of one task in a run: `run` in the suite's order, `skipped` with the reason of each. A benchmark's task
    may have no case that anyone can run: then nothing is planned for it, and that is shown."""

    run: tuple[Case, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)


def plan_cases(entry: SuiteTask, selected: Sequence[Case], max_elements: int) -> CasePlan:
    """Leave out the cases above the budget; the smallest always runs, so that no task goes unjudged."""
    if not selected:
        return CasePlan((), {name: f"invalid: {why}" for name, why in entry.invalid.items()})
    sizes = {case.name: case_elements(entry.task, case, max_elements) for case in selected}
    smallest = min(selected, key=lambda case: sizes[case.name]).name
    skipped = {
        name: f"size: {size:,} elements, at most {max_elements:,}"
        for name, size in sizes.items()
        if size > max_elements and name != smallest
    }
    run = tuple(c for c in selected if c.name not in skipped)
    if len(selected) == len(entry.cases):
        skipped |= {name: f"invalid: {why}" for name, why in entry.invalid.items()}
    return CasePlan(run, skipped)


def case_elements(task: Task, case: Case, enough: int) -> int:
    """Elements of all inputs and outputs, or of the inputs alone where these are more than `enough` already.

    Output shapes may depend on the inputs' values: then the inputs are drawn.
    """
    given = elements(case, {})
    try:
        return elements(case, task.out_shapes(case, {}))
    except Exception:
        if given > enough:
            return given
    return elements(case, task.out_shapes(case, draw_inputs(task, case, 0)))


def select_cases(entry: SuiteTask, wanted: Sequence[str]) -> tuple[Case, ...]:
    """The cases of these names; `:3` means the first three. All where none is named."""
    if not wanted:
        return entry.cases
    by_name = {case.name: case for case in entry.cases}
    chosen: set[str] = set()
    for name in wanted:
        if name in by_name:
            chosen.add(name)
        elif name.startswith(":") and name[1:].isdigit():
            chosen.update(case.name for case in entry.cases[: int(name[1:])])
        else:
            raise unknown_name(f"case in task {entry.task.name!r}", name, by_name)
    if not chosen:
        raise ConfigError(f"no case of task {entry.task.name!r} is selected by {', '.join(wanted)}")
    return tuple(case for case in entry.cases if case.name in chosen)
