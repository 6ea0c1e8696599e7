"""Simulated reductions and moves against NumPy doing the same work, and the memory of a scalar kernel.

    python benchmarks/vector_side.py [--rows 3072] [--rounds 5] [--scalar-side 8192]

Each kernel works on ROWS x 2048 elements, 40 blocks, with every check on. Simulated is one launch of the built kernel,
its process, sandbox and the copy of the inputs included; NumPy is the same work on warm arrays; the two alternate. The
scalar kernel adds one to SIDE x SIDE floats through GetValue and SetValue; its peak is that of the kernel's process and
of this one. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kbench.backends.ascend.rewrite import rewrite
from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, build_kernel, run_kernel
from kbench.backends.ascend.targets import TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import sandbox

WIDTH = 2048
BLOCKS = 40
_FRAME = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GlobalTensor<%(type)s> source, target;
    const uint32_t rows = *(__gm__ uint32_t*)tiling;
    source.SetGlobalBuffer((__gm__ %(type)s*)x);
    target.SetGlobalBuffer((__gm__ %(type)s*)y);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> scratch;
    pipe.InitBuffer(in, 2, 2048 * sizeof(%(type)s));
    pipe.InitBuffer(out, 2, 2048 * sizeof(%(type)s));
    pipe.InitBuffer(scratch, 2048 * sizeof(%(type)s));
    const LocalTensor<%(type)s> work = scratch.Get<%(type)s>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<%(type)s> a = in.AllocTensor<%(type)s>();
        DataCopy(a, source[row * 2048], 2048);
        in.EnQue(a);
        a = in.DeQue<%(type)s>();
        LocalTensor<%(type)s> b = out.AllocTensor<%(type)s>();
        %(work)s
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<%(type)s>();
        %(store)s
        out.FreeTensor(b);
    }
}
"""
_ONE = "DataCopyPad(target[row], b, DataCopyExtParams(1, sizeof({type}), 0, 0, 0));"
_ROW = "DataCopy(target[row * 2048], b, 2048);"
_SQUARES = """LocalTensor<half> from[16], to[16];
        for (int half_row = 0; half_row < 8; ++half_row) {
            for (int i = 0; i < 16; ++i) {
                from[i] = a[half_row * 256 + i * 16];
                to[i] = b[half_row * 256 + i * 16];
            }
            TransDataTo5HD(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));
        }"""
_TILING = "Copy(b, a, 64, 32, {1, 1, 8, 8});"

Formula = Callable[[np.ndarray], np.ndarray]
KERNELS: dict[str, tuple[str, str, str, Formula]] = {
    "sum of a row, float": ("float", "ReduceSum(b, a, work, 2048);", _ONE, lambda x: x.sum(axis=1, keepdims=True)),
    "largest of a row, float": ("float", "ReduceMax(b, a, work, 2048);", _ONE, lambda x: x.max(axis=1, keepdims=True)),
    "largest of a row, half": ("half", "ReduceMax(b, a, work, 2048);", _ONE, lambda x: x.max(axis=1, keepdims=True)),
    "copy, float": ("float", _TILING, _ROW, lambda x: x.copy()),
    "transpose of 16 x 16, half": (
        "half",
        _SQUARES,
        _ROW,
        lambda x: np.ascontiguousarray(x.reshape(-1, 16, 16).transpose(0, 2, 1)).reshape(x.shape),
    ),
}
_SCALAR = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GlobalTensor<float> source, target;
    source.SetGlobalBuffer((__gm__ float*)x);
    target.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t count = *(__gm__ uint32_t*)tiling / GetBlockNum();
    const uint32_t first = count * GetBlockIdx();
    for (uint32_t i = 0; i < count; ++i) {
        target.SetValue(first + i, source.GetValue(first + i) + 1.0f);
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(target);
}
"""


def build(text: str, scratch: str) -> Path:
    source = Candidate({"probe.cpp": rewrite(text)}, {"kernel": "probe.cpp"})
    return build_kernel(source, sandbox=sandbox("auto"), timeout_s=60, workdir=Path(scratch)).program


def launch(program: Path, x: np.ndarray, nbytes: int, number: int, blocks: int) -> np.ndarray:
    tiling = np.array([number, 0], np.uint32).tobytes()
    args = (GmBuffer("x", "in", data=x), GmBuffer("y", "out", nbytes=nbytes))
    asked = Launch(blocks, args, TARGETS["ascend910b3"], tiling=tiling, hazards=True)
    return run_kernel(program, asked, sandbox=sandbox("auto"), timeout_s=600).outputs[0]


def measure(name: str, rows: int, rounds: int) -> dict[str, float]:
    type_, work, store, formula = KERNELS[name]
    text = _FRAME % {"type": type_, "work": work, "store": store.format(type=type_)}
    x = np.random.default_rng(7).standard_normal((rows, WIDTH)).astype(np.float16 if type_ == "half" else np.float32)
    expected = formula(x)
    pairs = []
    with tempfile.TemporaryDirectory() as scratch:
        program = build(text, scratch)
        for _ in range(rounds + 1):
            start = time.perf_counter()
            got = launch(program, x, expected.nbytes, rows, BLOCKS)
            middle = time.perf_counter()
            formula(x)
            pairs.append((middle - start, time.perf_counter() - middle))
    values = got.view(x.dtype).reshape(expected.shape)
    assert np.allclose(values, expected, rtol=1e-4, atol=1e-3), name
    simulated, numpy = (statistics.median(c) * 1e3 for c in zip(*pairs[1:], strict=True))
    return {"simulated_ms": round(simulated, 1), "numpy_ms": round(numpy, 1), "ratio": round(simulated / numpy, 2)}


def scalar(side: int) -> dict[str, Any]:
    """Seconds and peak memory of a kernel that touches every element by itself."""
    x = np.ones(side * side, np.float32)
    with tempfile.TemporaryDirectory() as scratch:
        program = build(_SCALAR, scratch)
        start = time.perf_counter()
        got = launch(program, x, x.nbytes, x.size, 32)  # a divisor of every power of two
        seconds = time.perf_counter() - start
    assert (got.view(np.float32) == 2).all()
    peaks = {who: resource.getrusage(of).ru_maxrss >> 10 for who, of in _PEOPLE.items()}
    return {"elements": x.size, "seconds": round(seconds, 1), "tensors_mib": 2 * x.nbytes >> 20, "peak_mib": peaks}


_PEOPLE = {"this process": resource.RUSAGE_SELF, "largest child": resource.RUSAGE_CHILDREN}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=3072)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scalar-side", type=int, default=8192)
    given = parser.parse_args()
    found: dict[str, Any] = {name: measure(name, given.rows, given.rounds) for name in KERNELS}
    found["scalar"] = scalar(given.scalar_side)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
