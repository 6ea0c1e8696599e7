"""Published vectorised kernels for AMD's NPUs as tasks, with models of our own, judged by the AIE simulator.

    python -m benchmarks.aie_public_tasks CHECKOUT [--only NAME …] [--update]

The candidate is a kernel of a checkout of mlir-aie (folder `aie_kernels`), read there and never kept, with a caller of
ours around it: it sets the device's state at reset, which these kernels expect, and passes buffers and sizes as the
kernel wants them. The task is what the kernel says that it computes. `aie_public_ledger.json` has the verdicts; the
exit status is 1 where one differs from it, and `--update` writes it.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kbench
from benchmarks.upstream import verdict
from kbench.backends.aie.interface import signature
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.suite import SuiteTask
from kbench.core.task import Array, Comparer, Tolerance
from kbench.task_specs.npueval._inputs import Draw, Rng, floats, grid, integers, magnitudes, reshaped, together, uniform
from kbench.task_specs.npueval._operator import EXACT, Buffer, Inputs, Operator, Param, bf16
from kbench.task_specs.numerics import wide

LEDGER = Path(__file__).with_name("aie_public_ledger.json")
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

#: At reset the device truncates to bfloat16: an operation may be off by one step.
STEP = Tolerance(1e-37, 2.0**-7, "one operation, rounded to bfloat16 in either direction")
TABLE = Tolerance(3e-2, 3e-2, "a function by table, several steps in bfloat16")
STEPS = Tolerance(6e-2, 6e-2, "a function by table, a dozen steps in bfloat16, each truncated")
SHARE = Tolerance(2e-3, 6e-2, "an exponential by table, and a sum of results in bfloat16")


@dataclass(frozen=True)
class Public:
    """A kernel of the checkout and the task that tells it.

    Args:
        source: its file below `aie_kernels`.
        call: the call of the kernel, with the task's names.
        target: the device that it is written for.
        defines: macros before its source.
    """

    source: str
    call: str
    entry: SuiteTask
    target: str
    defines: Mapping[str, str] = field(default_factory=dict)


def public(
    name: str,
    source: str,
    call: str,
    operator: Operator,
    cases: Mapping[str, Inputs],
    *,
    defines: Mapping[str, str] | None = None,
    comparer: Comparer | None = None,
) -> Public:
    task, told = operator.told(name, cases)
    if comparer is not None:
        task = replace(task, comparers={task.outputs[0].name: comparer}, tolerance={})
    target = "npu2" if source.startswith("aie2p/") else "npu1"
    return Public(source, call, SuiteTask(task=task, cases=told), target, defines or {})


def candidate(checkout: Path, kernel: Public) -> Candidate:
    """The kernel's own files as they are, and the caller."""
    files: dict[str, str] = {}
    waiting = [f"aie_kernels/{kernel.source}"]
    while waiting:
        place = waiting.pop()
        if place in files or not (checkout / place).is_file():
            continue
        files[place] = (checkout / place).read_text(errors="replace")
        folder = posixpath.dirname(place)
        waiting += [posixpath.normpath(posixpath.join(folder, name)) for name in _INCLUDE.findall(files[place])]
    task = kernel.entry.task
    lines = [f"#define {name} {value}".rstrip() for name, value in kernel.defines.items()]
    lines += [f'#include "aie_kernels/{kernel.source}"', "#include <aie_api/aie.hpp>"]
    lines += [f"{signature(task, kernel.entry.cases[0])} {{", "    aie::set_rounding(aie::rounding_mode::floor);"]
    lines += [f"    {kernel.call}", "}"]
    path = f"{task.name}.cc"
    return Candidate({**files, path: "\n".join(lines) + "\n"}, {"kernel": path}, task.name)


# --- models -----------------------------------------------------------------------------------------------------------


def operator(
    summary: str,
    inputs: Mapping[str, tuple[str, tuple[int, ...]]],
    output: tuple[str, tuple[int, ...]],
    model: Any,
    tolerance: Tolerance = EXACT,
    params: Mapping[str, Param] | None = None,
    lazy: Mapping[str, str] | None = None,
) -> Operator:
    return Operator(
        summary=summary,
        formula=summary,
        category="Published kernels",
        inputs={n: Buffer(*facts) for n, facts in inputs.items()},
        output={"out": Buffer(*output)},
        model=model,
        tolerance=tolerance,
        params=params or {},
        lazy=lazy or {},
    )


