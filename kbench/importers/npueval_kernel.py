"""One kernel of NPUEval as a task of its suite: kbench's own task, the benchmark's vector, solution and comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from kbench.core.candidate import Candidate, Track
from kbench.core.suite import SuiteTask
from kbench.core.task import Array, Case, Task, Tolerance, Value, Values, dtype_name
from kbench.importers.npueval_files import DEFAULT_TOLERANCE, PROMPT_INCLUDES, PublishedKernel, text_of
from kbench.importers.npueval_results import PUBLISHED

#: Cases of ours that the benchmark's own solution cannot pass: they are left to the built-in suite.
_WRAPS = "the benchmark's own solution wraps where its reference saturates; the suite npueval of kbench has this case"
_APPROXIMATE = (
    "the benchmark's own solution approximates what does not hold here; the suite npueval of kbench has this case"
)
BEYOND_ITS_SOLUTION: Mapping[str, Mapping[str, str]] = {
    "add_offset_int8": {"saturating": _WRAPS, "saturating_below": _WRAPS},
    "conv1d_k2_s2_bias_int16": {"saturating": _WRAPS},
    "gelu_bfloat16": {"tails": _APPROXIMATE},
    "softmax_bfloat16": {"two": _APPROXIMATE},
    "softplus_bfloat16": {"typical": _APPROXIMATE, "bend": _APPROXIMATE},
}


def published_case(task: Task, record: PublishedKernel) -> Case:
    """The case of the published vector; its tolerance is the record's where that allows more than the task's."""
    name, output = record.output
    ours = task.tolerance_of(name, output.dtype.name)
    looser = not ours.exact and (record.atol > ours.atol or record.rtol > ours.rtol)
    return Case(
        PUBLISHED,
        {n: a.shape for n, a in record.inputs.items()},
        attrs=dict(record.params),
        tolerance={name: Tolerance(record.atol, record.rtol, "as published")} if looser else {},
        about="the published vector",
    )


class Kernel:
    """One task of the suite: kbench's own, and the benchmark's vector and solution."""

    def __init__(self, own: SuiteTask, record: PublishedKernel | None, folder: Path, solution: str) -> None:
        self.own, self.record, self.folder, self.solution = own, record, folder, solution

    def suite_task(self) -> SuiteTask:
        own, beyond = self.own.task, BEYOND_ITS_SOLUTION.get(self.own.task.name, {})
        published = [] if self.record is None else [published_case(own, self.record)]
        summary = (self.record.description if self.record else "") or own.summary
        return SuiteTask(
            task=replace(own, summary=summary, draw=self.draw, behavior=self.behavior),
            cases=(*published, *(c for c in self.own.cases if c.name not in beyond)),
            reference=self.reference,
            invalid=dict(beyond),
        )

    def draw(self, case: Case, rng: np.random.Generator) -> Values:
        if case.name == PUBLISHED and self.record is not None:
            return {name: array.copy() for name, array in self.record.inputs.items()}
        return self.own.task.draw(case, rng)

    def behavior(self, case: Case, inputs: Values) -> Values:
        """The published output for the published vector, else (for parts of it, too) what our model says."""
        if case.name == PUBLISHED and self.record is not None and _same(inputs, self.record.inputs):
            name, array = self.record.output
            return {name: array.copy()}
        return self.own.task.behavior(case, inputs)

    def reference(self, backend: str, track: Track) -> Candidate | None:
        """The canonical solution as the benchmark compiles it, below the includes of its prompts: made of the record,
        or of the kernel's own file where there is none."""
        if backend != "aie":
            return None
        name = self.own.task.name
        if self.record is not None:
            text = self.record.source
        elif self.solution:
            text = PROMPT_INCLUDES + text_of(self.folder / self.solution)
        else:
            return None
        return Candidate({f"{name}.cc": text}, {"kernel": f"{name}.cc"}, name)

    def upstream(self, expected: Values, got: Values) -> str | None:
        """The benchmark's own comparison: every |expected − output| ≤ atol + rtol · |output|, in float32.

        It scales with the output, where the reference was meant: an output that is infinite everywhere passes, integers
        may be off by their share, and a reference that is not finite always fails.
        """
        (name,) = (t.name for t in self.own.task.outputs)
        reference, output = _float32(expected[name]), _float32(got.get(name))
        if reference.size == 1:
            output = output.reshape(-1)[:1]
        if output.size != reference.size:
            return f"{name}: expected {reference.size} elements, got {output.size}"
        atol, rtol = self._allowed(expected[name])
        output = output.reshape(reference.shape)
        with np.errstate(all="ignore"):
            errors = np.abs(output - reference)
            within = errors <= atol + rtol * np.abs(output)
        if np.all(within):
            return None
        worst = np.where(np.isnan(errors), np.inf, errors)
        return (
            f"{name}: {np.count_nonzero(~within)} of {within.size} differ by more than {atol:g} + {rtol:g}·|output|; "
            f"largest error {worst.max():g}"
        )

    def _allowed(self, expected: Value) -> tuple[float, float]:
        """(atol, rtol) of the record; where there is none, of the task, or the benchmark's own for what is exact."""
        if self.record is not None:
            return self.record.atol, self.record.rtol
        (output,) = self.own.task.outputs
        ours = self.own.task.tolerance_of(output.name, dtype_name(np.asarray(expected).dtype))
        return (DEFAULT_TOLERANCE["atol"], DEFAULT_TOLERANCE["rtol"]) if ours.exact else (ours.atol, ours.rtol)


def _same(given: Values, published: Mapping[str, Array]) -> bool:
    arrays = {name: np.asarray(given[name]) for name in published}
    return all(a.shape == published[n].shape and a.tobytes() == published[n].tobytes() for n, a in arrays.items())


def _float32(value: object) -> Array:
    return np.atleast_1d(np.asarray(value)).astype(np.float32)
