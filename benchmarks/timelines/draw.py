"""Three timelines: AddCustom, the same made serial on purpose, and a norm whose cores wait for each other.

    python benchmarks/timelines/draw.py FOLDER

writes `NAME.json` for each into FOLDER (`benchmarks/render_trace.py` draws them), and prints, from the files alone, for
how much of the time of core 0 its pipes work, and work at the same time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from kbench.backends.ascend import references
from kbench.core.candidate import Candidate
from kbench.core.generator import Completion
from kbench.core.profiles.closeup import Closeup
from kbench.core.profiles.report import headline
from kbench.core.profiles.trace import write_trace
from kbench.core.runs.campaign import Options
from kbench.generators.replay import read_candidate

HERE = Path(__file__).parent
PIPES = ("MTE2", "V", "MTE3")
Interval = tuple[float, float]


def serial() -> Candidate:
    """AddCustom's reference with one buffer for two and every pipe stopped after each step."""
    known = references.load("AddCustom")
    assert known is not None
    path = known.roles["op_kernel"]
    text = known.files[path].replace("BUFFER_NUM = 2", "BUFFER_NUM = 1")
    for call in ("CopyIn(offset, count);", "Compute(count);", "CopyOut(offset, count);"):
        text = text.replace(call, f"{call} PipeBarrier<PIPE_ALL>();", 1)
    return Candidate({**known.files, path: text}, known.roles, known.entry)


def candidates() -> Mapping[str, tuple[str, Completion]]:
    """name → task, candidate."""
    add = references.load("AddCustom")
    return {
        "add_custom": ("AddCustom", Completion(candidate=add)),
        "serial": ("AddCustom", Completion(candidate=serial())),
        "l2_normalize": ("L2Normalize", read_candidate(HERE / "l2_normalize", "L2Normalize")),
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (task, completion) in candidates().items():
        options = Options(backend="ascend", suite=str(HERE / "suite"), tasks=[task], max_elements=1 << 24)
        with closing(Closeup.plan(options, lambda _, given=completion: given)) as seen:
            record = seen.record()
            if not record.passed:
                raise SystemExit(f"{name}: {record.message}")
            write_trace(seen.timeline(), folder / f"{name}.json")
        case = record.cases[0]
        assert case.profile is not None, case.findings
        print(f"{name}: {headline(case.profile)}")
        print(f"  core 0: {shares(json.loads((folder / f'{name}.json').read_text()))}")


def shares(trace: Mapping[str, Any]) -> str:
    """Of the time between the first and the last slice of core 0: how much each pipe works, and each pair at once."""
    busy = {pipe: intervals(trace, pipe) for pipe in PIPES}
    ends = [time for spans in busy.values() for span in spans for time in span]
    whole = max(ends) - min(ends)
    told = [f"{pipe} {length(spans) / whole:.0%}" for pipe, spans in busy.items()]
    told += [f"{a} with {b} {length(both(busy[a], busy[b])) / whole:.0%}" for a, b in pairwise(PIPES)]
    return ", ".join(told)


def intervals(trace: Mapping[str, Any], pipe: str) -> list[Interval]:
    """When a pipe of the first core works, in order."""
    threads = {
        (e["pid"], e["tid"]) for e in trace["traceEvents"] if e["name"] == "thread_name" and e["args"]["name"] == pipe
    }
    first = min(threads)
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X" and (e["pid"], e["tid"]) == first]
    return sorted((e["ts"], e["ts"] + e["dur"]) for e in slices if e["cat"] == "busy")


def both(one: list[Interval], other: list[Interval]) -> list[Interval]:
    """When both of two work."""
    overlaps = [(max(a[0], b[0]), min(a[1], b[1])) for a in one for b in other]
    return [(start, end) for start, end in overlaps if start < end]


def length(spans: list[Interval]) -> float:
    return sum(end - start for start, end in spans)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
