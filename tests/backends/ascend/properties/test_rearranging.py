"""Filling, gathering and transposing against their oracle, whole images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tests.backends.ascend.oracles import elementwise, rearranging
from tests.backends.ascend.oracles.lanes import Call, Image, Operand
from tests.backends.ascend.oracles.numbers import DTYPES, is_float
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled, operand, values
from tests.backends.ascend.properties.machine import IMAGE, Machine, Trial, judged, step

MOVED = ("i16", "u16", "f16", "bf16", "i32", "u32", "f32")


def image(rng: Random, *dtypes: str) -> Image:
    made = np.zeros(IMAGE, np.uint8)
    for part, dtype in enumerate(dtypes):
        filled(rng, made, part * PART, dtype)
    return made


def number(rng: Random, dtype: str) -> float | int:
    value = values(rng, dtype, 1)[0]
    return float(value) if is_float(dtype) else int(value)


def fillings(rng: Random) -> Iterator[Trial]:
    for dtype in MOVED:
        for _ in range(cases(4)):
            call = replace(drawn_call(rng, "Duplicate", dtype, [], [0]), scalar=number(rng, dtype))
            yield Trial(call, step(call), image(rng, dtype), elementwise.run)
    for dtype in ("i16", "f16", "i32", "f32"):
        for _ in range(cases(3)):
            call = drawn_call(rng, "CreateVecIndex", dtype, [], [0], ("count", "mask", "bits", "counter"))
            first = int(rng.integers(-100, 100)) * (0.5 if is_float(dtype) and rng.random() < 0.3 else 1)
            call = replace(call, scalar=first)
            yield Trial(call, step(call), image(rng, dtype), rearranging.vector_index)
    for dtype in MOVED:
        for _ in range(cases(3)):
            repeats = int(rng.integers(1, 6))
            dst = operand(rng, dtype, 0, 256 // DTYPES[dtype].itemsize, repeats, writes=True)
            call = Call(
                "Brcb", "mask", repeats=repeats, dst=dst, src=(Operand(PART + 32 * int(rng.integers(9)), dtype),)
            )
            yield Trial(call, step(call), image(rng, dtype, dtype), rearranging.brcb)


def test_fillings(vector: Machine) -> None:
    judged(vector, list(fillings(np.random.default_rng(51))))


def gatherings(rng: Random) -> Iterator[Trial]:
    for dtype in MOVED:
        size = DTYPES[dtype].itemsize
        for _ in range(cases(3)):
            call = drawn_call(rng, "Gather", dtype, [], [0], ("count", "mask", "bits"))
            base = int(rng.integers(0, 20)) * size
            blocks = replace(call.dst, block=1, repeat=8 + int(rng.integers(0, 3)))
            call = replace(call, dst=blocks, src=(Operand(PART, dtype), Operand(2 * PART, "u32")), extra=base)
            made = image(rng, dtype, dtype)
            offsets = rng.integers(0, PART // size - 30, PART // 4) * size
            made[2 * PART : 3 * PART] = offsets.astype(np.uint32).view(np.uint8)
            yield Trial(call, step(replace(call, src=(call.src[0], call.src[1]))), made, rearranging.gather)
    for _ in range(cases(6)):
        repeats = int(rng.integers(1, 6))
        block = int(rng.choice([0, 1, 2]))
        dst = Operand(32 * int(rng.integers(9)), "u32", block, 8 * max(block, 1) + int(rng.integers(0, 3)))
        call = Call("Gatherb", "mask", repeats=repeats, dst=dst, src=(Operand(PART, "u32"), Operand(2 * PART, "u32")))
        made = image(rng, "u32", "u32")
        offsets = rng.integers(0, PART // 32, PART // 4) * 32
        made[2 * PART : 3 * PART] = offsets.astype(np.uint32).view(np.uint8)
        yield Trial(call, step(call), made, rearranging.gatherb)


def test_gatherings(vector: Machine) -> None:
    judged(vector, list(gatherings(np.random.default_rng(52))))


def compressions(rng: Random) -> Iterator[Trial]:
    """GatherMask: built-in patterns and patterns of the user's, whole repeats and counted ones."""
    for dtype in MOVED:
        bits = "u16" if DTYPES[dtype].itemsize == 2 else "u32"
        for own in (False, True):
            for counted in (False, True):
                for _ in range(cases(2)):
                    repeats = int(rng.integers(1, 4))
                    per = int(rng.integers(1, 300)) if counted else 0
                    block, repeat = int(rng.choice([1, 1, 2])), int(rng.choice([8, 0, 3, 9]))
                    source = Operand(PART + 32 * int(rng.integers(5)), dtype, block, repeat)
                    pattern = Operand(2 * PART + 32 * int(rng.integers(5)), bits, 1, int(rng.choice([0, 1, 2])))
                    call = Call(
                        "GatherMaskUser" if own else "GatherMask",
                        "mask",
                        repeats=repeats,
                        mask=per,
                        dst=Operand(32 * int(rng.integers(5)), dtype),
                        src=(source, pattern),
                        extra=0 if own else int(rng.integers(1, 8)),
                    )
                    told = replace(step(call), mode=int(counted), at=(call.dst.at, source.at, pattern.at, 3 * PART))
                    told = replace(told, repeat=(8, source.repeat, pattern.repeat))
                    yield Trial(call, told, image(rng, dtype, dtype, bits), _compressed)


def _compressed(call: Call, before: Image) -> None:
    kept = rearranging.gather_mask(call, before)
    before[3 * PART : 3 * PART + 4] = np.array([kept], np.uint32).view(np.uint8)


def test_compressions(vector: Machine) -> None:
    judged(vector, list(compressions(np.random.default_rng(53))))


def dequantizations(rng: Random) -> Iterator[Trial]:
    """int16 to eight bits, into the lower (signed here) or the upper half of each block."""
    for to in ("i8", "u8"):
        for _ in range(cases(4)):
            call = drawn_call(rng, "CastDequant", to, ["i16"], [0, PART], ("count",))
            scale, offset = float(rng.choice([1.0, 0.37, 2.5, 2.0**-6])), int(rng.integers(-200, 200))
            call = replace(call, scalar=scale, extra=offset)
            told = step(call, "CastDeq", scalar_type="f32")
            yield Trial(call, told, image(rng, to, "i16"), _dequantized)


def _dequantized(call: Call, before: Image) -> None:
    """Sixteen elements to a block of 32 bytes, in the half that the driver asks for: the lower one for int8."""
    n = call.count
    i = np.arange(n)
    x = before[call.src[0].at : call.src[0].at + 2 * n].view(np.int16)
    values_ = elementwise.OPERATIONS["CastDequant"](call, [x], x)
    places = call.dst.at + i // 16 * 32 + i % 16 + (0 if call.dst.dtype == "i8" else 16)
    before[places] = values_.view(np.uint8)


def test_dequantizations(vector: Machine) -> None:
    judged(vector, list(dequantizations(np.random.default_rng(54))))
