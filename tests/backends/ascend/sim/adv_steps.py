"""Operations of the advanced library as data: steps that adv_driver.cpp runs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kbench.backends.ascend.sim.kernel import GmBuffer, KernelResult, Launch, build_kernel, run_kernel
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import sandbox

Values = npt.NDArray[np.generic]

DRIVER = Path(__file__).parent / "adv_driver.cpp"
OPS = [
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "Cos",
    "Cosh",
    "Digamma",
    "Erf",
    "Erfc",
    "Exp",
    "Lgamma",
    "Log",
    "Log2",
    "Log10",
    "Sin",
    "Sinh",
    "Tan",
    "Tanh",
    "Ceil",
    "Floor",
    "Round",
    "Trunc",
    "Frac",
    "Sign",
    "ClampMax",
    "ClampMin",
    "Xor",
    "Fmod",
    "Axpy",
    "Power",
    "PowerTo",
    "PowerOf",
    "Sigmoid",
    "Silu",
    "Swish",
    "Gelu",
    "FasterGelu",
    "FasterGeluV2",
    "SwiGLU",
    "GeGLU",
    "ReGlu",
    "Ln",
    "Sqrt",
    "Rsqrt",
    "Reciprocal",
    "Div",
    "BasicExp",
]
TYPES = {"float16": 0, "float32": 1, "uint16": 2, "int32": 2}


@dataclass(frozen=True)
class AdvStep:
    """`op` on `x` (and `y`). form: 1 with sharedTmpBuffer, 2 over the whole tensor, 4 and up the operation's flags."""

    op: str
    x: Values
    y: Values | None = None
    scalar: float = 0.0
    form: int = 0

    def scalar_bits(self) -> int:
        dtype = np.dtype("float32") if self.op == "SwiGLU" else self.x.dtype
        return int.from_bytes(np.array(self.scalar, dtype).tobytes(), "little")


@dataclass(frozen=True)
class AdvMachine:
    """The built driver, and the numerics that it runs with."""

    program: Path
    numerics: str = "exact"

    @classmethod
    def build(cls, workdir: Path) -> AdvMachine:
        source = Candidate({"adv.cpp": DRIVER.read_text()}, {"kernel": "adv.cpp"})
        return cls(build_kernel(source, sandbox=sandbox("auto"), timeout_s=120, workdir=workdir).program)

    def run(self, steps: Sequence[AdvStep]) -> tuple[list[Values], KernelResult]:
        """The results of all steps, in one launch."""
        parts: list[bytes] = []
        size = 0

        def place(values: Values) -> int:
            nonlocal size
            at, padded = size, -(-values.nbytes // 32) * 32 + 32
            parts.append(values.tobytes().ljust(padded, b"\0"))
            size += padded
            return at

        words, places = [], []
        for s in steps:
            src0 = place(s.x)
            src1 = place(s.y) if s.y is not None else src0
            dst = place(np.zeros_like(s.x))
            places.append(dst)
            words.append(
                struct.pack(
                    "<8q", OPS.index(s.op), TYPES[s.x.dtype.name], s.form, s.x.size, s.scalar_bits(), src0, src1, dst
                )
            )
        data = np.frombuffer(b"".join(parts), np.uint8)
        launch = Launch(
            block_dim=1,
            args=[
                GmBuffer("data", "inout", data=data),
                GmBuffer("steps", "in", data=np.frombuffer(b"".join(words), np.uint8)),
                GmBuffer("counts", "in", data=np.array([len(steps), 0], np.uint32)),
            ],
            target=TARGETS[DEFAULT_TARGET],
            numerics=self.numerics,
        )
        result = run_kernel(self.program, launch, sandbox=sandbox("auto"), timeout_s=300)
        out = result.outputs[0]
        return [
            np.array(out[at : at + s.x.nbytes]).view(s.x.dtype) for s, at in zip(steps, places, strict=True)
        ], result
