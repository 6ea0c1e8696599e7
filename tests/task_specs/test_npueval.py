"""NPUEval's operators: what the suite holds, its models on inputs worked out by hand, and that draws are fair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kbench.core.cases import arrays, draw
from kbench.core.check import check
from kbench.core.errors import CheckError
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Array, Case, dtype_name
from kbench.task_specs import npueval_suite
from kbench.task_specs.npueval._operator import patches, windows
from kbench.task_specs.numerics import rounded, wide

TASKS = npueval_suite().tasks
ENTRIES = [pytest.param(entry, id=name) for name, entry in TASKS.items()]


def test_the_suite_is_the_published_one_and_softplus() -> None:
    assert len(TASKS) == 103
    by_inputs = [len(e.task.inputs) for e in TASKS.values()]
    assert (by_inputs.count(1), by_inputs.count(2)) == (63, 40)
    assert sum(bool(e.task.attrs) for e in TASKS.values()) == 21
    one = [e for e in TASKS.values() if np.prod(shape_of(e), dtype=int) == 1]
    assert len(one) == 14
    assert all("constant" in e.task.lazy_definition for e in one)


def test_attributes_are_of_their_dtype() -> None:
    given = {a.name: (a.dtype, a.default) for a in TASKS["conv1d_bias_relu_bfloat16"].task.attrs}
    assert given == {"bias": ("bfloat16", -0.1884765625), "stride": ("uint32", 2)}
    for entry in TASKS.values():
        for case in entry.cases:
            for attr in entry.task.attrs:
                value = entry.task.attr_values(case)[attr.name]
                assert np.array(value).astype(DTYPES[attr.dtype]) == value, f"{attr.name} of {case.name}"


@pytest.mark.parametrize("entry", ENTRIES)
def test_task(entry: SuiteTask) -> None:
    """Told in full, distinct cases that say what they are for; deterministic, pure draws as declared; fits a tile."""
    task = entry.task
    assert task.summary.endswith(".")
    assert task.formula
    assert task.category
    assert 2 <= len(entry.cases) == len({c.name for c in entry.cases}) == len({c.about for c in entry.cases})
    for case in entry.cases:
        assert set(case.attrs) <= {a.name for a in task.attrs}
        first, again, other = draw(task, case, 5), draw(task, case, 5), draw(task, case, 6)
        assert bits(first.inputs) == bits(again.inputs) != bits(other.inputs)
        assert bits(first.expected) == bits(again.expected)
        buffers: list[Array] = []
        for tensor in task.tensors:
            shape = case.shapes[tensor.name] if tensor.role == "in" else task.out_shapes(case, {})[tensor.name]
            value = (first.inputs if tensor.role == "in" else first.expected)[tensor.name]
            assert isinstance(value, np.ndarray)
            assert (value.shape, dtype_name(value.dtype)) == (shape, tensor.dtype)
            buffers.append(value)
        assert sum(2 * b.nbytes for b in buffers) <= 2**15  # two of each, and half of a tile's memory left


def bits(values: Any) -> list[bytes]:
    return [a.tobytes() for a in arrays(values)]


def shape_of(entry: SuiteTask) -> tuple[int, ...]:
    shape = entry.task.out_shapes(entry.cases[0], {})[entry.task.outputs[0].name]
    assert isinstance(shape, tuple)
    return shape


# --- worked out by hand ----------------------------------------------------------------------------------------------

#: task, inputs at the front of otherwise zero (or, for the divisor, unit) buffers, parameters, and what stands there.
BY_HAND: list[tuple[str, tuple[list[float], ...], dict[str, Any], list[float]]] = [
    ("abs_int8", ([-128, -127, 5],), {}, [-128, 127, 5]),
    ("negate_int8", ([-128, 127, 0],), {}, [-128, -127, 0]),
    ("add_offset_int8", ([100, -128, 27],), {"offset": 90}, [127, -38, 117]),
    ("add_offset_uint8", ([255, 254, 253],), {"offset": 2}, [1, 0, 255]),
    ("inverse_uint8", ([0, 255, 1],), {}, [255, 0, 254]),
    ("bitwisenot_uint8", ([0, 255, 1],), {}, [255, 0, 254]),
    ("bitcount_uint16", ([65535, 256, 3],), {}, [16, 1, 2]),
    ("vectoradd_int16", ([32767, -32768], [1, -1]), {}, [-32768, 32767]),
    ("vectorsubtract_int8", ([-128, 127], [1, -1]), {}, [127, -128]),
    ("hardsigmoid_int8", ([-4, -3, 0, 1, 3, 4],), {}, [0, 0, 64, 85, 127, 127]),
    ("cast_bfloat16_to_int8", ([0.5, 1.5, 2.5, -0.5, -1.5, 127.5, 1e4, -1e4],), {}, [0, 2, 2, 0, -2, 127, 127, -128]),
    ("relu_bfloat16_cast_uint8", ([0.5, 1.5, 2.5, -3, 255, 256, 1e5],), {}, [0, 2, 2, 0, 255, 255, 255]),
    ("round_bfloat16", ([0.5, 1.5, -0.5, -1.5, -1.25, 2.25],), {}, [1, 2, 0, -1, -1, 2]),
    ("ceil_bfloat16", ([0.25, -0.25, 2, -2.5],), {}, [1, 0, 2, -2]),
    ("floor_bfloat16", ([0.25, -0.25, 2, -2.5],), {}, [0, -1, 2, -3]),
    ("cast_float32_to_bfloat16", ([1 + 2.0**-8, 1 + 3 * 2.0**-8, -1 - 2.0**-8],), {}, [1, 1 + 2.0**-6, -1]),
    ("compare_equal_bfloat16", ([0.0, np.nan, np.inf], [-0.0, np.nan, np.inf]), {}, [1, 0, 1]),
    ("compare_gt_int8", ([127, -128, 3], [-128, 127, 3]), {}, [1, 0, 0]),
    ("compare_lt_int8", ([127, -128, 3], [-128, 127, 3]), {}, [0, 1, 0]),
    ("divide_bfloat16", ([1, 1, 0, 3], [0, -0.0, 2, 2]), {}, [0, 0, 0, 1.5]),
    ("reciprocal_bfloat16", ([0, 2, -4],), {}, [np.inf, 0.5, -0.25]),
    ("rsqrt_bfloat16", ([0, -1, 4, 0.25],), {}, [0, 0, 0.5, 2]),
    ("sqrt_bfloat16", ([0, -1, 4, 0.25],), {}, [0, 0, 2, 0.5]),
    ("log2_bfloat16", ([0, -1, 8, 0.5],), {}, [-np.inf, -np.inf, 3, -1]),
    ("log10_bfloat16", ([0, -1, 100, 1],), {}, [-np.inf, -np.inf, 2, 0]),
    ("relu6_bfloat16", ([-1, 3, 7],), {}, [0, 3, 6]),
    ("hardswish_bfloat16", ([-4, 3, 6],), {}, [0, 3, 6]),
    ("hingeloss_bfloat16", ([2, -2, 0.5], [1, 1, -1]), {}, [0, 3, 1.5]),
    ("complexabs_bfloat16", ([3, -5], [4, 12]), {}, [5, 13]),
    ("cumsum_int16", ([32767, 1, -1],), {}, [32767, 32767, 32767]),
    ("argmax_bfloat16", ([-1, 2, 2],), {}, [1]),
    ("argmin_bfloat16", ([1, -2, -2],), {}, [1]),
    ("argmax_int32", ([-5, 7, 7],), {}, [1]),
    ("reduce_add_relu_int8", ([127, 127],), {}, [127]),
    ("dotproduct_bias_relu_int8", ([2, 3], [4, 5]), {"bias": -10}, [13]),
    ("dotproduct_bias_relu_bfloat16", ([2, 3], [4, -5]), {"bias": 1.0, "vector_size": 64}, [0]),
    ("l1_norm_bfloat16", ([1.5, -2.5],), {}, [4]),
    ("euclidean_dist_bfloat16", ([3, 4], [0, 0]), {}, [5]),
    ("mse_loss_bfloat16", ([16, 0], [0, 0]), {}, [1]),
    ("variance_bfloat16", ([16, -16],), {}, [2]),
    ("conv1d_int32", ([1, 2, 3], [1, 10, 100]), {"stride": 1}, [321, 32, 3]),
    ("conv1d_k2_s2_bias_int16", ([300, 0, -300], [200, 0]), {"bias": 1}, [32767, -32768]),
    ("avgpool1d_bfloat16", ([1, 2, 3, 5],), {"window_size": 2, "stride": 2}, [1.5, 4]),
    ("maxpool1d_uint8", ([200, 100, 3, 5],), {"window_size": 2, "stride": 2}, [200, 5]),
    ("pad1d_int32", ([7, 8],), {"pad_size": 2, "pad_value": -1}, [-1, -1, 7, 8]),
]


@pytest.mark.parametrize(("name", "inputs", "attrs", "expected"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_by_hand(name: str, inputs: tuple[list[float], ...], attrs: dict[str, Any], expected: list[float]) -> None:
    entry = TASKS[name]
    shapes = entry.cases[0].shapes
    given: dict[str, Any] = {}
    for tensor, values in zip(entry.task.inputs, inputs, strict=True):
        buffer = np.zeros(shapes[tensor.name], DTYPES[tensor.dtype])  # type: ignore[arg-type]
        buffer[: len(values)] = np.array(values).astype(buffer.dtype)
        given[tensor.name] = buffer
    got = entry.task.behavior(Case("", shapes, attrs=attrs), given)[entry.task.outputs[0].name]
    assert np.asarray(got).astype(np.float64).reshape(-1)[: len(expected)].tolist() == expected


def test_the_shuffle_is_a_permutation_of_its_seed() -> None:
    entry = TASKS["shuffle_int32"]
    numbers = np.arange(256, dtype=np.int32)
    outputs = [np.asarray(entry.task.behavior(c, {"input": numbers})["output"]) for c in entry.cases]
    assert all(np.array_equal(np.sort(o), numbers) for o in outputs)
    assert len({o.tobytes() for o in outputs}) == 3
    # the first number of the generator at seed 1 is 270369; 270369 mod 256 is 33
    assert outputs[1][255] == 33


# --- fair ------------------------------------------------------------------------------------------------------------

Wider = Callable[..., Any]
#: Operators whose model rounds to bfloat16 in between, computed in float64 to the end.
WIDER: dict[str, Wider] = {
    "avgpool2d_bfloat16": lambda x: patches(x, 2, 2).mean(axis=-1),
    "complexabs_bfloat16": np.hypot,
    "conv1d_bias_relu_bfloat16": lambda x, k, bias, stride: np.maximum(windows(x, 4, stride) @ k + bias, 0),
    "dotproduct_bias_relu_bfloat16": lambda x, y, bias, vector_size: [max(float(x @ y) + bias, 0)],
    "gelu_bfloat16": lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "hardsigmoid_bfloat16": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "hardswish_bfloat16": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hingeloss_bfloat16": lambda x, y: np.maximum(0, 1 - x * y),
    "l1_norm_bfloat16": lambda x: [np.abs(x).sum()],
    "leaky_relu_bfloat16": lambda x: np.where(x > 0, x, 0.01 * x),
    "mish_bfloat16": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "round_bfloat16": lambda x: np.floor(x + 0.5),
    "rsqrt_bfloat16": lambda x: np.divide(1, np.sqrt(np.abs(x)), out=np.zeros_like(x), where=x > 0),
    "sigmoid_bfloat16": lambda x: 1 / (1 + np.exp(-x)),
    "softmax_bfloat16": lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
}


@pytest.mark.parametrize("name", WIDER)
def test_a_wider_computation_passes(name: str) -> None:
    entry = TASKS[name]
    output = entry.task.outputs[0].name
    for case in entry.cases:
        for seed in range(12):
            drawn = draw(entry.task, case, seed)
            inputs = [wide(drawn.inputs[t.name]) for t in entry.task.inputs]
            got = rounded(WIDER[name](*inputs, **entry.task.attr_values(case)), "bfloat16")
            check(entry.task, case, drawn.inputs, drawn.expected, {output: got})


#: Plausible mistakes, each of which a case of the task must catch: task → a wrong computation of its one or two inputs.
WRONG: dict[str, Wider] = {
    "abs_int8": lambda x: np.minimum(np.abs(x.astype(int)), 127),  # saturates
    "add_offset_uint8": lambda x, offset: np.minimum(x.astype(int) + offset, 255),  # saturates
    "add_offset_int8": lambda x, offset: x.astype(int) + offset,  # wraps
    "vectorsubtract_int8": lambda x, y: np.clip(x.astype(int) - y, -128, 127),  # saturates
    "matmul_16x16_int8": lambda x, y: x.astype(int) @ y,  # wraps
    "argmax_int32": lambda x: [255 - np.argmax(x[::-1])],  # the last of equals
    "argmax_bfloat16": lambda x: 63 - np.argmax(wide(x)[::-1]),
    "argmin_bfloat16": lambda x: 255 - np.argmin(wide(x)[::-1]),
    "cast_bfloat16_to_int8": lambda x: np.clip(np.floor(wide(x) + 0.5), -128, 127),  # ties upwards
    "relu_bfloat16_cast_uint8": lambda x: np.clip(np.floor(wide(x) + 0.5), 0, 255),
    "round_bfloat16": lambda x: np.round(wide(x)),  # ties to even
    "ceil_bfloat16": lambda x: np.floor(wide(x) + 1),
    "floor_bfloat16": lambda x: np.trunc(wide(x)),
    "leaky_relu_bfloat16": lambda x: np.maximum(wide(x), 0),
    "compare_equal_int32": lambda x, y: x.astype(np.float32) == y.astype(np.float32),
    "compare_equal_bfloat16": lambda x, y: x.view(np.uint16) == y.view(np.uint16),
    "compare_gt_int8": lambda x, y: (x - y) > 0,  # the difference wraps
    "maxpool1d_uint8": lambda x, window_size, stride: windows(x.view(np.int8), 2, 2).max(axis=-1),
    "maxpool2d_bfloat16": lambda x: np.maximum(patches(wide(x), 2, 2).max(axis=-1), 0),
    "reducemin_bfloat16": lambda x: min(wide(x).min(), 0),
    "max_abs_bfloat16": lambda x: [wide(x).max()],
    "reduce_add_relu_int8": lambda x: np.maximum(x.sum(dtype=np.int8), 0),
    "cumsum_int16": lambda x: np.cumsum(x, dtype=np.int16),
    "conv2d_int32": lambda x, k, stride: (patches(x, 3, 1) * k[::-1, ::-1].reshape(9)).sum(axis=-1),
    "conv1d_bfloat16": lambda x, k, stride: windows(wide(x), 2, 1) @ wide(k)[::-1],
    "vectormatrix_mult_int32": lambda v, m: m @ v,
    "pad1d_int32": lambda x, pad_size, pad_value: np.pad(x, 2),
    "dotproduct_bias_relu_int8": lambda x, y, bias: np.clip(np.dot(x.astype(int), y) + bias, -128, 127),
    "softmax_bfloat16": lambda x: np.exp(wide(x)) / np.exp(wide(x)).sum() if wide(x).max() < 88 else x,
    "divide_bfloat16": lambda x, y: wide(x) / np.where(wide(y) == 0, 1, wide(y)),
    "tanh_bfloat16": lambda x: np.clip(wide(x), -1, 1),
    "hingeloss_bfloat16": lambda x, y: np.maximum(0, 1 - np.sign(wide(y)) * wide(x)),
}


@pytest.mark.parametrize("name", WRONG)
def test_plausible_mistakes_fail(name: str) -> None:
    entry = TASKS[name]
    output = entry.task.outputs[0]

    def passes(case: Case) -> bool:
        drawn = draw(entry.task, case, 3)
        values = WRONG[name](*(drawn.inputs[t.name] for t in entry.task.inputs), **entry.task.attr_values(case))
        got = np.asarray(values).astype(DTYPES[output.dtype])
        try:
            check(entry.task, case, drawn.inputs, drawn.expected, {output.name: got})
        except CheckError:
            return False
        return True

    assert not all(passes(case) for case in entry.cases)
