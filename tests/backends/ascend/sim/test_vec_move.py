"""Operations that place elements: Brcb, CreateVecIndex, Gather, Gatherb, GatherMask."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.kernels import build
from tests.backends.ascend.sim.vec_steps import (
    DST,
    IMAGE,
    NUMPY,
    SRC0,
    SRC1,
    WORK,
    Step,
    bits_of,
    canonical,
    lanes_of,
    places,
    put,
    take,
)  # fmt: skip

MOVABLE = ("f16", "bf16", "f32", "i16", "u16", "i32", "u32")


def random_image(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, IMAGE, dtype=np.uint8)


@pytest.mark.parametrize("type_", MOVABLE)
def test_brcb(vec: VecMachine, type_: str) -> None:
    size = bits_of(type_) // 8
    steps = [
        Step("Brcb", type_, repeats=n, block=(b, 1, 1), repeat=(r, 8, 8))
        for n, b, r in ((1, 1, 8), (5, 1, 8), (3, 2, 17))
    ]
    images = np.stack([random_image(k) for k in range(len(steps))])
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        for r in range(step.repeats):
            for b in range(8):
                element = image[SRC0 + (8 * r + b) * size :][:size]
                want[DST + (r * step.repeat[0] + b * step.block[0]) * 32 :][:32] = np.tile(element, 32 // size)
        assert np.array_equal(want, out), step


@pytest.mark.parametrize("type_", ["f16", "f32", "i16", "i32"])
def test_create_vec_index(vec: VecMachine, type_: str) -> None:
    lanes = 2048 // bits_of(type_)
    steps = [
        Step("CreateVecIndex", type_, repeats=2 * lanes + 3, scalar=7),
        Step(
            "CreateVecIndex",
            type_,
            form="first",
            repeats=3,
            mask=(lanes - 1, 0),
            scalar=-2,
            block=(1, 1, 1),
            repeat=(9, 8, 8),
        ),
        Step("CreateVecIndex", type_, form="bits", repeats=2, mask=(0x1111, 0), scalar=0),
    ]
    images = np.stack([random_image(k) for k in range(len(steps))])
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        for r, on in enumerate(lanes_of(step, lanes)):
            values = (float(step.scalar) + r * lanes + on).astype(NUMPY[type_])
            put(want, places(step, 0, bits_of(type_), lanes, r, on), canonical(values))
        assert np.array_equal(want, out), step


@pytest.mark.parametrize("type_", MOVABLE)
def test_gather(vec: VecMachine, type_: str) -> None:
    size = bits_of(type_) // 8
    lanes = 256 // size
    base = 64
    steps = [
        Step("Gather", type_, repeats=3 * lanes + 1, extra=base),
        Step("Gather", type_, form="first", repeats=2, mask=(lanes - 7, 0), extra=base, repeat=(10, 8, 8)),
        Step("Gather", type_, form="bits", repeats=2, mask=(0xF00F, 0), extra=base),
    ]
    rng = np.random.default_rng(13)
    images = np.stack([random_image(k) for k in range(len(steps))])
    offsets = (rng.integers(0, 4000, 1024) * size).astype(np.uint32)
    images[:, SRC1 : SRC1 + 4096] = offsets.view(np.uint8)
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        for r, on in enumerate(lanes_of(step, lanes)):
            from_ = SRC0 + base + offsets[r * lanes + on].astype(np.int64)
            put(want, places(step, 0, 8 * size, lanes, r, on), take(image, from_, NUMPY[type_]))
        assert np.array_equal(want, out), step


def test_gather_beyond_the_unified_buffer(vec: VecMachine) -> None:
    image = np.zeros((1, IMAGE), np.uint8)
    image[0, SRC1 : SRC1 + 4] = np.array([1 << 20], np.uint32).view(np.uint8)
    with pytest.raises(RunError, match="Gather: src"):
        vec.run([Step("Gather", "f32", repeats=8)], image)


def test_gatherb(vec: VecMachine) -> None:
    steps = [Step("Gatherb", "u32", repeats=3, block=(b, 1, 1), repeat=(r, 8, 8)) for b, r in ((1, 8), (0, 8), (2, 16))]
    images = np.stack([random_image(k) for k in range(3)])
    blocks = np.random.default_rng(14).integers(0, 300, 24).astype(np.uint32) * 32
    images[:, SRC1 : SRC1 + 96] = blocks.view(np.uint8)
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        for k, offset in enumerate(blocks):
            at = DST + (k // 8 * step.repeat[0] + k % 8 * max(step.block[0], 1)) * 32
            want[at : at + 32] = image[SRC0 + offset :][:32]
        assert np.array_equal(want, out), step


@pytest.mark.parametrize("pattern", range(1, 8))
@pytest.mark.parametrize("type_", ["f16", "u32", "bf16"])
def test_gather_mask_built_in(vec: VecMachine, type_: str, pattern: int) -> None:
    size = bits_of(type_) // 8
    lanes = 256 // size
    steps = [
        Step("GatherMask", type_, repeats=4, extra=pattern, mask=(0, 0)),
        Step("GatherMask", type_, repeats=3, extra=pattern, mode=1, mask=(lanes // 2 + 5, 0), repeat=(8, 16, 0)),
        Step("GatherMask", type_, repeats=1, extra=pattern, mode=1, mask=(3 * lanes + 1, 0)),
    ]
    images = np.stack([random_image(k) for k in range(len(steps))])
    got, _ = vec.run(steps, images)
    index = np.arange(4096)
    keep = {1: index % 2 == 0, 2: index % 2 == 1, 7: index >= 0}.get(pattern, index % 4 == pattern - 3)
    for step, image, out in zip(steps, images, got, strict=True):
        n = step.mask[0] if step.mode else lanes
        kept = [
            image[SRC0 + r * step.repeat[1] * 32 :][: n * size].reshape(n, size)[keep[:n]] for r in range(step.repeats)
        ]
        all_kept = np.concatenate(kept)
        assert np.array_equal(out[DST : DST + all_kept.size], all_kept.reshape(-1)), step
        assert np.array_equal(out[DST + all_kept.size : SRC0], image[DST + all_kept.size : SRC0]), step
        assert int(out[WORK : WORK + 4].view(np.int32)[0]) == len(all_kept)


@pytest.mark.parametrize("type_", ["i16", "f32"])
def test_gather_mask_with_a_tensor_of_bits(vec: VecMachine, type_: str) -> None:
    size = bits_of(type_) // 8
    step = Step("GatherMaskUser", type_, repeats=2, mode=1, mask=(500, 0), repeat=(8, 80, 4))
    image = random_image(20)
    got, _ = vec.run([step], image[None])
    kept = []
    for r in range(2):
        bits = np.unpackbits(image[SRC1 + r * 128 :][:64], bitorder="little")[:500].astype(bool)
        kept.append(image[SRC0 + r * 80 * 32 :][: 500 * size].reshape(500, size)[bits])
    all_kept = np.concatenate(kept).reshape(-1)
    assert np.array_equal(got[0, DST : DST + len(all_kept)], all_kept)


_TRANSPOSE = (
    "TPipe p; TBuf<> b; p.InitBuffer(b, 16384); auto a = b.Get<float>(); auto d = a[1024]; DataCopy(a, xg, 512); "
    "Duplicate(d, 0.0f, 512); PipeBarrier<PIPE_ALL>(); {work} PipeBarrier<PIPE_ALL>(); DataCopy(yg, d, 512);"
)
_LISTS = (
    "LocalTensor<{t}> to[16], from[16]; for (int i = 0; i < 16; ++i) {{ to[i] = D[i * {n}]; from[i] = A[i * {n}]; }} "
)


def test_transposes(tmp_path: Path) -> None:
    views = "auto D = d.ReinterpretCast<{t}>(); auto A = a.ReinterpretCast<{t}>(); "
    half = (
        views.format(t="half")
        + _LISTS.format(t="half", n=32)
        + "TransDataTo5HD(to, from, TransDataTo5HDParams(false, false, 2, 1, 1));"
    )
    byte = (
        views.format(t="int8_t")
        + _LISTS.format(t="int8_t", n=32)
        + "TransDataTo5HD(to, from, TransDataTo5HDParams(true, false, 1, 0, 0));"
    )
    wide = (
        "uint64_t to[16], from[16]; for (int i = 0; i < 16; ++i) { to[i] = d[i * 8].GetPhyAddr(); "
        "from[i] = a[i * 8].GetPhyAddr(); } TransDataTo5HD<float>(to, from, TransDataTo5HDParams());"
    )
    raw = (
        "float *to[16], *from[16]; for (int i = 0; i < 16; ++i) { to[i] = (float*)d.GetPhyAddr() + i * 8; "
        "from[i] = (float*)a.GetPhyAddr() + i * 8; } TransDataTo5HDImpl(to, from, TransDataTo5HDParams());"
    )
    square = views.format(t="uint16_t") + "Transpose(D, A);"
    probe = build([_TRANSPOSE.format(work=w) for w in (half, byte, wide, raw, square)], tmp_path)
    x = np.random.default_rng(16).integers(0, 256, 4080, dtype=np.uint8).view(np.float32)
    got = [probe.run(i, blocks=1, x=x).outputs[0][:2048] for i in range(5)]
    words, bytes_ = x.view(np.uint16)[:512].reshape(16, 2, 16), x.view(np.uint8)[:512].reshape(16, 32)
    assert np.array_equal(got[0][:1024].view(np.uint16).reshape(16, 2, 16), words.transpose(2, 1, 0))
    assert np.array_equal(got[1][:512].reshape(16, 32)[:, 16:], bytes_[:, :16].T)
    assert not got[1][:512].reshape(16, 32)[:, :16].any()
    floats = x.view(np.uint32)[:128].reshape(16, 8)
    assert np.array_equal(got[2][:512].view(np.uint32).reshape(8, 16), floats.T)
    assert np.array_equal(got[3], got[2])
    assert np.array_equal(got[4][:512].view(np.uint16).reshape(16, 16), x.view(np.uint16)[:256].reshape(16, 16).T)


def test_copy_in_counter_mode_counts_the_elements_of_a_repeat(tmp_path: Path) -> None:
    """Unlike every other operation: the page of Copy says that the mask is a repeat's and that repeatTime counts."""
    work = (
        "SetMaskCount(); SetVectorMask<float, MaskMode::COUNTER>({mask}); "
        "Copy<float, false>(d, a, MASK_PLACEHOLDER, {repeats}, {strides}); SetMaskNorm(); ResetMask();"
    )
    rows = work.format(mask=100, repeats=3, strides="{1, 1, 13, 16}")
    spread = work.format(mask=24, repeats=2, strides="{2, 0, 8, 1}")
    probe = build([_TRANSPOSE.format(work=w) for w in (rows, spread)], tmp_path)
    x = np.arange(1020, dtype=np.float32)
    got = [probe.run(i, blocks=1, x=x).outputs[0][:2048].view(np.float32) for i in range(2)]
    expected = np.zeros((2, 512), np.float32)
    for r in range(3):
        expected[0, r * 104 :][:100] = x[r * 128 :][:100]
    for r in range(2):
        for block in range(3):
            expected[1, r * 64 + block * 16 :][:8] = x[r * 8 :][:8]
    assert np.array_equal(got, expected)
