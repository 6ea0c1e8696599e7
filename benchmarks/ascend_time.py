"""The model of time against published measurements: every case of ascend_time_cases.json, modelled and published.

    python benchmarks/ascend_time.py [--cases add_1 copy_3 …] [--json FILE] [--markdown]
    python benchmarks/ascend_time.py --fit

Runs kernels of our own that do what the published examples do (ascend_time_kernels.cpp), at their sizes, on the model
of Ascend910B1. Fitting rows show how well their constants were fitted; only test rows judge the model: the task's
duration (or the clock's ticks) must be within 25 % of the published one, and the stages of the Add series in the
published order.
`--fit` works out each fitted constant of sim/prices.py from the row that the file names for it, and prints them.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, build_kernel, run_kernel
from kbench.backends.ascend.sim.prices import PRICES
from kbench.backends.ascend.sim.timing import Time
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import sandbox

HERE = Path(__file__).parent
CASES = HERE / "ascend_time_cases.json"
KERNELS = HERE / "ascend_time_kernels.cpp"
TARGET = TARGETS[DEFAULT_TARGET]
LIMIT = 0.25
SCALED = 64  # of add_0, a 64th is run: its 200 million scalar accesses are alike
_TICK_MHZ = 50  # of GetSystemCycle (page GetSystemCycle)
_FIELDS = (
    "rows",
    "columns",
    "tile",
    "tile_rows",
    "passes",
    "parts",
    "shifted",
    "bypass",
    "at",
    "block",
    "repeat",
    "calls",
)


@dataclass(frozen=True)
class Setup:
    """How one case is launched: the kernel's branch, its tiling data, cores."""

    key: int
    blocks: int
    tiling: Mapping[str, Any]
    outputs: bool = False  # x, y → z of rows × columns halves


def _add(key: int, blocks: int, tile: int, at: tuple[int, ...], *, rows: int = 8192, bypass: int = 0) -> Setup:
    return Setup(key, blocks, {"rows": rows, "columns": 8192, "tile": tile, "at": at, "bypass": bypass}, outputs=True)


def _bank(*at: int, block: int = 1, repeat: int = 8) -> Setup:
    return Setup(1, 1, {"at": at, "block": block, "repeat": repeat, "calls": 1000})


def _read(tile_rows: int, tile: int, *, columns: int = 12288, passes: int = 1, parts: int = 1) -> Setup:
    tiling = {"rows": 12288, "columns": columns, "tile": tile, "tile_rows": tile_rows, "passes": passes, "parts": parts}
    return Setup(5, 48, tiling)


def _shared(shifted: int) -> Setup:
    return Setup(6, 48, {"rows": 6144, "columns": 512, "tile": 64, "tile_rows": 128, "shifted": shifted})