def shifted(values: NDArray[Any], shift: int, *, up: bool = False, away: bool = False) -> NDArray[np.int64]:
    """Integers without their last bits: rounded down, or to nearest with ties up or away from zero."""
    exact = np.asarray(values, np.int64)
    if away:
        return np.asarray(np.sign(exact) * ((np.abs(exact) + (1 << shift >> 1)) >> shift))
    return np.asarray((exact + ((1 << shift >> 1) if up else 0)) >> shift)


def saturated(values: NDArray[Any], dtype: str) -> Array:
    info = np.iinfo(dtype)
    return np.asarray(np.clip(values, info.min, info.max)).astype(dtype)


def wrapped(values: NDArray[Any], dtype: str) -> Array:
    return np.asarray(values, np.int64).astype(dtype)


def silu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(x / (1 + np.exp(-x)))


def gelu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


def softmax(x: Array, size: int) -> Array:
    e = np.exp(wide(x) - wide(x).max())
    return bf16(e / e.sum())


def swiglu(x: Array, weights: Array) -> Array:
    gate = bf16(wide(x) * wide(weights[1]))
    return bf16(wide(x) * wide(weights[0]) * silu(wide(gate)))


def layer_norm(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((x - x.mean()) / np.sqrt(x.var() + 1e-5))


def rope(x: Array, table: Array, dims: int) -> Array:
    even, odd, cos, sin = (wide(part) for part in (x[::2], x[1::2], table[::2], table[1::2]))
    return bf16(np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=1).reshape(-1))


def added(alpha: int, beta: int, gamma: int, x: Array, y: Array, dtype: str) -> Array:
    """The published sum: the offset counts in units of the last of the 14 fractional bits."""
    total = x.astype(np.int64) * alpha + y.astype(np.int64) * beta + gamma
    return saturated(shifted(total, 14), dtype)


def threshold(x: Array, value: int, most: int, kind: int) -> Array:
    zero = np.zeros((), x.dtype)
    over = x > value
    full, limit = np.asarray(most).astype(x.dtype), np.asarray(value).astype(x.dtype)
    found = {
        0: np.where(over, full, zero),
        1: np.where(over, zero, full),
        2: np.minimum(x, limit),
        3: np.where(over, x, zero),
        4: np.where(over, zero, x),
    }
    return np.asarray(found[kind]).astype(x.dtype)


def gray_of(rgba: Array) -> Array:
    r, g, b = (rgba[:, i].astype(np.int64) for i in range(3))
    weights = [round(share * 2**15) for share in (0.299, 0.587, 0.114)]
    return shifted(weights[0] * r + weights[1] * g + weights[2] * b + 2**14, 15).astype(np.uint8)


def hue_of(rgba: Array) -> Array:
    """The hue in units of 1/255 of a turn; quotients are cut off towards zero."""
    found = []
    for r, g, b in rgba[:, :3].astype(int).tolist():
        most, span = max(r, g, b), max(r, g, b) - min(r, g, b)
        if span == 0:
            found.append(0)
            continue
        start, part = (0, g - b) if most == r else (170, b - r) if most == g else (340, r - g)
        found.append((start + int(85 * part / span) + 1) >> 1)
    return np.array(found, np.int64).astype(np.uint8)


def near_on_the_circle(expected: Array, got: Array) -> str | None:
    """Hues are at most two apart, 255 and 0 being neighbours."""
    apart = (got.astype(np.int64) - expected + 128) % 256 - 128
    wrong = np.flatnonzero(np.abs(apart) > 2)
    if not wrong.size:
        return None
    i = int(wrong[0])
    return f"[{i}]: expected {expected[i]}, got {got[i]} ({wrong.size} differ)"


def filtered(lines: Array, kernel: Array) -> Array:
    """Three lines and 3x3 taps, whose upper byte counts; at both ends the last element is repeated."""
    taps = shifted(kernel, 8).reshape(3, 3)
    padded = np.pad(lines.astype(np.int64), ((0, 0), (1, 1)), mode="edge")
    total = sum(taps[r, c] * padded[r, c : c + lines.shape[1]] for r in range(3) for c in range(3))
    return saturated(shifted(np.asarray(total), 4), "uint8")


def blocked(a: Array, b: Array) -> NDArray[Any]:
    """The product of matrices in blocks, (rows, columns, rows of a block, columns of a block), as blocks."""
    exact = np.float64 if a.dtype.kind not in "iu" else np.int64
    return np.asarray(np.einsum("mkrs,knst->mnrt", a.astype(exact), b.astype(exact)))


def one_by_one(x: Array, weights: Array) -> NDArray[np.int64]:
    """A 1x1 convolution of (group, column, channel) by (group out, group in, channel in, channel out)."""
    return np.asarray(np.einsum("gxc,ogcd->oxd", x.astype(np.int64), weights.astype(np.int64)))


