"""What the AIE cycle model costs: for each packaged NPUEval kernel, and for bodies that grow.

    python -m benchmarks.aie_schedule_cost [--target npu1] [--tasks NAME …] [--grow 1600]

Kernels are compiled as a run does; what is timed is the model alone, in this process's CPU time: reading the IR,
choosing operations (`select`), and placing them (`schedule`). Growth: one block and one loop of the same random
operations, N and 2N of them, with and without memory that may overlap; `power` is log2 of the ratio of their times
(1 is linear, 2 is quadratic). Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kbench.backends.aie.backend import AieBackend
from kbench.backends.aie.cycles.program import read_program
from kbench.backends.aie.references import VARIANTS, load
from kbench.backends.aie.sim.schedule import schedule
from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation
from kbench.core.backend import Settings
from kbench.task_specs import npueval_suite


def kernels(target: str, names: Sequence[str]) -> list[dict[str, Any]]:
    """Seconds of each kernel: all of the model, and placing alone; the operations placed."""
    backend, settings = AieBackend(), Settings(target=target)
    backend.prepare(settings)
    found = []
    for name, entry in npueval_suite().tasks.items():
        for variant in VARIANTS if not names or name in names else ():
            candidate = load(entry.task.name, variant)
            if candidate is None:
                continue
            with tempfile.TemporaryDirectory() as folder:
                build = backend.compile(candidate, entry, entry.cases, settings, Path(folder))
                for module in build.data.modules.values():
                    functions = frozenset(function for function, _ in module.facts.labels)
                    start = time.process_time()
                    program = read_program(module, functions, target, dict(candidate.files))
                    whole = time.process_time() - start
                    start = time.process_time()
                    for routine in program.routines.values():
                        schedule(routine.selected.function, target)
                    placing = time.process_time() - start
                    blocks = [b for r in program.routines.values() for b in r.selected.function.blocks]
                    operations = sum(len(block.operations) for block in blocks)
                    found.append(
                        {"kernel": f"{name}/{variant}", "s": whole, "schedule_s": placing, "operations": operations}
                    )
    return found


def body(count: int, overlaps: bool, seed: int = 1) -> list[Operation]:
    """`count` operations: loads, sums of what was summed lately, products, narrowing stores."""
    draw = random.Random(seed)
    sums = ["start"]
    found: list[Operation] = []
    for i in range(count // 4):
        one, other = draw.choice(sums[-8:]), draw.choice(sums[-8:])
        found.append(Operation("vld", (f"v{i}",), ("p",), Memory("a", 32, 32 * i, 0, distinct=not overlaps)))
        found.append(Operation("vadd", (f"x{i}",), (f"v{i}", one)))
        found.append(Operation("vmul", (f"m{i}",), (f"x{i}", other)))
        found.append(Operation("vst.srs", (), (f"m{i}", "s", "q"), Memory("c", 32, 32 * i, 0, distinct=not overlaps)))
        sums.append(f"x{i}")
    return found


def block_of(operations: list[Operation]) -> Function:
    return Function("grown", (Block("entry", (*operations, Operation("ret", (), ("lr",)))),))


def loop_of(operations: list[Operation]) -> Function:
    blocks = (
        Block("entry", (), ("loop",)),
        Block("loop", tuple(operations), ("loop", "exit")),
        Block("exit", (Operation("ret", (), ("lr",)),)),
    )
    return Function("grown", blocks, (Loop("loop", ("loop",), counted=True, trips=1000, min_trips=1000),))


def seconds(function: Function, target: str) -> float:
    start = time.process_time()
    schedule(function, target)
    return time.process_time() - start


def growth(target: str, most: int) -> list[dict[str, Any]]:
    """Times of bodies that double."""
    found = []
    for shape, make in (("block", block_of), ("loop", loop_of)):
        for overlaps in (False, True):
            sizes = [most // 8, most // 4, most // 2, most]
            times = [seconds(make(body(size, overlaps)), target) for size in sizes]
            found += [
                {"shape": shape, "overlaps": overlaps, "operations": size, "s": took, "power": math.log2(took / before)}
                for size, took, before in zip(sizes[1:], times[1:], times, strict=False)
            ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="npu1")
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--grow", type=int, default=1600)
    options = parser.parse_args()
    schedule(block_of(body(8, False)), options.target)  # reads the table
    rows = kernels(options.target, options.tasks)
    worst = sorted(rows, key=lambda row: row["s"], reverse=True)
    result = {
        "target": options.target,
        "kernels": len(rows),
        "median_s": statistics.median(row["s"] for row in rows),
        "median_schedule_s": statistics.median(row["schedule_s"] for row in rows),
        "worst": worst[:5],
        "growth": growth(options.target, options.grow),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
