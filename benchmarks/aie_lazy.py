"""Lazy answers to every task of NPUEval, as kernels through the whole path: none may pass all cases.

    python -m benchmarks.aie_lazy [--target npu1] [--only TASK …] [--answers NAME …] [--update]

An answer is a kernel that computes nothing: it fills the output with one value, copies an input, writes a result that
it remembers, or leaves out an element of the right one. `aie_lazy_ledger.json` has the outcome of each; the exit status
is 1 where one differs from it, or passes. What a task declares as its own definition is no lazy answer there. More of
such answers, without the simulator, are in the tests of the tasks.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import kbench
from kbench.backends.aie import references
from kbench.backends.aie.interface import C_TYPES, signature
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.cases import draw
from kbench.core.suite import SuiteTask
from kbench.core.task import Array
from kbench.task_specs import npueval_suite

LEDGER = Path(__file__).with_name("aie_lazy_ledger.json")
#: The seed whose result is remembered: no run's.
REMEMBERED = 104729
_FLOATS = ("bfloat16", "float32")


def output_of(entry: SuiteTask) -> Array:
    """The right output of the first case, for another seed."""
    (value,) = draw(entry.task, entry.cases[0], REMEMBERED).expected.values()
    assert isinstance(value, np.ndarray)
    return value


def filled(value: str, *, floats_only: bool = False) -> Callable[[SuiteTask], str | None]:
    def body(entry: SuiteTask) -> str | None:
        task, dtype = entry.task, entry.task.outputs[0].dtype
        if floats_only and dtype not in _FLOATS:
            return None
        name, size = task.outputs[0].name, output_of(entry).size
        return f"for (unsigned i = 0; i < {size}; ++i)\n        {name}[i] = ({C_TYPES[dtype]}){value};"

    return body


def copied(index: int) -> Callable[[SuiteTask], str | None]:
    """The values of an input that is as large as the output."""

    def body(entry: SuiteTask) -> str | None:
        task = entry.task
        if index >= len(task.inputs) or f"copy:{task.inputs[index].name}" in task.lazy_definition:
            return None
        given, wanted = task.inputs[index], task.outputs[0]
        size, kind = output_of(entry).size, C_TYPES[wanted.dtype]
        shape = entry.cases[0].shapes[given.name]
        if not isinstance(shape, tuple) or math.prod(shape) < size:
            return None
        return f"for (unsigned i = 0; i < {size}; ++i)\n        {wanted.name}[i] = ({kind}){given.name}[i];"

    return body


def nothing(entry: SuiteTask) -> str:
    return ""


def remembered(entry: SuiteTask) -> str:
    """The right bits for other inputs, as the published output would be."""
    value = output_of(entry)
    words = {1: "unsigned char", 2: "unsigned short", 4: "unsigned"}[value.itemsize]
    numbers = ", ".join(map(str, value.reshape(-1).view(f"u{value.itemsize}").tolist()))
    return (
        f"static const {words} known[] = {{{numbers}}};\n"
        f"    for (unsigned i = 0; i < {value.size}; ++i)\n"
        f"        reinterpret_cast<{words} *>({entry.task.outputs[0].name})[i] = known[i];"
    )


def all_but_the_last(entry: SuiteTask) -> str | None:
    """The reference's result but for one element."""
    task, value = entry.task, output_of(entry)
    if value.size == 1:
        return None
    call = ", ".join([*(t.name for t in task.inputs), "right", *(a.name for a in task.attrs)])
    return (
        f"alignas(64) static {C_TYPES[task.outputs[0].dtype]} right[{value.size}];\n"
        f"    whole_{task.name}({call});\n"
        f"    for (unsigned i = 0; i < {value.size - 1}; ++i)\n"
        f"        {task.outputs[0].name}[i] = right[i];"
    )


ANSWERS: dict[str, Callable[[SuiteTask], str | None]] = {
    "nothing": nothing,
    "zeros": filled("0"),
    "inf": filled("__builtin_inff()", floats_only=True),
    "first input": copied(0),
    "second input": copied(1),
    "remembered": remembered,
    "all but the last": all_but_the_last,
}


def kernel(entry: SuiteTask, answer: str) -> Candidate | None:
    """The answer as a kernel; None where the task has no such answer."""
    body = ANSWERS[answer](entry)
    if body is None:
        return None
    task, path = entry.task, f"{entry.task.name}.cc"
    head = "#include <aie_api/aie.hpp>\n"
    if "whole_" in body:
        reference = references.load(task.name, "scalar")
        assert reference is not None
        head = re.sub(rf"\b{task.name}\(", f"whole_{task.name}(", reference.text("kernel"))
    text = f"{head}\n{signature(task, entry.cases[0])} {{\n    {body}\n}}\n"
    return Candidate({path: text}, {"kernel": path}, task.name)


def judged(entry: SuiteTask, answer: str, target: str) -> str | None:
    """The outcome of an answer, or None where there is none."""
    candidate = kernel(entry, answer)
    if candidate is None:
        return None
    return kbench.evaluate(entry, candidate, "aie", settings=Settings(target=target)).outcome


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="npu1")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--answers", nargs="*", default=list(ANSWERS), choices=list(ANSWERS))
    parser.add_argument("--update", action="store_true", help="write the ledger")
    given = parser.parse_args(arguments)
    ledger = json.loads(LEDGER.read_text()) if LEDGER.is_file() else {}
    wrong = 0
    for name, entry in npueval_suite().tasks.items():
        if given.only and name not in given.only:
            continue
        found = {a: o for a in given.answers if (o := judged(entry, a, given.target)) is not None}
        known = {a: ledger.get(name, {}).get(a) for a in found}
        changed = [f"{a}: {known[a] or 'new'} → {o}" for a, o in found.items() if known[a] != o]
        passed = [a for a, o in found.items() if o == "passed"]
        wrong += bool(passed) or (bool(changed) and not given.update)
        print(
            f"{name}: " + ("; ".join(changed) or "as in the ledger") + (f"  PASSES: {passed}" if passed else ""),
            flush=True,
        )
        ledger[name] = {**ledger.get(name, {}), **found}
        if given.update:
            LEDGER.write_text(json.dumps(dict(sorted(ledger.items())), indent=1) + "\n")
    print(dict(Counter(outcome for found in ledger.values() for outcome in found.values())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
