"""NPUKernelBench: a checkout becomes a suite folder, and a suite folder becomes a suite.

`import_suite` copies what the benchmark ships (cases, references, checkers, answers, descriptions), unmodified, and
writes `suite.json` beside it: for each task the operator's arguments, for each case what the benchmark's own Python and
wrapper pass to the kernel (shapes, dtypes, attributes), and by which numbers the benchmark judges it. `load` needs that
folder only. Both run the benchmark's Python in `ReferenceServer`.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from kbench.core.errors import ConfigError
from kbench.importers import Imported, abi, commit_of, new_folder, write_suite
from kbench.importers.cells import Row, read_rows
from kbench.importers.imported import IMPORT_SEED, KIND, SCHEMA, load
from kbench.importers.kernel_call import Json, bind
from kbench.importers.op_def import OpDef, parse_op_def
from kbench.importers.reference_server import ReferenceError, ReferenceServer

__all__ = ["Imported", "import_suite", "load"]

#: How many small cases of a dtype row may fail in the reference before the row counts as not runnable.
_MOST_SAMPLES = 3

Progress = Callable[[str], None]


def import_suite(checkout: Path, out: Path, progress: Progress = lambda line: None) -> Imported:
    """Turn a checkout into the suite folder `out`.

    Args:
        progress: gets one line for each task.

    Raises:
        ConfigError: `checkout` is not the benchmark, or `out` exists already.
        ToolMissing: torch is not installed.
    """
    folders = sorted(p.parent.parent for p in checkout.glob("tasks/level*/*/*/validation/test_cases.csv"))
    if not folders or not (checkout / "framework/utils.py").is_file():
        raise ConfigError(
            f"{checkout} is no checkout of NPUKernelBench: expected tasks/level*/… and framework/utils.py"
        )
    tolerance = _default_tolerance(checkout)
    with new_folder(out) as here:
        _copy(checkout, here)
        head: Json = {"kind": KIND, "schema": SCHEMA, "source": _source(checkout, here), "tolerance": tolerance}
        write_suite(here, {**head, "tasks": []})  # the references' process asks it for the tolerance
        tasks = []
        with contextlib.closing(ReferenceServer(here)) as server:
            for i, folder in enumerate(folders):
                tasks.append(_import_task(folder.relative_to(checkout), here, server))
                progress(f"[{i + 1}/{len(folders)}] {_told(tasks[-1])}")
        write_suite(here, {**head, "tasks": tasks})
    invalid = {f"{t['name']}/{name}": why for t in tasks for name, why in t["invalid"].items()}
    return Imported(out, len(tasks), sum(len(t["cases"]) for t in tasks), invalid, backend="ascend")


def _told(task: Json) -> str:
    bad = len(task["invalid"])
    return f"{task['name']}: {len(task['cases'])} cases" + (f", {bad} cannot be run" if bad else "")


def _copy(checkout: Path, out: Path) -> None:
    """Copy tasks and the checker library. Links are left behind: a checkout may point anywhere."""

    def links(folder: str, names: list[str]) -> list[str]:
        return [n for n in names if (Path(folder) / n).is_symlink() or n == "__pycache__"]

    shutil.copytree(checkout / "tasks", out / "tasks", ignore=links)
    (out / "framework").mkdir()
    for name in ("__init__.py", "utils.py"):
        if (checkout / "framework" / name).is_file():
            shutil.copyfile(checkout / "framework" / name, out / "framework" / name)


def _default_tolerance(checkout: Path) -> dict[str, float]:
    """`max_abs_error` and `max_rel_error` of the benchmark's configuration: two lines of a YAML file."""
    path = checkout / "base_config.yaml"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = dict(re.findall(r"^\s*max_(abs|rel)_error:\s*([0-9.eE+-]+)\s*$", text, re.M))
    if set(found) != {"abs", "rel"}:
        raise ConfigError(f"{path}: expected max_abs_error and max_rel_error")
    return {name: float(value) for name, value in found.items()}


def _source(checkout: Path, out: Path) -> Json:
    digest = hashlib.sha256()
    for file in sorted(p for p in out.rglob("*") if p.is_file()):
        digest.update(f"{file.relative_to(out)}\0".encode() + file.read_bytes())
    return {"commit": commit_of(checkout), "sha256": digest.hexdigest()}


