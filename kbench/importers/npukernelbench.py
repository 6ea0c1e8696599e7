"""NPUKernelBench: a checkout becomes a suite folder, and a suite folder becomes a suite.

`import_suite` copies what the benchmark ships (cases, references, checkers, answers, descriptions), unmodified, and
writes `suite.json` beside it: for each task the operator's arguments, for each case what the benchmark's own Python and
wrapper pass to the kernel (shapes, dtypes, attributes), and by which numbers the benchmark judges it. `load` needs that
folder only. Both run the benchmark's Python in `ReferenceServer`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.candidate import Candidate, Track
from kbench.core.check import compare
from kbench.core.errors import ConfigError
from kbench.core.suite import Suite, SuiteTask
from kbench.core.task import DTYPES, Array, Attr, Case, Comparer, Shapes, Task, Tensor, Tolerance, Value, Values
from kbench.importers import abi
from kbench.importers.cells import Row, read_rows
from kbench.importers.op_def import Argument, Attribute, OpDef, parse_op_def
from kbench.importers.reference_server import ReferenceError, ReferenceServer

KIND = "npukernelbench"
SCHEMA = 1
#: How many small cases of a dtype row may fail in the reference before the row counts as not runnable.
_MOST_SAMPLES = 3

Json = dict[str, Any]
Progress = Callable[[str], None]


# ---------------------------------------------------------------------------------------------------------------------
# Import


@dataclass(frozen=True)
class Imported:
    """What an import gave: tasks, cases, and what cannot be run, with the reason of each."""

    folder: Path
    tasks: int
    cases: int
    invalid: Mapping[str, str] = field(default_factory=dict)


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
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out} exists and is not empty; give a new folder")
    tolerance = _default_tolerance(checkout)
    _copy(checkout, out)
    head: Json = {"kind": KIND, "schema": SCHEMA, "source": _source(checkout, out), "tolerance": tolerance}
    _write(out, {**head, "tasks": []})
    server = ReferenceServer(out)
    try:
        tasks = []
        for i, folder in enumerate(folders):
            tasks.append(_import_task(folder.relative_to(checkout), out, server))
            progress(f"[{i + 1}/{len(folders)}] {_told(tasks[-1])}")
    finally:
        server.close()
    _write(out, {**head, "tasks": tasks})
    invalid = {f"{t['name']}/{name}": why for t in tasks for name, why in t["invalid"].items()}
    return Imported(out, len(tasks), sum(len(t["cases"]) for t in tasks), invalid)


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
    return {"commit": _commit(checkout), "sha256": digest.hexdigest()}


def _commit(checkout: Path) -> str:
    """The commit that is checked out, read from `.git`; empty where there is none."""
    head = checkout / ".git/HEAD"
    text = head.read_text().strip() if head.is_file() else ""
    if text.startswith("ref: "):
        ref = checkout / ".git" / text[5:]
        text = ref.read_text().strip() if ref.is_file() else ""
    return text


def _write(out: Path, content: Json) -> None:
    part = out / "suite.json.part"
    part.write_text(json.dumps(content, indent=1), encoding="utf-8")
    part.replace(out / "suite.json")


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
            cases[name] = {"name": name, "row": row, **_bind(op, layout, call)}
        except ReferenceError as error:
            invalid[name] = str(error)
    return cases, invalid


def _observe(folder: str, row: Row, outputs: list[int], server: ReferenceServer) -> Json:
    """The kernel call of a row: without making any data where the benchmark's Python allows it, else for real."""
    request = {"task": folder, "row": row, "seed": 0, "outputs": outputs}
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
                answer = server.ask("tolerance", task=folder, row=sample["row"], seed=0, rows=rows)
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


# ---------------------------------------------------------------------------------------------------------------------
# One kernel call and the operator's arguments


