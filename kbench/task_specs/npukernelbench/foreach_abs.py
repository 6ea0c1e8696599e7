"""ForeachAbs: y[i] = |x[i]| for every tensor of a list."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, floats
from kbench.task_specs.numerics import LARGEST, TINY
from kbench.task_specs.shapes import TILES_OF_TWO, case, unique

DTYPES = ("float16", "bfloat16", "float32")


def behavior(case: Case, inputs: Values) -> Values:
    return {"y": [np.abs(x) for x in inputs["x"]]}  # type: ignore[union-attr]


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    dtype = case.dtypes["T"]
    edges = (0.0, -0.0, SUBNORMAL[dtype], -SUBNORMAL[dtype], LARGEST[dtype], -LARGEST[dtype], np.inf, -np.inf, np.nan)
    return {"x": [floats(rng, shape, dtype, edges) for shape in case.shapes["x"]]}  # type: ignore[arg-type,union-attr]


def _case(dtype: str, *shapes: Shape) -> Case:
    return case({"x": list(shapes)}, dtype)


TASK = Task(
    name="ForeachAbs",
    summary="The absolute value of every element of every tensor in a list.",
    formula="y[i] = |x[i]|",
    level=2,
    category="Foreach",
    tensors=(Tensor("x", is_list=True), Tensor("y", "out", is_list=True)),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {t: Tolerance(TINY[t] / 2, 0.0, "clearing the sign is exact; the sign of zero is free") for t in DTYPES}
    },
)

_LONG = (1024, 512, 128)
_IMAGE = (1, 3, 224, 224)
_PUBLISHED: tuple[tuple[Shape, ...], ...] = (
    ((1,),),
    ((512, 3),),
    (_IMAGE,),
    ((1,), (15,)),
    ((512, 3), _LONG, (24, 1023)),
    ((1,), (15,), (512, 3), _LONG, _IMAGE, (24, 1023)),
)
_OURS: tuple[tuple[Shape, ...], ...] = (
    ((7,), (33,), (3, 5, 17)),
    tuple((n,) for n in range(1, 41)),
    ((17, 4099), (1,), (1023,), (24, 1023)),
    (TILES_OF_TWO, (1,), (33,)),
)
CASES = unique([_case(t, *shapes) for t in DTYPES for shapes in (*_PUBLISHED, *_OURS)])
QUICK = (
    _case("float16", (4, 256), (7,)),
    _case("bfloat16", (3, 5, 17), (1,), (33,)),
    _case("float32", (1,), (31, 1031), (129,)),
    _case("float16", *((n,) for n in range(1, 18))),
)
