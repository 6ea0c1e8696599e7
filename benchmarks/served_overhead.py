"""What the generator `openai` adds to a completion, and what a run holds in memory while a thousand come in.

    python benchmarks/served_overhead.py overhead [--count 400]
    python benchmarks/served_overhead.py memory [--counts 250,1000,2000] [--kilobytes 64]

`overhead` asks one server on loopback for the same completions, in turns: with a bare client (httpx, one POST, the
text of the answer) and with the generator, at once and as a stream of some 400 pieces; medians and spread of each.
`memory` runs whole campaigns at `--concurrency 64` and tells the largest memory of the run's process: it must not grow
with the number of completions.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "core")]

from kbench.core.generator import Message, Request, Sampling  # noqa: E402
from kbench.generators.openai import OpenAI  # noqa: E402
from tests.generators.fault_server import FaultServer  # noqa: E402

REQUEST = Request([Message("user", "x" * 4000)], suite="s", task="T", sampling=Sampling(temperature=0.0))


def _serve(line: object, kilobytes: int) -> None:
    """A server in a process of its own, as servers are."""
    with FaultServer(answer=lambda body: f"{body.get('seed')} " + "no code here " * (kilobytes * 80)) as server:
        line.send(server.url)  # type: ignore[attr-defined]
        line.recv()  # type: ignore[attr-defined]


class Serving:
    def __init__(self, kilobytes: int) -> None:
        self._kilobytes = kilobytes

    def __enter__(self) -> str:
        self._line, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, self._kilobytes))
        self._process.start()
        return str(self._line.recv())

    def __exit__(self, *_: object) -> None:
        self._line.send("end")
        self._process.join()


def overhead(count: int) -> None:
    import httpx

    with Serving(2) as url, httpx.Client(timeout=60) as bare:
        body = {"model": "tiny", "messages": [{"role": "user", "content": "x" * 4000}], "temperature": 0.0, "seed": 0}
        at_once, streamed = (OpenAI(model="tiny", base_url=url, stream=stream) for stream in ("no", "yes"))

        def plain() -> str:
            answer = bare.post(f"{url}/chat/completions", json=body)
            return str(answer.json()["choices"][0]["message"]["content"])

        def plain_stream() -> str:
            text = []
            with bare.stream("POST", f"{url}/chat/completions", json={**body, "stream": True}) as answer:
                for line in answer.iter_lines():
                    if line.startswith("data: {"):
                        text.append(json.loads(line[6:])["choices"][0]["delta"].get("content") or "")
            return "".join(text)

        kinds: dict[str, Callable[[], object]] = {
            "bare client": plain,
            "generator, at once": lambda: at_once.generate(REQUEST),
            "bare client, streamed": plain_stream,
            "generator, streamed": lambda: streamed.generate(REQUEST),
        }
        times: dict[str, list[float]] = {name: [] for name in kinds}
        for turn in range(count + 20):
            for name, ask in kinds.items():
                start = time.perf_counter()
                ask()
                if turn >= 20:  # connections and code are warm
                    times[name].append(time.perf_counter() - start)
        for generator in (at_once, streamed):
            generator.close()
    for name, seconds in times.items():
        low, middle, high = (quarter * 1e3 for quarter in statistics.quantiles(seconds, n=4))
        base = "bare client, streamed" if "streamed" in name else "bare client"
        more = middle - statistics.median(times[base]) * 1e3
        print(f"{name}: median {middle:.2f} ms (quartiles {low:.2f}, {high:.2f}), {more:+.2f} ms; {len(seconds)} asked")


def memory(counts: list[int], kilobytes: int) -> None:
    for count in counts:
        with Serving(kilobytes) as url:
            command = [sys.executable, __file__, "one", "--counts", str(count), "--url", url]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(done.stdout.strip())


def one(count: int, url: str) -> None:
    """One run of so many completions, in this process."""
    from kbench.core.runs.campaign import Options, plan
    from kbench.core.runs.session import work
    from kbench.core.runs.store import RunFolder

    asked = {"model": "tiny", "base_url": url, "stream": "no"}  # a stream of five letters a piece measures the server
    wanted = Options(
        backend="fake", suite="fakes", tasks=("absolute",), samples=count, generator="openai", generator_options=asked,
        plugins=("fake_plugin", "no:aie", "no:ascend", "no:task_specs"),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder.create(Path(folder) / "run", plan(wanted))
        before, start = _peak_mb(), time.perf_counter()
        work(run, jobs=2, watch=lambda record: None, concurrency=64, cache=False)
        seconds, after = time.perf_counter() - start, _peak_mb()
        records = list(run.records())
        texts = {r.completion_sha for r in records}
        assert len(records) == len(texts) == count, (len(records), len(texts))
        size = sum(len(run.text(sha)) for sha in texts) / 2**20
    print(
        f"{count} completions at --concurrency 64: {count} records, {size:.0f} MiB of text, {seconds:.1f} s, "
        f"peak {after:.0f} MiB ({after - before:+.0f} MiB while asking)"
    )


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "memory", "one"))
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--counts", default="250,1000,2000")
    parser.add_argument("--kilobytes", type=int, default=64)
    parser.add_argument("--url", default="")
    arguments = parser.parse_args()
    counts = [int(part) for part in arguments.counts.split(",")]
    match arguments.what:
        case "overhead":
            overhead(arguments.count)
        case "memory":
            memory(counts, arguments.kilobytes)
        case "one":
            one(counts[0], arguments.url)


if __name__ == "__main__":
    main()