def _bind(op: OpDef, layout: abi.Layout, call: Json) -> Json:
    """Shapes, dtypes and attributes of a case from the kernel call.

    Raises:
        ReferenceError: the call does not fit the operator.
    """
    arguments = call["args"]
    wrong = abi.refusal(op, layout, call["api"], len(arguments))
    if wrong:
        raise ReferenceError(wrong)
    given = dict(zip(layout.names, arguments, strict=True))
    row = abi.dtype_row(op, {name: _dtype(value) for name, value in given.items()}, layout.special.cast)
    if row is None:
        passed = ", ".join(f"{a.name} {_dtype(given.get(a.name)) or '-'}" for a in op.inputs)
        raise ReferenceError(f"no dtype row of {op.name} takes {passed}")
    given |= {n: given[like] for n, (_, like) in layout.special.fill.items() if given[n]["kind"] == "none"}
    covered = {layout.names[position] for position, _ in call["covered"]}
    written = {o.name for o in op.outputs}
    back = {layout.names[p] for p in call["returned"]} & {i.name for i in op.inputs}
    outputs = [*(o.name for o in op.outputs), *sorted(back - written)]
    return {
        "row_index": row,
        "shapes": {a.name: _shapes(a, given.get(a.name)) for a in op.inputs},
        "out_shapes": {n: _shapes(_output(op, n), given[n]) for n in outputs if n in given},
        "attrs": _attrs(op, layout, given),
        "in_place": sorted(back | (written & {i.name for i in op.inputs})),
        "unchecked": [n for n in outputs if n not in covered and n not in back],
        "whole": call["whole"],
    }


def _output(op: OpDef, name: str) -> Argument:
    return next(a for a in (*op.outputs, *op.inputs) if a.name == name)


def _dtype(value: Json | None) -> str | None:
    """The dtype of a tensor or of the tensors of a list; None for numbers and what is absent."""
    if value is None or value["kind"] not in ("tensor", "list"):
        return None
    if value["kind"] == "tensor":
        return str(value["dtype"])
    return _dtype(value["items"][0]) if value["items"] else None


def _shapes(argument: Argument, value: Json | None) -> Any:
    """A shape, a list of shapes, or None. Numbers reach the kernel as a tensor of one dimension."""
    if value is None or value["kind"] == "none":
        return None
    if value["kind"] == "tensor":
        return [value["shape"]] if argument.kind == "dynamic" else value["shape"]
    if value["kind"] == "list":
        if argument.kind == "dynamic":
            return [item["shape"] for item in value["items"]]
        return [len(value["items"])]
    return [1]


def _attrs(op: OpDef, layout: abi.Layout, given: Mapping[str, Json]) -> Json:
    found: Json = {}
    for attr in op.attrs:
        value = _plain(given.get(attr.name))
        value = layout.special.values.get(attr.name, {}).get(value, value) if not isinstance(value, list) else value
        if value is not None:
            found[attr.name] = _typed(attr.type, value)
    return found


def _plain(value: Json | None) -> Any:
    """The value of a number, word or list of numbers in the call; None where it is absent."""
    if value is None or value["kind"] == "none":
        return None
    if value["kind"] == "list":
        return [_plain(v) for v in value["items"]]
    if value["kind"] == "tensor":
        raise ReferenceError("the wrapper passes a tensor where the operator takes an attribute")
    return value["value"]


def _typed(kind: str, value: Any) -> Any:
    one = {"int": int, "float": float, "bool": bool, "str": str}
    if kind in one:
        return one[kind](value)
    return [one[kind.removeprefix("list_")](v) for v in value]


# ---------------------------------------------------------------------------------------------------------------------
# Load


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
    server = ReferenceServer(folder)
    operators = {t["name"]: _Operator(t, content["tolerance"], folder, server) for t in content["tasks"]}
    known = {name: op for name, op in operators.items() if op.cases}
    lost = [name for name in operators if name not in known]
    about = f"NPUKernelBench{' ' + content['source']['commit'][:7] if content['source']['commit'] else ''}, imported"
    return Suite(
        name=KIND,
        tasks={name: op.suite_task() for name, op in known.items()},
        description=about + (f"; no case of {', '.join(lost)} can be run" if lost else ""),
        checkers={"upstream": lambda task, case, before, expected, got: known[task.name].upstream(case, before, got)},
        close=server.close,
    )


def _op_def(facts: Json) -> OpDef:
    def argument(a: Json) -> Argument:
        return Argument(**{**a, "dtypes": tuple(a["dtypes"])})

    return OpDef(
        name=facts["name"],
        inputs=tuple(argument(a) for a in facts["inputs"]),
        outputs=tuple(argument(a) for a in facts["outputs"]),
        attrs=tuple(Attribute(**a) for a in facts["attrs"]),
    )


@dataclass(frozen=True)
class _Draw:
    """What was drawn last for a case: the seed, and the kernel call as described."""

    seed: int
    shapes: Mapping[str, Any]


