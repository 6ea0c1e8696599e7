"""The evidence behind the ledger's failing answers: each with its one fault repaired, judged again.

    python -m benchmarks.upstream_repairs CHECKOUT [--work runs/upstream] [--max-elements 16777216] [--update]

A repair is one substitution in the answer's own source, of what `why` in `upstream_ledger.json` says is wrong. If our
simulator were wrong instead, the repaired answer would fail as well. Prints the cases that pass with the repair; the
exit status is 1 where they are not what the ledger holds under `repaired`, and `--update` writes them there.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.upstream import LEDGER, imported, judged, verdict, write_ledger
from kbench.core.runs.campaign import Options


class Repair(NamedTuple):
    """`pattern` in `file` of the answer becomes `by`."""

    file: str
    pattern: str
    by: str


REPAIRS: Mapping[str, tuple[Repair, ...]] = {
    # A comment in the middle of a macro, whose line has no continuation: without the comment.
    "BatchNormV3": (Repair("op_kernel/batch_norm_v3_full_reduce.h", r"(\\\n) *//[^\n]*\n", r"\1"),),
    # Arrays of the tiling data: read as long as they are written.
    "Ccopy": (Repair("op_kernel/ccopy.cpp", r"= 40;", "= 48;"),),
    "ComplexMatDot": (Repair("op_kernel/complex_mat_dot.cpp", r"\+ 40 \*", "+ 48 *"),),
    # Lines of a comment whose beginning is gone: with a beginning.
    "DequantSwigluQuant": (Repair("op_host/dequant_swiglu_quant.cpp", r"//[^\n]*(?=(?:\n[^\n;/]*)+\n *\*/)", "/*"),),
    # The leading dimensions are those that the input does not have.
    "ExpandV2": (Repair("op_host/expand_v2.cpp", r"i <= dimDelta", "i < dimDelta"),),
    # A workspace, without which the kernel returns at once; arrays as long as they are written.
    "Sasum": (
        Repair("op_host/sasum.cpp", r"(currentWorkspace\[0\] =) 0;", r"\1 16777216;"),
        Repair("op_kernel/sasum.cpp", r"\+ 40 \*", "+ 48 *"),
    ),
    # Blocks without data meet the others.
    "Snrm2": (Repair("op_kernel/snrm2_aiv.h", r"(calNum <= 0\) \{\s*)return;", r"\1SyncAll();\n return;"),),
}


def repaired(suite: Path, into: Path) -> Path:
    """A copy of the suite with every repair made, each exactly where it belongs."""
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(suite, into)
    folders = {t["name"]: t["folder"] for t in json.loads((suite / "suite.json").read_text())["tasks"]}
    for task, repairs in REPAIRS.items():
        for repair in repairs:
            file = into / folders[task] / "answer/0" / repair.file
            text, count = re.subn(repair.pattern, repair.by, file.read_text(encoding="utf-8", errors="replace"))
            if count == 0:
                raise SystemExit(f"{task}: {repair.file} has nothing that matches {repair.pattern!r}")
            file.write_text(text, encoding="utf-8")
    return into


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--max-elements", type=int, default=2**24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--target", default="ascend910_93")
    parser.add_argument("--work", type=Path, default=Path("runs/upstream"))
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args(arguments)

    suite = repaired(imported(given.checkout, given.work), given.work / "repaired")
    options = Options(
        backend="ascend",
        suite=str(suite),
        tasks=list(REPAIRS),
        target=given.target,
        timeout_s=120.0,
        max_elements=given.max_elements,
    )
    run = given.work / "run-repaired"
    shutil.rmtree(run, ignore_errors=True)
    ledger = json.loads(LEDGER.read_text())
    status = 0
    for record in sorted(judged(run, options, given.jobs), key=lambda r: r.task):
        now = verdict(record)
        told = {"cases_passed": now["cases_passed"], "cases_ran": now["cases_ran"], "first": now["first"]}
        print(f"{record.task}: {told['cases_passed']} of {told['cases_ran']} cases pass; {told['first']}")
        status |= ledger["tasks"][record.task].get("repaired") != told
        ledger["tasks"][record.task]["repaired"] = told
    if given.update:
        write_ledger(LEDGER, ledger)
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
