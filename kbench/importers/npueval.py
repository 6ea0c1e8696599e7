"""NPUEval: its dataset or kernel folders become a suite folder, and a suite folder becomes a suite.

`import_suite` copies what the benchmark ships, unmodified: `npueval.jsonl` and each kernel's canonical sources. `load`
needs that folder only. A task is kbench's own of that name (`task_specs/npueval`) with a case more, `published`: inputs
and outputs are the benchmark's vector. No code of the benchmark is run.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from kbench.core.errors import ConfigError
from kbench.core.suite import Suite, SuiteTask
from kbench.core.task import Task
from kbench.importers import Imported, commit_of, new_folder, write_suite
from kbench.importers.npueval_files import (
    Json,
    PublishedKernel,
    parse_record,
    read_dataset,
    text_of,
)
from kbench.importers.npueval_kernel import Kernel, published_case

KIND = "npueval"
SCHEMA = 1
DATASET = "npueval.jsonl"
SOLUTION = "canonical_scalar.cc"
RECORD = "kernel.json"

Progress = Callable[[str], None]


# --- import -----------------------------------------------------------------------------------------------------------


def import_suite(path: Path, out: Path, progress: Progress = lambda line: None) -> Imported:
    """Turn the benchmark at `path` into the suite folder `out`.

    Args:
        path: a checkout, its dataset (JSONL), its folder of kernels, or one kernel's folder.
        progress: gets one line for each task, and how many published outputs our models give exactly.

    Raises:
        ConfigError: `path` is none of these, a record is none, or `out` exists already.
    """
    dataset, kernels = _dataset_at(path), _kernels_at(path)
    if dataset is None and not kernels:
        raise _nothing_at(path)
    records = _records(kernels) if dataset is None else read_dataset(dataset)
    sources = {_kernel_name(f / SOLUTION): f"kernels/{f.name}/{SOLUTION}" for f in kernels}
    if not records and not sources:
        raise ConfigError(f"{dataset}: expected a record of a kernel in each line, got no line")
    own = _own_tasks()
    names = list(dict.fromkeys([*records, *sources]))
    invalid = {name: why for name in names for why in [_refusal(own.get(name), records.get(name))] if why}
    tasks = [{"name": n, "solution": sources.get(n, ""), "published": n in records} for n in names if n not in invalid]
    with new_folder(out) as here:
        _copy(dataset, kernels, here)
        write_suite(here, {"kind": KIND, "schema": SCHEMA, "source": _source(path, here), "tasks": tasks})
    suite = load(out)
    for i, name in enumerate(suite.tasks):
        progress(f"[{i + 1}/{len(tasks)}] {_told(suite.tasks[name], own[name].task, records.get(name))}")
    progress(_reproduced(own, [r for r in records.values() if r.name in suite.tasks]))
    left_out = {f"{n}/{case}": why for n, entry in suite.tasks.items() for case, why in entry.invalid.items()}
    cases = sum(len(e.cases) for e in suite.tasks.values())
    return Imported(out, len(suite.tasks), cases, {**invalid, **left_out}, backend="aie")


def _nothing_at(path: Path) -> ConfigError:
    wanted = f"expected a checkout of AMDResearch/NPUEval, its dataset/{DATASET}, or kernel folders with {SOLUTION}"
    if not path.exists():
        return ConfigError(f"{path} does not exist; {wanted}")
    listed = ", ".join(sorted(p.name for p in path.iterdir())[:6]) if path.is_dir() else "a file"
    return ConfigError(f"{path} is not NPUEval: {wanted}; got {listed or 'an empty folder'}")


def _records(kernels: Iterable[Path]) -> dict[str, PublishedKernel]:
    """The records beside the kernels, by name, in the folders' order."""
    files = [f / RECORD for f in kernels if (f / RECORD).is_file()]
    found: dict[str, PublishedKernel] = {}
    for file in files:
        record = parse_record(text_of(file), file)
        if record.name in found:
            raise ConfigError(f"{file}:1: expected each kernel once, got {record.name!r} in another folder as well")
        found[record.name] = record
    return found


def _dataset_at(path: Path) -> Path | None:
    places = [path] if path.is_file() else [path / "dataset" / DATASET, path / DATASET]
    return next((p for p in places if p.is_file()), None)


def _kernels_at(path: Path) -> list[Path]:
    """Folders with a canonical solution: of a checkout, of the folder of kernels, or the kernel's own."""
    if path.is_file():
        return []
    if (path / SOLUTION).is_file():
        return [path]
    for place in (path / "dataset" / "kernels", path / "kernels", path):
        found = sorted(f.parent for f in place.glob(f"*/{SOLUTION}"))
        if found:
            return found
    return []


