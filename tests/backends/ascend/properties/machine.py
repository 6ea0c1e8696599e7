"""Runs calls on the simulator and compares whole images with what the oracles give.

This is the only side that knows kbench: it builds the driver kernels and launches them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from kbench.backends.ascend.sim.kernel import GmBuffer, KernelResult, Launch, build_kernel, run_kernel
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import Sandbox, sandbox
from tests.backends.ascend.oracles.lanes import Call, Image, Operand
from tests.backends.ascend.sim import vec_steps
from tests.backends.ascend.sim.vec_steps import Step

IMAGE = vec_steps.IMAGE
_FORMS = {
    "count": "count", "mask": "first", "bits": "bits", "kept_bits": "keep_bits", "counter": "counter",
    "kept_counter": "keep_counter",
}  # fmt: skip
_MODES = {**vec_steps.ROUND, **vec_steps.CMP, "": 0, "round": 0}


@dataclass(frozen=True)
class Machine:
    """A built driver kernel: parameters are the command table, the images, and the images afterwards."""

    program: Path
    box: Sandbox

    def run(self, table: np.ndarray, images: np.ndarray) -> tuple[np.ndarray, KernelResult]:
        args = [
            GmBuffer("steps", "in", table),
            GmBuffer("in", "in", images.reshape(-1)),
            GmBuffer("out", "out", nbytes=images.nbytes),
        ]
        result = run_kernel(self.program, Launch(1, args, TARGETS[DEFAULT_TARGET]), sandbox=self.box, timeout_s=120)
        return result.outputs[0].reshape(images.shape), result


def built(source: Path, workdir: Path) -> Machine:
    box = sandbox("auto")
    candidate = Candidate({source.name: source.read_text()}, {"kernel": source.name})
    return Machine(build_kernel(candidate, sandbox=box, timeout_s=180, workdir=workdir).program, box)


def step(call: Call, op: str = "", **more: object) -> Step:
    """The call as the vector driver's command."""
    spare = Operand(0, "f32", 1, 8)
    src = [*call.src, spare, spare, spare][:3]
    word = (1 << 64) - 1
    facts: dict[str, object] = {
        "type": call.src[0].dtype if call.src else call.dst.dtype,
        "to": call.dst.dtype,
        "form": _FORMS[call.form],
        "repeats": call.count if call.form == "count" else call.repeats,
        "mask": (call.mask & word, call.mask >> 64),
        "scalar": call.scalar,
        "mode": _MODES.get(call.mode, 0),
        "at": (call.dst.at, src[0].at, src[1].at, src[2].at),
        "block": (call.dst.block, src[0].block, src[1].block),
        "repeat": (call.dst.repeat, src[0].repeat, src[1].repeat),
        "extra": call.extra,
    }
    return Step(op or call.name, **{**facts, **more})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Trial:
    """One call, how the driver is told of it, the image before, and what the oracle makes of the image."""

    call: Call
    step: Step
    before: Image
    oracle: Callable[[Call, Image], object]


def judged(machine: Machine, trials: Sequence[Trial], scratch: tuple[int, int] = (0, 0)) -> None:
    """Runs all trials in one launch, and fails with the first ten that differ anywhere in their image but for the
    bytes of `scratch`, where an operation keeps what is nobody's business.

    Legal calls must not be complained of: any finding fails too."""
    for saturate in (False, True):
        mine = [t for t in trials if t.call.saturate == saturate]
        if not mine:
            continue
        table = vec_steps.program([t.step for t in mine], saturate=saturate)
        got, result = machine.run(table, np.stack([t.before for t in mine]))
        wrong = [told for t, after in zip(mine, got, strict=True) if (told := difference(t, after, scratch))]
        assert not wrong, f"{len(wrong)} of {len(mine)} calls differ:\n" + "\n".join(wrong[:10])
        assert not result.findings, [str(f) for f in result.findings][:5]


class Judged(Protocol):
    """What `difference` needs of a trial."""

    @property
    def call(self) -> Call: ...
    @property
    def before(self) -> Image: ...
    @property
    def oracle(self) -> Callable[[Call, Image], object]: ...


def difference(trial: Judged, after: Image, scratch: tuple[int, int] = (0, 0)) -> str:
    expected = trial.before.copy()
    trial.oracle(trial.call, expected)
    expected[slice(*scratch)] = after[slice(*scratch)]
    at = np.flatnonzero(expected != after)
    if not len(at):
        return ""
    first = int(at[0]) // 8 * 8
    window = slice(first, first + 8)
    outside = "" if first >= trial.call.dst.at else " (before dst)"
    texts = [image[window].tobytes().hex() for image in (trial.before, expected, after)]
    was, want, got = texts
    return f"{trial.call}: {len(at)} bytes from {first}{outside}: before {was} expected {want} got {got}"
