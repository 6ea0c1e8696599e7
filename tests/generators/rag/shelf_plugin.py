"""A backend and a suite with known solutions, that need no compiler."""

from __future__ import annotations

from dataclasses import replace

from kbench.core.backend import Backend, Build, Interface, RunResult
from kbench.core.candidate import Candidate
from kbench.core.hookspecs import hookimpl
from kbench.core.suite import Suite, SuiteTask
from kbench.testing import SCALE_AND_ADD
from tests.generators.rag.corpora import EXP, LEAKY, NEGATE, RELU

SOLUTIONS = {
    "relu_float32": ("Each element where it is positive, else 0.", RELU),
    "leaky_relu_float32": ("Each element where it is positive, else 0.01 times it.", LEAKY),
    "negate_float32": ("The negative of each element.", NEGATE),
    "exp_float32": ("The exponential of each element.", EXP),
}


class Shelf(Backend):
    """Has a solution of every task."""

    name = "shelf"
    targets = ("t",)
    default_suite = "shelf"

    def interface(self, entry, cases, settings):
        return Interface("C", entry.task.name, {"kernel": "kernel.c"}, f"void {entry.task.name}();", {}, (), {})

    def compile(self, candidate, entry, cases, settings, workdir):
        return Build(workdir)

    def run(self, build, entry, case, inputs, settings):
        return RunResult(entry.task.behavior(case, inputs))

    def reference(self, entry, track):
        return Candidate({"kernel.c": SOLUTIONS[entry.task.name][1]}, {"kernel": "kernel.c"}, entry.task.name)


def suite() -> Suite:
    tasks = {}
    for name, (summary, _) in SOLUTIONS.items():
        tasks[name] = SuiteTask(
            replace(SCALE_AND_ADD.task, name=name, summary=summary, formula=""), SCALE_AND_ADD.cases
        )
    return Suite("shelf", tasks, "four operators")


@hookimpl
def kbench_register_backends():
    return [Shelf]


@hookimpl
def kbench_register_suites():
    return [("shelf", suite)]
