"""Cases from shapes: names, the published ones, and lengths that no block or repeat divides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from kbench.core.task import Case, Shape, Shapes

#: One element, less than a block, a block and one, an odd product, a prime-like tail, and enough for every core with an
#: odd rest.
UNALIGNED: tuple[Shape, ...] = ((1,), (7,), (33,), (3, 5, 17), (1023,), (17, 4099))
#: Several tiles for every core and an odd rest, also for a kernel that fills the cores' own memories. With it an
#: operator of two tensors, input and output, or of three stays within the default budget of elements.
TILES_OF_TWO: Shape = (1019, 2053)
TILES_OF_THREE: Shape = (677, 2053)


def case(
    shapes: Mapping[str, Shapes],
    dtype: str,
    attrs: Mapping[str, Any] | None = None,
    values: Mapping[str, Sequence[int]] | None = None,
) -> Case:
    """A case of a task with one dtype variable `T`, named by what it binds: `float16_48x128`, `float32_33_mean`."""
    sized = [*(values or {}).values()] or _distinct(shapes.values())
    parts = [dtype, *map(_dims, sized), *(f"{v:g}" if isinstance(v, float) else str(v) for v in (attrs or {}).values())]
    return Case("_".join(parts), shapes, {"T": dtype}, attrs or {}, values or {})


def shape_of(case: Case, name: str) -> Shape:
    """The shape that a case gives to a tensor that is no list and is present."""
    return cast(Shape, case.shapes[name])


def unary(rows: Iterable[tuple[str, Shape]], name: str = "x") -> tuple[Case, ...]:
    """Cases of an operator with one tensor `name`: (dtype, shape)."""
    return tuple(case({name: shape}, dtype) for dtype, shape in rows)


def binary(rows: Iterable[tuple[str, Shape]], first: str, second: str) -> tuple[Case, ...]:
    """Cases of an operator with two tensors of one shape: (dtype, shape)."""
    return tuple(case({first: shape, second: shape}, dtype) for dtype, shape in rows)


def odd(dtypes: Iterable[str], shapes: Iterable[Shape] = UNALIGNED) -> list[tuple[str, Shape]]:
    """Every dtype with every one of `shapes`."""
    sizes = tuple(shapes)
    return [(dtype, shape) for dtype in dtypes for shape in sizes]


def unique(*groups: Iterable[Case]) -> tuple[Case, ...]:
    """The groups' cases in order; a case that two groups name comes once."""
    return tuple({c.name: c for group in groups for c in group}.values())


def _distinct(shapes: Iterable[Shapes]) -> list[Any]:
    kept: list[Any] = []
    for shape in shapes:
        if shape is not None and shape not in kept:
            kept.append(shape)
    return kept


def _dims(shape: Any) -> str:
    if isinstance(shape, list):
        return "+".join(_dims(s) for s in shape) if len(shape) <= 6 else f"{len(shape)}_tensors"
    return "x".join(str(d) for d in shape) or "scalar"
