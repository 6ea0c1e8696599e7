"""Operators of Huawei's published libraries as tasks, with models of our own, judged by the Ascend simulator.

    python -m benchmarks.library_tasks CHECKOUT [CHECKOUT …] [--only NAME …] [--update]

The candidate is the operator's own host side and kernel, read from the checkout (ops-math, ops-nn) and never kept; the
task is what its documentation says that it computes. `library_ledger.json` has the verdicts; the exit status is 1 where
one differs from it, and `--update` writes it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kbench
from benchmarks.operator_library import candidate
from benchmarks.upstream import verdict
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Array, Attr, Case, Task, Tensor, Tolerance, Value, Values
from kbench.task_specs.draws import floats, integers, scatter
from kbench.task_specs.numerics import LARGEST, NORMAL, UNIT, rounded

LEDGER = Path(__file__).with_name("library_ledger.json")
Model = Callable[[Case, Values], Values]
Draw = Callable[[Case, np.random.Generator], Values]

_SUMS = {
    "float16": Tolerance(0.06, 4e-3, "sums that cancel, in the type"),
    "float32": Tolerance(1e-5, 1e-5, "sums that cancel, in the type"),
    "bfloat16": Tolerance(0.5, 2e-2, "sums that cancel"),
}
#: One element, less than a block, whole repeats, an odd product, a tail for every core, several tiles for each core.
#: By the same rule each operator below has a case with more rows than cores, one of rows that no core's memory holds
#: (192 KiB), and one that all of them together do not hold, where its definition allows it; all within the default
#: budget of elements.
_SHAPES = ((1,), (7,), (4, 256), (3, 37), (61, 1031), (407, 4099))
_OF_THREE = (331, 4099)  # of operators with three tensors of one shape
_EXACT = Tolerance(0, 0, "moves and counts are exact")
_CLOSE = {t: Tolerance(4 * u, 8 * u, "a few roundings to the output's type") for t, u in UNIT.items()}
_FLOATS = ("float16", "float32", "bfloat16")


@dataclass(frozen=True)
class Operator:
    """An operator of a library: where it lies, and its task with cases."""

    folder: str
    entry: SuiteTask


def wide(value: Value) -> NDArray[np.float64]:
    return np.asarray(value).astype(np.float64)


def values(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Values of any dtype: floats around a mean that is not zero, integers over a small range."""
    if dtype in UNIT:
        return floats(rng, shape, dtype)
    if dtype == "bool":
        return rng.random(shape) < 0.4
    low = 0 if DTYPES[dtype].kind == "u" else -100
    return rng.integers(low, 100, shape).astype(DTYPES[dtype])


def edged(*edges: float, name: str = "x") -> Draw:
    """One input of floats with these values scattered over them, and of integers with their extremes."""

    def draw(case: Case, rng: np.random.Generator) -> Values:
        shape: Any = case.shapes[name]
        dtype = case.dtypes["T"]
        if dtype in UNIT:
            return {name: floats(rng, shape, dtype, edges)}
        return {name: values(dtype, shape, rng) if dtype == "bool" else integers(rng, shape, dtype, (1,))}

    return draw


def cases(rows: Sequence[Mapping[str, Any]]) -> tuple[Case, ...]:
    return tuple(Case(name=f"case{i}", **row) for i, row in enumerate(rows))


def operator(
    folder: str,
    tensors: Sequence[Tensor],
    model: Model,
    rows: Sequence[Mapping[str, Any]],
    *,
    attrs: Sequence[Attr] = (),
    draw: Draw | None = None,
    exact: bool = False,
    tolerance: Mapping[str, Any] | None = None,
    comparers: Mapping[str, Any] | None = None,
) -> Operator:
    """`rows`: shapes, dtypes and attrs of each case. Outputs have the shapes and dtypes of the model's results."""

    def drawn(case: Case, rng: np.random.Generator) -> Values:
        given = draw(case, rng) if draw else {}
        for tensor in tensors:
            shape: Any = case.shapes.get(tensor.name)
            if tensor.role == "out" or tensor.name in given:
                continue
            dtype = case.dtypes.get(tensor.dtype, tensor.dtype)
            if shape is None:
                given[tensor.name] = None
            elif tensor.is_list:
                given[tensor.name] = [values(dtype, one, rng) for one in shape]
            else:
                given[tensor.name] = values(dtype, shape, rng)
        return given

    def shapes(case: Case, inputs: Values) -> dict[str, Any]:
        found = model(case, inputs)
        return {
            k: [a.shape for a in v] if isinstance(v, list) else None if v is None else v.shape for k, v in found.items()
        }

    made = cases(rows)
    task = Task(
        name=folder.split("/")[-1],
        summary=folder,
        tensors=tuple(tensors),
        behavior=model,
        out_shapes=shapes,
        draw=drawn,
        tolerance=tolerance or {"*": {"*": _EXACT, **({} if exact else _CLOSE)}},
        dtypes=tuple(dict(case.dtypes) for case in made),
        attrs=tuple(attrs),
        comparers=comparers or {},
    )
    return Operator(folder, SuiteTask(task=task, cases=made))


def X(name: str = "x", dtype: str = "T", **more: Any) -> Tensor:
    return Tensor(name, "in", dtype, **more)


def Y(name: str = "y", dtype: str = "T", **more: Any) -> Tensor:
    return Tensor(name, "out", dtype, **more)


def each(shapes: Sequence[Mapping[str, Any]], dtypes: Sequence[str] = _FLOATS, **attrs: Any) -> list[dict[str, Any]]:
    """Every shape with every dtype of T."""
    return [{"shapes": s, "dtypes": {"T": t}, "attrs": attrs} for t in dtypes for s in shapes]