def _import_task(folder: Path, out: Path, server: ReferenceServer) -> Json:
    here = out / folder
    host = next(iter(sorted((here / "question/op_host").glob("*.cpp"))), None)
    kernel = next(iter(sorted((here / "question/op_kernel").glob("*.cpp"))), None)
    if host is None or kernel is None:
        raise ConfigError(f"{here}/question holds no op_host and op_kernel sources")
    op = parse_op_def(host.read_text(encoding="utf-8"), f"{folder}/question/op_host/{host.name}")
    description = here / "api_desc.md"
    summary, formula = _described(description.read_text(encoding="utf-8") if description.is_file() else "")
    task: Json = {
        "name": folder.name,
        "folder": str(folder),
        "level": int(folder.parts[1].removeprefix("level")),
        "category": folder.parts[2],
        "entry": kernel.stem,
        "summary": summary,
        "formula": formula,
        "op": asdict(op),
    }
    rows = {str(r["case_id"]): r for r in read_rows(here / "validation/test_cases.csv")}
    cases, invalid = _observe_cases(str(folder), op, rows, server)
    _judge_cases(str(folder), cases, invalid, op, server)
    order = list(rows)
    kept = [cases[name] for name in order if name in cases]
    return {**task, "cases": kept, "invalid": {n: invalid[n] for n in order if n in invalid}}


def _described(text: str) -> tuple[str, str]:
    """(first paragraph of the description, its formulas)."""
    formula = "\n".join(part.strip() for part in re.findall(r"\$\$(.+?)\$\$", text, re.S))
    prose = re.sub(r"\$\$.+?\$\$", "", text, flags=re.S)
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", prose)]
    plain = [p for p in paragraphs for p in [re.sub(r"^#+ .*\n?", "", p, flags=re.M).strip()] if p]
    return (" ".join(plain[0].split()) if plain else ""), formula


def _observe_cases(
    folder: str, op: OpDef, rows: Mapping[str, Row], server: ReferenceServer
) -> tuple[dict[str, Json], dict[str, str]]:
    """(cases by name, reasons of the rows that give none)."""
    layout = abi.layout_of(op)
    cases: dict[str, Json] = {}
    invalid: dict[str, str] = {}
    for name, row in rows.items():
        try:
            call = _observe(folder, row, layout.outputs(op), server)
            cases[name] = {"name": name, "row": row, **bind(op, layout, call)}
        except ReferenceError as error:
            invalid[name] = str(error)
    return cases, invalid


def _observe(folder: str, row: Row, outputs: list[int], server: ReferenceServer) -> Json:
    """The kernel call of a row: without making any data where the benchmark's Python allows it, else for real."""
    request = {"task": folder, "row": row, "seed": IMPORT_SEED, "outputs": outputs}
    try:
        return server.ask("observe", fake=True, **request)
    except ReferenceError:
        return server.ask("observe", fake=False, **request)


def _judge_cases(
    folder: str, cases: dict[str, Json], invalid: dict[str, str], op: OpDef, server: ReferenceServer
) -> None:
    """Give every case the numbers by which the benchmark judges it, and find rows that the reference cannot compute.

    The rule depends on the row, not on the data: it is asked once for each dtype row, with the outputs of its smallest
    case at hand.
    """
    for number in sorted({case["row_index"] for case in cases.values()}):
        group = sorted((c for c in cases.values() if c["row_index"] == number), key=_size)
        for sample in group[:_MOST_SAMPLES]:
            rows = [c["row"] for c in group]
            try:
                answer = server.ask("tolerance", task=folder, row=sample["row"], seed=IMPORT_SEED, rows=rows)
            except ReferenceError as error:
                invalid[sample["name"]] = f"the reference fails: {error}"
                continue
            for case, tolerance in zip(group, answer["tolerances"], strict=True):
                case["tolerance"] = tolerance
            break
        else:
            reason = next(iter(invalid[c["name"]] for c in group if c["name"] in invalid))
            invalid.update({c["name"]: reason for c in group})
    for name in invalid:
        cases.pop(name, None)


def _size(case: Json) -> int:
    shapes = [*case["shapes"].values(), *case["out_shapes"].values()]
    each = [s for item in shapes if item is not None for s in (item if item and isinstance(item[0], list) else [item])]
    return sum(math.prod(s) for s in each)
