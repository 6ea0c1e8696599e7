"""A task as the head of a file to fill in: what it does, a call with its result, the sizes and parameters to expect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kbench.core.cases import arrays, case_seed, draw_inputs
from kbench.core.task import DTYPES, Array, Attr, Case, Shapes, Task, Value

#: Elements of an example: the front of a vector, the upper left corner of a matrix (and of each axis beyond).
_FRONT, _CORNER = 8, 4
#: Elements of a result that is still an example.
_MOST_SHOWN = 256


def outline(task: Task, cases: Sequence[Case]) -> str:
    """Description, example, and then the size of each buffer and the value of each parameter; where cases differ in
    one, all of its sizes or values."""
    lines = [task.summary, example(task, cases[0])]
    lines.append("This kernel should be optimized for the following input/output buffer shapes and parameters:")
    lines += [f"{name} size: {sizes}" for name, sizes in _sizes(task, cases).items()]
    lines += [f"{a.name}: {_joined(task.attr_values(c)[a.name] for c in cases)}" for a in task.attrs]
    return "\n".join(line for line in lines if line)


def example(task: Task, case: Case) -> str:
    """A call on the front of drawn inputs and its result, as Python shows them; empty where the operator is not defined
    on parts of its inputs, or gives much for them. The inputs come from a seed that no run uses."""
    inputs = draw_inputs(task, case, case_seed(0, "an example", task.name, case.name))
    parts = {name: _front(value) for name, value in inputs.items()}
    cut = replace(case, shapes={name: _shape(value) for name, value in parts.items()})
    try:
        results = task.behavior(cut, dict(parts))
    except Exception:  # the operator's own: sizes that belong together are cut apart
        return ""
    if sum(array.size for array in arrays(results)) > _MOST_SHOWN:
        return ""
    given = task.attr_values(case)
    arguments = [*(_shown(parts[t.name]) for t in task.inputs), *(_literal(a, given[a.name]) for a in task.attrs)]
    return f">>> {task.name}({', '.join(arguments)})\n{', '.join(map(_shown, results.values()))}"


def _front(value: Value) -> Value:
    if value is None:
        return None
    return [_cut(array) for array in value] if isinstance(value, list) else _cut(value)


def _cut(array: Array) -> Array:
    array = np.asarray(array)
    return array[:_FRONT] if array.ndim == 1 else array[(slice(_CORNER),) * array.ndim]


def _shape(value: Value) -> Shapes:
    if value is None:
        return None
    return [tuple(array.shape) for array in value] if isinstance(value, list) else tuple(value.shape)


def _shown(value: Value) -> str:
    if value is None or isinstance(value, list):
        return "None" if value is None else f"[{', '.join(map(_shown, value))}]"
    array = np.asarray(value)
    return str(array.astype(np.float64).tolist() if array.dtype.kind not in "iubc" else array.tolist())


def _literal(attr: Attr, value: Any) -> str:
    """A parameter with as many digits as its type has."""
    return str(np.asarray(value).astype(DTYPES[attr.dtype])[()]) if attr.dtype else repr(value)


def _sizes(task: Task, cases: Sequence[Case]) -> dict[str, str]:
    """Elements of each buffer, inputs first; shapes that depend on values are left out."""
    found: dict[str, list[str]] = {}
    for case in cases:
        for tensor in task.inputs:
            found.setdefault(tensor.name, []).append(_size(case.shapes.get(tensor.name)))
        try:
            shapes = task.out_shapes(case, {})
        except (KeyError, TypeError):
            continue
        for tensor in task.outputs:
            if tensor.role == "out":
                found.setdefault(tensor.name, []).append(_size(shapes.get(tensor.name)))
    return {name: _joined(sizes) for name, sizes in found.items()}


def _size(shape: Shapes) -> str:
    if shape is None:
        return "absent"
    if isinstance(shape, list):
        return f"[{', '.join(map(_size, shape))}]"
    return str(int(np.prod(shape, dtype=np.int64)))


def _joined(values: Any) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))
