"""The advanced library's elementwise operations: every signature, values and untouched bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from tests.backends.ascend.oracles.lanes import Image
from tests.backends.ascend.oracles.library_math import FUNCTIONS, bounds, near, stepped
from tests.backends.ascend.oracles.numbers import DTYPES, Values
from tests.backends.ascend.properties.conftest import DRIVERS
from tests.backends.ascend.properties.draws import PART, Random, cases
from tests.backends.ascend.properties.machine import IMAGE, Machine, built

NAMES = list(FUNCTIONS)
TMP_COUNT, TMP, COUNT, WHOLE = range(4)


@dataclass(frozen=True)
class Use:
    """One call: its tensors lie in the parts of the image, dst first, the temporary buffer last."""

    name: str
    dtype: str
    form: int
    sources: list[Values]
    scalar: float
    at: tuple[int, int, int, int]
    tmp: int

    @property
    def nbytes(self) -> int:
        return self.sources[0].nbytes

    def pack(self) -> np.ndarray:
        scalar = np.array([self.scalar], np.float32 if self.name == "SwiGLU" else DTYPES[self.dtype])
        bits = int.from_bytes(scalar.tobytes(), "little")
        facts = [NAMES.index(self.name), self.dtype == "f16", self.form, len(self.sources[0]), *self.at, self.tmp, bits]
        return np.array([*facts, *[0] * (16 - len(facts))], np.int64)

    def image(self, rng: Random) -> Image:
        made = rng.integers(0, 256, IMAGE, np.uint8)
        for at, source in zip(self.at[1:], self.sources, strict=False):
            made[at : at + source.nbytes] = source.view(np.uint8)
        return made


def drawn(rng: Random, domain: tuple[float, float], dtype: str, n: int) -> Values:
    """Numbers of a domain, dense near zero too, with its ends and zeros among them where it has them."""
    low, high = domain
    x = rng.uniform(low, high, n)
    small = rng.uniform(low, high, n) * np.exp2(-rng.integers(0, 9, n))
    x = np.where((rng.random(n) < 0.4) & (small > low) & (small < high), small, x)
    edges = [v for v in (low, high, 0.0, 1.0, 0.5, -0.5, 2.5) if low <= v <= high]
    x = np.where(rng.random(n) < 0.1, rng.choice(edges, n), x)
    out = x.astype(DTYPES[dtype])
    inside = (out.astype(np.float64) >= low) & (out.astype(np.float64) <= high)
    return np.where(inside, out, np.array([edges[0]]).astype(DTYPES[dtype]))


def uses(rng: Random) -> Iterator[Use]:
    for name, function in FUNCTIONS.items():
        for column, dtype in enumerate(("f16", "f32")):
            for form in function.forms:
                for _ in range(cases(1)):
                    n = int(rng.choice([1, 7, 64, 300, int(rng.integers(1, 1200))]))
                    if form in (TMP, WHOLE):
                        n = -(-n // 16) * 16
                    sources = [drawn(rng, function.domain, dtype, n)]
                    if function.second:
                        sources.append(drawn(rng, function.second, dtype, n))
                    scalar = 0.0
                    if function.scalar:
                        scalar = float(np.array([rng.uniform(*function.scalar)]).astype(DTYPES[dtype])[0])
                    starts = [p * PART + 32 * int(rng.integers(0, 9)) for p in range(4)]
                    tmp = max(32, function.tmp[column])
                    yield Use(name, dtype, form, sources, scalar, (starts[0], starts[1], starts[2], starts[3]), tmp)


def difference(use: Use, before: Image, after: Image) -> str:
    low, high = bounds(use.name, use.dtype, use.sources, use.scalar)
    dst = slice(use.at[0], use.at[0] + use.nbytes)
    got = after[dst].view(DTYPES[use.dtype])
    right = near(use.name, use.dtype, use.sources, got) | (low == got) | (high == got) | (np.isnan(low) & np.isnan(got))
    steps = stepped(use.name, use.dtype, use.sources, use.scalar)
    wrong = np.flatnonzero(~(right if steps is None else right | (steps == got)))
    told = f"{use.name} {use.dtype} form {use.form} n {len(got)}"
    if len(wrong):
        i = int(wrong[0])
        inputs = [float(s[i]) for s in use.sources]
        return (
            f"{told}: {len(wrong)} differ, {inputs} scalar {use.scalar}: expected {low[i]!r}…{high[i]!r} got {got[i]!r}"
        )
    rest = before.copy()
    rest[dst] = after[dst]
    if use.form in (TMP_COUNT, TMP):
        tmp = slice(use.at[3], use.at[3] + use.tmp)
        rest[tmp] = after[tmp]
    changed = np.flatnonzero(rest != after)
    return f"{told}: bytes {changed[:3].tolist()} changed outside dst" if len(changed) else ""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return built(DRIVERS / "library_math.cpp", tmp_path_factory.mktemp("library_math"))


def check(machine: Machine, rng: Random, wanted: Sequence[Use]) -> None:
    head = np.array([len(wanted), 0, 0, 0], np.int64)
    table = np.concatenate([head, *(u.pack() for u in wanted)]).view(np.uint8)
    images = np.stack([u.image(rng) for u in wanted])
    after, result = machine.run(table, images)
    wrong = [t for u, b, a in zip(wanted, images, after, strict=True) if (t := difference(u, b, a))]
    assert not wrong, f"{len(wrong)} of {len(wanted)} calls differ:\n" + "\n".join(wrong[:40])
    assert not result.findings, [str(f) for f in result.findings][:5]


def test_elementwise_library(library: Machine) -> None:
    rng = np.random.default_rng(61)
    check(library, rng, list(uses(rng)))
