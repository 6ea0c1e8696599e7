"""Copies with masks, transpositions and sorts against their oracle, whole images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.backends.ascend.oracles import compares, rearranging
from tests.backends.ascend.oracles.lanes import Call, Image, Operand
from tests.backends.ascend.oracles.numbers import DTYPES
from tests.backends.ascend.properties.conftest import DRIVERS
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled
from tests.backends.ascend.properties.machine import IMAGE, Machine, built

OPS = ("copy", "transpose", "hd_words", "hd_tensors", "hd_addresses", "sort", "merge", "images", "dequant")
TYPES = ("i8", "u8", "i16", "u16", "f16", "bf16", "i32", "u32", "f32")
FORMS = ("mask", "bits", "kept_bits", "counter", "kept_counter")
FIELDS = (
    "op", "type", "form", "repeats", "mask0", "mask1", "dst", "src0", "src1", "work", "dst_block", "src_block",
    "dst_repeat", "src_repeat", "dst_high", "src_high", "stop", "valid",
)  # fmt: skip
WORK = 3 * PART


@dataclass(frozen=True)
class Task:
    """One command by the names of its words, the image before, and what changes it."""

    words: dict[str, int]
    before: Image
    oracle: Callable[[Image], object]
    lengths: Sequence[int] = ()
    queues: Sequence[int] = ()
    dsts: Sequence[int] = field(default_factory=tuple)
    srcs: Sequence[int] = field(default_factory=tuple)
    open_: np.ndarray | None = None  # bytes that may hold anything afterwards

    def pack(self) -> np.ndarray:
        packed = np.zeros(64, np.int64)
        packed[: len(FIELDS)] = [self.words.get(name, 0) for name in FIELDS]
        for at, values in ((18, self.lengths), (22, self.queues), (26, self.dsts), (42, self.srcs)):
            packed[at : at + len(values)] = values
        return packed


def signed(word: int) -> int:
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def copies(rng: Random) -> Iterator[Task]:
    for dtype in ("i16", "u16", "f16", "bf16", "i32", "u32", "f32"):
        for form in FORMS:
            for _ in range(cases(1)):
                call = drawn_call(rng, "Copy", dtype, [dtype], [0, PART], (form,))
                if form.endswith("counter"):  # the mask counts the elements of each repeat
                    call = Call("Copy", form, repeats=call.repeats, mask=int(rng.integers(1, call.lanes + 1)),
                                dst=call.dst, src=call.src)  # fmt: skip
                made = np.zeros(IMAGE, np.uint8)
                filled(rng, made, 0, dtype, 2 * PART)
                words = {
                    "op": 0, "type": TYPES.index(dtype), "form": FORMS.index(form), "repeats": call.repeats,
                    "mask0": signed(call.mask), "mask1": signed(call.mask >> 64), "dst": call.dst.at,
                    "src0": call.src[0].at, "dst_block": call.dst.block, "src_block": call.src[0].block,
                    "dst_repeat": call.dst.repeat, "src_repeat": call.src[0].repeat,
                }  # fmt: skip
                yield Task(words, made, lambda image, call=call: compares.copy(call, image))


def transpositions(rng: Random) -> Iterator[Task]:
    for dtype in ("i16", "u16", "f16"):
        for in_place in (False, True):
            made = rng.integers(0, 256, IMAGE, np.uint8)
            dst, src = 32 * int(rng.integers(0, 9)), PART + 32 * int(rng.integers(0, 9))
            dst = src if in_place else dst
            words = {"op": 1, "type": TYPES.index(dtype), "dst": dst, "src0": src}
            yield Task(words, made, lambda image, d=dst, s=src: rearranging.transpose(image, d, s))
    for op in ("hd_words", "hd_tensors", "hd_addresses"):
        for dtype in ("i8", "u8", "f16", "u16", "f32", "i32"):
            for _ in range(cases(2)):
                yield five_hd(rng, op, dtype)


def five_hd(rng: Random, op: str, dtype: str) -> Task:
    """Sixteen blocks anywhere in the source's part, to sixteen that do not meet; strides that keep it so."""
    size = DTYPES[dtype].itemsize
    repeats = int(rng.choice([1, 1, 2, 3]))
    made = rng.integers(0, 256, IMAGE, np.uint8)
    srcs = [PART + 32 * int(b) for b in rng.integers(0, 300, 16)]
    dsts = [32 * int(b) * (repeats if repeats > 1 else 1) for b in rng.permutation(100)[:16]]
    strides = (int(rng.integers(0, 2)) if repeats == 1 else 1, int(rng.integers(0, 9)))
    halves = (bool(rng.integers(2)), bool(rng.integers(2))) if size == 1 else (False, False)
    words = {
        "op": OPS.index(op), "type": TYPES.index(dtype), "repeats": repeats, "work": WORK, "dst_repeat": strides[0],
        "src_repeat": strides[1], "dst_high": int(halves[0]), "src_high": int(halves[1]),
    }  # fmt: skip

    def oracle(image: Image) -> None:
        rearranging.trans_data_to_5hd(image, dsts, srcs, size, repeats, strides, halves)
        if op == "hd_addresses":
            image[WORK : WORK + 256] = 0

    return Task(words, made, oracle, dsts=dsts, srcs=srcs)