class _Operator:
    """One task of the suite: its arguments, its cases, and its answers from the reference server."""

    def __init__(self, facts: Json, default: Mapping[str, float], folder: Path, server: ReferenceServer) -> None:
        self.facts, self.folder, self.server = facts, folder, server
        self.default = default
        self.op = _op_def(facts["op"])
        self.layout = abi.layout_of(self.op)
        self.cases: dict[str, Json] = {c["name"]: c for c in facts["cases"]}
        self.in_place = {name for c in self.cases.values() for name in c["in_place"]}
        self.variables = _variables(self.op)
        self.drawn: OrderedDict[tuple[str, int], _Draw] = OrderedDict()

    # --- the nouns ---------------------------------------------------------------------------------------------------

    def suite_task(self) -> SuiteTask:
        facts = self.facts
        task = Task(
            name=facts["name"],
            summary=facts["summary"],
            formula=facts["formula"],
            level=facts["level"],
            category=facts["category"],
            tensors=self._tensors(),
            attrs=tuple(Attr(a.name, a.type, a.default) for a in self.op.attrs),  # type: ignore[arg-type]
            dtypes=self._rows(),
            behavior=self.behavior,
            out_shapes=self.out_shapes,
            draw=self.draw,
            tolerance={"*": {"*": self._tolerance(self.default | {"source": "default"}, "float32")}},
            comparers=self._comparers(),
        )
        return SuiteTask(
            task=task,
            cases=tuple(self._case(c) for c in self.cases.values()),
            reference=self.reference,
            plain_launch=True,
            invalid=facts["invalid"],
        )

    def _tensors(self) -> tuple[Tensor, ...]:
        taken = {i.name for i in self.op.inputs}
        inputs = [self._tensor(a, "inout" if a.name in self.in_place else "in") for a in self.op.inputs]
        return (*inputs, *(self._tensor(a, "out") for a in self.op.outputs if a.name not in taken))

    def _tensor(self, a: Argument, role: Any) -> Tensor:
        absent = any(c["shapes"].get(a.name, ()) is None for c in self.cases.values()) and role == "in"
        return Tensor(
            a.name,
            role,
            self.variables.get(a.name, a.dtypes[0]),
            is_list=a.kind == "dynamic",
            optional=a.kind == "optional" or absent,
            host_value=a.host_value,
        )

    def _rows(self) -> tuple[Mapping[str, str], ...]:
        arguments = (*self.op.inputs, *self.op.outputs)
        rows = [self._dtypes(i) for i in range(len(arguments[0].dtypes))]
        return tuple(row for i, row in enumerate(rows) if row not in rows[:i])

    def _dtypes(self, row: int) -> dict[str, str]:
        arguments = (*self.op.inputs, *self.op.outputs)
        return {self.variables[a.name]: a.dtypes[row] for a in arguments if a.name in self.variables}

    def _case(self, facts: Json) -> Case:
        return Case(
            name=facts["name"],
            shapes={name: _tuples(shape) for name, shape in facts["shapes"].items()},
            dtypes=self._dtypes(facts["row_index"]),
            attrs=facts["attrs"],
            tolerance={
                o: self._tolerance(facts["tolerance"], self._dtype(o, facts["row_index"])) for o in facts["out_shapes"]
            },
            unchecked=(*facts["unchecked"], *sorted(self.in_place - set(facts["out_shapes"]))),
        )

    def _dtype(self, name: str, row: int) -> str:
        return _output(self.op, name).dtypes[row]

    def _tolerance(self, numbers: Mapping[str, Any], dtype: str) -> Tolerance:
        """The benchmark's numbers for one output. Integers are exact, whatever the benchmark lets pass; quantised ones
        (8 bits) may be off by one where the benchmark allows that or more."""
        most_abs, most_rel = numbers["abs"], numbers["rel"]
        kind = DTYPES[dtype].kind
        if kind == "b" or (kind in "iu" and DTYPES[dtype].itemsize > 1):
            return Tolerance(0.0, 0.0, "integers and truth values are exact")
        if kind in "iu":
            if most_abs is None or most_abs >= 1:
                return Tolerance(1.0, 0.0, "a quantised value may be off by one, as the benchmark allows")
            return Tolerance(0.0, 0.0, "integers are exact")
        if most_abs is None:
            most_abs, most_rel = self.default["abs"], self.default["rel"]
        reasons = {
            "default": "the benchmark's default: within either error",
            "check_precision": "the benchmark's numbers for this task: within either error",
            "probe": "the benchmark's own rule, found by probing its checker",
            "share": "the benchmark judges by the share of wrong elements; here its default holds for each",
        }
        return Tolerance(most_abs, most_rel, reasons[numbers["source"]], either=True)

    def _comparers(self) -> dict[str, Comparer]:
        """Outputs of which the reference gives only the beginning: the kernel decides how much it writes."""
        if all(c["whole"] for c in self.cases.values()):
            return {}
        tolerance = self._tolerance(self.default | {"source": "default"}, "float32")
        return {o.name: _beginning(tolerance) for o in self.op.outputs}

    # --- behaviour ---------------------------------------------------------------------------------------------------

    def draw(self, case: Case, rng: np.random.Generator) -> Values:
        """The kernel's inputs, as the benchmark's own Python draws and hands them over."""
        seed = int(rng.integers(2**62))
        facts = self.cases[case.name]
        call = self.server.ask("draw", **self._request(facts, seed))
        wrong = abi.refusal(self.op, self.layout, call["api"], len(call["args"]))
        if wrong:
            raise ReferenceError(wrong)
        given = dict(zip(self.layout.names, call["args"], strict=True))
        row = facts["row_index"]
        inputs = {a.name: self._input(a, given.get(a.name), row) for a in self.op.inputs}
        for name, (number, like) in self.layout.special.fill.items():
            if inputs[name] is None:
                inputs[name] = np.full_like(inputs[like], number)
        self._remember(case, inputs, _Draw(seed, self._drawn_shapes(given)))
        return inputs

    def _drawn_shapes(self, given: Mapping[str, Json]) -> dict[str, Any]:
        names = [t.name for t in self._tensors() if t.role != "in"]
        return {n: _tuples(_shapes(_output(self.op, n), given[n])) for n in names if n in given}

    def _request(self, facts: Json, seed: int) -> Json:
        written = {*facts["out_shapes"], *facts["in_place"]}
        return {
            "task": self.facts["folder"],
            "row": facts["row"],
            "seed": seed,
            "inputs": self._positions({a.name for a in self.op.inputs}),
            "outputs": self._positions(written),
        }

    def _positions(self, names: set[str]) -> list[int]:
        return [i for i, name in enumerate(self.layout.names) if name in names]

    def _input(self, argument: Argument, value: Json | None, row: int) -> Value:
        if value is None or value["kind"] == "none":
            return None
        dtype = argument.dtypes[row]
        if value["kind"] == "tensor":
            one = self._array(value, dtype, argument.name in self.layout.special.cast)
            return [one] if argument.kind == "dynamic" else one
        if value["kind"] == "list" and argument.kind == "dynamic":
            return [self._array(item, dtype) for item in value["items"]]
        numbers = _plain(value)
        return np.atleast_1d(np.asarray(numbers)).astype(DTYPES[dtype])

    def _array(self, described: Json, dtype: str, cast: bool = False) -> Array:
        array = self.server.fetch(described)
        return array.astype(DTYPES[dtype]) if cast else array.view(DTYPES[dtype])

    def behavior(self, case: Case, inputs: Values) -> Values:
        """What the benchmark's reference gives, in the kernel's dtypes. Its inputs are those drawn last."""
        drawn = self._recall(case, inputs)
        facts = self.cases[case.name]
        answer = self.server.ask("reference", **self._request(facts, drawn.seed))
        outputs: Values = {}
        for target in answer["targets"]:
            name, index = self.layout.names[target["position"]], target["index"]
            shape = drawn.shapes[name]
            array = _cast(self.server.fetch(target["value"]), DTYPES[self._dtype(name, facts["row_index"])])
            if isinstance(shape, list):
                outputs.setdefault(name, [np.empty(0)] * len(shape))[index] = _shaped(array, shape[index])  # type: ignore[index,union-attr]
            else:
                outputs[name] = _shaped(array, shape)
        return outputs | self._open(case, drawn, outputs)

    def _open(self, case: Case, drawn: _Draw, outputs: Values) -> Values:
        """Outputs that the reference does not give: they are not checked, so that any value serves."""
        open_: Values = {}
        for name, shape in drawn.shapes.items():
            if name not in outputs:
                if name not in case.unchecked:
                    raise ReferenceError(f"the reference gives no {name}")
                dtype = DTYPES[self._dtype(name, self.cases[case.name]["row_index"])]
                open_[name] = [np.zeros(s, dtype) for s in shape] if isinstance(shape, list) else np.zeros(shape, dtype)
        return open_

    def out_shapes(self, case: Case, inputs: Values) -> dict[str, Shapes]:
        """The shapes that the wrapper allocates: of these very inputs where they are given, else as imported."""
        if inputs:
            return dict(self._recall(case, inputs).shapes)
        return {name: _tuples(shape) for name, shape in self.cases[case.name]["out_shapes"].items()}

    def upstream(self, case: Case, inputs: Values, got: Values) -> str | None:
        """The verdict of the benchmark's own checker: None, or what is wrong."""
        facts = self.cases[case.name]
        drawn = self._recall(case, inputs)
        sent = []
        for name, value in got.items():
            position = self.layout.position(name)
            for index, array in enumerate(value if isinstance(value, list) else [value]):
                if position is not None and array is not None:
                    described = self.server.hand_over(array, self._dtype(name, facts["row_index"]))
                    sent.append({"position": position, "index": index, **described})
        answer = self.server.ask("check", got=sent, **self._request(facts, drawn.seed))
        wrong = answer["wrong"]
        return None if wrong is None else str(wrong)

    def _remember(self, case: Case, inputs: Values, drawn: _Draw) -> None:
        self.drawn[case.name, _digest(inputs)] = drawn
        while len(self.drawn) > 256:
            self.drawn.popitem(last=False)

    def _recall(self, case: Case, inputs: Values) -> _Draw:
        drawn = self.drawn.get((case.name, _digest(inputs)))
        if drawn is None:
            raise ReferenceError(f"the reference of {self.op.name} answers for inputs that it drew itself only")
        return drawn

    # --- candidates --------------------------------------------------------------------------------------------------

    def reference(self, backend: str, track: Track) -> Candidate | None:
        """The benchmark's own answer, where it has one for this accelerator and track."""
        answer = self.folder / self.facts["folder"] / "answer/0"
        if backend != "ascend" or track != Track.FULL or not answer.is_dir():
            return None
        return _candidate(answer, self.facts["entry"])