def elementwise(folder: str, function: Callable[[Any], Any], **more: Any) -> Operator:
    def model(case: Case, inputs: Values) -> Values:
        return {"y": rounded(function(wide(inputs["x"])), case.dtypes["T"])}

    return operator(folder, [X(), Y()], model, each([{"x": s} for s in _SHAPES]), **more)


# ---- ops-math, math and conversion -----------------------------------------------------------------------------------


def angle(case: Case, inputs: Values) -> Values:
    x = wide(inputs["x"])
    return {"y": rounded(np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0.0)), case.dtypes["U"])}


def segsum(case: Case, inputs: Values) -> Values:
    """y[…, i, j] is e to the sum of x over j < k <= i; 0 above the diagonal."""
    x = wide(inputs["x"])
    sums = np.cumsum(x, axis=-1)
    n = x.shape[-1]
    y = sums[..., :, None] - sums[..., None, :]
    return {"y": rounded(np.where(np.tri(n, dtype=bool), np.exp(y), 0.0), case.dtypes["T"])}


def segsum_draw(case: Case, rng: np.random.Generator) -> Values:
    """Terms of which more are negative, as decays are: sums neither overflow nor all vanish."""
    return {"x": rounded(rng.uniform(-0.6, 0.4, case.shapes["x"]), case.dtypes["T"])}  # type: ignore[arg-type]


def histogram(case: Case, inputs: Values) -> Values:
    x, low, high = wide(inputs["x"]).reshape(-1), float(wide(inputs["min"])[0]), float(wide(inputs["max"])[0])
    bins = case.attrs["bins"]
    inside = x[(x >= low) & (x <= high)]
    at = np.minimum(((inside - low) * bins / (high - low)).astype(np.int64), bins - 1)
    return {"y": np.bincount(at, minlength=bins).astype(np.int32)}


def histogram_draw(case: Case, rng: np.random.Generator) -> Values:
    """Centres of bins, so that no rounding decides, both limits themselves, and values beyond them. The range begins
    below zero where the dtype has such values."""
    dtype, bins = DTYPES[case.dtypes["T"]], case.attrs["bins"]
    low = 3 if dtype.kind == "u" else -5
    x = low + rng.integers(-2, bins + 2, case.shapes["x"])  # type: ignore[arg-type]
    if dtype.kind == "f":
        x = x + 0.5
        scatter(rng, [x], [(low, low + bins)])
    return {"x": x.astype(dtype), "min": np.full(1, low, dtype), "max": np.full(1, low + bins, dtype)}


def mul_addn(case: Case, inputs: Values) -> Values:
    total = sum(wide(a) * wide(b) for a, b in zip(inputs["x1"], inputs["x2"], strict=True))  # type: ignore[arg-type]
    return {"y": rounded(total, case.dtypes["T"])}


def non_finite(case: Case, inputs: Values) -> Values:
    bad = any(not np.isfinite(wide(a)).all() for a in inputs["x"])  # type: ignore[union-attr]
    return {"flag": np.full(1, float(bad), np.float32)}


def non_finite_draw(case: Case, rng: np.random.Generator) -> Values:
    """Finite values up to the largest, whose sums overflow; `about` names what else is where: `inf 0 -1` is the last
    element of the first tensor."""
    dtype = case.dtypes["T"]
    top = LARGEST[dtype]
    made = [floats(rng, s, dtype, (top, -top, 0.0)) for s in case.shapes["x"]]  # type: ignore[arg-type,union-attr]
    if case.about:
        what, tensor, at = case.about.split()
        made[int(tensor)].reshape(-1)[int(at)] = float(what)
    return {"x": made}


def pows(case: Case, inputs: Values) -> Values:
    return {"y": rounded(np.power(wide(inputs["x1"]), wide(inputs["x2"])), case.dtypes["T"])}


def positive_draw(case: Case, rng: np.random.Generator) -> Values:
    def one(name: str, low: float, high: float) -> Array:
        return rounded(rng.uniform(low, high, case.shapes[name]), case.dtypes["T"])  # type: ignore[arg-type]

    return {"x1": one("x1", 0.1, 4.0), "x2": rounded(case.values["x2"], case.dtypes["T"])}


def group_sum(case: Case, inputs: Values) -> Values:
    """Sums over the middle axis, or of each group's rows: `group_idx` has their ends (type 0) or sizes (type 1)."""
    grad, groups = wide(inputs["grad_y"]), inputs["group_idx"]
    if groups is None:
        return {"y": rounded(grad.sum(axis=1), case.dtypes["T"])}
    ends = np.cumsum(groups) if case.attrs["group_idx_type"] else np.asarray(groups)
    parts = np.split(grad, ends[:-1])
    return {"y": rounded(np.stack([part.sum(axis=0) for part in parts]), case.dtypes["T"])}


def group_draw(case: Case, rng: np.random.Generator) -> Values:
    if case.shapes["group_idx"] is None:
        return {}
    rows, groups = case.shapes["grad_y"][0], case.shapes["group_idx"][0]  # type: ignore[index]
    cuts = np.sort(rng.choice(np.arange(1, rows), groups - 1, replace=False))
    ends = np.concatenate([cuts, [rows]])
    made = np.diff(ends, prepend=0) if case.attrs["group_idx_type"] else ends
    return {"group_idx": made.astype(np.int32)}