def scores(rng: Random, dtype: str, n: int) -> np.ndarray:
    """Finite numbers of which many are equal."""
    return (rng.integers(-20, 20, n) * rng.choice([1.0, 0.5, 7.25], n) + 0.0).astype(DTYPES[dtype])


def sorts(rng: Random) -> Iterator[Task]:
    for dtype in ("f16", "f32"):
        for _ in range(cases(5)):
            repeats = int(rng.integers(1, 6))
            made = rng.integers(0, 256, IMAGE, np.uint8)
            n = repeats * 32
            made[PART : PART + n * DTYPES[dtype].itemsize] = scores(rng, dtype, n).view(np.uint8)
            call = Call("Sort32", "mask", repeats=repeats, dst=Operand(256 * int(rng.integers(0, 9)), dtype),
                        src=(Operand(PART, dtype), Operand(2 * PART, "u32")))  # fmt: skip
            words = {
                "op": 5, "type": TYPES.index(dtype), "repeats": repeats, "dst": call.dst.at, "src0": PART,
                "src1": 2 * PART,
            }  # fmt: skip
            reserved = reserved_bytes(call) if dtype == "f16" else None
            yield Task(words, made, lambda image, call=call: rearranging.sort32(call, image), open_=reserved)


def reserved_bytes(call: Call) -> np.ndarray:
    """Two bytes of every structure of a half and its index may hold anything."""
    at = call.dst.at + np.arange(call.repeats * 32) * 8
    return np.concatenate([at + 2, at + 3])


def queue(rng: Random, made: Image, at: int, dtype: str, n: int) -> None:
    """A descending queue of pairs."""
    pairs = np.zeros((n, 8), np.uint8)
    ordered = np.sort(scores(rng, dtype, n))[::-1]
    pairs[:, : DTYPES[dtype].itemsize] = np.ascontiguousarray(ordered).view(np.uint8).reshape(n, -1)
    pairs[:, 4:] = rng.integers(0, 256, (n, 4), np.uint8)
    made[at : at + 8 * n] = pairs.reshape(-1)


def merges(rng: Random) -> Iterator[Task]:
    for dtype in ("f16", "f32"):
        for valid in (3, 7, 15):
            for stop in (False, True):
                for _ in range(cases(2)):
                    yield merge(rng, dtype, valid.bit_count(), stop=stop)
        for _ in range(cases(3)):
            yield repeated(rng, dtype)


def merge(rng: Random, dtype: str, queues: int, *, stop: bool) -> Task:
    made = rng.integers(0, 256, IMAGE, np.uint8)
    lengths = [int(n) for n in rng.integers(1, 100, queues)]
    starts = [PART + 2048 * i + 8 * int(rng.integers(0, 9)) for i in range(queues)]
    for start, n in zip(starts, lengths, strict=True):
        queue(rng, made, start, dtype, n)
    dst = 32 * int(rng.integers(0, 9))
    words = {
        "op": 6, "type": TYPES.index(dtype), "repeats": 1, "dst": dst, "work": WORK, "stop": int(stop),
        "valid": (1 << queues) - 1,
    }  # fmt: skip

    def oracle(image: Image) -> None:
        taken = rearranging.merge_sort(image, dst, list(zip(starts, lengths, strict=True)), dtype, stop=stop)
        if stop:
            image[WORK : WORK + 8] = np.array([*taken, 0, 0][:4], np.uint16).view(np.uint8)

    filling = [PART] * (4 - queues)
    return Task(words, made, oracle, lengths=[*lengths, *[0] * (4 - queues)], queues=[*starts, *filling])


def repeated(rng: Random, dtype: str) -> Task:
    """Four equal queues one behind the other, several times over."""
    made = rng.integers(0, 256, IMAGE, np.uint8)
    repeats, n = int(rng.integers(2, 4)), int(rng.choice([4, 16, 32, 64]))
    for i in range(repeats * 4):
        queue(rng, made, PART + i * 8 * n, dtype, n)
    dst = 32 * int(rng.integers(0, 9))
    words = {"op": 6, "type": TYPES.index(dtype), "repeats": repeats, "dst": dst, "valid": 15}

    def oracle(image: Image) -> None:
        for r in range(repeats):
            at = [(PART + (r * 4 + i) * 8 * n, n) for i in range(4)]
            rearranging.merge_sort(image, dst + r * 32 * n, at, dtype)

    return Task(words, made, oracle, lengths=[n] * 4, queues=[PART + i * 8 * n for i in range(4)])


