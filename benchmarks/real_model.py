"""A real model with no network: SmolLM2-135M-Instruct, from weights that a package carries, over the whole path.

    python benchmarks/real_model.py runs  --weights FILE.gguf --ascend-suite FOLDER --work DIR [--only NAME …]
    python benchmarks/real_model.py served --weights FILE.gguf --ascend-suite FOLDER --work DIR
    python benchmarks/real_model.py greedy --weights FILE.gguf --ascend-suite FOLDER --work DIR
    python benchmarks/real_model.py table --work DIR

`runs` asks for twenty tasks × four samples on each backend, two attempts, 512 new tokens, without and with retrieval.
It is slow on a CPU, and may be stopped at any time: run again, it goes on where it was, and `table` tells how far it
is. The tasks are drawn by name before anything runs. `served` starts llama-cpp-python's server on loopback and asks it
for five tasks × two samples, through the generator `openai`. `greedy` asks at temperature 0 twice without the cache
and once more with it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbench.core.record import Record
from kbench.core.runs.store import RunFolder

SEED = 20261130  # of the choice of tasks
TASKS, SAMPLES, ATTEMPTS, NEW_TOKENS = 20, 4, 2, 512
#: What Hugging Face's model card of SmolLM2-135M-Instruct uses in its example.
SAMPLING = ("--temperature", "0.2", "--top-p", "0.9")
#: Characters of retrieved examples, half of the generator's default: the model is small, and so is the machine.
BUDGET = 6000
#: Of prompts that were read: those of a whole setting.
KEPT_MB = 6144
KBENCH = (sys.executable, "-c", "from kbench.cli import main; main()")
#: Cases of each task that are judged: an answer that fails the first two needs no further ones.
CASES = ("--cases", ":2", "--max-elements", "1048576")


@dataclass(frozen=True)
class Setting:
    """One run of the table."""

    backend: str
    retrieval: bool

    @property
    def name(self) -> str:
        return f"{self.backend}-{'rag' if self.retrieval else 'plain'}"


SETTINGS = tuple(Setting(backend, retrieval) for retrieval in (False, True) for backend in ("aie", "ascend"))


def chosen(suite: str, count: int) -> list[str]:
    """Names of tasks, drawn."""
    from kbench.core.plugins import registry
    from kbench.core.runs.workbench import load_suite

    loaded = load_suite(suite, registry())
    try:
        return sorted(random.Random(SEED).sample(sorted(loaded.tasks), count))
    finally:
        loaded.close()


def suite_of(backend: str, arguments: argparse.Namespace) -> str:
    return "npueval" if backend == "aie" else str(arguments.ascend_suite)


def kbench(*arguments: str, minutes: float = 0) -> int:
    """One command of kbench; its words go to this program's standard error. After so many minutes it is told to stop,
    as by Ctrl-C: what was answered is kept."""
    print("kbench", *arguments, file=sys.stderr, flush=True)
    process = subprocess.Popen([*KBENCH, *arguments], stdout=sys.stderr)
    try:
        return process.wait(minutes * 60 or None)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        return process.wait()


def options(**values: object) -> list[str]:
    return [part for name, value in values.items() for part in ("--generator-option", f"{name}={value}")]


def common(backend: str, arguments: argparse.Namespace, tasks: Sequence[str], samples: int) -> list[str]:
    track = ["--track", "kernel-only"] if backend == "ascend" else []
    suite = ["--backend", backend, "--suite", suite_of(backend, arguments), "--tasks", ",".join(tasks), *track]
    return [*suite, *CASES, "--samples", str(samples), "--max-tokens", str(NEW_TOKENS), "--jobs", "1"]


def run_setting(setting: Setting, arguments: argparse.Namespace) -> None:
    out = arguments.work / setting.name
    if (out / "manifest.json").is_file():
        kbench("run", "--resume", "--out", str(out), minutes=arguments.minutes)
        return
    tasks = chosen(suite_of(setting.backend, arguments), TASKS)[: arguments.first]
    model = {"model": arguments.weights.resolve(), "batch": arguments.batch, "threads": arguments.threads}
    wrapped = {**model, "keep_mb": KEPT_MB}
    if setting.retrieval:
        index = index_of(setting, arguments)
        generator = "rag", options(generator="transformers", index=index, budget=BUDGET, **wrapped)
    else:
        generator = "transformers", options(**wrapped)
    kbench(
        "run", *common(setting.backend, arguments, tasks, SAMPLES), *SAMPLING, "--attempts", str(ATTEMPTS),
        "--generator", generator[0], *generator[1], "--out", str(out), minutes=arguments.minutes,
    )  # fmt: skip


def index_of(setting: Setting, arguments: argparse.Namespace) -> Path:
    """An index over the solutions that the backend knows of other tasks."""
    index = arguments.work / f"{setting.backend}.index"
    if not index.is_file():
        kbench("rag", "index", str(index), "--references", "--backend", setting.backend,
               "--embedder", arguments.embedder)  # fmt: skip
    return index


def served(arguments: argparse.Namespace) -> None:
    """Five tasks × two samples through an OpenAI-compatible server, on each backend."""
    running = contextlib.nullcontext(arguments.url) if arguments.url else llama_server(arguments)
    with running as url:
        for backend in ("aie", "ascend"):
            tasks = chosen(suite_of(backend, arguments), TASKS)[:5]
            asked = ["--generator", "openai", *options(model=arguments.weights.stem, base_url=url, context=8192)]
            out = arguments.work / f"{backend}-served"
            kbench("run", *common(backend, arguments, tasks, 2), *SAMPLING, *asked, "--concurrency", "1",
                   "--out", str(out))  # fmt: skip


@contextlib.contextmanager
def llama_server(arguments: argparse.Namespace) -> Iterator[str]:
    """llama-cpp-python's server on a free port of loopback; its base URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "llama_cpp.server", "--model", str(arguments.weights), "--model_alias",
        arguments.weights.stem, "--host", "127.0.0.1", "--port", str(port), "--n_ctx", "8192", "--n_threads",
        str(arguments.threads),
    ]  # fmt: skip
    with (arguments.work / "server.log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}/v1"
            wait_for(f"{url}/models", server)
            yield url
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url: str, server: subprocess.Popen[bytes], most_s: float = 300) -> None:
    until = time.monotonic() + most_s
    while server.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.5)
    raise SystemExit("the server does not answer; see server.log")


