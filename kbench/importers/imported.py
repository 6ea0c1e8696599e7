"""The suite in an imported folder: its tasks, cases and candidates, with the reference server behind them."""

from __future__ import annotations

import hashlib
import json
import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.candidate import Candidate, Track
from kbench.core.check import compare, is_wider
from kbench.core.errors import ConfigError
from kbench.core.suite import Suite, SuiteTask
from kbench.core.task import DTYPES, Array, Attr, Case, Comparer, Shapes, Task, Tensor, Tolerance, Value, Values
from kbench.importers import abi
from kbench.importers.kernel_call import Json, argument_of, attrs_of, plain, shapes_of
from kbench.importers.op_def import Argument, Attribute, OpDef
from kbench.importers.reference_server import ReferenceError, ReferenceServer

KIND = "npukernelbench"
SCHEMA = 1
#: The seed of the draws that the import looks at.
IMPORT_SEED = 0

#: Draws until an attribute that is drawn as well comes out as the case says; then the import's own draw is taken.
MOST_DRAWS = 8


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
        self.drawn: OrderedDict[tuple[str, bytes], _Draw] = OrderedDict()

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
            zeroed=role == "out" and any(a.name in c["zeroed"] for c in self.cases.values()),
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
        return argument_of(self.op, name).dtypes[row]

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
        """The kernel's inputs, as the benchmark's own Python draws and hands them over.

        A few tasks draw an attribute too: they draw again until it is the one that the case was imported with, and
        where that does not happen, the inputs are those of the import.
        """
        facts = self.cases[case.name]
        first = int(rng.integers(2**62))
        for seed in (*range(first, first + MOST_DRAWS), IMPORT_SEED):
            call = self.server.ask("draw", **self._request(facts, seed))
            wrong = abi.refusal(self.op, self.layout, call["api"], len(call["args"]))
            if wrong:
                raise ReferenceError(wrong)
            given = dict(zip(self.layout.names, call["args"], strict=True))
            if attrs_of(self.op, self.layout, given) == facts["attrs"]:
                inputs = self._inputs(given, facts["row_index"])
                self._remember(case, inputs, _Draw(seed, self._drawn_shapes(given)))
                return inputs
        raise ReferenceError(f"the benchmark no longer draws the attributes {facts['attrs']}: import it again")

    def _inputs(self, given: Mapping[str, Json], row: int) -> Values:
        inputs = {a.name: self._input(a, given.get(a.name), row) for a in self.op.inputs}
        for name, (number, like) in self.layout.special.fill.items():
            if inputs[name] is None:
                inputs[name] = np.full_like(inputs[like], number)
        return inputs

    def _drawn_shapes(self, given: Mapping[str, Json]) -> dict[str, Any]:
        names = [t.name for t in self._tensors() if t.role != "in"]
        return {n: _tuples(shapes_of(argument_of(self.op, n), given[n])) for n in names if n in given}

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
        numbers = plain(value)
        return np.atleast_1d(np.asarray(numbers)).astype(DTYPES[dtype])

    def _array(self, described: Json, dtype: str, cast: bool = False) -> Array:
        array = self.server.fetch(described)
        return array.astype(DTYPES[dtype]) if cast else array.view(DTYPES[dtype])

    def behavior(self, case: Case, inputs: Values) -> Values:
        """What the benchmark's reference gives, in the kernel's dtypes or wider. Its inputs are those drawn last."""
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
    marks = {"op_kernel": f"{entry}(", "op_host": "OP_ADD("}
    roles = {role: _main_file(files, role, entry, mark) for role, mark in marks.items()}
    return Candidate(files, {role: path for role, path in roles.items() if path}, entry)


def _main_file(files: Mapping[str, str], role: str, entry: str, mark: str) -> str | None:
    """The file of a part that is named like the kernel, else the one that holds the entry or the registration."""
    own = f"{role}/{entry}.cpp"
    return own if own in files else next((p for p in files if p.startswith(role) and mark in files[p]), None)


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
    """In the output's dtype; a reference in a wider floating type stays as the benchmark compares it."""
    if is_wider(array.dtype, dtype):
        return array
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
