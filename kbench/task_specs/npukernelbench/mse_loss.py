"""MseLoss: the squared difference of prediction and label, as it is, summed, or averaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kbench.core.task import Attr, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, normals, scatter
from kbench.task_specs.numerics import TINY, UNIT, rounded, wide
from kbench.task_specs.shapes import TILES_OF_THREE, UNALIGNED, case, shape_of, unique

DTYPES = ("float16", "float32")
REDUCTIONS = ("none", "mean", "sum")


def behavior(case: Case, inputs: Values) -> Values:
    with np.errstate(over="ignore"):
        squares = (wide(inputs["predict"]) - wide(inputs["label"])) ** 2
        reduction = _reduction(case)
        y = squares if reduction == "none" else squares.mean() if reduction == "mean" else squares.sum()
        return {"y": rounded(y, case.dtypes["T"])}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["predict"] if _reduction(case) == "none" else ()}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Differences of a scale that the seed decides, so that no reduced value can be known; ties and subnormals.

    Without a reduction also squares that overflow and that vanish; sums of float16 stay below its largest value.
    """
    dtype, shape = case.dtypes["T"], shape_of(case, "predict")
    label = normals(rng, shape, spread=1.0)
    predict = label + normals(rng, shape, spread=0.6)
    small = SUBNORMAL[dtype]
    pairs = [(0.0, -0.0), (1.5, 1.5), (small, -small), (-0.25, 0.25), (small, 1.0)]
    if _reduction(case) == "none":
        pairs += [(300.0, -300.0), (1e-4, -1e-4), (0.01, 0.0)]
    scatter(rng, [predict, label], [[a for a, _ in pairs], [b for _, b in pairs]])
    return {"predict": rounded(predict, dtype), "label": rounded(label, dtype)}


def _reduction(case: Case) -> str:
    return str(TASK.attr_values(case)["reduction"])


TASK = Task(
    name="MseLoss",
    summary="The mean squared error of two tensors; reduction is none, mean or sum.",
    formula="d = (predict - label)^2; y = d, mean(d) or sum(d); the reduced y has no dimensions",
    level=2,
    category="Loss",
    tensors=(Tensor("predict"), Tensor("label"), Tensor("y", "out")),
    attrs=(Attr("reduction", "str", "mean"),),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {
            "float16": Tolerance(
                TINY["float16"],
                4 * UNIT["float16"],
                "difference (counted twice by the square) and square rounded to float16; sums need a wider type",
            ),
            "float32": Tolerance(
                TINY["float32"],
                2.0**-16,
                "float32 sums of non-negative terms in chains of up to 256 additions; no cancellation",
            ),
        }
    },
)


_ELEMENTWISE = Tolerance(
    TINY["float32"], 4 * UNIT["float32"], "difference (counted twice) and square rounded to float32"
)


def _case(dtype: str, shape: Shape, reduction: str) -> Case:
    made = case({"predict": shape, "label": shape}, dtype, {"reduction": reduction})
    if dtype == "float32" and reduction == "none":
        return replace(made, tolerance={"y": _ELEMENTWISE})
    return made


_SMALL = UNALIGNED[:-1]
CASES = unique(
    [
        _case("float16", (128,), "mean"),
        _case("float16", (48, 256), "mean"),
        _case("float32", (64, 1024), "sum"),
        _case("float16", (48, 128, 1024), "none"),
        _case("float32", (32, 1024), "sum"),
        _case("float16", (32, 512, 128), "none"),
        _case("float32", (256, 512), "mean"),
    ],
    [_case(t, s, r) for t in DTYPES for r in REDUCTIONS for s in _SMALL],
    [_case("float16", UNALIGNED[-1], r) for r in ("none", "mean")],
    [_case("float32", UNALIGNED[-1], r) for r in REDUCTIONS],
    [_case(t, TILES_OF_THREE, r) for t in DTYPES for r in ("none", "mean")],
)
QUICK = (
    _case("float16", (7, 19), "none"),
    _case("float16", (1023,), "mean"),
    _case("float32", (33,), "sum"),
    _case("float32", (63, 1031), "mean"),
    _case("float32", (3, 5, 17), "none"),
)
