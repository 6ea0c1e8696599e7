"""One warm candidate, end to end, against the bare compiler, linker and programs that it cannot do without.

    python benchmarks/candidate.py [--task AddCustom] [--track full] [--rounds 15]

End to end is `kbench.evaluate` on sources that were never seen before (a comment differs), all caches warm. Bare is the
same compiler commands, the same links and the same two programs with the same inputs, started without sandbox, each
timed alone and added up. The two alternate. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from kbench import Candidate, Settings, SuiteTask, Track, evaluate
from kbench.backends.ascend import backend as ascend
from kbench.backends.ascend.sim import host
from kbench.core.hostcc import compiler, linker
from kbench.core.hostcc.sandbox import Finished, Sandbox, sandbox
from kbench.task_specs import quick_suite

_fresh = count()


@dataclass(eq=False)  # hashed by identity, as every sandbox is
class Recorder(Sandbox):
    """Runs what it is given in the real sandbox, and keeps the commands so that they can be run bare."""

    inner: Sandbox
    bare_s: float = 0.0
    mode: str = "recorded"
    seen: list[str] = field(default_factory=list)

    def run(self, argv: list[str], *, mounts: Any, pass_fds: Any = (), **rest: Any) -> Finished:
        finished = self.inner.run(argv, mounts=mounts, pass_fds=pass_fds, **rest)
        self.bare_s += self._bare(argv, mounts, pass_fds)
        self.seen.append(argv[0])
        return finished

    def _bare(self, argv: list[str], mounts: Any, fds: Any) -> float:
        inside = sorted(mounts, key=lambda m: -len(m.inside))

        def outside(text: str) -> str:
            for m in inside:
                if text == m.inside or text.startswith(m.inside.rstrip("/") + "/"):
                    return str(m.host) + text[len(m.inside.rstrip("/")) :]
            return text

        sources = next((str(m.host) for m in mounts if m.inside == "/src"), "")
        command = [f"-I{sources}" if a == "-I." else outside(a) for a in argv]
        if sources:
            at = next(i for i, argument in enumerate(command) if Path(f"{sources}/{argument}").is_file())
            command[at] = f"{sources}/{command[at]}"
        actions: list[Any] = [(os.POSIX_SPAWN_DUP2, fd, 30 + i) for i, fd in enumerate(fds)]
        actions += [(os.POSIX_SPAWN_DUP2, 30 + i, 3 + i) for i in range(len(fds))]
        actions += [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
        for fd in fds[:1]:
            os.lseek(fd, 0, os.SEEK_SET)
        start = time.perf_counter()
        pid = os.posix_spawn(command[0], command, {}, file_actions=actions)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        took = time.perf_counter() - start
        if status != 0:
            raise SystemExit(f"bare {command[0]} ended with {status}")
        return took


def timed_links(recorder: Recorder) -> Callable[..., None]:
    def link(*args: Any, **kwargs: Any) -> None:
        start = time.perf_counter()
        linker.link(*args, **kwargs)
        recorder.bare_s += time.perf_counter() - start

    return link


def fresh(candidate: Candidate) -> Candidate:
    files = {path: f"{text}\n// {os.getpid()} {next(_fresh)}\n" for path, text in candidate.files.items()}
    return replace(candidate, files=files)


def bare_seconds(entry: SuiteTask, candidate: Candidate, settings: Settings) -> float:
    """Walks the same path with a recording sandbox; only the bare commands and the links count."""
    recorder = Recorder(sandbox(settings.sandbox))
    ours, (h, c) = ascend.sandbox, (host.link, compiler.link)
    ascend.sandbox, host.link, compiler.link = (lambda mode: recorder), timed_links(recorder), timed_links(recorder)
    try:
        record = evaluate(entry, candidate, "ascend", settings=settings)
    finally:
        ascend.sandbox, host.link, compiler.link = ours, h, c
    assert record.passed, record.message
    return recorder.bare_s


def whole_seconds(entry: SuiteTask, candidate: Candidate, settings: Settings) -> float:
    start = time.perf_counter()
    record = evaluate(entry, candidate, "ascend", settings=settings)
    took = time.perf_counter() - start
    assert record.passed, record.message
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="AddCustom")
    parser.add_argument("--track", default="full")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    entry = quick_suite().tasks[given.task]
    entry = replace(entry, cases=entry.cases[:1])
    engine = ascend.AscendBackend()
    settings = Settings(target=engine.default_target, track=Track(given.track))
    known = engine.reference(entry, settings.track)
    assert known is not None
    pairs = [
        (whole_seconds(entry, fresh(known), settings), bare_seconds(entry, fresh(known), settings))
        for _ in range(given.rounds + 1)
    ][1:]
    whole, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(w / b for w, b in pairs)
    peak = {n: resource.getrusage(w).ru_maxrss // 1024 for n, w in _PROCESSES.items()}
    facts = {"task": given.task, "end_to_end_s": round(whole, 4), "bare_s": round(bare, 4), "ratio": round(ratio, 2)}
    print(json.dumps(facts | {"peak_memory_mib": peak}))


_PROCESSES = {"parent": resource.RUSAGE_SELF, "largest_child": resource.RUSAGE_CHILDREN}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(Path(scratch))
        main()
