"""Small kernels for tests: many bodies in one source, chosen by the tiling key: one build serves a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kbench.backends.ascend.sim.kernel import Argument, GmBuffer, KernelResult, Launch, build_kernel, run_kernel
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import sandbox
from kbench.core.task import Array

TARGET = TARGETS[DEFAULT_TARGET]

_HEAD = """#include "kernel_operator.h"
using namespace AscendC;
struct Tiling { uint32_t n; uint32_t tile; };
__aicore__ inline void Put(GlobalTensor<float>& g, uint64_t i, float v) {
  WriteGmByPassDCache((__gm__ uint32_t*)g.GetPhyAddr(i), __builtin_bit_cast(uint32_t, v));
}
__aicore__ inline float Take(GlobalTensor<float>& g, uint64_t i) {
  return __builtin_bit_cast(float, ReadGmByPassDCache((__gm__ uint32_t*)g.GetPhyAddr(i)));
}
"""


def source(bodies: Sequence[str], prelude: str = "") -> tuple[str, list[int]]:
    """A kernel with one branch for each body (of one line each), and their lines. The branches see the tensors `xg`
    and `yg` over float arguments x and y, and `t`, the tiling data; Put and Take go past the data cache, as blocks that
    share a line must."""
    lines = (_HEAD + prelude).splitlines()
    lines += [
        'extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {',
        "REGISTER_TILING_DEFAULT(Tiling);",
        "GET_TILING_DATA(t, tiling);",
        "GlobalTensor<float> xg, yg;",
        "xg.SetGlobalBuffer((__gm__ float*)x, t.n);",
        "yg.SetGlobalBuffer((__gm__ float*)y, t.n);",
    ]
    first = len(lines) + 1
    lines += [f"if (TILING_KEY_IS({i})) {{ {body} }}" for i, body in enumerate(bodies)]
    lines.append("}")
    return "\n".join(lines) + "\n", [first + i for i in range(len(bodies))]


@dataclass(frozen=True)
class Probe:
    """A built table of bodies; `line[i]` is where body i stands in probe.cpp."""

    program: Path
    line: list[int]

    def run(
        self,
        body: int,
        *,
        n: int = 1020,
        blocks: int = 4,
        tile: int = 256,
        x: Array | None = None,
        y: Argument = None,
        workspace_bytes: int = 0,
        timeout_s: float = 20,
        hazards: bool = False,
        time: bool = False,
    ) -> KernelResult:
        x = np.arange(n, dtype=np.float32) if x is None else x
        launch = Launch(
            blocks,
            [GmBuffer("x", "in", x), y or GmBuffer("y", "out", nbytes=n * 4)],
            TARGET,
            tiling=np.array([n, tile], np.uint32).tobytes(),
            tiling_key=body,
            workspace_bytes=workspace_bytes,
            hazards=hazards,
            time=time,
        )
        return run_kernel(self.program, launch, sandbox=sandbox("auto"), timeout_s=timeout_s)


def build(bodies: Sequence[str], workdir: Path, prelude: str = "") -> Probe:
    text, lines = source(bodies, prelude)
    candidate = Candidate({"probe.cpp": text}, {"kernel": "probe.cpp"})
    built = build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=workdir)
    return Probe(built.program, lines)
