"""Small kernels: built for a target, run once over each poison, their outputs as arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kbench.backends.aie.sim.build import AieBuild, build_kernel
from kbench.backends.aie.sim.machine import Buffer, Call, run_kernel
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import sandbox

#: numpy dtype → type of the API; "bfloat16" stands for itself and travels as uint16.
TYPES = {
    "int8": "int8", "uint8": "uint8", "int16": "int16", "uint16": "uint16", "int32": "int32", "uint32": "uint32",
    "float32": "float", "bfloat16": "bfloat16",
}  # fmt: skip


def build(body: str, parameters: str, target: str, workdir: Path, include: str = "aie_api/aie.hpp") -> AieBuild:
    """A kernel `k` with these parameters and this body."""
    text = f'#include <{include}>\nextern "C" void k({parameters}) {{\n{body}\n}}\n'
    source = Source({"kernel.cc": text, "main.cc": '#include "kernel.cc"\n'}, "main.cc")
    return build_kernel(source, "k", target, sandbox=sandbox("auto"), timeout_s=60, workdir=workdir)


def run(
    body: str,
    inputs: Sequence[np.ndarray],
    outputs: Sequence[tuple[str, int]],
    target: str = "npu1",
    include: str = "aie_api/aie.hpp",
) -> list[np.ndarray]:
    """What the body leaves in out0, out1, … (type, elements) from in0, in1, …, over both poisons: they must agree.
    An input of uint16 that is meant as bfloat16 is given as `bf16(values)`."""
    names = [f"{_type(x)} *in{i}" for i, x in enumerate(inputs)]
    names += [f"{TYPES[kind]} *out{i}" for i, (kind, _) in enumerate(outputs)]
    with tempfile.TemporaryDirectory() as folder:
        built = build(body, ", ".join(names), target, Path(folder), include)
        buffers = [Buffer(f"in{i}", x.nbytes, x.tobytes()) for i, x in enumerate(inputs)]
        dtypes = [np.dtype("uint16" if kind == "bfloat16" else kind) for kind, _ in outputs]
        sizes = [n * t.itemsize for t, (_, n) in zip(dtypes, outputs, strict=True)]
        buffers += [Buffer(f"out{i}", size, writable=True) for i, size in enumerate(sizes)]
        call = Call(buffers, [("buffer", i) for i in range(len(buffers))], stack_bytes=4096)
        first, second = run_kernel(built, call, sandbox("auto"), 60)
    for one, other in zip(first.outputs, second.outputs, strict=True):
        assert np.array_equal(one, other), "the output depends on contents that nobody set"
    return [data.view(t).copy() for data, t in zip(first.outputs, dtypes, strict=True)]


class Bf16(np.ndarray):
    """bfloat16 numbers as the bits that travel."""


def bf16(values: np.ndarray | Sequence[float]) -> np.ndarray:
    return (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16).view(Bf16)


def floats(bits: np.ndarray) -> np.ndarray:
    return (bits.view(np.ndarray).astype(np.uint32) << 16).view(np.float32)


def _type(x: np.ndarray) -> str:
    return "bfloat16" if isinstance(x, Bf16) else TYPES[x.dtype.name]
