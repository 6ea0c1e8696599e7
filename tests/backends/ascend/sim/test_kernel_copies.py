"""Copies against a model in NumPy: blocks, gaps, padding."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.task import Array
from tests.backends.ascend.sim.kernels import Probe, build

_HEAD = "TPipe p; TBuf<> b; p.InitBuffer(b, 8192); auto a = b.Get<float>(); Duplicate(a, -1.0f, 2048);"
_OUT = " DataCopy(yg, a, 1024);"
_BLOCKS = [(3, 2, 1, 2), (1, 8, 0, 0), (5, 1, 3, 0)]  # count, length, source gap, destination gap: DataBlocks
_PADS = [  # count, bytes, source gap in bytes, destination gap in DataBlocks, pad?, left, right
    (1, 12, 0, 0, 0, 0, 0), (3, 20, 8, 1, 1, 2, 1), (2, 32, 4, 0, 1, 0, 0), (4, 4, 0, 0, 1, 0, 7),
    (2, 36, 12, 2, 0, 0, 0), (2, 36, 12, 2, 1, 0, 0), (2, 20, 4, 0, 1, 1, 0),
]  # fmt: skip


def _ext(count: int, size: int, source: int, destination: int) -> str:
    return f"DataCopyExtParams{{{count}, {size}, {source}, {destination}, 0}}"


def _pad(pad: int, left: int, right: int) -> str:
    return f"DataCopyPadExtParams<float>{{{'true' if pad else 'false'}, {left}, {right}, 7.0f}}"


IN = [f"{_HEAD} DataCopy(a, xg, DataCopyParams{{{c}, {n}, {s}, {d}}});{_OUT}" for c, n, s, d in _BLOCKS]
OUT = [
    f"{_HEAD} DataCopy(a, xg, 1024); Fill(yg, 1024, 0.0f); DataCopy(yg, a, DataCopyParams{{{c}, {n}, {s}, {d}}});"
    for c, n, s, d in _BLOCKS
]
PAD_IN = [f"{_HEAD} DataCopyPad(a, xg, {_ext(c, n, s, d)}, {_pad(*pad)});{_OUT}" for c, n, s, d, *pad in _PADS]
PAD_OUT = [
    f"{_HEAD} DataCopy(a, xg, 1024); Fill(yg, 1024, 0.0f); DataCopyPad(yg, a, {_ext(c, n, d, s)});"
    for c, n, s, d, *_ in _PADS
]
BODIES = [*IN, *OUT, *PAD_IN, *PAD_OUT]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("copies"))


def run(probe: Probe, body: str) -> tuple[Array, Array]:
    x = np.arange(1, 1025, dtype=np.float32)
    result = probe.run(BODIES.index(body), n=1024, blocks=1, x=x)
    assert result.findings == ()
    return x, result.outputs[0].view(np.float32)


@pytest.mark.parametrize("i", range(len(_BLOCKS)))
def test_blocks_in_and_out(probe: Probe, i: int) -> None:
    count, length, source, destination = (v * 8 if j else v for j, v in enumerate(_BLOCKS[i]))
    for body, background in ((IN[i], -1), (OUT[i], 0)):
        x, y = run(probe, body)
        expected = np.full(1024, background, np.float32)
        for k in range(count):
            to, at = k * (length + destination), k * (length + source)
            expected[to : to + length] = x[at : at + length]
        assert np.array_equal(y, expected)


@pytest.mark.parametrize("i", range(len(_PADS)))
def test_padding_in(probe: Probe, i: int) -> None:
    count, size, source, destination, _, left, right = _PADS[i]
    x, y = run(probe, PAD_IN[i])
    n, gap = size // 4, source // 4
    whole = -(-(left + n + right) // 8) * 8
    expected = np.full(1024, -1, np.float32)
    for k in range(count):
        block = x[k * (n + gap) : k * (n + gap) + n]
        to = k * (whole + destination * 8)
        expected[to : to + whole] = 7 if left or right else block[0]
        expected[to + left : to + left + n] = block
    assert np.array_equal(y, expected)


@pytest.mark.parametrize("i", range(len(_PADS)))
def test_padding_is_dropped_on_the_way_out(probe: Probe, i: int) -> None:
    count, size, gap, blocks, *_ = _PADS[i]
    x, y = run(probe, PAD_OUT[i])
    n = size // 4
    pitch = -(-n // 8) * 8 + blocks * 8
    expected = np.zeros(1024, np.float32)
    for k in range(count):
        expected[k * (n + gap // 4) : k * (n + gap // 4) + n] = x[k * pitch : k * pitch + n]
    assert np.array_equal(y, expected)
