"""Reductions in all forms against their oracle, whole images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tests.backends.ascend.oracles import reductions
from tests.backends.ascend.oracles.lanes import Image, Operand
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled
from tests.backends.ascend.properties.machine import IMAGE, Machine, Trial, judged, step

ORDERS = ("VALUE_INDEX", "INDEX_VALUE", "ONLY_VALUE", "ONLY_INDEX")
KINDS = {"Sum": "SUM", "Max": "MAX", "Min": "MIN"}
DTYPES = ("f16", "f32")


def image(rng: Random, dtype: str, *, calm: bool) -> Image:
    """`calm`: small values, so that sums are not all infinite or NaN; many are equal, so that ties happen."""
    made = np.zeros(IMAGE, np.uint8)
    filled(rng, made, 0, dtype)
    if calm:
        n = PART // (2 if dtype == "f16" else 4)
        drawn = (rng.integers(-50, 50, n) * rng.choice([1.0, 0.125, 3.3], n)).astype(dtype.replace("f", "float"))
        made[PART : 2 * PART] = drawn.view(np.uint8)
    else:
        filled(rng, made, PART, dtype)
    return made


def inside(rng: Random) -> Iterator[Trial]:
    """Reductions within blocks, pairs and repeats."""
    for dtype in DTYPES:
        for part, oracle in (("Whole", reductions.repeats), ("Block", reductions.data_blocks)):
            for suffix, kind in KINDS.items():
                for order in ORDERS if part == "Whole" and kind != "SUM" else ("",):
                    for _ in range(cases(2)):
                        yield trial(rng, f"{part}Reduce{suffix}", dtype, f"{kind} {order}".strip(), oracle)
        for _ in range(cases(4)):
            yield trial(rng, "PairReduceSum", dtype, "SUM", reductions.pairs)


def trial(rng: Random, name: str, dtype: str, mode: str, oracle: object) -> Trial:
    forms = ("mask", "bits", "kept_counter") if name in ("WholeReduceSum", "WholeReduceMax") else ("mask", "bits")
    call = drawn_call(rng, name, dtype, [dtype], [0, PART], forms)
    align = {"BlockReduce": 8, "PairReduce": 32}.get(name[:-3], 4 if dtype == "f16" else 8)
    align = 16 if name.startswith("Block") and dtype == "f16" else 32 if name.startswith("Block") else align
    dst = Operand(int(rng.integers(0, 9)) * max(align, 8), dtype, 1, int(rng.choice([1, 1, 2, 3])))
    call = replace(call, mode=mode, dst=dst, saturate=bool(rng.random() < 0.3))
    order = ORDERS.index(mode.split()[1]) if " " in mode else 0
    told = replace(step(replace(call, mode="")), mode=order)
    return Trial(call, told, image(rng, dtype, calm=rng.random() < 0.7), oracle)  # type: ignore[arg-type]


def test_reductions_inside_repeats(vector: Machine) -> None:
    judged(vector, list(inside(np.random.default_rng(31))))


def over_all(rng: Random) -> Iterator[Trial]:
    for dtype in DTYPES:
        for suffix, kind in KINDS.items():
            for form in ("count", "mask", "bits"):
                for _ in range(cases(3)):
                    call = drawn_call(rng, f"Reduce{suffix}", dtype, [dtype], [0, PART], (form,))
                    extra = int(kind != "SUM" and rng.random() < 0.5)
                    source = replace(call.src[0], block=1)
                    dst = Operand(int(rng.integers(0, 9)) * 8, dtype)
                    call = replace(
                        call, mode=kind, extra=extra, dst=dst, src=(source,), saturate=bool(rng.random() < 0.3)
                    )
                    told = replace(step(replace(call, mode="")), at=(dst.at, source.at, 2 * PART, 3 * PART))
                    made = image(rng, dtype, calm=rng.random() < 0.7)
                    yield Trial(call, told, made, reductions.whole_sum if kind == "SUM" else reductions.whole_extreme)


def test_reductions_of_everything(vector: Machine) -> None:
    judged(vector, list(over_all(np.random.default_rng(32))), scratch=(3 * PART, IMAGE))