# --- the kernels ------------------------------------------------------------------------------------------------------

_N = 1024
_BF16, _INT32 = ("bfloat16", (_N,)), ("int32", (_N,))


def two(draw: Draw) -> Draw:
    return together(draw, draw)


def moved(draw: Draw) -> Draw:
    """All values moved by a random step, so that their ends are not known."""
    return reshaped(draw, lambda rng, x: x + np.int32(rng.integers(0, 4000)))


def float_cases(spread: float = 2.0, most: float = 4.0, inputs: int = 1) -> dict[str, Inputs]:
    draws = {"normal": floats((_N,), spread), "even": uniform((_N,), -most, most)}
    told = {"normal": "normal values", "even": "values from a range about zero, each as often"}
    return {n: Inputs(told[n], together(*([d] * inputs))) for n, d in draws.items()}


def integer_cases(dtype: str, shape: tuple[int, ...], inputs: int = 1, **params: float) -> dict[str, Inputs]:
    draws = {"full_range": integers(shape, dtype), "small": integers(shape, dtype, 0, 99)}
    told = {"full_range": "values over the whole range", "small": "small values"}
    return {n: Inputs(told[n], together(*([d] * inputs)), params) for n, d in draws.items()}


def bits(kind: str, width: int) -> Public:
    dtype = {8: "uint8", 16: "int16", 32: "int32"}[width]
    model = np.bitwise_and if kind == "AND" else np.bitwise_or
    facts = (dtype, (_N,))
    return public(
        f"bitwise_{kind.lower()}_{width}",
        f"aie2/bitwise{kind}.cc",
        f"bitwise{kind}Tile(a, b, out, 4, {_N // 4});",
        operator(f"The bitwise {kind} of two vectors.", {"a": facts, "b": facts}, facts, model),
        integer_cases(dtype, (_N,), 2),
        defines={"BIT_WIDTH": str(width)},
    )


def weighted(width: int) -> Public:
    dtype = {8: "uint8", 16: "int16"}[width]
    facts = (dtype, (_N,))
    params = {"alpha": Param("int16", 8192), "beta": Param("int16", 4096), "gamma": Param(dtype, 3)}
    cases = integer_cases(dtype, (_N,), 2)
    cases["steep"] = Inputs(
        "weights of both signs that saturate", two(integers((_N,), dtype)), {"alpha": 32767, "beta": -16384}
    )
    return public(
        f"add_weighted_{width}",
        "aie2/addWeighted.cc",
        f"addWeightedLine(a, b, out, {_N}, alpha, beta, gamma);",
        operator(
            "The weighted sum of two images, saturated.",
            {"a": facts, "b": facts},
            facts,
            lambda a, b, alpha, beta, gamma: added(alpha, beta, gamma, a, b, dtype),
            params=params,
        ),
        cases,
        defines={"BIT_WIDTH": str(width)},
    )


def thresholds(width: int) -> Public:
    dtype = {8: "uint8", 16: "int16", 32: "int32"}[width]
    facts = (dtype, (_N,))
    cases = {
        f"kind_{kind}": Inputs(f"the threshold of kind {kind}", integers((_N,), dtype, 0, 120), {"kind": kind})
        for kind in range(5)
    }
    return public(
        f"threshold_{width}",
        "aie2/threshold.cc",
        f"thresholdLine(x, out, {_N}, value, most, kind);",
        operator(
            "The threshold of an image: binary, binary inverted, cut off, to zero, to zero inverted.",
            {"x": facts},
            facts,
            lambda x, value, most, kind: threshold(x, value, most, kind),
            params={"value": Param(dtype, 60), "most": Param(dtype, 100), "kind": Param("uint8", 0)},
        ),
        cases,
        defines={"BIT_WIDTH": str(width)},
    )


def passed_through(width: int) -> Public:
    dtype = {8: "uint8", 16: "int16", 32: "int32"}[width]
    facts = (dtype, (_N,))
    return public(
        f"pass_through_{width}",
        "generic/passThrough.cc",
        f"passThroughLine(x, out, {_N});",
        operator("A copy.", {"x": facts}, facts, lambda x: x, lazy={"copy:x": "it is a copy"}),
        integer_cases(dtype, (_N,)),
        defines={"BIT_WIDTH": str(width)},
    )