def _copy(dataset: Path | None, kernels: Iterable[Path], out: Path) -> None:
    """The dataset as it is, or else the folders' records in their order, one a line; and each folder's sources. No
    links."""
    if dataset is not None:
        shutil.copyfile(dataset, out / DATASET)
    else:
        written = [json.loads(text_of(f / RECORD)) for f in kernels if (f / RECORD).is_file()]
        (out / DATASET).write_text("".join(json.dumps(facts) + "\n" for facts in written), encoding="utf-8")
    for folder in kernels:
        (out / "kernels" / folder.name).mkdir(parents=True)
        for source in sorted(folder.glob("canonical_*.cc")):
            if source.is_file() and not source.is_symlink():
                shutil.copyfile(source, out / "kernels" / folder.name / source.name)


def _kernel_name(source: Path) -> str:
    """The function of a canonical solution: a folder's name may be another."""
    text = text_of(source)
    found = re.search(r"\bvoid\s+(\w+)\s*\(", text)
    if found is None:
        first = next((line for line in text.splitlines() if line.strip()), "an empty file")
        raise ConfigError(f"{source}:1: expected a function `void NAME(…)`, got {first[:80]!r}")
    return found[1]


def _refusal(entry: SuiteTask | None, record: PublishedKernel | None) -> str:
    """Why kbench cannot judge this kernel, or nothing."""
    if entry is None:
        return "kbench tells no task of this name; docs/imported-suites.md says how to write one"
    if record is None:
        return ""
    task, case = entry.task, entry.cases[0]
    ours = [(t.name, case.shapes[t.name], task.dtype_of(t, case)) for t in task.inputs]
    ours += [(t.name, task.out_shapes(case, {})[t.name], task.dtype_of(t, case)) for t in task.outputs]
    theirs = [(n, a.shape, a.dtype.name) for n, a in (*record.inputs.items(), record.output)]
    if ours != theirs:
        return f"its buffers are {theirs}, those of kbench's task {ours}"
    if list(record.params) != [a.name for a in task.attrs]:
        return f"its parameters are {list(record.params)}, those of kbench's task {[a.name for a in task.attrs]}"
    return ""


def _source(path: Path, out: Path) -> Json:
    digest = hashlib.sha256()
    for file in sorted(p for p in out.rglob("*") if p.is_file()):
        digest.update(f"{file.relative_to(out)}\0".encode() + file.read_bytes())
    return {"commit": commit_of(path), "sha256": digest.hexdigest()}


def _told(entry: SuiteTask, own: Task, record: PublishedKernel | None) -> str:
    text = f"{own.name}: {len(entry.cases)} case{'s' if len(entry.cases) > 1 else ''}"
    if record is None:
        return f"{text}, no published vector"
    differing = _differing(own, record)
    return text if not differing else f"{text}; our model differs from {differing} of {record.output[1].size} outputs"


def _differing(own: Task, record: PublishedKernel) -> int:
    """Elements of the published output that our model gives otherwise, bit for bit."""
    name, published = record.output
    modelled = own.behavior(published_case(own, record), dict(record.inputs))[name]
    return sum(a.tobytes() != b.tobytes() for a, b in zip(published.flat, np.asarray(modelled).flat, strict=True))


def _reproduced(own: Mapping[str, SuiteTask], records: list[PublishedKernel]) -> str:
    if not records:
        return f"no published vector here: a checkout's dataset/{DATASET} has them"
    exact = sum(not _differing(own[r.name].task, r) for r in records)
    return f"our models give {exact} of {len(records)} published outputs exactly"


# --- load -------------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Suite:
    """The suite that `import_suite` left in `folder`.

    Raises:
        ConfigError: no such suite there, or one of another schema.
    """
    path = folder / "suite.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from None
    if content.get("kind") != KIND or content.get("schema") != SCHEMA:
        raise ConfigError(f"{path}: expected kind {KIND!r}, schema {SCHEMA}; import the benchmark again")
    own, records = _own_tasks(), read_dataset(folder / DATASET)
    kernels = {
        f["name"]: Kernel(own[f["name"]], records.get(f["name"]), folder, f["solution"]) for f in content["tasks"]
    }
    about = f"NPUEval{' ' + content['source']['commit'][:7] if content['source']['commit'] else ''}, imported"
    return Suite(
        name=KIND,
        tasks={name: kernel.suite_task() for name, kernel in kernels.items()},
        description=about,
        checkers={"upstream": lambda task, case, before, expected, got: kernels[task.name].upstream(expected, got)},
    )


def _own_tasks() -> Mapping[str, SuiteTask]:
    from kbench.task_specs import npueval_suite

    return npueval_suite().tasks
