"""Equal: y = (x1 == x2)."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, floats, integers, scatter
from kbench.task_specs.shapes import TILES_OF_THREE, UNALIGNED, binary, odd, shape_of, unique

FLOATS = ("float16", "bfloat16", "float32")
INTEGERS = ("int32", "int8", "uint32", "uint8")
DTYPES = (*FLOATS, *INTEGERS)


def behavior(case: Case, inputs: Values) -> Values:
    with np.errstate(invalid="ignore"):
        return {"y": np.equal(np.asarray(inputs["x1"]), np.asarray(inputs["x2"]))}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x1"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """About half of the elements are equal, scattered; most of the others are neighbours by one unit."""
    dtype, shape = case.dtypes["T"], shape_of(case, "x1")
    pick = _floats if dtype in FLOATS else _integers
    x1, x2 = pick(rng, shape, dtype)
    return {"x1": x1, "x2": x2}


def _floats(rng: np.random.Generator, shape: Shape, dtype: str) -> tuple[Array, Array]:
    x1 = floats(rng, shape, dtype, (0.0, SUBNORMAL[dtype]))
    bits = f"u{x1.dtype.itemsize}"
    x2 = (x1.view(bits) + _steps(rng, shape).astype(bits)).view(x1.dtype)
    small = SUBNORMAL[dtype]
    pairs = [(0.0, -0.0), (np.inf, np.inf), (np.inf, -np.inf), (np.nan, np.nan), (np.nan, 1.0), (small, -small)]
    pairs += [(small, small), (small, 0.0), (np.inf, 1.0)]
    scatter(rng, [x1, x2], [[a for a, _ in pairs], [b for _, b in pairs]])
    return x1, x2


def _integers(rng: np.random.Generator, shape: Shape, dtype: str) -> tuple[Array, Array]:
    """Also values that float32 cannot tell apart, and the extremes against each other (their difference wraps)."""
    x1 = integers(rng, shape, dtype)
    x2 = (x1 + _steps(rng, shape).astype(x1.dtype)).astype(x1.dtype)
    info = np.iinfo(x1.dtype)
    pairs = [(info.min, info.max), (info.max, info.max), (info.min, info.min), (info.max, info.max - 1), (0, info.min)]
    scatter(rng, [x1, x2], [[a for a, _ in pairs], [b for _, b in pairs]])
    return x1, x2


def _steps(rng: np.random.Generator, shape: Shape) -> Array:
    """0 for half of the elements, else 1 to 3."""
    return np.where(rng.random(shape) < 0.5, 0, rng.integers(1, 4, shape))


TASK = Task(
    name="Equal",
    summary="Whether the elements of two tensors of one shape are equal; NaN equals nothing, +0 equals -0.",
    formula="y = (x1 == x2)",
    level=1,
    category="Comparison",
    tensors=(Tensor("x1"), Tensor("x2"), Tensor("y", "out", "bool")),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={"y": {"bool": Tolerance(0.0, 0.0, "a comparison is exact")}},
)

PUBLISHED = [
    ("float16", (4, 3)),
    ("float32", (4, 1, 5)),
    ("float32", (32, 64, 128)),
    ("bfloat16", (128, 512)),
    ("float16", (32, 64, 512)),
    ("float32", (512, 2048)),
    ("int8", (1024, 2048)),
    ("uint8", (16, 32, 512)),
    ("int32", (4, 128)),
]
CASES = unique(binary(PUBLISHED, "x1", "x2"), binary(odd(DTYPES, (*UNALIGNED, TILES_OF_THREE)), "x1", "x2"))
QUICK = binary([
    ("float16", (4, 256)),
    ("bfloat16", (3, 5, 17)),
    ("float32", (63, 1031)),
    ("int32", (33,)),
    ("int8", (1023,)),
    ("uint32", (255,)),
    ("uint8", (515,)),
], "x1", "x2")  # fmt: skip