def _candidate(answer: Path, entry: str) -> Candidate:
    paths = sorted(p for part in ("op_kernel", "op_host") for p in (answer / part).rglob("*") if p.is_file())
    files = {str(p.relative_to(answer)): p.read_text(encoding="utf-8", errors="replace") for p in paths}
    roles = {role: f"{role}/{entry}.cpp" for role in ("op_kernel", "op_host")}
    return Candidate(files, {role: path for role, path in roles.items() if path in files}, entry)


def _variables(op: OpDef) -> dict[str, str]:
    """A dtype variable for each column of dtypes that is not the same in every row; equal columns share it."""
    columns: dict[tuple[str, ...], str] = {}
    found = {}
    for argument in (*op.inputs, *op.outputs):
        if len(set(argument.dtypes)) > 1:
            number = len(columns) + 1
            found[argument.name] = columns.setdefault(argument.dtypes, "T" if number == 1 else f"T{number}")
    return found


def _tuples(shape: Any) -> Shapes:
    """JSON's lists as a shape, a list of shapes, or None."""
    if shape is None:
        return None
    if shape and isinstance(shape[0], Sequence):
        return [tuple(s) for s in shape]
    return tuple(shape)


def _shaped(array: Array, shape: tuple[int, ...]) -> Array:
    return array.reshape(shape) if array.size == math.prod(shape) else array


def _cast(array: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def _beginning(tolerance: Tolerance) -> Comparer:
    def judge(expected: Array, got: Array) -> str | None:
        if got.size < expected.size:
            return f"expected {expected.size} elements at least, got {got.size}"
        head = got.reshape(-1)[: expected.size]
        verdict = compare("it", expected=expected.reshape(-1), got=head, tolerance=tolerance)
        return None if verdict.outcome == "passed" else verdict.first

    return judge


def _digest(inputs: Values) -> bytes:
    """Tells inputs apart: every byte counts, since a benchmark may draw tensors that differ in one place."""
    digest = hashlib.blake2b(digest_size=16)
    for array in _arrays(inputs):
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    return digest.digest()


def _arrays(values: Values) -> Iterable[Array]:
    for value in values.values():
        if isinstance(value, list):
            yield from value
        elif value is not None:
            yield value
