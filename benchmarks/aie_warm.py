"""`kbench run --backend aie --suite npueval --generator reference`, cold and warm, against the bare tools on the same
kernels.

    python benchmarks/aie_warm.py [--target npu1] [--jobs 2] [--tasks NAME …] [--rounds 3]

Cold is a run with an empty cache: the runtime is compiled and the headers are precompiled. Warm is the same run again,
first with the sources that it has not seen (its kept objects are thrown away), then once more with those that it has;
no verdict is kept. Bare is what any pipeline of these tools takes, as many at a time: for each kernel the compiler
(C++ to IR, with the precompiled header), the compiler again (lowered IR to an object) and the linker with the runtime's
archives; the front end is the first of these alone. The three alternate; a round's medians count. Prints one line of
JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import kbench.core.hostcc.sandbox as sandboxes
from kbench.backends.aie import references
from kbench.backends.aie.backend import AieBackend
from kbench.backends.aie.sim import build, library
from kbench.core.backend import Settings
from kbench.core.hostcc import objects
from kbench.core.hostcc.toolchain import toolchain
from kbench.core.plugins import registry

WASM = ("-target", "wasm32-unknown-unknown", "-msimd128", "-mbulk-memory", "-mnontrapping-fptoint")


def run_seconds(target: str, jobs: int, tasks: Sequence[str], cache: Path, out: Path) -> float:
    """One whole run from the command line; every attempt must pass."""
    command = [sys.executable, "-c", "from kbench.cli import main; main()", "run", "--backend", "aie"]
    command += ["--target", target, "--suite", "npueval", "--generator", "reference", "--jobs", str(jobs)]
    command += ["--out", str(out), *(["--tasks", ",".join(tasks)] if tasks else [])]
    start = time.perf_counter()
    done = subprocess.run(command, env=os.environ | {"KBENCH_CACHE_DIR": str(cache)}, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"the run failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return seconds


def commands(target: str, tasks: Sequence[str], folder: Path) -> list[list[list[str]]]:
    """The bare commands of each kernel: taken from a real build, then pointed at its files."""
    suite = registry().suites["npueval"]()
    backend, settings = AieBackend(), Settings(target=target, sandbox="none")
    backend.prepare(settings)
    taken: list[list[str]] = []
    launch = sandboxes.Sandbox.run
    objects.kept = lambda *_: None  # each is compiled, so that there is a command to take

    def record(self: Any, argv: Sequence[str], **options: Any) -> Any:
        taken.append([str(a) for a in argv])
        return launch(self, argv, **options)

    sandboxes.Sandbox.run = record  # type: ignore[method-assign]
    found = []
    try:
        for name, entry in suite.tasks.items():
            candidate = references.load(name)
            if candidate is None or (tasks and name not in tasks):
                continue
            taken.clear()
            workdir = folder / name
            made = backend.compile(candidate, entry, entry.cases[:1], settings, workdir)
            (facts,) = (m.facts for m in made.data.modules.values())
            found.append(_bare(taken[0], next(workdir.rglob("kbench_wrapper.cc")).parent, facts.ir))
    finally:
        sandboxes.Sandbox.run = launch  # type: ignore[method-assign]
    return found


def _bare(compile_: list[str], sources: Path, lowered: str) -> list[list[str]]:
    out = sources.parent / "out"
    (out / "lowered.ll").write_text(lowered)
    zig = str(toolchain().zig)
    first = [a.replace("/out/", f"{out}/") for a in compile_]
    first = [f"-I{sources}" if a == "-I." else str(sources / a) if (sources / a).is_file() else a for a in first]
    again = [zig, "clang", "-x", "ir", *WASM, "-Xclang", "-disable-llvm-passes", "-Wno-unused-command-line-argument"]
    link = [zig, "wasm-ld", "--no-entry", "--gc-sections", "--allow-undefined", "--export-dynamic"]
    archives = map(str, library.libraries())
    return [
        first,
        [*again, "-c", str(out / "lowered.ll"), "-o", str(out / "main.o")],
        [*link, str(out / "main.o"), *archives, "-o", str(out / "main.wasm")],
    ]


def bare_seconds(kernels: Sequence[Sequence[Sequence[str]]], jobs: int) -> float:
    def one(kernel: Sequence[Sequence[str]]) -> None:
        for command in kernel:
            subprocess.run(command, env={}, check=True, stdin=subprocess.DEVNULL, capture_output=True)

    start = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, kernels))
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--target", default="npu1", choices=sorted(build.ARCHITECTURES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        kernels = commands(given.target, given.tasks, folder / "bare")
        cold = run_seconds(given.target, given.jobs, given.tasks, folder / "cache", folder / "cold")
        rounds = []
        for n in range(given.rounds):
            shutil.rmtree(folder / "cache" / "objects", ignore_errors=True)
            warm = run_seconds(given.target, given.jobs, given.tasks, folder / "cache", folder / f"warm{n}")
            again = run_seconds(given.target, given.jobs, given.tasks, folder / "cache", folder / f"again{n}")
            front = bare_seconds([kernel[:1] for kernel in kernels], given.jobs)
            rounds.append((warm, again, bare_seconds(kernels, given.jobs), front))
    warm, again, bare, front = (statistics.median(column) for column in zip(*rounds, strict=True))
    facts = {"kernels": len(kernels), "jobs": given.jobs, "bare_s": round(bare, 2), "front_end_s": round(front, 2)}
    facts |= {"cold_s": round(cold, 2), "new_sources_s": round(warm, 2), "same_sources_s": round(again, 2)}
    print(json.dumps(facts | {"ratio_new": round(warm / bare, 2), "ratio_same": round(again / bare, 2)}))


if __name__ == "__main__":
    main()
