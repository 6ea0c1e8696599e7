"""Copies between global memory and the unified buffer against their oracle: both memories, whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, run_kernel
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from tests.backends.ascend.oracles import moves
from tests.backends.ascend.oracles.lanes import BLOCK, Image
from tests.backends.ascend.oracles.moves import Copy, ceil32
from tests.backends.ascend.oracles.numbers import DTYPES
from tests.backends.ascend.properties.conftest import DRIVERS
from tests.backends.ascend.properties.draws import Random, cases, filled
from tests.backends.ascend.properties.machine import Machine, built

IMAGE = 16 * 1024
HALF = IMAGE // 2
OPS = (
    "in_count", "in_blocks", "in_pad", "in_pad_old", "in_pad_register", "out_count", "out_blocks", "out_pad",
    "out_pad_old", "inside_count", "inside_blocks", "in_blocks_raw", "out_blocks_raw", "inside_blocks_raw",
    "in_pad_raw", "out_pad_raw", "add", "max", "min", "add_raw", "max_raw", "min_raw", "add_type", "max_type",
    "min_type",
)  # fmt: skip
TYPES = ("u8", "f16", "f32", "i64", "i8", "i16", "i32", "bf16")
BY_REGISTER = ("in_pad_register", "in_pad_raw")
ATOMIC = ("i8", "i16", "f16", "bf16", "i32", "f32")


@dataclass(frozen=True)
class Move:
    """One copy as the driver is told of it, the two memories before, and its oracle's description."""

    op: str
    dtype: str
    copy: Copy
    words: tuple[int, ...]
    ub: Image
    gm: Image

    def pack(self) -> np.ndarray:
        words = np.zeros(24, np.int64)
        words[: len(self.words) + 2] = [OPS.index(self.op), TYPES.index(self.dtype), *self.words]
        return words

    def after(self) -> tuple[Image, Image, list[tuple[int, int]]]:
        """Both memories afterwards, and the ranges of the unified buffer that may hold anything."""
        ub, gm, open_ = self.ub.copy(), self.gm.copy(), list[tuple[int, int]]()
        if self.op.startswith("in_pad"):
            open_ = moves.padded_in(ub, gm, self.copy, DTYPES[self.dtype].itemsize)
        elif self.op.startswith("inside"):
            moves.plain(ub, ub.copy(), self.copy)
        elif self.op.startswith("in"):
            moves.plain(ub, gm, self.copy)
        elif self.op.startswith("out"):
            moves.plain(gm, ub, self.copy)
        else:
            moves.atomic(gm, ub, self.copy, self.dtype, self.op[:3])
        return ub, gm, open_


def memories(rng: Random, dtype: str) -> tuple[Image, Image]:
    ub, gm = np.zeros(IMAGE, np.uint8), np.zeros(IMAGE, np.uint8)
    filled(rng, ub, 0, dtype, IMAGE)
    filled(rng, gm, 0, dtype, IMAGE)
    return ub, gm


def places(rng: Random, size: int) -> tuple[int, int]:
    """Where a copy starts: blocks in the unified buffer, elements in global memory."""
    return int(rng.integers(0, 16)) * BLOCK, int(rng.integers(0, 64)) * size


