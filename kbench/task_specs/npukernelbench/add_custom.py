"""AddCustom: z = x + y."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Case, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, normals, scatter
from kbench.task_specs.numerics import LARGEST, TINY, UNIT, rounded, wide
from kbench.task_specs.shapes import TILES_OF_THREE, binary, odd, shape_of, unique

DTYPE = "float16"


def behavior(case: Case, inputs: Values) -> Values:
    with np.errstate(invalid="ignore"):
        return {"z": rounded(wide(inputs["x"]) + wide(inputs["y"]), DTYPE)}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"z": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Overflow, opposite infinities, cancellation, subnormals, and a sum halfway between two values."""
    x, y = normals(rng, shape_of(case, "x")), normals(rng, shape_of(case, "y"))
    largest, small = LARGEST[DTYPE], SUBNORMAL[DTYPE]
    pairs = [
        (largest, largest),
        (-largest, -64.0),
        (np.inf, -np.inf),
        (np.inf, 1.0),
        (np.nan, 1.0),
        (1.5, -1.5),
        (0.0, -0.0),
        (small, small),
        (small, -2 * small),
        (2048.0, 1.0),
        (2050.0, 1.0),
    ]
    scatter(rng, [x, y], [[a for a, _ in pairs], [b for _, b in pairs]])
    return {"x": rounded(x, DTYPE), "y": rounded(y, DTYPE)}


TASK = Task(
    name="AddCustom",
    summary="Adds two tensors of the same shape, element by element.",
    formula="z = x + y",
    level=1,
    category="Math",
    tensors=(Tensor("x"), Tensor("y"), Tensor("z", "out")),
    dtypes=({"T": DTYPE},),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "z": {DTYPE: Tolerance(TINY[DTYPE], 2 * UNIT[DTYPE], "one unit in the last place: the sum is rounded once")}
    },
)

PUBLISHED = [(DTYPE, s) for s in [(48, 128, 512), (96, 64, 1024), (32, 32, 768), (48, 32, 4096), (48, 8192)]]
CASES = unique(binary(PUBLISHED, "x", "y"), binary(odd([DTYPE]), "x", "y"), binary([(DTYPE, TILES_OF_THREE)], "x", "y"))
QUICK = binary([(DTYPE, (4, 256)), (DTYPE, (7,)), (DTYPE, (3, 5, 17)), (DTYPE, (63, 1031))], "x", "y")