def images(rng: Random) -> Iterator[Task]:
    """NCHW to NHWC and back; the temporary buffer's contents are nobody's business."""
    for dtype in ("i8", "f16", "i32"):
        size = DTYPES[dtype].itemsize
        for nhwc in (False, True):
            for _ in range(cases(2)):
                n, c, h = int(rng.integers(1, 4)), int(rng.integers(1, 12)), int(rng.integers(1, 3))
                w = 32 // size * int(rng.integers(1, 3))
                made = rng.integers(0, 256, IMAGE, np.uint8)
                words = {
                    "op": 7,
                    "type": TYPES.index(dtype),
                    "dst": 0,
                    "src0": PART,
                    "work": 2 * PART,
                    "stop": int(nhwc),
                }
                shape = (n, c, h, w)
                if n * c * h * w * size <= PART:
                    yield Task(
                        words,
                        made,
                        lambda image, z=size, s=shape, to=nhwc: rearranging.swap_images(image, 0, PART, z, s, nhwc=to),
                        lengths=shape,
                        open_=np.arange(2 * PART, IMAGE),
                    )


def dequantizations(rng: Random) -> Iterator[Task]:
    """Eight bits by a table of sixteen scales; the table's encoding at `work` is not documented."""
    for dtype in ("i8", "u8"):
        for lower in (False, True):
            for form in ("count", "mask"):
                for _ in range(cases(2)):
                    call = drawn_call(rng, "CastDequant", dtype, ["i16"], [0, PART], (form,))
                    scales = rng.choice([1.0, 0.37, 2.5, 2.0**-6, -0.75], 16).astype(np.float32)
                    offsets = rng.integers(-200, 200, 16).astype(np.int16)
                    made = np.zeros(IMAGE, np.uint8)
                    filled(rng, made, PART, "i16")
                    made[2 * PART : 2 * PART + 64] = scales.view(np.uint8)
                    made[2 * PART + 64 : 2 * PART + 96] = offsets.view(np.uint8)
                    # sixteen results take a whole block of dst, so its strides count blocks of the source
                    dst = Operand(call.dst.at, dtype, 1, 8)
                    call = Call(call.name, form, call.count, call.repeats, call.mask, dst, call.src)
                    words = {
                        "op": 8, "type": TYPES.index(dtype), "repeats": call.repeats, "dst": dst.at,
                        "mask0": call.count if form == "count" else call.mask, "src0": call.src[0].at, "src1": 2 * PART,
                        "work": WORK, "dst_block": 1, "src_block": call.src[0].block, "dst_repeat": 8,
                        "src_repeat": call.src[0].repeat, "stop": int(form == "count"), "valid": int(lower),
                    }  # fmt: skip

                    def oracle(image: Image, call: Call = call, s: np.ndarray = scales, o: np.ndarray = offsets,
                               low: bool = lower) -> None:  # fmt: skip
                        rearranging.cast_dequant(image, call, s, o, lower=low)

                    yield Task(words, made, oracle, open_=np.arange(WORK, WORK + 128))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return built(DRIVERS / "rearranging.cpp", tmp_path_factory.mktemp("rearranging"))


def check(machine: Machine, tasks: Sequence[Task]) -> None:
    head = np.array([len(tasks), 0, 0, 0], np.int64)
    table = np.concatenate([head, *(t.pack() for t in tasks)]).view(np.uint8)
    after, result = machine.run(table, np.stack([t.before for t in tasks]))
    wrong = [told for t, a in zip(tasks, after, strict=True) if (told := difference(t, a))]
    assert not wrong, f"{len(wrong)} of {len(tasks)} differ:\n" + "\n".join(wrong[:10])
    assert not result.findings, [str(f) for f in result.findings][:5]


def difference(task: Task, after: Image) -> str:
    expected = task.before.copy()
    task.oracle(expected)
    if task.open_ is not None:
        expected[task.open_] = after[task.open_]
    at = np.flatnonzero(expected != after)
    if not len(at):
        return ""
    w = slice(int(at[0]) // 8 * 8, int(at[0]) // 8 * 8 + 16)
    want, got = expected[w].tobytes().hex(), after[w].tobytes().hex()
    return f"{task.words} {task.lengths}: {len(at)} bytes from {at[0]}: expected {want} got {got}"


def test_copies_with_masks(machine: Machine) -> None:
    check(machine, list(copies(np.random.default_rng(71))))


def test_transpositions(machine: Machine) -> None:
    check(machine, list(transpositions(np.random.default_rng(72))))


def test_sorts(machine: Machine) -> None:
    check(machine, list(sorts(np.random.default_rng(73))))


def test_merges(machine: Machine) -> None:
    check(machine, list(merges(np.random.default_rng(74))))


def test_images(machine: Machine) -> None:
    check(machine, list(images(np.random.default_rng(75))))


def test_dequantizations_by_table(machine: Machine) -> None:
    check(machine, list(dequantizations(np.random.default_rng(76))))