def _fractals(distance: int) -> Setup:
    rows, columns = 144 * 128 * 2, 128 * 2 * ((144 - 1) // 16 * 16 + 16) if distance == 144 else 1160 * 32
    at = (0, rows, 2 * rows, 2 * rows + columns)
    tiling = {"rows": 8192, "columns": 8192, "tile": 128, "tile_rows": 144, "at": at, "block": distance}
    return Setup(7, 48, tiling, outputs=True)


_DOUBLED = (0, 0x8000, 0x10000, 0x18000, 0x20000, 0x28000)
_APART = 16256 * 2
SETUPS: dict[str, Setup] = {
    "bank_1": _bank(0, 0x10100, 0x20000),
    "bank_2": _bank(0, 0x4000, 0x10000),
    "bank_3": _bank(0, 0x10000, 0x14100),
    "bank_4": _bank(0, 0x10100, 0x4000),
    "bank_5": _bank(0, 0x10100, 0x4020),
    "bank_6": _bank(0, 0x10100, 0x10100),
    "bank_7": _bank(0, 0x10100, 0x10100, block=0, repeat=1),
    "bank_8": _bank(0, 0x10100, 0x10100, block=0, repeat=8),
    "add_0": _add(2, 1, 4096, _DOUBLED[:3], rows=8192 // SCALED),
    "add_1": _add(3, 1, 4096, _DOUBLED[:3]),
    "add_2": _add(3, 48, 4096, _DOUBLED[:3]),
    "add_3": _add(3, 48, 16384, _DOUBLED[:3]),
    "add_4": _add(4, 48, 16384, _DOUBLED),
    "add_5": _add(4, 48, 16384, _DOUBLED, bypass=1),
    "add_6": _add(4, 48, 16256, (0, _APART, 0x20000, 0x10000, 0x10000 + _APART, 0x20000 + _APART), bypass=1),
    "copy_1": _read(1, 64),
    "copy_2": _read(64, 64),
    "copy_3": _read(64, 1024),
    "copy_4": _read(64, 1024, columns=12287),
    "copy_5": _read(64, 1024, passes=4),
    "copy_6": _read(64, 1024, passes=4, parts=4),
    "copy_7": _shared(0),
    "copy_8": _shared(1),
    "nd2nz_1": _fractals(144),
    "nd2nz_2": _fractals(145),
}


def tiling_bytes(tiling: Mapping[str, Any]) -> bytes:
    values = {"rows": 0, "columns": 0, "tile": 1, "tile_rows": 1, "passes": 1, "parts": 1} | dict(tiling)
    words: list[int] = []
    for name in _FIELDS:
        value = values.get(name, 0)
        words += [*value, *[0] * (6 - len(value))] if name == "at" else [value]
    return np.array(words or [0], np.uint32).tobytes()


@functools.cache
def program(workdir: Path) -> Path:
    candidate = Candidate({"cases.cpp": KERNELS.read_text()}, {"kernel": "cases.cpp"})
    return build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=120, workdir=workdir).program


def run(name: str, workdir: Path, prices: Mapping[str, float]) -> Time:
    """The modelled time of one case."""
    setup = SETUPS[name]
    tiling = tiling_bytes({"at": ()} | dict(setup.tiling))
    elements = max(16, setup.tiling.get("rows", 0) * setup.tiling.get("columns", 0))
    zeros = np.zeros(elements, np.uint16)
    two = setup.outputs and setup.key != 7
    args = [
        GmBuffer("x", "in", zeros),
        GmBuffer("y", "in", zeros) if two else None,
        GmBuffer("z", "out", nbytes=elements * 2) if setup.outputs else None,
    ]
    launch = Launch(setup.blocks, args, TARGET, tiling=tiling, tiling_key=setup.key, time=True, prices=prices)
    result = run_kernel(program(workdir), launch, sandbox=sandbox("auto"), timeout_s=600, memory_bytes=8 << 30)
    assert result.time is not None
    return result.time


def figures(name: str, time: Time) -> dict[str, float]:
    """What the published row has, from the model."""
    scale = SCALED if name == "add_0" else 1
    clock = time["clock_mhz"]
    pipes = {p: sums["busy"] / clock * scale for p, sums in time["pipes"].items()}
    found = {
        "task_us": time["launch_us"] + time["kernel_us"] * scale,
        "cores_us": time["kernel_us"] * scale,
        "vec_us": pipes.get("V", 0.0),
        "scalar_us": pipes.get("S", 0.0),
        "mte2_us": pipes.get("MTE2", 0.0),
        "mte3_us": pipes.get("MTE3", 0.0),
    }
    return found | {"ticks": pipes.get("V", 0.0) * _TICK_MHZ}


def judged(row: Mapping[str, Any]) -> str:
    return "task_us" if "task_us" in row else "ticks"


# ---- the fit ---------------------------------------------------------------------------------------------------------

# Each fitted constant: the row, and the published figure that it alone decides (or what to make of several).
FITS: dict[str, tuple[str, str]] = {
    "vector_overhead": ("bank_1", "ticks"),
    "read_write_conflict": ("bank_5", "ticks"),
    "scalar_access": ("add_0", "scalar_us"),
    "scalar_call": ("add_1", "scalar_us"),
    "copy_in_latency": ("add_1", "mte2_us"),
    "copy_out_latency": ("add_1", "mte3_us"),
    "flag_latency": ("add_1", "cores_us"),
    "request_overhead": ("copy_3", "mte2_us"),
    "launch_per_core_us": ("copy_3", "task_us"),
    "copy_interval": ("copy_1", "mte2_us"),
    "same_address": ("copy_7", "mte2_us"),
}


def solve(price: str, start: float, wanted: float, modelled: Callable[[dict[str, float]], float]) -> float:
    """The price (not below 0) at which the model gives what was published, by the secant method."""
    a, b = start, start * 1.1 + 0.01
    at_a, at_b = modelled({price: a}), modelled({price: b})
    for _ in range(8):
        if at_a == at_b or abs(at_b - wanted) < 1e-3 * wanted:
            break
        a, b, at_a = b, max(0.0, b + (wanted - at_b) * (b - a) / (at_b - at_a)), at_b
        at_b = modelled({price: b})
    return b


def fit(workdir: Path, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, float, float]]:
    """Each constant's value, and the error that stays in its figure. Later ones see the earlier."""
    one_core = rows["add_1"]["task_us"] - rows["add_1"]["cores_us"]  # nothing of the model is in it
    found: dict[str, float] = {"launch_one_core_us": one_core}
    yield "launch_one_core_us", one_core, 0.0
    for price, (row, figure) in FITS.items():

        def modelled(changed: dict[str, float], row: str = row, figure: str = figure) -> float:
            return figures(row, run(row, workdir, found | changed))[figure]

        wanted = rows[row][figure]
        found[price] = solve(price, PRICES[price].value, wanted, modelled)
        yield price, found[price], modelled({}) / wanted - 1


