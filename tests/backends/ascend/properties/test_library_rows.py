"""The advanced library's operations on rows: values and untouched bytes, with and without a temporary buffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.backends.ascend.oracles import library_rows as oracle
from tests.backends.ascend.oracles.lanes import Image
from tests.backends.ascend.oracles.numbers import DTYPES, Values
from tests.backends.ascend.properties.conftest import DRIVERS
from tests.backends.ascend.properties.draws import Random, cases
from tests.backends.ascend.properties.machine import IMAGE, Machine, built

OPS = [
    "SUM", "MEAN", "MEAN_WIDE", "REDUCE_SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "REDUCE_MEAN", "REDUCE_ANY",
    "REDUCE_ALL", "CUMSUM_ROWS", "CUMSUM_COLUMNS", "BROADCAST_ROWS", "BROADCAST_COLUMNS", "QUANT", "ARANGE",
    "DROPOUT_BYTES", "DROPOUT_BITS", "SELECT_SCALAR_LAST", "SELECT_SCALAR_FIRST", "SOFTMAX",
    "DEQUANT_ROW", "DEQUANT_SCALAR", "RMSNORM", "LAYERNORM",
]  # fmt: skip
DST, SRC, MASK, TMP = 0, 8 * 1024, 16 * 1024, 24 * 1024
TMP_BYTES = 24 * 1024 - 64
DST1, DST2 = 4 * 1024, 6 * 1024


@dataclass
class Result:
    """What a tensor must hold afterwards: bounds of its elements from a place on."""

    at: int
    low: Values
    high: Values


@dataclass
class Use:
    op: str
    dtype: str
    shape: tuple[int, int, int]  # rows, elements between rows, elements of a row
    source: Values
    results: list[Result]
    columns: bool = False
    tmp: bool = True
    mask: np.ndarray | None = None
    scalars: tuple[float, float] = (0.0, 0.0)
    scalar_type: str = "f32"
    dst_bytes: int = 0
    open_: list[tuple[int, int]] = field(default_factory=list)

    def pack(self) -> np.ndarray:
        scalars = [np.array([s]).astype(DTYPES[self.scalar_type]).tobytes() for s in self.scalars]
        bits = [int.from_bytes(s, "little") for s in scalars]
        dst_bytes = self.dst_bytes or self.results[0].low.nbytes
        mask_bytes = self.mask.nbytes if self.mask is not None else 32
        facts = [
            OPS.index(self.op), self.dtype != "f32", self.tmp, self.columns, DST, SRC, MASK, TMP, TMP_BYTES,
            *self.shape, *bits, DST1, DST2, dst_bytes, self.source.nbytes, mask_bytes,
        ]  # fmt: skip
        return np.array([*facts, *[0] * (24 - len(facts))], np.int64)

    def image(self, rng: Random) -> Image:
        made = rng.integers(0, 256, IMAGE, np.uint8)
        made[SRC : SRC + self.source.nbytes] = np.ascontiguousarray(self.source).view(np.uint8).reshape(-1)
        if self.mask is not None:
            made[MASK : MASK + self.mask.nbytes] = self.mask.reshape(-1).view(np.uint8)
        return made


def padded(n: int, dtype: str) -> int:
    per = 32 // DTYPES[dtype].itemsize
    return -(-n // per) * per


def matrix(rng: Random, outer: int, n: int, dtype: str, kind: str = "any") -> Values:
    """Rows of `n` elements, filled up to 32 bytes with what must not matter. `whole`: sums of any order are exact."""
    inner = padded(n, dtype)
    drawn = {
        "any": lambda: rng.normal(size=(outer, inner)) * np.exp2(rng.integers(-4, 4, (outer, inner))),
        "whole": lambda: rng.integers(-6, 7, (outer, inner)).astype(np.float64),
        "power": lambda: rng.choice([1.0, 1.0, 2.0, 0.5, -1.0], (outer, inner)),
        "flag": lambda: rng.choice([0.0, 1.0], (outer, inner), p=[0.3, 0.7]),
    }[kind]()
    return drawn.astype(DTYPES[dtype])


def sums(rng: Random) -> Iterator[Use]:
    for op, dtype, working in (("SUM", "f16", ""), ("SUM", "f32", ""), ("MEAN", "f16", "f16"), ("MEAN", "f32", "f32"),
                               ("MEAN_WIDE", "f16", "f32")):  # fmt: skip
        for one_repeat in (True, False):
            lanes = 64 if "f32" in (dtype, working) else 128
            outer = int(rng.integers(1, 9))
            n = int(rng.integers(1, lanes + 1) if one_repeat else rng.integers(lanes, 300))
            x = matrix(rng, outer, n, dtype, "any" if one_repeat else "whole")
            rows = x[:, :n]
            low, high = oracle.row_sums(rows, dtype) if op == "SUM" else oracle.row_means(rows, dtype, working)
            yield Use(
                op, dtype, (outer, x.shape[1], n), x, [Result(DST, low, high)], dst_bytes=padded(outer, dtype) * 4
            )


def reductions(rng: Random) -> Iterator[Use]:
    kinds = {"SUM": "whole", "MAX": "any", "MIN": "any", "PROD": "power", "MEAN": "whole", "ANY": "flag", "ALL": "flag"}
    for operation, kind in kinds.items():
        for dtype in ("f16", "f32") if operation in ("MAX", "MIN") else ("f32",):
            for columns in (True, False):
                outer, n = int(rng.integers(1, 20)), int(rng.integers(1, 60))
                x = matrix(rng, outer, n, dtype, kind)
                low, high = oracle.reduced(x[:, :n], operation, columns=columns, dtype=dtype)
                size = (outer if columns else x.shape[1]) * DTYPES[dtype].itemsize
                use = Use(f"REDUCE_{operation}", dtype, (outer, x.shape[1], n), x, [Result(DST, low, high)], columns)
                use.dst_bytes = -(-size // 32) * 32
                if not columns:  # the padding of the rows is reduced too
                    use.open_ = [(DST + low.nbytes, DST + use.dst_bytes)]
                yield use


def running(rng: Random) -> Iterator[Use]:
    for dtype in ("f16", "f32"):
        for op, columns in (("CUMSUM_ROWS", False), ("CUMSUM_COLUMNS", True)):
            outer, n = int(rng.integers(1, 20)), padded(int(rng.integers(1, 60)), dtype)
            x = matrix(rng, outer, n, dtype)
            low, high = oracle.running_sums(x, dtype, columns=columns)
            last = Result(DST1, low[-1], high[-1])
            yield Use(op, dtype, (outer, n, n), x, [Result(DST, low, high), last])


def expansions(rng: Random) -> Iterator[Use]:
    for dtype in ("f16", "f32"):
        outer, n = int(rng.integers(2, 20)), padded(int(rng.integers(1, 40)), dtype)
        row = matrix(rng, 1, n, dtype)
        out = np.repeat(row, outer, 0)
        yield Use("BROADCAST_ROWS", dtype, (outer, n, n), row, [Result(DST, out, out)])
        column = matrix(rng, 1, padded(outer, dtype), dtype)
        out = np.repeat(column[0, :outer, None], n, 1)
        use = Use("BROADCAST_COLUMNS", dtype, (outer, n, n), column[:, :outer], [Result(DST, out, out)])
        yield use


def elementwise(rng: Random) -> Iterator[Use]:
    for dtype in ("f16", "f32"):
        n = int(rng.integers(1, 600))
        x = matrix(rng, 1, n, dtype)[:, :n] * np.array(20, DTYPES[dtype])
        scale, offset = float(rng.choice([0.5, 1.7, -2.0])), float(rng.choice([0.0, 3.25, -20.0]))
        out = oracle.quantized(x.reshape(-1), scale, offset)
        yield Use("QUANT", dtype, (1, n, n), x, [Result(DST, out, out)], scalars=(scale, offset))
        outer, n = int(rng.integers(1, 8)), padded(int(rng.integers(1, 60)), dtype)
        n = -(-n // 32) * 32
        x = matrix(rng, outer, n, dtype)
        keep = rng.random((outer, n)) < 0.6
        low, high = oracle.dropped(x, keep, 0.75, dtype)
        results = [Result(DST, low, high)]
        mask = keep.astype(np.uint8)
        yield Use("DROPOUT_BYTES", dtype, (outer, n, n), x, results, mask=mask, scalars=(0.75, 0.0))
        scalar = float(np.float16(rng.normal()))
        for op, first in (("SELECT_SCALAR_LAST", False), ("SELECT_SCALAR_FIRST", True)):
            other = np.full_like(x, scalar)
            out = np.where(keep == first, x, other)
            yield Use(
                op,
                dtype,
                (outer, n, n),
                x,
                [Result(DST, out, out)],
                mask=mask,
                scalars=(scalar, 0.0),
                scalar_type=dtype,
            )


def dequantizations(rng: Random) -> Iterator[Use]:
    """Of every row the first `n` elements; what lies behind them in dst's row is not said."""
    for dtype in ("bf16", "f32"):
        for op in ("DEQUANT_ROW", "DEQUANT_SCALAR"):
            outer, n = int(rng.integers(2, 12)), int(rng.integers(1, 60))
            inner = padded(n, "f32")
            x = rng.integers(-3000, 3000, (outer, inner), np.int32)
            scales = (rng.normal(size=padded(n, "f32")) * 0.1).astype(np.float32)
            scalar = float(np.float32(rng.normal()))
            given = scales[:n] if op == "DEQUANT_ROW" else np.full(n, scalar, np.float32)
            out = oracle.dequantized(x[:, :n], given, dtype)
            row = padded(inner, dtype) * DTYPES[dtype].itemsize
            results = [Result(DST + i * row, out[i], out[i]) for i in range(outer)]
            mask = scales.view(np.uint8)
            use = Use(op, dtype, (outer, inner, n), x, results, mask=mask, scalars=(scalar, 0.0), dst_bytes=outer * row)
            use.open_ = [(DST + i * row + out[i].nbytes, DST + (i + 1) * row) for i in range(outer)]
            yield use