def greedy(arguments: argparse.Namespace) -> None:
    """Temperature 0: twice without the cache, a third time with it, and four samples."""
    tasks = chosen("npueval", TASKS)[:2]
    asked = [*common("aie", arguments, tasks, 4), "--temperature", "0", "--generator", "transformers",
             *options(model=arguments.weights.resolve(), threads=arguments.threads)]  # fmt: skip
    texts = {}
    for name, more in (("one", ["--no-cache"]), ("two", ["--no-cache"]), ("filled", []), ("cached", [])):
        out = arguments.work / f"greedy-{name}"
        if not (out / "manifest.json").is_file():
            kbench("run", *asked, *more, "--out", str(out))
        records = list(RunFolder.open(out).records())
        texts[name] = {r.identity: r.completion_sha for r in records}
        cached, seconds = sum(r.cached for r in records), sum(r.times.generate_s for r in records)
        print(f"{name}: {len(records)} records, {cached} from the cache, {seconds:.1f} s of generation")
    print("one and two are the same, byte for byte:", texts["one"] == texts["two"])
    print("cached and one are the same, byte for byte:", texts["cached"] == texts["one"])


# --- the table -------------------------------------------------------------------------------------------------------


def table(work: Path) -> str:
    """Markdown: what became of every sample, by its last attempt, and what the model used."""
    lines = [
        "| run | samples planned | done | attempts | passed | compiled | outcomes of all attempts |"
        " input tokens, median | output tokens, median | ended by the limit |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for folder in sorted(p.parent for p in work.glob("*/manifest.json")):
        run = RunFolder.open(folder)
        lines.append(row(folder.name, run.manifest.planned, list(run.records())))
    return "\n".join(lines)


def row(name: str, planned: int, records: Sequence[Record]) -> str:
    last = [r for r in records if r.last]
    outcomes = Counter(r.outcome for r in records)
    told = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
    told_usage = [r.usage for r in records if "output_tokens" in r.usage]  # not every server tells
    ended = [r.finish_reason for r in records if r.finish_reason]
    cells = [
        name, planned, len(last), len(records), sum(r.passed for r in records), sum(r.compiled for r in records), told,
        median(told_usage), median(told_usage, "output_tokens"), f"{ended.count('length')} of {len(ended)}",
    ]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def median(usages: Sequence[Mapping[str, int]], name: str = "input_tokens") -> str:
    values = [usage[name] for usage in usages]
    return f"{statistics.median(values):.0f}" if values else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("runs", "served", "greedy", "table", "tasks"))
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--ascend-suite", default="npukernelbench", help="imported NPUKernelBench: ours has 12 tasks")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[s.name for s in SETTINGS])
    parser.add_argument("--batch", default="16")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))))
    parser.add_argument("--minutes", type=float, default=0, help="for each run of the table; 0 for no limit")
    parser.add_argument("--first", type=int, default=TASKS, help="of the drawn tasks, where time is short")
    parser.add_argument("--url", default="", help="base URL of a server that runs already, for `served`")
    parser.add_argument("--embedder", default="none", help="of the index: none (BM25), or minilm")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    match arguments.what:
        case "runs":
            for setting in SETTINGS:
                if setting.name in arguments.only:
                    run_setting(setting, arguments)
                    print(table(arguments.work), flush=True)
        case "served":
            served(arguments)
        case "greedy":
            greedy(arguments)
        case "tasks":
            named = {b: chosen(suite_of(b, arguments), TASKS) for b in ("aie", "ascend")}
            print(json.dumps(named, indent=1))
    if arguments.what in ("served", "table"):
        print(table(arguments.work))


if __name__ == "__main__":
    main()
