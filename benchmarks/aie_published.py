"""Kernels, written here, whose cycles others published; and families of kernels in which the order is known.

A count is judged within 15 % or 30 %, as its row says; rows without a limit are shown only. Nothing in the model was
fitted to any of them. Sources: the scale kernel's listing and narration in mlir-aie (`programming_examples/basic/
vector_scalar_mul/build/scale.o.lst` @4fe0c68, `programming_guide/section-4`), NPUEval's notebooks 02 and 04.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kbench.core.suite import SuiteTask
from kbench.task_specs import npueval_suite
from kbench.task_specs.npueval._inputs import Draw, floats, integers, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, Param, bf16

HEADER = "#include <aie_api/aie.hpp>\n#include <aie_kernel_utils.h>\n"


@dataclass(frozen=True)
class Published:
    """One published count: what was measured, and the kernel of ours that does the same."""

    number: int
    """Row of the facts' table."""
    title: str
    compiler: str
    """`Chess` or `Peano`; the model is of Peano."""
    kind: str
    """How the count was found."""
    cycles: int
    vector_cycles: int
    limit: float | None
    """Largest error that passes; None: shown only."""
    task: SuiteTask
    source: str


def _scale(dtype: str, name: str, by_pointer: bool = False) -> SuiteTask:
    """c[i] = factor * a[i], wrapping."""

    def model(a: Any, factor: Any) -> Any:
        return (a.astype(np.int64) * int(np.ravel(factor)[0])).astype(a.dtype)

    a = integers((1024,), dtype, -1000, 1000)
    inputs = {"a": Buffer(dtype, (1024,))}
    params = {} if by_pointer else {"factor": Param(dtype, 3)}
    if by_pointer:
        inputs["factor"] = Buffer(dtype, (8,))
        a = together(a, integers((8,), dtype, 3, 4))
    operator = Operator(
        "A product with a number.", "c = factor * a", ELEMENTWISE, inputs, {"c": Buffer(dtype, (1024,))}, model,
        params=params,
    )  # fmt: skip
    task, cases = operator.told(name, {"one": Inputs("any values", a)})
    return SuiteTask(task=task, cases=cases)


def _one_case(name: str) -> SuiteTask:
    """The first case of an operator of NPUEval's."""
    entry = npueval_suite().tasks[name]
    return SuiteTask(task=entry.task, cases=entry.cases[:1])


_SCALAR_SCALE = """void {name}({type} *a, {type} *c, {type} factor) {{
    for (int i = 0; i < 1024; ++i)
        c[i] = factor * a[i];
}}
"""
_VECTOR_SCALE = """void {name}(int16_t *__restrict a, int16_t *__restrict c, int16_t factor) {{
    {hints}
    for (int i = 0; i < 1024; i += 32) {{
        const aie::accum<acc32, 32> product = aie::mul(aie::load_v<32>(a + i), factor);
        aie::store_v(c + i, product.to_vector<int16>(0));
    }}
}}
"""
_POINTER_SCALE = """void scale_pointer_int32(int32_t *a, int32_t *factor, int32_t *c) {
    for (int i = 0; i < 1024; ++i)
        c[i] = *factor * a[i];
}
"""
_ABS = """void abs_int8(int8_t *in_buffer, int8_t *out_buffer) {
    for (int i = 0; i < 1024; ++i)
        out_buffer[i] = in_buffer[i] < 0 ? -in_buffer[i] : in_buffer[i];
}
"""
_ADD_OFFSET = """void add_offset_int8(int8_t *in_buffer, int8_t *out_buffer, int8_t offset) {
    for (int i = 0; i < 256; ++i)
        out_buffer[i] = in_buffer[i] + offset;
}
"""
_ARGMAX = """void argmax_int32(int32_t *input_vector, uint32_t *result) {
    int32_t best = input_vector[0];
    uint32_t at = 0;
    for (uint32_t i = 1; i < 256; ++i)
        if (input_vector[i] > best) {
            best = input_vector[i];
            at = i;
        }
    *result = at;
}
"""
_VECTOR_ABS = """void abs_int8(int8_t *in_buffer, int8_t *out_buffer) {
    for (int i = 0; i < 1024; i += 16)
        aie::store_v(out_buffer + i, aie::abs(aie::load_v<16>(in_buffer + i)));
}
"""
_VECTOR_ADD_OFFSET = """void add_offset_int8(int8_t *in_buffer, int8_t *out_buffer, int8_t offset) {
    for (int i = 0; i < 256; i += 64)
        aie::store_v(out_buffer + i, aie::add(aie::load_v<64>(in_buffer + i), offset));
}
"""