def counted(rng: Random, op: str, dtype: str) -> Move:
    size = DTYPES[dtype].itemsize
    ub, gm = places(rng, size)
    n = int(rng.integers(1, 100)) * BLOCK
    copy = {
        "in_count": Copy(ub, gm, 1, n),
        "out_count": Copy(gm, ub, 1, n),
        "inside_count": Copy(HALF + ub, ub, 1, n),
    }[op]
    return Move(op, dtype, copy, (ub, gm, HALF + ub, n // size), *memories(rng, dtype))


def blocked(rng: Random, op: str, dtype: str) -> Move:
    """Blocks, lengths and gaps in units of 32 bytes."""
    ub, gm = places(rng, DTYPES[dtype].itemsize)
    blocks, length = int(rng.integers(0, 7)), int(rng.integers(0, 12))
    src_gap, dst_gap = (int(g) for g in rng.integers(0, 20, 2))
    at, src = {"in_blocks": (ub, gm), "out_blocks": (gm, ub), "inside_blocks": (HALF + ub, ub)}[op.removesuffix("_raw")]
    copy = Copy(at, src, blocks, length * BLOCK, dst_gap * BLOCK, src_gap * BLOCK)
    words = (ub, gm, HALF + ub, 0, blocks, length, src_gap, dst_gap)
    return Move(op, dtype, copy, words, *memories(rng, dtype))


def padded(rng: Random, op: str, dtype: str) -> Move:
    size = DTYPES[dtype].itemsize
    ub, gm = places(rng, size)
    blocks, n = int(rng.integers(1, 7)), int(rng.integers(1, 60))
    length, src_gap, dst_gap = n * size, int(rng.integers(0, 12)) * size, int(rng.integers(0, 4))
    side = BLOCK // size
    left, right = (int(p) for p in rng.integers(0, side + 1, 2)) if rng.random() < 0.6 else (0, 0)
    right += int(op in BY_REGISTER and not left + right)  # without padding the page does not say what the register does
    if op == "in_pad_old":  # the padding of the 16-bit form lies inside the filling up to 32 bytes as well
        left = right = 0
    is_pad = op not in BY_REGISTER and rng.random() < 0.6
    element = rng.integers(0, 256, size, np.uint8).tobytes() if size < 8 else bytes(8)
    pad = element if is_pad or op in BY_REGISTER else None
    copy = Copy(ub, gm, blocks, length, dst_gap * BLOCK, src_gap, left * size, right * size, pad)
    value = int.from_bytes(element, "little", signed=size == 8)
    words = (ub, gm, 0, 0, blocks, length, src_gap, dst_gap, int(is_pad), left, right, value)
    return Move(op, dtype, copy, words, *memories(rng, dtype))


def unpadded(rng: Random, op: str, dtype: str) -> Move:
    """Out of the unified buffer, plain or atomic; there, blocks start at multiples of 32 bytes."""
    size = DTYPES[dtype].itemsize
    ub, gm = places(rng, size)
    blocks, length = int(rng.integers(0, 7)), int(rng.integers(0, 60)) * size
    dst_gap, src_gap = int(rng.integers(0, 12)) * size, int(rng.integers(0, 4))
    copy = Copy(gm, ub, blocks, length, dst_gap, ceil32(length) - length + src_gap * BLOCK)
    words = (ub, gm, 0, 0, blocks, length, src_gap, dst_gap)
    return Move(op, dtype, copy, words, *memories(rng, dtype))


def drawn(rng: Random) -> Iterator[Move]:
    for _ in range(cases(3)):
        for dtype in ("u8", "f16", "f32", "i64"):
            yield from (counted(rng, op, dtype) for op in ("in_count", "out_count", "inside_count"))
            yield from (blocked(rng, op, dtype) for op in ("in_blocks", "out_blocks", "inside_blocks"))
            yield from (padded(rng, op, dtype) for op in ("in_pad", "in_pad_old"))
            yield from (unpadded(rng, op, dtype) for op in ("out_pad", "out_pad_old"))
        for dtype in ("u8", "f16", "f32"):
            yield from (blocked(rng, op, dtype) for op in ("in_blocks_raw", "out_blocks_raw", "inside_blocks_raw"))
            yield unpadded(rng, "out_pad_raw", dtype)


def registered(rng: Random) -> Iterator[Move]:
    """SetPadValue stays set, so these have a launch of their own."""
    for _ in range(cases(4)):
        yield from (padded(rng, "in_pad_register", dtype) for dtype in ("u8", "f16", "f32", "i64"))
        yield from (padded(rng, "in_pad_raw", dtype) for dtype in ("u8", "f16", "f32"))


def atomics(rng: Random) -> Iterator[Move]:
    for _ in range(cases(3)):
        yield from (unpadded(rng, op, dtype) for dtype in ATOMIC for op in ("add", "max", "min"))
    yield from (unpadded(rng, op, dtype) for dtype in ATOMIC for op in OPS[OPS.index("add_raw") :])


@pytest.fixture(scope="module")
def mover(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return built(DRIVERS / "moves.cpp", tmp_path_factory.mktemp("moves"))


def check(machine: Machine, wanted: Sequence[Move]) -> None:
    head = np.array([len(wanted), 0, 0, 0], np.int64)
    args = [
        GmBuffer("steps", "in", np.concatenate([head, *(m.pack() for m in wanted)]).view(np.uint8)),
        GmBuffer("in", "in", np.concatenate([m.ub for m in wanted])),
        GmBuffer("out", "out", nbytes=len(wanted) * IMAGE),
        GmBuffer("memories", "inout", np.concatenate([m.gm for m in wanted])),
    ]
    launch = Launch(1, args, TARGETS[DEFAULT_TARGET])
    result = run_kernel(machine.program, launch, sandbox=machine.box, timeout_s=120)
    ubs, gms = (o.reshape(len(wanted), IMAGE) for o in result.outputs)
    wrong = [told for m, ub, gm in zip(wanted, ubs, gms, strict=True) if (told := difference(m, ub, gm))]
    assert not wrong, f"{len(wrong)} of {len(wanted)} copies differ:\n" + "\n".join(wrong[:10])
    assert not result.findings, [str(f) for f in result.findings][:5]


def difference(move: Move, ub: Image, gm: Image) -> str:
    want_ub, want_gm, open_ = move.after()
    for first, last in open_:
        want_ub[first:last] = ub[first:last]
    for name, want, got in (("ub", want_ub, ub), ("gm", want_gm, gm)):
        at = np.flatnonzero(want != got)
        if len(at):
            w = slice(int(at[0]) // 8 * 8, int(at[0]) // 8 * 8 + 16)
            return (
                f"{move.op} {move.dtype} {move.copy}: {len(at)} bytes of {name} from {at[0]}: expected "
                f"{want[w].tobytes().hex()} got {got[w].tobytes().hex()}"
            )
    return ""


def test_copies(mover: Machine) -> None:
    check(mover, list(drawn(np.random.default_rng(41))))


def test_padding_by_register(mover: Machine) -> None:
    check(mover, list(registered(np.random.default_rng(43))))


def test_atomic_copies(mover: Machine) -> None:
    check(mover, list(atomics(np.random.default_rng(42))))
