"""Masks, strides, counter mode and overlaps drawn at random: what each lane reads and writes, repeat by repeat."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.test_vec_lanes import compare, image_of
from tests.backends.ascend.sim.vec_steps import ROUND, Step, widest

OPS = [
    ("Add", "f32", ""),
    ("Sub", "f16", ""),
    ("Mul", "i16", ""),
    ("Muls", "f32", ""),
    ("Relu", "i32", ""),
    ("MulAddDst", "f16", "f32"),
    ("FusedMulAdd", "f16", ""),
    ("Duplicate", "u16", ""),
    ("Cast", "f16", "f32"),
    ("Cast", "f32", "f16"),
    ("Cast", "i8", "f16"),
    ("Cast", "i32", "i64"),
    ("Cast", "i64", "f32"),
]


def draw(rng: np.random.Generator) -> Step:
    op, type_, to = OPS[int(rng.integers(len(OPS)))]
    lanes = 2048 // widest(Step(op, type_, to))
    form = str(rng.choice(["first", "bits", "keep_bits", "counter", "keep_counter"]))
    repeats = int(rng.integers(1, 6))
    if "bits" in form:
        words = rng.integers(0, 1 << 63, 2, dtype=np.uint64)
        low = int(words[0]) & ((1 << min(lanes, 64)) - 1)
        mask = (low, int(words[1]) if lanes == 128 else 0)
    else:
        mask = (int(rng.integers(0, lanes + 1) if form == "first" else rng.integers(0, 5 * lanes)), 0)
    plain = rng.random() < 0.3
    return Step(
        op,
        type_,
        to,
        form=form,
        repeats=repeats,
        mask=mask,
        scalar=3,
        mode=ROUND["RINT"] if (type_, to) == ("i64", "f32") else ROUND["NONE"],
        at=tuple(int(x) * 32 for x in rng.integers(0, 600, 4)),  # type: ignore[arg-type]
        block=(1, 1, 1) if plain else tuple(int(x) for x in (rng.integers(1, 4), *rng.integers(0, 4, 2))),  # type: ignore[arg-type]
        repeat=tuple(int(x) for x in rng.integers(0, 13, 3)),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("seed", range(8))
def test_random_forms(vec: VecMachine, seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    steps = [draw(rng) for _ in range(64)]
    compare(vec, steps, np.stack([image_of(s.type if s.type != "i4" else "f16", rng) for s in steps]))