# ---- the comparison --------------------------------------------------------------------------------------------------


def compare(row: Mapping[str, Any], time: Time) -> dict[str, Any]:
    model = figures(row["id"], time)
    shown = {name: round(model[name], 3) for name in model if name in row}
    error = model[judged(row)] / row[judged(row)] - 1
    return {"id": row["id"], "role": "fit" if row["fits"] else "test", "modelled": shown, "error": round(error, 4)}


def markdown(rows: Mapping[str, Mapping[str, Any]], found: list[dict[str, Any]]) -> str:
    lines = ["| row | what | role | published | modelled | error |", "|---|---|---|---:|---:|---:|"]
    for entry in found:
        row = rows[entry["id"]]
        name = judged(row)
        unit = "µs" if name == "task_us" else "ticks"
        published, modelled = row[name], entry["modelled"][name]
        lines.append(
            f"| {entry['id']} | {row['what']} | {entry['role']} | {published:,.1f} {unit} | {modelled:,.1f} | "
            f"{entry['error']:+.1%} |"
        )
    return "\n".join(lines)


def in_order(rows: Mapping[str, Mapping[str, Any]], found: list[dict[str, Any]]) -> bool | None:
    """Whether the stages of the Add series come in the published order; None where not all were run."""
    series = [e for e in found if e["id"].startswith("add_")]
    if len(series) < 7:
        return None
    by_published = sorted(series, key=lambda e: rows[e["id"]]["task_us"])
    return by_published == sorted(series, key=lambda e: e["modelled"]["task_us"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="*", default=[])
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    rows = {row["id"]: row for row in json.loads(CASES.read_text())["rows"]}
    with tempfile.TemporaryDirectory() as folder:
        workdir = Path(folder)
        if options.fit:
            for price, value, error in fit(workdir, rows):
                print(f"{price:24} {value:10.4g}   left {error:+.2%}", flush=True)
            return 0
        found = []
        for name in options.cases or rows:
            found.append(compare(rows[name], run(name, workdir, {})))
            print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    if options.markdown:
        print(markdown(rows, found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    tests = [e for e in found if e["role"] == "test"]
    outside = [e["id"] for e in tests if abs(e["error"]) > LIMIT]
    ordered = in_order(rows, found)
    print(f"{len(tests)} test rows, {len(outside)} outside of ±{LIMIT:.0%}: {' '.join(outside) or 'none'}")
    print(f"Add series in the published order: {'not run' if ordered is None else 'yes' if ordered else 'no'}")
    return 1 if outside or ordered is False else 0


if __name__ == "__main__":
    sys.exit(main())