def published() -> list[Published]:
    """The rows, in the order of the facts' table."""
    int16, int32 = _scale("int16", "scale_int16"), _scale("int32", "scale_int32")
    scalar16 = _SCALAR_SCALE.format(name="scale_int16", type="int16_t")
    scalar32 = _SCALAR_SCALE.format(name="scale_int32", type="int32_t")
    straight = _VECTOR_SCALE.format(name="scale_int16", hints="AIE_NO_PREPARE_FOR_PIPELINING AIE_LOOP_NO_UNROLL")
    overlapped = _VECTOR_SCALE.format(
        name="scale_int16", hints="AIE_PREPARE_FOR_PIPELINING AIE_LOOP_NO_UNROLL AIE_LOOP_MIN_ITERATION_COUNT(16)"
    )
    listing, device = "listing", "device"
    magnitude, offset = _one_case("abs_int8"), _one_case("add_offset_int8")
    again = _scale("int32", "scale_pointer_int32", by_pointer=True)
    return [
        Published(1, "scale int32, scalar", "Chess", listing, 10_249, 0, 0.15, int32, scalar32),
        Published(2, "scale int16, scalar", "Chess", device, 10_250, 0, 0.15, int16, scalar16),
        Published(3, "scale int16, vector, not pipelined", "Chess", device, 495, 32, 0.3, int16, straight),
        Published(4, "scale int16, vector, pipelined", "Chess", device, 72, 32, 0.15, int16, overlapped),
        Published(6, "scale int32, factor read again", "Chess/Peano", device, 12_297, 0, 0.15, again, _POINTER_SCALE),
        Published(7, "abs int8, scalar", "Peano", device, 9_990, 0, 0.3, magnitude, _ABS),
        Published(8, "add offset int8, scalar", "Peano", device, 2_502, 0, 0.3, offset, _ADD_OFFSET),
        Published(9, "argmax int32, scalar", "Peano", device, 1_792, 0, 0.3, _one_case("argmax_int32"), _ARGMAX),
        Published(11, "abs int8, 16 lanes, may alias", "Peano", device, 540, 31, None, magnitude, _VECTOR_ABS),
        Published(12, "add offset int8, 64 lanes", "Peano", device, 35, 2, None, offset, _VECTOR_ADD_OFFSET),
    ]


# --- families ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """An element-wise operation of two buffers, in four forms that differ in nothing but how fast they are."""

    name: str
    dtype: str
    type: str
    lanes: int
    scalar: str
    vector: str
    model: Callable[[Any, Any], Any]
    draw: Draw

    @property
    def task(self) -> SuiteTask:
        shape = (1024,)
        exact = {} if self.dtype != "bfloat16" else {"tolerance": PERCENT}
        operator = Operator(
            "An operation of two buffers.", self.vector, ELEMENTWISE,
            {"a": Buffer(self.dtype, shape), "b": Buffer(self.dtype, shape)}, {"c": Buffer(self.dtype, shape)},
            self.model, **exact,
        )  # fmt: skip
        task, cases = operator.told(self.name, {"one": Inputs("any values", self.draw)})
        return SuiteTask(task=task, cases=cases)

    def forms(self) -> dict[str, str]:
        """`scalar`, `vector`, `restrict`, `pipelined`."""
        hints = "    AIE_PREPARE_FOR_PIPELINING AIE_LOOP_NO_UNROLL AIE_LOOP_MIN_ITERATION_COUNT(8)\n"
        scalar = f"const auto x = a[i], y = b[i];\n        c[i] = {self.scalar};"
        load = f"aie::load_v<{self.lanes}>"
        vector = f"const auto x = {load}(a + i), y = {load}(b + i);\n        aie::store_v(c + i, {self.vector});"
        return {
            "scalar": self._kernel("", "", 1, scalar),
            "vector": self._kernel("", "", self.lanes, vector),
            "restrict": self._kernel("__restrict ", "", self.lanes, vector),
            "pipelined": self._kernel("__restrict ", hints, self.lanes, vector),
        }

    def _kernel(self, qualifier: str, hints: str, step: int, body: str) -> str:
        arguments = ", ".join(f"{self.type} *{qualifier}{name}" for name in "abc")
        loop = f"    for (int i = 0; i < 1024; i += {step}) {{\n        {body}\n    }}\n"
        return f"void {self.name}({arguments}) {{\n{hints}{loop}}}\n"


def families() -> list[Family]:
    """Additions, a comparison, a product: integers of two widths and bfloat16."""
    bytes_, words = integers((1024,), "int8", -60, 60), integers((1024,), "int16", -9000, 9000)
    real = floats((1024,))
    narrow, wide, reals = together(bytes_, bytes_), together(words, words), together(real, real)

    def in_bf16(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda a, b: bf16(operation(a.astype(np.float64), b.astype(np.float64)))

    product = "aie::mul(x, y).to_vector<bfloat16>()"
    return [
        Family("add_int8", "int8", "int8_t", 64, "x + y", "aie::add(x, y)", np.add, narrow),
        Family("add_int16", "int16", "int16_t", 32, "x + y", "aie::add(x, y)", np.add, wide),
        Family("max_int8", "int8", "int8_t", 64, "x > y ? x : y", "aie::max(x, y)", np.maximum, narrow),
        Family("subtract_int16", "int16", "int16_t", 32, "x - y", "aie::sub(x, y)", np.subtract, wide),
        Family("add_bfloat16", "bfloat16", "bfloat16", 16, "x + y", "aie::add(x, y)", in_bf16(np.add), reals),
        Family("multiply_bfloat16", "bfloat16", "bfloat16", 16, "x * y", product, in_bf16(np.multiply), reals),
    ]