def scaled(width: int) -> Public:
    dtype = {16: "int16", 32: "int32"}[width]
    facts = (dtype, (_N,))
    factors = integers((1,), "int32", -300, 300)
    return public(
        f"scale_{width}",
        "aie2/scale.cc",
        f"vector_scalar_mul_vector(x, out, factor, {_N});",
        operator(
            "A vector times a factor, without its upper bits.",
            {"x": facts, "factor": ("int32", (1,))},
            facts,
            lambda x, factor: wrapped(x.astype(np.int64) * int(factor[0]), dtype),
        ),
        {
            "full_range": Inputs("values over the whole range", together(integers((_N,), dtype), factors)),
            "small": Inputs("small values", together(integers((_N,), dtype, -99, 99), factors)),
        },
        defines={"BIT_WIDTH": str(width)},
    )


@dataclass(frozen=True)
class Product:
    """A blocked product of matrices: types, the block, and how its results are told."""

    device: str
    inputs: str
    output: str
    block: tuple[int, int, int]
    size: int = 32

    def public(self) -> Public:
        short = {"int8": "i8", "int16": "i16", "int32": "i32", "bfloat16": "bf16", "float32": "f32"}
        r, s, t = self.block
        m = k = n = self.size
        kind = f"{short[self.inputs]}_{short[self.output]}"
        return public(
            f"matmul_{kind}_{self.device}",
            f"{self.device}/mm.cc",
            f"zero_{short[self.output]}(out); matmul_{kind}(a, b, out);",
            operator(
                "The product of two matrices in blocks.",
                {"a": (self.inputs, (m // r, k // s, r, s)), "b": (self.inputs, (k // s, n // t, s, t))},
                (self.output, (m // r, n // t, r, t)),
                self.model,
                self.tolerance,
            ),
            self.cases((m // r, k // s, r, s), (k // s, n // t, s, t)),
            defines={"DIM_M": str(m), "DIM_K": str(k), "DIM_N": str(n), f"{kind}_ONLY": ""},
        )

    def model(self, a: Array, b: Array) -> Array:
        exact = blocked(a, b)
        if self.output == "bfloat16":
            return bf16(exact)
        return exact.astype(np.float32) if self.output == "float32" else wrapped(exact, self.output)

    @property
    def tolerance(self) -> Tolerance:
        if self.output == "bfloat16":
            return Tolerance(2e-2, 2.0**-6, "sums in float32, truncated to bfloat16")
        return Tolerance(1e-4, 1e-4, "sums in float32, in any order") if self.output == "float32" else EXACT

    def cases(self, a: tuple[int, ...], b: tuple[int, ...]) -> dict[str, Inputs]:
        if self.inputs == "bfloat16":
            return {
                "normal": Inputs("normal values", together(floats(a, 0.5), floats(b, 0.5))),
                "exact": Inputs("small whole numbers", together(grid(a, 1.0, 2), grid(b, 1.0, 2))),
            }
        return {
            "small": Inputs(
                "products that stay in range",
                together(integers(a, self.inputs, -1, 1), integers(b, self.inputs, -3, 3)),
            ),
            "large": Inputs(
                "sums beyond 8 bits", together(integers(a, self.inputs, -100, 100), integers(b, self.inputs, -100, 100))
            ),
        }


def convolved(device: str, source: str, call: str, x_type: str, out_type: str, away: bool) -> Public:
    groups, columns, scale = 4, 32, 9
    params = {"scale": Param("int32", scale)}
    return public(
        f"{call}_{out_type}_{device}",
        f"{device}/{source}",
        f"{call}(x, weights, out, {columns}, {8 * groups}, {8 * groups}, scale);",
        operator(
            "A 1x1 convolution over channels in groups of eight, scaled and saturated.",
            {"x": (x_type, (groups, columns, 8)), "weights": ("int8", (groups, groups, 8, 8))},
            (out_type, (groups, columns, 8)),
            lambda x, weights, scale: saturated(
                shifted(one_by_one(x, weights), scale, up=not away, away=away), out_type
            ),
            params=params,
        ),
        {
            "typical": Inputs(
                "small values",
                together(
                    integers((groups, columns, 8), x_type, 0 if x_type[0] == "u" else -30, 30),
                    integers((groups, groups, 8, 8), "int8", -30, 30),
                ),
            ),
            "saturating": Inputs(
                "values over the whole range",
                together(integers((groups, columns, 8), x_type), integers((groups, groups, 8, 8), "int8")),
                {"scale": 6},
            ),
        },
        defines={"INT8_ACT" if x_type == "int8" else "UINT8_ACT": ""},
    )


def three_by_three(x: Array, weights: Array) -> NDArray[np.int64]:
    """A 3x3 convolution of three lines of (group, column, channel), with zeros beyond both ends."""
    padded = np.pad(x.astype(np.int64), ((0, 0), (0, 0), (1, 1), (0, 0)))
    columns = np.lib.stride_tricks.sliding_window_view(padded, 3, axis=2)
    return np.asarray(np.einsum("ygxck,ogykcd->oxd", columns, weights.astype(np.int64)))


def lines_convolved() -> Public:
    """Of bytes without sign: the published kernel of signed ones does not compile, anywhere."""
    groups, columns = 4, 32
    shapes = (3, groups, columns, 8), (groups, groups, 3, 3, 8, 8)
    line = groups * columns * 8
    return public(
        "conv2dk3_ui8_aie2",
        "aie2/conv2dk3.cc",
        f"conv2dk3_ui8(x, x + {line}, x + {2 * line}, weights, out, {columns}, {8 * groups}, {8 * groups}, "
        "3, 3, middle, scale, 0);",
        operator(
            "A 3x3 convolution of three lines over channels in groups of eight, scaled and saturated.",
            {"x": ("uint8", shapes[0]), "weights": ("int8", shapes[1])},
            ("uint8", (groups, columns, 8)),
            lambda x, weights, scale: saturated(shifted(three_by_three(x, weights), scale, up=True), "uint8"),
            params={"scale": Param("int32", 9)},
        ),
        {
            "typical": Inputs(
                "small values", together(integers(shapes[0], "uint8", 0, 30), integers(shapes[1], "int8", -30, 30))
            ),
            "saturating": Inputs(
                "values over the whole range", together(integers(shapes[0], "uint8"), integers(shapes[1], "int8"))
            ),
        },
    )


def joined(x: Array, weights: Array, scale: int, skip_scale: int) -> Array:
    """The convolution of two halves of the channels as bytes, and what skipped it, added and scaled."""
    groups = weights.shape[0]
    total = saturated(shifted(one_by_one(x[: 2 * groups], weights), scale, up=True), "int8")
    return saturated(shifted(total.astype(np.int64) + x[2 * groups :], skip_scale, up=True), "uint8")


def skipped() -> Public:
    groups, columns = 4, 32
    shapes = (3 * groups, columns, 8), (groups, 2 * groups, 8, 8)
    half = groups * columns * 8
    return public(
        "conv2dk1_skip_ui8_aie2",
        "aie2/conv2dk1_skip.cc",
        f"conv2dk1_skip_ui8(x, x + {half}, weights, out, x + {2 * half}, {columns}, {16 * groups}, {8 * groups}, "
        "scale, skip_scale);",
        operator(
            "A 1x1 convolution of two halves of the channels, to which what skipped it is added.",
            {"x": ("uint8", shapes[0]), "weights": ("int8", shapes[1])},
            ("uint8", (groups, columns, 8)),
            joined,
            params={"scale": Param("int32", 9), "skip_scale": Param("int32", 1)},
        ),
        {
            "typical": Inputs(
                "small values", together(integers(shapes[0], "uint8", 0, 90), integers(shapes[1], "int8", -30, 30))
            ),
            "saturating": Inputs(
                "values over the whole range", together(integers(shapes[0], "uint8"), integers(shapes[1], "int8"))
            ),
        },
    )


def words_transposed(a: Array, b: Array) -> Array:
    """A matrix of 16 bits transposed by words of 32: (pair of columns, row, column of the pair)."""
    matrix = a.astype(np.int64).transpose(1, 0, 2).reshape(32, 32)
    return wrapped(matrix @ b.astype(np.int64), "int32")


def table(rng: Rng) -> tuple[Array, ...]:
    angle = rng.uniform(-np.pi, np.pi, _N // 2)
    return (bf16(np.stack([np.cos(angle), np.sin(angle)], axis=1).reshape(-1)),)


def epilogue(x: Array, mode: int) -> Array:
    found = {0: wide(x), 1: silu(wide(x)), 2: gelu(wide(bf16(x)))}[mode]
    return found.astype(np.float32)


def activations(device: str) -> list[Public]:
    """The functions that both devices have, each in its way."""
    size = Param("int32", _N)
    weights = ("bfloat16", (2, _N))
    scaled_weights = together(floats((_N,), 1.0), floats((2, _N), 1.0))
    return [
        public(
            f"exp_{device}",
            f"{device}/bf16_exp.cc",
            "exp_bf16_1024(x, out);",
            operator("e to the power of each element.", {"x": _BF16}, _BF16, lambda x: bf16(np.exp(wide(x))), TABLE),
            float_cases(),
        ),
        public(
            f"gelu_{device}",
            f"{device}/gelu.cc",
            "gelu_bf16(x, out);",
            operator("GELU by hyperbolic tangent.", {"x": _BF16}, _BF16, lambda x: bf16(gelu(wide(x))), TABLE),
            float_cases(),
        ),
        public(
            f"silu_{device}",
            f"{device}/silu.cc",
            "silu_bf16(x, out);",
            operator("x times its logistic function.", {"x": _BF16}, _BF16, lambda x: bf16(silu(wide(x))), TABLE),
            float_cases(),
        ),
        public(
            f"swiglu_{device}",
            f"{device}/swiglu.cc",
            f"swiglu_bf16(x, weights, weights + {_N}, out);",
            operator("x w1 silu(x w2).", {"x": _BF16, "weights": weights}, _BF16, swiglu, STEPS),
            {
                "normal": Inputs("normal values", scaled_weights),
                "even": Inputs(
                    "values from a range about zero", together(uniform((_N,), -2, 2), uniform((2, _N), -2, 2))
                ),
            },
        ),
        public(
            f"softmax_{device}",
            f"{device}/softmax.cc",
            "softmax_bf16(x, out, size);",
            operator("Softmax.", {"x": _BF16}, _BF16, softmax, SHARE, {"size": size}),
            float_cases(1.5, 3.0),
        ),
    ]


KERNELS = [
    public(
        "add",
        "aie2/add.cc",
        "eltwise_add_bf16_vector(a, b, out);",
        operator(
            "The sum of two vectors.", {"a": _BF16, "b": _BF16}, _BF16, lambda a, b: bf16(wide(a) + wide(b)), STEP
        ),
        float_cases(inputs=2),
    ),
    public(
        "mul",
        "aie2/mul.cc",
        "eltwise_mul_bf16_vector(a, b, out);",
        operator(
            "The product of two vectors.", {"a": _BF16, "b": _BF16}, _BF16, lambda a, b: bf16(wide(a) * wide(b)), STEP
        ),
        {**float_cases(inputs=2), "sizes": Inputs("values of every size", two(magnitudes((_N,), 1e-6, 1e6)))},
    ),
    public(
        "scale_shift",
        "aie2/scale_shift.cc",
        "eltwise_mul_add_bf16_vector(a, b, out, is_mul);",
        operator(
            "The product or the sum of two vectors.",
            {"a": _BF16, "b": _BF16},
            _BF16,
            lambda a, b, is_mul: bf16(wide(a) * wide(b) if is_mul else wide(a) + wide(b)),
            STEP,
            {"is_mul": Param("int32", 1)},
        ),
        {
            "mul": Inputs("the product", two(floats((_N,), 2.0))),
            "add": Inputs("the sum", two(floats((_N,), 2.0)), {"is_mul": 0}),
        },
    ),
    public(
        "relu",
        "aie2/relu.cc",
        "bf16_relu(x, out);",
        operator("The positive part.", {"x": _BF16}, _BF16, lambda x: bf16(np.maximum(wide(x), 0)), EXACT),
        float_cases(),
    ),
    weighted(8),
    weighted(16),
    *(bits(kind, width) for kind in ("AND", "OR") for width in (8, 16)),
    bits("AND", 32),
    *(thresholds(width) for width in (8, 32)),
    *(passed_through(width) for width in (8, 16, 32)),
    *(scaled(width) for width in (16, 32)),
    public(
        "reduce_add",
        "aie2/reduce_add.cc",
        f"reduce_add_vector(x, out, {_N});",
        operator(
            "The sum, modulo 2^32.", {"x": _INT32}, ("int32", (1,)), lambda x: x.sum(dtype=np.int32, keepdims=True)
        ),
        integer_cases("int32", (_N,)),
    ),
    public(
        "reduce_max",
        "aie2/reduce_max.cc",
        f"reduce_max_vector(x, out, {_N});",
        operator("The largest element.", {"x": _INT32}, ("int32", (1,)), lambda x: x.max(keepdims=True)),
        {
            "any": Inputs("values of both signs", moved(integers((_N,), "int32", -(2**30), 2**30))),
            "negative": Inputs("negative values", moved(integers((_N,), "int32", -(2**30), -5000))),
        },
    ),
    public(
        "reduce_max_bfloat16",
        "aie2/reduce_max.cc",
        f"reduce_max_vector_bfloat16(x, out, {_N});",
        operator("The largest element.", {"x": _BF16}, ("bfloat16", (1,)), lambda x: bf16([wide(x).max()])),
        {
            "any": Inputs("values of both signs", floats((_N,), 3.0)),
            "negative": Inputs("negative values", magnitudes((_N,), 0.5, 1e3, signs=(-1.0,))),
        },
    ),
    public(
        "reduce_min",
        "aie2/reduce_min.cc",
        f"reduce_min_vector(x, out, {_N});",
        operator("The smallest element.", {"x": _INT32}, ("int32", (1,)), lambda x: x.min(keepdims=True)),
        {
            "any": Inputs("values of both signs", moved(integers((_N,), "int32", -(2**30), 2**30))),
            "positive": Inputs("positive values", moved(integers((_N,), "int32", 5, 2**30))),
        },
    ),
    public(
        "gray_to_rgba",
        "aie2/gray2rgba.cc",
        "gray2rgbaLine(x, out, 512);",
        operator(
            "Each value three times, and 255.",
            {"x": ("uint8", (512,))},
            ("uint8", (512, 4)),
            lambda x: np.stack([x, x, x, np.full_like(x, 255)], axis=1),
        ),
        integer_cases("uint8", (512,)),
    ),
    public(
        "rgba_to_gray",
        "aie2/rgba2gray.cc",
        "rgba2grayLine(x, out, 512);",
        operator("The weighted sum of the colours.", {"x": ("uint8", (512, 4))}, ("uint8", (512,)), gray_of),
        integer_cases("uint8", (512, 4)),
    ),
    public(
        "rgba_to_hue",
        "aie2/rgba2hue.cc",
        "rgba2hueLine(x, out, 512);",
        operator("The hue of each colour.", {"x": ("uint8", (512, 4))}, ("uint8", (512,)), hue_of),
        integer_cases("uint8", (512, 4)),
        comparer=near_on_the_circle,
    ),
    public(
        "filter2d",
        "aie2/filter2d.cc",
        "filter2dLine(lines, lines + 64, lines + 128, out, 64, kernel);",
        operator(
            "Three lines with 3x3 taps, saturated.",
            {"lines": ("uint8", (3, 64)), "kernel": ("int16", (9,))},
            ("uint8", (64,)),
            filtered,
        ),
        {
            "smooth": Inputs("small taps", together(integers((3, 64), "uint8"), integers((9,), "int16", 0, 900))),
            "edges": Inputs(
                "taps of both signs", together(integers((3, 64), "uint8"), integers((9,), "int16", -4096, 4096))
            ),
        },
    ),
    public(
        "matvec_i16_i32",
        "aie2/mv.cc",
        "zero_vectorized_i32(out); matvec_vectorized_i16_i32(a, b, out);",
        operator(
            "A matrix, transposed by words, times a vector.",
            {"a": ("int16", (16, 32, 2)), "b": ("int16", (32,))},
            ("int32", (32,)),
            words_transposed,
        ),
        {
            "small": Inputs(
                "small values", together(integers((16, 32, 2), "int16", -9, 9), integers((32,), "int16", -9, 9))
            ),
            "large": Inputs(
                "sums beyond 16 bits",
                together(integers((16, 32, 2), "int16", -5000, 5000), integers((32,), "int16", -5000, 5000)),
            ),
        },
    ),
    public(
        "softmax_scalar",
        "aie2/bf16_softmax.cc",
        "softmax_bf16(x, out, size);",
        operator("Softmax.", {"x": _BF16}, _BF16, softmax, SHARE, {"size": Param("int32", _N)}),
        float_cases(1.5, 3.0),
    ),
    *activations("aie2"),
    *activations("aie2p"),
    *(
        Product("aie2", *facts).public()
        for facts in (
            ("int8", "int8", (4, 8, 8)),
            ("int8", "int32", (4, 8, 8)),
            ("int16", "int32", (4, 4, 4)),
            ("bfloat16", "bfloat16", (4, 8, 4)),
            ("bfloat16", "float32", (4, 8, 4)),
        )
    ),
    *(
        Product("aie2p", *facts).public()
        for facts in (
            ("int8", "int8", (8, 8, 8)),
            ("int16", "int32", (4, 4, 8)),
            ("bfloat16", "float32", (4, 8, 8)),
        )
    ),
    convolved("aie2", "conv2dk1_i8.cc", "conv2dk1_i8", "int8", "int8", away=True),
    convolved("aie2p", "conv2dk1_i8.cc", "conv2dk1_i8", "int8", "int8", away=True),
    convolved("aie2", "conv2dk1.cc", "conv2dk1_ui8", "uint8", "uint8", away=False),
    convolved("aie2", "conv2dk1.cc", "conv2dk1_i8", "int8", "uint8", away=False),
    lines_convolved(),
    skipped(),
    public(
        "layer_norm_bfloat16",
        "aie2p/layer_norm.cc",
        "layer_norm(x, out, size);",
        operator(
            "Normed to mean 0 and variance 1.",
            {"x": _BF16},
            _BF16,
            lambda x, size: bf16(layer_norm(wide(x))),
            TABLE,
            {"size": Param("int32", _N)},
        ),
        float_cases(),
    ),
    public(
        "layer_norm_float32",
        "aie2p/layer_norm.cc",
        "layer_norm_f32(x, out, size);",
        operator(
            "Normed to mean 0 and variance 1.",
            {"x": ("float32", (_N,))},
            ("float32", (_N,)),
            lambda x, size: layer_norm(wide(x)).astype(np.float32),
            Tolerance(1e-4, 1e-4, "sums in float32, in any order; products of three bfloat16 parts"),
            {"size": Param("int32", _N)},
        ),
        {
            "normal": Inputs("normal values", floats((_N,), 2.0, dtype="float32")),
            "even": Inputs("values from 1 to 5", uniform((_N,), 1, 5, dtype="float32")),
        },
    ),
    public(
        "rms_norm_bfloat16",
        "aie2p/rms_norm.cc",
        "rms_norm(x, out, size);",
        operator(
            "Divided by the root of the mean square.",
            {"x": _BF16},
            _BF16,
            lambda x, size: bf16(wide(x) / np.sqrt(np.mean(wide(x) ** 2) + 1e-5)),
            TABLE,
            {"size": Param("int32", _N)},
        ),
        float_cases(),
    ),
    public(
        "rope_bfloat16",
        "aie2p/rope.cc",
        "rope(x, table, out, dims);",
        operator(
            "Pairs turned by angles.",
            {"x": _BF16, "table": _BF16},
            _BF16,
            rope,
            Tolerance(6e-2, 2e-2, "two products and a sum, each truncated to bfloat16"),
            {"dims": Param("int32", _N)},
        ),
        {
            "normal": Inputs("normal values", together(floats((_N,), 2.0), table)),
            "even": Inputs("values from -3 to 3", together(uniform((_N,), -3, 3), table)),
        },
    ),
    public(
        "mm_activation_epilogue",
        "aie2p/mm_activation_epilogue.cc",
        f"mm_activation_epilogue_row(x, out, {_N}, mode);",
        operator(
            "Nothing, SiLU or GELU.",
            {"x": ("float32", (_N,))},
            ("float32", (_N,)),
            epilogue,
            TABLE,
            {"mode": Param("int32", 1)},
        ),
        {
            f"mode_{mode}": Inputs(f"mode {mode}", floats((_N,), 2.0, dtype="float32"), {"mode": mode})
            for mode in range(3)
        },
    ),
]


# --- judging ----------------------------------------------------------------------------------------------------------


def judged(checkout: Path, kernel: Public) -> dict[str, Any]:
    settings = Settings(target=kernel.target)
    record = kbench.evaluate(kernel.entry, candidate(checkout, kernel), "aie", settings=settings)
    return {"source": kernel.source, "target": kernel.target, **verdict(record)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names that contain one of these words")
    parser.add_argument("--update", action="store_true", help="write the ledger")
    given = parser.parse_args(arguments)
    names = {kernel.entry.task.name for kernel in KERNELS}
    known_before = json.loads(LEDGER.read_text()) if LEDGER.is_file() else {}
    ledger = {name: facts for name, facts in known_before.items() if name in names}
    differs = False
    for kernel in KERNELS:
        name = kernel.entry.task.name
        if given.only and not any(word in name for word in given.only):
            continue
        found, known = judged(given.checkout.resolve(), kernel), ledger.get(name, {})
        why = known.get("why", "") if known.get("outcome") == found["outcome"] else ""
        changed = {k: v for k, v in known.items() if k != "why"} != found
        differs = differs or changed
        told = f"{name}: {found['outcome']} {found['cases_passed']}/{found['cases_ran']} {found['first']}"
        print(told + (" (new)" if changed else ""), flush=True)
        ledger[name] = {**found, "why": why}
        if given.update:
            LEDGER.write_text(json.dumps(dict(sorted(ledger.items())), indent=1, ensure_ascii=False) + "\n")
    print(dict(Counter(entry["outcome"] for entry in ledger.values())))
    return 1 if differs and not given.update else 0


if __name__ == "__main__":
    sys.exit(main())