def progressions(rng: Random) -> Iterator[Use]:
    """Whole numbers, which every way of counting up gives exactly."""
    for dtype in ("f16", "f32"):
        n, first, step = int(rng.integers(1, 300)), int(rng.integers(-20, 20)), int(rng.integers(0, 4))
        out = (first + step * np.arange(n)).astype(DTYPES[dtype])
        x = matrix(rng, 1, n, dtype)
        scalars = (float(first), float(step))
        use = Use("ARANGE", dtype, (1, n, n), x, [Result(DST, out, out)], scalars=scalars, scalar_type=dtype)
        use.open_ = [(DST + out.nbytes, DST + padded(n, dtype) * DTYPES[dtype].itemsize)]  # the rest of the last block
        yield use


def norms(rng: Random) -> Iterator[Use]:
    """The first tensor's rows, scaled and moved by rows that lie in the second one's part."""
    for dtype in ("f16", "f32"):
        outer, n = int(rng.integers(1, 12)), padded(int(rng.integers(8, 90)), dtype)
        x = matrix(rng, outer, n, dtype)
        gamma, beta = (rng.normal(size=n).astype(DTYPES[dtype]) for _ in range(2))
        rows = np.zeros(4096, np.uint8)
        rows[: gamma.nbytes], rows[2048 : 2048 + beta.nbytes] = gamma.view(np.uint8), beta.view(np.uint8)
        epsilon = float(np.array([1e-3]).astype(DTYPES[dtype])[0])
        told = {"mask": rows, "scalars": (epsilon, 0.0), "scalar_type": dtype}
        bounds = oracle.rms_norm(x, gamma, epsilon, dtype)
        yield Use("RMSNORM", dtype, (outer, n, n), x, [Result(DST, *bounds)], **told)
        places = zip((DST, DST1, DST2), oracle.layer_norm(x, gamma, beta, epsilon, dtype), strict=True)
        use = Use("LAYERNORM", dtype, (outer, n, n), x, [Result(at, *b) for at, b in places], **told)
        behind = padded(outer, dtype) * DTYPES[dtype].itemsize  # whole blocks are written
        use.open_ = [(at + outer * DTYPES[dtype].itemsize, at + behind) for at in (DST1, DST2)]
        yield use


