"""Vector examples of a checkout of the AscendC development kit, run as its own README says, without a device.

    python -m benchmarks.devkit_examples CHECKOUT [--only NAME …] [--ledger benchmarks/devkit_ledger.json]

Each example is copied into a folder of its own. There its data generator runs, then the program on the simulator, then
its own verifier: the commands are those of the example's README, the first of its scenarios. Programs that compare with
golden data themselves say so in what they print. The ledger that is committed says what came of each; where an outcome
differs from it, that is told, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

COMMITTED = Path(__file__).with_name("devkit_ledger.json")
EXAMPLES = (
    "00_introduction/01_add/add_tpipe_tque",
    "03_basic_api/00_data_movement/copy_ub2ub",
    "03_basic_api/00_data_movement/data_copy_pad_gm2ub_ub2gm",
    "03_basic_api/01_memory_vector_compute/brcb",
    "03_basic_api/01_memory_vector_compute/cast",
    "03_basic_api/01_memory_vector_compute/compare",
    "03_basic_api/01_memory_vector_compute/create_vec_index",
    "03_basic_api/01_memory_vector_compute/duplicate",
    "03_basic_api/01_memory_vector_compute/element_wise_arithmetic",
    "03_basic_api/01_memory_vector_compute/element_wise_compound_compute",
    "03_basic_api/01_memory_vector_compute/element_wise_logic",
    "03_basic_api/01_memory_vector_compute/gather",
    "03_basic_api/01_memory_vector_compute/reduce_computation",
    "03_basic_api/01_memory_vector_compute/reduce_data_block",
    "03_basic_api/01_memory_vector_compute/reduce_pair_elem",
    "03_basic_api/01_memory_vector_compute/reduce_repeat",
    "03_basic_api/01_memory_vector_compute/select",
    "03_basic_api/01_memory_vector_compute/transpose",
    "03_basic_api/04_memory_management/list_tensor_desc_input",
    "03_basic_api/04_memory_management/tensor_allocation",
    "03_basic_api/04_memory_management/tmp_buffer",
    "03_basic_api/05_sync_control/cross_core_set_wait_flag",
    "03_basic_api/05_sync_control/ib_set_wait",
    "03_basic_api/05_sync_control/sequential_block_sync",
    "03_basic_api/05_sync_control/sync_all",
    "03_basic_api/06_atomic/data_movement_with_atomic_operations",
    "03_basic_api/07_tpipe_tque/get_tpipe_ptr",
    "03_basic_api/07_tpipe_tque/tpipe_reuse",
    "04_advanced_api/01_activation/geglu",
    "04_advanced_api/01_activation/gelu",
    "04_advanced_api/01_activation/logsoftmax",
    "04_advanced_api/01_activation/sigmoid",
    "04_advanced_api/01_activation/softmax",
    "04_advanced_api/01_activation/softmaxflashv2",
    "04_advanced_api/01_activation/softmaxflashv3",
    "04_advanced_api/01_activation/softmaxgrad",
    "04_advanced_api/01_activation/swiglu",
    "04_advanced_api/01_activation/swish",
    "04_advanced_api/02_normalization/deepnorm",
    "04_advanced_api/02_normalization/layernorm",
    "04_advanced_api/02_normalization/layernorm_v2",
    "04_advanced_api/02_normalization/rmsnorm",
    "04_advanced_api/02_normalization/welford",
    "04_advanced_api/03_quantization/quant",
    "04_advanced_api/04_reduce/reducemax",
    "04_advanced_api/04_reduce/sum",
    "04_advanced_api/05_sort/sort",
    "04_advanced_api/05_sort/topk",
    "04_advanced_api/06_index/arange",
    "04_advanced_api/07_filter/select",
    "04_advanced_api/08_transpose/broadcast",
    "04_advanced_api/08_transpose/pad",
    "04_advanced_api/08_transpose/unpad",
    "04_advanced_api/10_math/acosh",
    "04_advanced_api/10_math/axpy_half_float",
    "04_advanced_api/10_math/ceil",
    "04_advanced_api/10_math/clamp",
    "04_advanced_api/10_math/cumsum",
    "04_advanced_api/10_math/erf",
    "04_advanced_api/10_math/exp",
    "04_advanced_api/10_math/fmod",
    "04_advanced_api/10_math/frac",
    "04_advanced_api/10_math/log",
    "04_advanced_api/10_math/power",
    "04_advanced_api/10_math/xor",
)
_ROOT = "examples/01_simd_cpp_api"
_TIMEOUT_S = 300


def commands(readme: str) -> tuple[list[list[str]], list[str]]:
    """The example's own steps in its README (its scripts and the program), by the first block that has the program, and
    the macros that it is built with."""
    for block in re.findall(r"```[ \w]*\n(.*?)```", readme, re.DOTALL):
        lines = [line.partition("#")[0].strip().rstrip(";") for line in block.splitlines()]
        values = dict(line.split("=") for line in lines if re.fullmatch(r"[A-Z_]+=\w+", line))
        filled = [string.Template(line).safe_substitute(values) for line in lines]
        steps = [shlex.split(line) for line in filled if re.match(r"(python3? \.\./|\./\w+)", line)]
        if any(step[0].startswith("./") for step in steps):
            return steps, [f"{name}={value}" for name, value in values.items()]
    return [], []


def run_example(checkout: Path, name: str) -> dict[str, Any]:
    """Outcome, words and seconds of one example."""
    with tempfile.TemporaryDirectory(prefix="kbench-example-") as scratch:
        place = Path(scratch) / "example"
        shutil.copytree(checkout / _ROOT / name, place)
        build = place / "build"
        build.mkdir()
        started = time.monotonic()
        try:
            outcome, words = _run_steps(place, build)
        except subprocess.TimeoutExpired as error:
            outcome, words = "timeout", f"{error.timeout:g} s"
        return {"outcome": outcome, "words": words, "seconds": round(time.monotonic() - started, 1)}


def _run_steps(place: Path, build: Path) -> tuple[str, str]:
    readme = next(p for p in (place / "README_en.md", place / "README.md") if p.exists()).read_text()
    sources = sorted(place.glob("*.asc"))
    steps, macros = commands(readme)
    if len(sources) != 1 or not steps:
        return "skipped", f"{len(sources)} sources, {len(steps)} steps in its README"
    printed = ""
    for step in steps:
        program = step[0].startswith("./")
        defines = [part for macro in macros for part in ("-D", macro)]
        argv = ["-m", "kbench.cli", "exec", *defines, str(sources[0]), *step[1:]] if program else step[1:]
        done = subprocess.run(
            [sys.executable, *argv], cwd=build, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
        printed += done.stdout
        if done.returncode:
            lines = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
            told = [line for line in lines if "error: " in line] or lines[-1:]
            return ("program" if program else "script"), told[0][:300]
    verdicts = re.findall(r"(?:test|verification) (pass|fail)", printed)
    if verdicts and verdicts[-1] == "fail":
        return "wrong", printed.strip().splitlines()[-1][:300]
    checked = bool(verdicts) or any("verify" in " ".join(step) for step in steps)
    return ("passed" if checked else "ran"), ""


def _write(path: Path, ledger: dict[str, Any]) -> None:
    ordered = {name: ledger["examples"][name] for name in EXAMPLES if name in ledger["examples"]}
    path.write_text(json.dumps({**ledger, "examples": ordered}, indent=1, ensure_ascii=False) + "\n")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names that contain one of these words")
    parser.add_argument("--ledger", type=Path, help="written, or brought up to date with what ran")
    asked = parser.parse_args(argv)
    before = json.loads(COMMITTED.read_text())["examples"]
    changed = []
    ledger = json.loads(asked.ledger.read_text()) if asked.ledger and asked.ledger.exists() else {"examples": {}}
    for name in EXAMPLES:
        if asked.only and not any(word in name for word in asked.only):
            continue
        result = run_example(asked.checkout, name)
        print(f"{result['outcome']:8} {result['seconds']:6.1f} s  {name}  {result['words']}", flush=True)
        known = before.get(name, {}).get("outcome", "not there")
        if known != result["outcome"]:
            changed.append(f"{name}: {known} → {result['outcome']}")
        why = ledger["examples"].get(name, {}).get("why")  # written by hand; what passes needs none
        entry = {"outcome": result["outcome"], "words": result["words"]}
        ledger["examples"][name] = entry | ({"why": why} if why and result["outcome"] != "passed" else {})
        if asked.ledger:
            _write(asked.ledger, ledger)
    outcomes = [entry["outcome"] for entry in ledger["examples"].values()]
    print(", ".join(f"{outcomes.count(o)} {o}" for o in sorted(set(outcomes))))
    print("\n".join(changed) or "as in the ledger")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
