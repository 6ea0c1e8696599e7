"""Compare, Select and Copy against their oracles, whole images."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tests.backends.ascend.oracles import compares
from tests.backends.ascend.oracles.lanes import Call, Image, Operand
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled, operand, values
from tests.backends.ascend.properties.machine import IMAGE, Machine, Trial, judged, step

MODES = ("LT", "GT", "EQ", "LE", "GE", "NE")


def image(rng: Random, *dtypes: str) -> Image:
    made = np.zeros(IMAGE, np.uint8)
    for part, dtype in enumerate(dtypes):
        filled(rng, made, part * PART, dtype)
    return made


def alike(rng: Random, made: Image, call: Call) -> None:
    """Every third element of the second source becomes the first's, so that equality happens."""
    size = 4 if call.src[0].dtype in ("f32", "i32") else 2
    for i in range(0, 1024, 3):
        at = i * size
        made[call.src[1].at + at :][:size] = made[call.src[0].at + at :][:size]


def compare_trials(rng: Random) -> Iterator[Trial]:
    for dtype, modes in (("f16", MODES), ("f32", MODES), ("i32", ("EQ",))):
        for mode in modes:
            for name, sources in (("Compare", 2), ("CompareScalar", 1)):
                for _ in range(cases(2)):
                    call = drawn_call(rng, name, dtype, [dtype] * sources, [0, PART, 2 * PART], ("count", "mask"))
                    count = call.repeats * call.lanes if rng.random() < 0.7 else call.count // call.lanes * call.lanes
                    scalar = values(rng, dtype, 1)[0]
                    call = replace(
                        call,
                        mode=mode,
                        count=count or call.lanes,
                        dst=Operand(int(rng.integers(0, 9)) * 32, "u8"),
                        src=tuple(replace(s, at=s.at) for s in call.src),
                        scalar=int(scalar) if dtype == "i32" else float(scalar),
                    )
                    made = image(rng, "u8", dtype, dtype)
                    if sources == 2:
                        alike(rng, made, call)
                    told = step(call, type=dtype, to="", scalar_type=dtype)
                    yield Trial(replace(call, name=name), told, made, lanes_of_source(compares.compare))


def lanes_of_source(oracle: Callable[[Call, Image], object]) -> Callable[[Call, Image], object]:
    """The bits that are written have no lanes of their own: repeats are counted by the sources."""

    def run(call: Call, before: Image) -> object:
        return oracle(replace(call, dst=Operand(call.dst.at, call.src[0].dtype)), before)

    return run


def test_compare(vector: Machine) -> None:
    judged(vector, list(compare_trials(np.random.default_rng(21))))


def select_trials(rng: Random) -> Iterator[Trial]:
    forms = ("count", "mask", "bits", "counter")
    for dtype in ("f16", "f32"):
        for mode, sources in (("0", 2), ("1", 1), ("2", 2)):
            for _ in range(cases(4)):
                call = drawn_call(rng, "Select", dtype, [dtype] * sources, [0, PART, 2 * PART], forms)
                bits = Operand(3 * PART + int(rng.integers(0, 9)) * 32, "u8")
                scalar = float(values(rng, dtype, 1)[0])
                call = replace(call, mode=mode, scalar=scalar)
                told = replace(step(call, "Select" if sources == 2 else "SelectScalar"), mode=int(mode))
                told = replace(told, at=(*told.at[:3], bits.at))
                made = image(rng, dtype, dtype, dtype, "u8")
                yield Trial(replace(call, src=(bits, *call.src)), told, made, compares.select)


def test_select(vector: Machine) -> None:
    judged(vector, list(select_trials(np.random.default_rng(22))))


def register_trials(rng: Random, dtype: str) -> Iterator[Trial]:
    """Compare into the register, store it, select by it."""
    lanes = 128 if dtype == "f16" else 64
    for mode in MODES:
        dst = operand(rng, dtype, 0, lanes, 1, writes=True)
        src = tuple(operand(rng, dtype, at, lanes, 1, writes=False) for at in (PART, 2 * PART))
        call = Call("CmpRegister", "mask", mask=lanes, dst=dst, src=src, mode=mode)
        told = replace(step(call), at=(dst.at, src[0].at, src[1].at, 3 * PART))
        made = image(rng, dtype, dtype, dtype, "u8")
        alike(rng, made, call)
        yield Trial(call, told, made, _register)


def _register(call: Call, before: Image) -> None:
    bits = Operand(3 * PART, call.src[0].dtype)
    compares.compare(replace(call, repeats=1, dst=bits), before)
    compares.select(replace(call, mode="0", src=(replace(bits, dtype="u8"), *call.src)), before)


def test_the_comparison_register(vector: Machine) -> None:
    """128 bits are stored; of the 64 that a comparison of floats does not write nothing is documented."""
    judged(vector, list(register_trials(np.random.default_rng(23), "f16")))
    judged(vector, list(register_trials(np.random.default_rng(24), "f32")), scratch=(3 * PART + 8, 3 * PART + 16))