def softmaxes(rng: Random) -> Iterator[Use]:
    for dtype in ("f16", "f32"):
        for _ in range(2):
            outer, n = int(rng.integers(1, 12)), padded(int(rng.integers(1, 90)), dtype)
            x = matrix(rng, outer, n, dtype)
            (low, high), (sum_low, sum_high), (best, _) = oracle.softmax(x, dtype)
            per = 32 // DTYPES[dtype].itemsize
            results = [
                Result(DST, low, high),
                Result(DST1, np.repeat(sum_low, per), np.repeat(sum_high, per)),
                Result(DST2, np.repeat(best, per), np.repeat(best, per)),
            ]
            yield Use("SOFTMAX", dtype, (outer, n, n), x, results)


FAMILIES = {
    "sums": sums,
    "reductions": reductions,
    "running": running,
    "expansions": expansions,
    "elementwise": elementwise,
    "softmaxes": softmaxes,
    "dequantizations": dequantizations,
    "progressions": progressions,
    "norms": norms,
}


def both(uses: Iterator[Use]) -> Iterator[Use]:
    """Each with a temporary buffer and, where the signature exists, without."""
    for use in uses:
        yield use
        if not use.op.startswith("SELECT"):
            yield Use(**{**vars(use), "tmp": False})


def difference(use: Use, before: Image, after: Image) -> str:
    expected = before.copy()
    told = f"{use.op} {use.dtype} {use.shape} columns {use.columns} tmp {use.tmp}"
    for result in use.results:
        part = slice(result.at, result.at + result.low.nbytes)
        got = after[part].view(result.low.dtype)
        low, high = result.low.reshape(-1), result.high.reshape(-1)
        wrong = np.flatnonzero(~((low <= got) & (got <= high)))
        if len(wrong):
            i = int(wrong[0])
            return f"{told}: {len(wrong)} of {len(got)} differ at {i}: expected {low[i]!r}…{high[i]!r} got {got[i]!r}"
        expected[part] = after[part]
    for first, last in [*use.open_, *([(TMP, TMP + TMP_BYTES)] if use.tmp else [])]:
        expected[first:last] = after[first:last]
    changed = np.flatnonzero(expected != after)
    return f"{told}: {len(changed)} bytes from {changed[0]} changed outside the results" if len(changed) else ""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return built(DRIVERS / "library_rows.cpp", tmp_path_factory.mktemp("library_rows"))


def check(machine: Machine, rng: Random, wanted: Sequence[Use]) -> None:
    head = np.array([len(wanted), 0, 0, 0], np.int64)
    table = np.concatenate([head, *(u.pack() for u in wanted)]).view(np.uint8)
    images = np.stack([u.image(rng) for u in wanted])
    after, result = machine.run(table, images)
    wrong = [t for u, b, a in zip(wanted, images, after, strict=True) if (t := difference(u, b, a))]
    assert not wrong, f"{len(wrong)} of {len(wanted)} calls differ:\n" + "\n".join(wrong[:20])
    assert not result.findings, [str(f) for f in result.findings][:5]


@pytest.mark.parametrize("family", list(FAMILIES))
def test_rows(library: Machine, family: str) -> None:
    rng = np.random.default_rng(len(family) + 80)
    check(library, rng, [u for _ in range(cases(2)) for u in both(FAMILIES[family](rng))])