def chunk_cat(case: Case, inputs: Values) -> Values:
    """Each tensor padded with zeros to `num_chunks` equal parts of its first axis, each part a row of the result."""
    chunks = case.attrs["num_chunks"]
    parts = []
    for x in inputs["x"]:  # type: ignore[union-attr]
        rows = -(-x.shape[0] // chunks) * chunks
        padded = np.concatenate([wide(x), np.zeros((rows - x.shape[0], *x.shape[1:]))])
        parts.append(padded.reshape(chunks, -1))
    return {"y": rounded(np.concatenate(parts, axis=1), case.dtypes["U"])}


def feeds_repeat(case: Case, inputs: Values) -> Values:
    feeds, size = np.asarray(inputs["feeds"]), case.attrs["output_feeds_size"]
    repeated = np.repeat(feeds, np.asarray(inputs["times"]), axis=0)
    return {"y": np.concatenate([repeated, np.zeros((size - len(repeated), *feeds.shape[1:]), feeds.dtype)])}


def feeds_draw(case: Case, rng: np.random.Generator) -> Values:
    return {"times": rng.integers(0, 4, case.shapes["times"]).astype(DTYPES[case.dtypes["I"]])}  # type: ignore[arg-type]


def diag_flat(case: Case, inputs: Values) -> Values:
    return {"y": np.diagflat(np.asarray(inputs["x"]), case.attrs["diagonal"])}


def fill_diagonal(case: Case, inputs: Values) -> Values:
    x = np.array(inputs["x"])
    np.fill_diagonal(x, np.asarray(inputs["fill_value"])[0], wrap=case.attrs["wrap"])
    return {"x": x}


def slice_assign(case: Case, inputs: Values) -> Values:
    var = np.array(inputs["var"])
    begin, end, strides = (np.asarray(inputs[name]) for name in ("begin", "end", "strides"))
    var[tuple(slice(b, e, s) for b, e, s in zip(begin, end, strides, strict=True))] = np.asarray(inputs["input_value"])
    return {"var": var}


def fixed(**arrays: str) -> Draw:
    """Inputs that the case fixes: name → dtype."""

    def draw(case: Case, rng: np.random.Generator) -> Values:
        return {name: np.asarray(case.values[name], DTYPES[dtype]) for name, dtype in arrays.items()}

    return draw


def transpose(case: Case, inputs: Values) -> Values:
    return {"y": np.ascontiguousarray(np.transpose(np.asarray(inputs["x"]), case.values["perm"]))}


def unfold_grad(case: Case, inputs: Values) -> Values:
    """The sum of the windows that an element was in, along one axis."""
    size, step, dim = (case.attrs[name] for name in ("size", "step", "dim"))
    grad = np.moveaxis(wide(inputs["grad_out"]), dim, 0)
    total = np.zeros((case.values["input_sizes"][dim], *grad.shape[1:-1]))
    for window, part in enumerate(grad):
        total[window * step : window * step + size] += np.moveaxis(part, -1, 0)
    return {"y": rounded(np.moveaxis(total, 0, dim), case.dtypes["T"])}


def concat(case: Case, inputs: Values) -> Values:
    return {"y": np.concatenate(list(inputs["x"]), axis=case.attrs["concat_dim"])}  # type: ignore[arg-type]


def amp_update(case: Case, inputs: Values) -> Values:
    scale, tracker, found = float(wide(inputs["scale"])[0]), int(np.asarray(inputs["tracker"])[0]), inputs["found"]
    grown = tracker + 1 == case.attrs["growth_interval"]
    if wide(found)[0] != 0:
        scale, tracker = scale * case.attrs["backoff_factor"], 0
    else:
        scale, tracker = scale * (case.attrs["growth_factor"] if grown else 1.0), 0 if grown else tracker + 1
    return {"y": rounded([scale], case.dtypes["T"]), "updated": np.array([tracker], np.int32)}


def amp_draw(case: Case, rng: np.random.Generator) -> Values:
    dtype = case.dtypes["T"]
    tracker, found = (case.values[name] for name in ("tracker", "found"))
    scale = rounded(rng.uniform(1.0, 60000.0, 1), dtype)
    return {"scale": scale, "tracker": np.array(tracker, np.int32), "found": rounded(found, dtype)}


def rescale_qkv(case: Case, inputs: Values) -> Values:
    """[B, T, 3 D] and a bias of 3 D → q, k, v of [B, heads, T, D / heads]; q is divided by the root of D / heads."""
    heads, x = case.attrs["num_heads"], wide(inputs["qkv"]) + wide(inputs["bias"])
    b, t, d = x.shape[0], x.shape[1], x.shape[2] // 3
    q, k, v = x.reshape(b, t, 3, heads, d // heads).transpose(2, 0, 3, 1, 4)
    dtype = case.dtypes["T"]
    return {"q": rounded(q / np.sqrt(d // heads), dtype), "k": rounded(k, dtype), "v": rounded(v, dtype)}


def masked_select(case: Case, inputs: Values) -> Values:
    """As long as x; behind what was selected the operator says nothing, marked by NaN."""
    x = np.asarray(inputs["x"]).reshape(-1)
    kept = x[np.asarray(inputs["mask"]).reshape(-1)]
    return {"y": np.concatenate([kept, np.full(x.size - kept.size, np.nan, x.dtype)])}


def until_nan(expected: Array, got: Array) -> str | None:
    known = ~np.isnan(wide(expected))
    wrong = np.flatnonzero(expected[known] != got[known])
    return f"element {wrong[0]}: expected {expected[wrong[0]]}, got {got[wrong[0]]}" if wrong.size else None


def amp_rows() -> list[dict[str, Any]]:
    attrs = {"growth_factor": 2.5, "backoff_factor": 0.375, "growth_interval": 3}
    one = {"scale": (1,), "tracker": (1,), "found": (1,)}
    told = [{"tracker": [t], "found": [f]} for t, f in ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (1, -3), (7, 0))]
    return [{"shapes": one, "dtypes": {"T": "float32"}, "attrs": attrs, "values": v} for v in told]


_SLICES = [
    ((7, 33), [1, 2], [6, 31], [2, 1], (3, 29)),
    ((5, 9, 40), [0, 3, 0], [5, 9, 40], [1, 2, 1], (5, 3, 40)),
    ((1000,), [3], [990], [1], (987,)),
    ((301, 67), [0, 5], [301, 66], [2, 1], (151, 61)),
    ((2, 200003), [0, 1], [2, 200003], [1, 1], (2, 200002)),
]

MATH = [
    operator(
        "math/angle_v2",
        [X(), Y(dtype="U")],
        angle,
        [
            {"shapes": {"x": s}, "dtypes": {"T": t, "U": u}}
            for t, u in (
                ("float16", "float16"),
                ("float32", "float32"),
                ("int8", "float32"),
                ("bool", "float32"),
                ("uint8", "float32"),
                ("int16", "float32"),
                ("int32", "float32"),
                ("int64", "float32"),
            )
            for s in ((64, 128), (1,), (3, 37), (9, 1031), (407, 4099))
        ],
        draw=edged(0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0),
    ),
    operator(
        "math/segsum",
        [X(), Y()],
        segsum,
        each(
            [
                {"x": s}
                for s in ((1, 2, 2, 32), (2, 3, 2, 17), (1, 1, 1, 3), (5, 7, 3, 101), (1, 2, 1, 300), (1, 1, 2, 1201))
            ]
        ),
        draw=segsum_draw,
        tolerance={
            "y": {
                "float16": Tolerance(NORMAL["float16"], 2e-3, "sum and exponential in float32, rounded once"),
                "float32": Tolerance(1e-7, 1e-4, "the exponent's rounding, in float32"),
                "bfloat16": Tolerance(NORMAL["bfloat16"], 1e-2, "sum and exponential in float32, rounded once"),
            }
        },
    ),
    operator(
        "math/histogram_v2",
        [X(), X("min"), X("max"), Y(dtype="int32")],
        histogram,
        [
            {"shapes": {"x": s, "min": (1,), "max": (1,)}, "dtypes": {"T": t}, "attrs": {"bins": b}}
            for t in ("float32", "float16", "int32", "int16", "int8", "uint8")
            for s, b in (((4096,), 16), ((37, 11), 100), ((1,), 5), ((61, 1031), 37), ((407, 4099), 10))
        ],
        attrs=[Attr("bins", "int", 100)],
        draw=histogram_draw,
    ),
    operator(
        "math/mul_addn",
        [X("x1", is_list=True), X("x2", is_list=True), Y()],
        mul_addn,
        [
            {"shapes": {"x1": [(b, m, 1)] * n, "x2": [(b, 1, k)] * n}, "dtypes": {"T": t}, "attrs": {"N": n}}
            for t in _FLOATS
            for n, b, m, k in ((2, 2, 16, 64), (3, 3, 7, 50), (2, 1, 1, 1), (4, 53, 5, 301), (2, 101, 7, 1021))
        ],
        tolerance={"y": _SUMS},
        attrs=[Attr("N", "int")],
    ),
    operator(
        "math/non_finite_check",
        [X(is_list=True), Y("flag", "float32")],
        non_finite,
        [
            {"shapes": {"x": s}, "dtypes": {"T": t}, "about": about}
            for t in _FLOATS
            for s, about in (
                ([(64, 64)], ""),
                ([(7,), (3, 501)], "inf 1 -1"),
                ([(33, 5), (1,)], "nan 1 0"),
                ([(1023,)] * 3, ""),
                ([(1023,)] * 3, "-inf 0 0"),
                ([(61, 1031), (9,)], "nan 0 31415"),
                ([(407, 4099), (7,)], ""),
                ([(407, 4099), (7,)], "-inf 0 -1"),
            )
        ],
        draw=non_finite_draw,
    ),
    operator(
        "math/pows",
        [X("x1"), X("x2"), Y()],
        pows,
        [
            {"shapes": {"x1": s, "x2": (1,)}, "dtypes": {"T": t}, "values": {"x2": [v]}}
            for t in _FLOATS
            for s, v in (
                ((8, 256), 0.5),
                ((3, 37), 2.0),
                ((61, 1031), 3.0),
                ((3, 37), -1.0),
                ((64,), -0.5),
                ((1,), 3.0),
                ((407, 4099), -2.0),
            )
        ],
        draw=positive_draw,
        tolerance={
            "y": {
                "float16": Tolerance(1e-3, 4e-3, "logarithm and exponential in float"),
                "float32": Tolerance(1e-5, 1e-4, "logarithm and exponential in float"),
                "bfloat16": Tolerance(1e-2, 2e-2, "logarithm and exponential in float"),
            }
        },
    ),
    operator(
        "math/grouped_bias_add_grad",
        [X("grad_y"), X("group_idx", "int32", optional=True), Y()],
        group_sum,
        [
            {"shapes": {"grad_y": g, "group_idx": i}, "dtypes": {"T": t}, "attrs": {"group_idx_type": k}}
            for t in _FLOATS
            for g, i, k in (
                ((3, 40, 256), None, 0),
                ((5, 17, 100), None, 0),
                ((2, 1, 1), None, 0),
                ((7, 301, 129), None, 0),
                ((3, 2003, 517), None, 0),
                ((2, 3, 70001), None, 0),
                ((40, 64), (5,), 0),
                ((611, 129), (13,), 0),
                ((611, 129), (13,), 1),
                ((6011, 301), (67,), 0),
            )
        ],
        attrs=[Attr("group_idx_type", "int", 0)],
        draw=group_draw,
        tolerance={
            "y": {
                "float16": Tolerance(0.02, 4e-3, "sums in float"),
                "float32": Tolerance(1e-3, 1e-5, "sums"),
                "bfloat16": Tolerance(0.1, 2e-2, "sums in float"),
            }
        },
    ),
    operator(
        "math/amp_update_scale",
        [X("scale"), X("tracker", "int32"), X("found"), Y(), Y("updated", "int32")],
        amp_update,
        amp_rows(),
        attrs=[Attr("growth_factor", "float"), Attr("backoff_factor", "float"), Attr("growth_interval", "int")],
        draw=amp_draw,
    ),
    operator(
        "math/transform_bias_rescale_qkv",
        [X("qkv"), X("bias"), Y("q"), Y("k"), Y("v")],
        rescale_qkv,
        [
            {
                "shapes": {"qkv": (b, n, 3 * h * d), "bias": (3 * h * d,)},
                "dtypes": {"T": t},
                "attrs": {"num_heads": h},
            }
            for t in _FLOATS
            for b, n, h, d in (
                (2, 8, 4, 16),
                (3, 5, 4, 16),
                (1, 1, 1, 8),
                (7, 19, 3, 40),
                (61, 3, 2, 33),
                (2, 1009, 5, 48),
            )
        ],
        attrs=[Attr("num_heads", "int")],
    ),
    operator(
        "conversion/chunk_cat",
        [X(is_list=True), Y(dtype="U")],
        chunk_cat,
        [
            {"shapes": {"x": s}, "dtypes": {"T": t, "U": u}, "attrs": {"dim": 0, "num_chunks": n}}
            for t, u in (
                ("float16", "float16"),
                ("float16", "float32"),
                ("bfloat16", "float32"),
                ("float32", "float32"),
            )
            for s, n in (
                ([(16, 32), (8, 64)], 4),
                ([(7, 33), (3, 5), (9, 100)], 4),
                ([(1, 1)], 3),
                ([(131, 515), (67, 129), (5, 1)], 7),
                ([(9, 30011), (4, 70001)], 4),
            )
        ],
        attrs=[Attr("dim", "int"), Attr("num_chunks", "int")],
    ),
    operator(
        "conversion/masked_select_v3",
        [X(), X("mask", "bool"), Y()],
        masked_select,
        each([{"x": s, "mask": s} for s in ((64, 128), (3, 37), (40003,), (1,), _OF_THREE)]),
        comparers={"y": until_nan},
    ),
    operator(
        "conversion/feeds_repeat",
        [X("feeds"), X("times", "I"), Y()],
        feeds_repeat,
        [
            {
                "shapes": {"feeds": s, "times": s[:1]},
                "dtypes": {"T": t, "I": i},
                "attrs": {"output_feeds_size": 4 * s[0]},
            }
            for t, i in (("float16", "int32"), ("float32", "int64"), ("bfloat16", "int32"))
            for s in ((8, 64), (13, 3, 11), (1, 5), (61, 1031), (3, 100003))
        ],
        attrs=[Attr("output_feeds_size", "int")],
        draw=feeds_draw,
    ),
    operator(
        "conversion/diag_flat",
        [X(), Y()],
        diag_flat,
        [
            {"shapes": {"x": s}, "dtypes": {"T": t}, "attrs": {"diagonal": d}}
            for t in ("float16", "float32", "int8", "int32", "int64")
            for s, d in (((64,), 0), ((3, 7), 2), ((130,), -3), ((1,), 0), ((7, 43), 5), ((2003,), -1))
            if t != "int8" or s != (1,)  # a single byte: the kernel writes before its output
        ],
        attrs=[Attr("diagonal", "int", 0)],
    ),
    operator(
        "conversion/fill_diagonal_v2",
        [Tensor("x", "inout"), X("fill_value")],
        fill_diagonal,
        [
            {"shapes": {"x": s, "fill_value": (1,)}, "dtypes": {"T": t}, "attrs": {"wrap": w}}
            for t in ("float16", "float32", "int8", "int64", "bool")
            for s, w in (
                ((16, 16), False),
                ((37, 5), True),
                ((37, 5), False),
                ((7, 40), False),
                ((1, 1), False),
                ((5, 5, 5), False),
                ((4099, 211), True),
            )
        ],
        attrs=[Attr("wrap", "bool", False)],
    ),
    operator(
        "conversion/strided_slice_assign_v2",
        [
            Tensor("var", "inout"),
            X("input_value"),
            *(X(n, "int64", host_value=True) for n in ("begin", "end", "strides")),
            X("axes", "int64", optional=True, host_value=True),
        ],
        slice_assign,
        [
            {
                "shapes": {
                    "var": s,
                    "input_value": i,
                    "begin": (len(b),),
                    "end": (len(b),),
                    "strides": (len(b),),
                    "axes": None,
                },
                "dtypes": {"T": t},
                "values": {"begin": b, "end": e, "strides": k},
            }
            for t in ("float16", "float32", "int8", "int64")
            for s, b, e, k, i in _SLICES
        ],
        draw=fixed(begin="int64", end="int64", strides="int64"),
    ),
    operator(
        "conversion/transpose_v2",
        [X(), X("perm", "int64", host_value=True), Y()],
        transpose,
        [
            {"shapes": {"x": s, "perm": (len(p),)}, "dtypes": {"T": t}, "values": {"perm": p}}
            for t in _FLOATS
            for s, p in (
                ((3, 37, 20), [0, 2, 1]),
                ((2, 64, 128), [0, 2, 1]),
                ((1, 3, 5), [0, 2, 1]),
                ((331, 45, 61), [0, 2, 1]),
                ((301, 67, 40), [1, 0, 2]),
                ((2, 5, 61, 33), [0, 2, 1, 3]),
            )
        ],
        draw=fixed(perm="int64"),
    ),
    operator(
        "conversion/unfold_grad",
        [X("grad_out"), X("input_sizes", "int64", host_value=True), Y()],
        unfold_grad,
        [
            {
                "shapes": {"grad_out": s, "input_sizes": (len(n),)},
                "dtypes": {"T": t},
                "values": {"input_sizes": n},
                "attrs": {"dim": d, "size": z, "step": k},
            }
            for t in _FLOATS
            for s, n, d, z, k in (
                ((4, 15, 4), [4, 32], 1, 4, 2),
                ((3, 5, 20, 3), [3, 11, 20], 1, 3, 2),
                ((61, 40, 9), [61, 204], 1, 9, 5),
                ((5, 6, 2), [5, 32], 1, 2, 6),
                ((17, 12, 70, 4), [17, 37, 70], 1, 4, 3),
                ((3, 19999, 7), [3, 60001], 1, 7, 3),
                ((5, 10, 3001, 5), [5, 41, 3001], 1, 5, 4),
            )
        ],
        attrs=[Attr("dim", "int"), Attr("size", "int"), Attr("step", "int")],
        draw=fixed(input_sizes="int64"),
    ),
    operator(
        "conversion/concat_dv2",
        [X(is_list=True), Y()],
        concat,
        [
            {"shapes": {"x": s}, "dtypes": {"T": t}, "attrs": {"concat_dim": d}}
            for t in ("float16", "float32", "int32", "int64", "int16", "int8")
            for s, d in (([(16, 64), (8, 64)], 0), ([(32, 37), (64, 37)], 0), ([(3, 11), (4, 11)], 0))
        ],
        attrs=[Attr("concat_dim", "int")],
    ),
]


# ---- ops-nn ----------------------------------------------------------------------------------------------------------


def halves(function: Callable[[Any, Any], Any]) -> Model:
    """The last axis in two halves, one result."""

    def model(case: Case, inputs: Values) -> Values:
        a, b = np.split(wide(inputs["x"]), 2, axis=-1)
        return {"y": rounded(function(a, b), case.dtypes["T"])}

    return model


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def unit_draw(case: Case, rng: np.random.Generator) -> Values:
    x = rng.uniform(0.02, 0.98, case.shapes["x"])  # type: ignore[arg-type]
    scatter(rng, [x], [(0.0, 1.0, 0.5, -0.5, 1.5, 0.001)])
    return {"x": rounded(x, case.dtypes["T"])}


def threshold_draw(case: Case, rng: np.random.Generator) -> Values:
    """A threshold inside the range of x, on either side of zero, and none of the values: the documentation and the
    kernel disagree about that one."""
    dtype = case.dtypes["T"]
    threshold = rounded([rng.uniform(0.3, 1.0) * rng.choice((-1.0, 1.0))], dtype)
    x = floats(rng, case.shapes["x"], dtype, (0.0, -0.0))  # type: ignore[arg-type]
    return {"threshold": threshold, "x": np.where(x == threshold, x + x, x).astype(x.dtype)}


def logit(case: Case, inputs: Values) -> Values:
    """Outside of [0, 1] NaN, unless eps cuts the range."""
    x, eps = wide(inputs["x"]), case.attrs.get("eps", -1.0)
    if eps >= 0:
        eps = float(np.float32(eps))
        x = x.clip(eps, 1 - eps)
    with np.errstate(all="ignore"):
        return {"y": rounded(np.log(x / (1 - x)), case.dtypes["T"])}


def rms_norm(case: Case, inputs: Values) -> Values:
    x = wide(inputs["x"])
    rstd = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)
    return {"y": rounded(x * rstd * wide(inputs["gamma"]), case.dtypes["T"]), "rstd": rounded(rstd, "float32")}


def add_rms_norm(case: Case, inputs: Values) -> Values:
    x = wide(inputs["x1"]) + wide(inputs["x2"])
    made = rms_norm(case, {"x": x, "gamma": inputs["gamma"]})  # type: ignore[dict-item]
    return {**made, "x": rounded(x, case.dtypes["T"])}


def cross(case: Case, inputs: Values) -> Values:
    a, b = np.asarray(inputs["a"]), np.asarray(inputs["b"])
    made = np.cross(wide(a), wide(b), axis=case.attrs["dim"])
    return {"y": rounded(made, case.dtypes["T"]) if case.dtypes["T"] in UNIT else made.astype(a.dtype)}


def cross_draw(case: Case, rng: np.random.Generator) -> Values:
    """Products of small numbers: the library computes int8 in half and saturates, where others wrap."""
    dtype = case.dtypes["T"]
    small: Any = {"low": -7, "high": 8} if dtype == "int8" else {"low": -90, "high": 91}
    if dtype in UNIT:
        return {}
    return {name: rng.integers(size=case.shapes[name], **small).astype(DTYPES[dtype]) for name in ("a", "b")}


def index_fill(case: Case, inputs: Values) -> Values:
    y, dim = np.array(inputs["x"]), case.attrs["dim"]
    at = (slice(None),) * dim + (np.asarray(inputs["indices"]),)
    y[at] = np.asarray(inputs["value"])[0]
    return {"y": y}


def index_draw(case: Case, rng: np.random.Generator) -> Values:
    size = case.shapes["x"][case.attrs["dim"]]  # type: ignore[index]
    return {"indices": rng.integers(0, size, case.shapes["indices"]).astype(DTYPES[case.dtypes["I"]])}  # type: ignore[arg-type]


def jagged(case: Case, inputs: Values) -> Values:
    """Segment i of the result, from output_offsets[i], counts up from input_offsets[permute[i]]."""
    permute, source, target = (np.asarray(inputs[name]) for name in ("permute", "input_offsets", "output_offsets"))
    parts = [np.arange(source[p], source[p] + target[i + 1] - target[i]) for i, p in enumerate(permute)]
    return {"y": np.concatenate(parts).astype(np.int32)}


def jagged_draw(case: Case, rng: np.random.Generator) -> Values:
    n, size = case.shapes["permute"][0], case.attrs["output_size"]  # type: ignore[index]
    cuts = np.sort(rng.integers(0, size + 1, n - 1))
    lengths = np.diff(np.concatenate([[0], cuts, [size]]))
    permute = rng.permutation(n)
    offsets = [np.concatenate([[0], np.cumsum(part)]).astype(np.int32) for part in (lengths, lengths[permute])]
    return {"permute": permute.astype(np.int32), "input_offsets": offsets[0], "output_offsets": offsets[1]}


def dynamic_quant(case: Case, inputs: Values) -> Values:
    """Each row by its own scale, the largest magnitude over 127; rounded to nearest even."""
    x = wide(inputs["x"])
    scale = (np.abs(x).max(axis=-1) / 127).astype(np.float32)
    return {"y": np.rint(x / scale[..., None]).clip(-128, 127).astype(np.int8), "scale": scale}


def off_by_one(expected: Array, got: Array) -> str | None:
    """Rounding a quotient that was computed in float may go to the neighbour."""
    wrong = int(np.abs(expected.astype(int) - got.astype(int)).max(initial=0))
    share = float((expected != got).mean()) if expected.size else 0.0
    return f"differs by up to {wrong}, {share:.1%} of the elements" if wrong > 1 or share > 0.01 else None


def foreach(function: Callable[..., Any]) -> Model:
    def model(case: Case, inputs: Values) -> Values:
        made = [rounded(function(wide(a)), case.dtypes["T"]) for a in inputs["x"]]  # type: ignore[union-attr]
        return {"y": made}

    return model


def foreach_norm(case: Case, inputs: Values) -> Values:
    made = [rounded(np.sqrt((wide(a) ** 2).sum(keepdims=True)).reshape(1), case.dtypes["T"]) for a in inputs["x"]]  # type: ignore[union-attr]
    return {"y": made}


_LISTS = ([(64, 64)], [(7,), (3, 501), (1,)], [(1023,)] * 3, [(211, 4099), (1,), (61, 1031)])
_NORMED = {
    "float16": Tolerance(4e-3, 4e-3, "row sums in float"),
    "float32": Tolerance(1e-5, 1e-5, "row sums in float"),
    "bfloat16": Tolerance(3e-2, 2e-2, "row sums in float"),
}

NN = [
    operator(
        "activation/swi_glu",
        [X(), Y()],
        halves(lambda a, b: a * sigmoid(a) * b),
        each([{"x": s} for s in ((8, 256), (5, 74), (1, 2), (61, 2062), (407, 4098), (2, 200006))]),
        attrs=[Attr("dim", "int", -1)],
    ),
    elementwise(
        "activation/squared_relu",
        lambda x: np.maximum(x, 0) ** 2,
        draw=edged(0.0, -0.0, 1.0, -1.0, 200.0, -200.0, 300.0, np.inf, -np.inf),
    ),
    operator(
        "activation/heaviside",
        [X(), X("b"), Y()],
        lambda case, inputs: {"y": rounded(np.heaviside(wide(inputs["x"]), wide(inputs["b"])), case.dtypes["T"])},
        each(
            [{"x": s, "b": s} for s in (*_SHAPES[:-1], _OF_THREE)] + [{"x": s, "b": (1,)} for s in ((3, 37), _OF_THREE)]
        ),
        draw=edged(0.0, -0.0, 0.0, np.inf, -np.inf),
    ),
    operator(
        "activation/fatrelu_mul",
        [X(), X("threshold"), Y()],
        lambda case, inputs: halves(lambda a, b: np.where(a > wide(inputs["threshold"])[0], a, 0) * b)(case, inputs),
        each([{"x": s, "threshold": (1,)} for s in ((8, 256), (5, 74), (1, 2), (61, 1022), (2039, 1022))]),
        draw=threshold_draw,
    ),
    operator(
        "loss/logit",
        [X(), Y()],
        logit,
        each([{"x": s} for s in ((8, 256), (1,), (3, 37), (407, 4099))]) + each([{"x": (61, 1031)}], eps=0.125),
        attrs=[Attr("eps", "float", -1.0)],
        draw=unit_draw,
        tolerance={"y": _NORMED},
    ),
    operator(
        "loss/cross_v2",
        [X("a"), X("b"), Y()],
        cross,
        [
            {"shapes": {"a": s, "b": s}, "dtypes": {"T": t}, "attrs": {"dim": d}}
            for t in ("float32", "float16", "int32", "int16", "int8")
            for s, d in (((16, 3), 1), ((3, 37), 0), ((1, 3), 1), ((5, 3, 7), 1), ((1031, 3), 1), ((3, 5, 1031), 0))
        ],
        attrs=[Attr("dim", "int", -65530)],
        draw=cross_draw,
        tolerance={
            "y": {
                "*": _EXACT,
                "float16": Tolerance(0.05, 4e-3, "products cancel"),
                "float32": Tolerance(1e-4, 1e-5, "products cancel"),
            }
        },
    ),
    operator(
        "index/index_fill",
        [X(), X("indices", "I"), X("value"), Y()],
        index_fill,
        [
            {"shapes": {"x": s, "indices": (n,), "value": (1,)}, "dtypes": {"T": t, "I": i}, "attrs": {"dim": d}}
            for t, i in (
                ("float16", "int32"),
                ("float32", "int64"),
                ("int32", "int32"),
                ("int64", "int64"),
                ("bool", "int32"),
            )
            for s, n, d in (
                ((16, 64), 5, 0),
                ((5, 37, 3), 7, 1),
                ((1,), 1, 0),
                ((1031, 70), 200, 0),
                ((3, 129, 40), 33, 2),
                ((7, 200003), 3, 0),
                ((3, 70001), 5001, 1),
                ((4001, 150), 900, 0),  # a core's rows fill its table of offsets, and more than once
            )
            if len(s) == 1 or d < len(s) - 1 or t not in ("int64", "bool")  # its last axis is for two and four bytes
        ],
        attrs=[Attr("dim", "int")],
        draw=index_draw,
        exact=True,
    ),
    operator(
        "index/expand_into_jagged_permute",
        [X("permute", "int32"), X("input_offsets", "int32"), X("output_offsets", "int32"), Y(dtype="int32")],
        jagged,
        [
            {
                "shapes": {"permute": (n,), "input_offsets": (n + 1,), "output_offsets": (n + 1,)},
                "dtypes": {"T": "int32"},
                "attrs": {"output_size": size},
            }
            for n, size in ((8, 256), (13, 1001), (200, 5003), (1, 7), (61, 900001))
        ],
        attrs=[Attr("output_size", "int")],
        draw=jagged_draw,
    ),
    operator(
        "norm/rms_norm",
        [X(), X("gamma"), Y(), Y("rstd", "float32")],
        rms_norm,
        each([{"x": (8, 256), "gamma": (256,)}, {"x": (5, 37), "gamma": (37,)}, {"x": (3, 9001), "gamma": (9001,)}]),
        attrs=[Attr("epsilon", "float", 1e-6)],
        tolerance={"*": _NORMED},
    ),
    operator(
        "norm/add_rms_norm",
        [X("x1"), X("x2"), X("gamma"), Y(), Y("rstd", "float32"), Y("x")],
        add_rms_norm,
        each([{"x1": (8, 256), "x2": (8, 256), "gamma": (256,)}, {"x1": (5, 37), "x2": (5, 37), "gamma": (37,)}]),
        attrs=[Attr("epsilon", "float", 1e-6)],
        tolerance={"*": _NORMED},
    ),
    operator(
        "quant/dynamic_quant",
        [X(), X("smooth", optional=True), X("group", "int32", optional=True), Y(dtype="int8"), Y("scale", "float32")],
        dynamic_quant,
        each(
            [
                {"x": s, "smooth": None, "group": None}
                for s in ((8, 256), (37, 96), (1, 32), (5, 33), (61, 1031), (331, 6001), (6007, 128))
            ],
            ("float16", "bfloat16"),
        ),
        comparers={"y": off_by_one},
        tolerance={"scale": {"float32": Tolerance(1e-6, 1e-5, "one division")}},
    ),
    operator(
        "foreach/foreach_abs", [X(is_list=True), Y(is_list=True)], foreach(np.abs), each([{"x": s} for s in _LISTS])
    ),
    operator(
        "foreach/foreach_reciprocal",
        [X(is_list=True), Y(is_list=True)],
        foreach(lambda x: 1 / x),
        each([{"x": s} for s in _LISTS]),
    ),
    operator(
        "foreach/foreach_norm",
        [X(is_list=True), X("scalar", "float32"), Y(is_list=True)],
        foreach_norm,
        [{"shapes": {"x": s, "scalar": (1,)}, "dtypes": {"T": t}} for t in _FLOATS for s in _LISTS],
        draw=lambda case, rng: {"scalar": np.full(1, 2.0, np.float32)},
        tolerance={"*": _NORMED},
    ),
]


# ---- judging ---------------------------------------------------------------------------------------------------------


def source(checkout: Path, asked: Operator, *, every_chip: bool) -> Candidate:
    return candidate(checkout, checkout / asked.folder, every_chip=every_chip)


def judged(checkouts: Sequence[Path], asked: Operator) -> dict[str, Any]:
    """The verdict; `every_chip` where the operator's host side needs the sources of other chips, too."""
    checkout = next(c for c in checkouts if (c / asked.folder).is_dir())
    settings = Settings(target="ascend910b1", track=Track.FULL, run_timeout_s=120, compile_timeout_s=300)
    for every_chip in (False, True):
        made = source(checkout, asked, every_chip=every_chip)
        record = kbench.evaluate(asked.entry, made, "ascend", settings=settings)
        if record.outcome != "link_error":
            break
    return {**verdict(record), **({"every_chip": True} if every_chip else {})}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--only", nargs="*", default=[], help="names that contain one of these words")
    parser.add_argument("--update", action="store_true", help="write the ledger")
    given = parser.parse_args(arguments)
    ledger = json.loads(LEDGER.read_text()) if LEDGER.is_file() else {}
    checkouts = [c.resolve() for c in given.checkouts]
    differs = False
    for one in OPERATORS:
        here = any((c / one.folder).is_dir() for c in checkouts)
        if not here or (given.only and not any(word in one.folder for word in given.only)):
            continue
        found, known = judged(checkouts, one), ledger.get(one.folder, {})
        why = known.get("why", "") if known.get("outcome") == found["outcome"] else ""
        changed = {k: v for k, v in known.items() if k != "why"} != found
        differs = differs or changed
        told = f"{one.folder}: {found['outcome']} {found['cases_passed']}/{found['cases_ran']} {found['first']}"
        print(told + (" (new)" if changed else ""), flush=True)
        ledger[one.folder] = {**found, "why": why}
        if given.update:
            LEDGER.write_text(json.dumps(dict(sorted(ledger.items())), indent=1, ensure_ascii=False) + "\n")
    print(dict(Counter(entry["outcome"] for entry in ledger.values())))
    return 1 if differs and not given.update else 0


OPERATORS = [*MATH, *NN]

if __name__ == "__main__":
    sys.exit(main())
