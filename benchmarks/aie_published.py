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
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16

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
#: Blocks of two by two tiles; matrices stand tile by tile, row by row.
_GEMM = """void {name}({type} *__restrict a, {type} *__restrict b, {result} *__restrict c) {{
    using Tile = aie::mmul<{r}, {s}, {t}, {api}, {api}, {accumulator}>;
    constexpr int rows = {n} / {r}, inner = {n} / {s}, columns = {n} / {t};
    for (int i = 0; i < rows; i += 2)
        for (int j = 0; j < columns; j += 2) {{
            const {type} *a0 = a + i * inner * Tile::size_A, *a1 = a0 + inner * Tile::size_A;
            const {type} *b0 = b + j * Tile::size_B;
            const auto zero = aie::zeros<{accumulator}, Tile::size_C>();
            Tile c00(zero), c01(zero), c10(zero), c11(zero);
            AIE_PREPARE_FOR_PIPELINING AIE_LOOP_MIN_ITERATION_COUNT({least}) AIE_LOOP_NO_UNROLL
            for (int k = 0; k < inner; ++k) {{
                const auto x0 = aie::load_v<Tile::size_A>(a0), x1 = aie::load_v<Tile::size_A>(a1);
                const auto y0 = aie::load_v<Tile::size_B>(b0), y1 = aie::load_v<Tile::size_B>(b0 + Tile::size_B);
                a0 += Tile::size_A, a1 += Tile::size_A, b0 += columns * Tile::size_B;
                c00.mac(x0, y0), c01.mac(x0, y1), c10.mac(x1, y0), c11.mac(x1, y1);
            }}
            {result} *to = c + (i * columns + j) * Tile::size_C;
            aie::store_v(to, c00.template to_vector<{out}>());
            aie::store_v(to + Tile::size_C, c01.template to_vector<{out}>());
            aie::store_v(to + columns * Tile::size_C, c10.template to_vector<{out}>());
            aie::store_v(to + (columns + 1) * Tile::size_C, c11.template to_vector<{out}>());
        }}
}}
"""
_VECTOR_ADD_OFFSET = """void add_offset_int8(int8_t *in_buffer, int8_t *out_buffer, int8_t offset) {
    for (int i = 0; i < 256; i += 64)
        aie::store_v(out_buffer + i, aie::add(aie::load_v<64>(in_buffer + i), offset));
}
"""


@dataclass(frozen=True)
class Gemm:
    """A product of two square matrices in tiles of r × s and s × t."""

    name: str
    n: int
    tile: tuple[int, int, int]
    dtype: str
    result: str
    accumulator: str

    @property
    def task(self) -> SuiteTask:
        size, (r, s, t), n = (self.n * self.n,), self.tile, self.n

        def model(a: Any, b: Any) -> Any:
            left, right = (_plain(m.astype(np.float64), n, *shape) for m, shape in ((a, (r, s)), (b, (s, t))))
            product = _tiled(left @ right, r, t)
            return bf16(product) if self.result == "bfloat16" else product.astype(self.result)

        draw = integers(size, "int8", -8, 8) if self.dtype == "int8" else floats(size)
        inputs = {"a": Buffer(self.dtype, size), "b": Buffer(self.dtype, size)}
        output = {"c": Buffer(self.result, size)}
        exact = {} if self.dtype == "int8" else {"tolerance": PERCENT}
        operator = Operator("A product of matrices.", "c = a b", SPATIAL, inputs, output, model, **exact)
        task, cases = operator.told(self.name, {"one": Inputs("any values", together(draw, draw))})
        return SuiteTask(task=task, cases=cases)

    @property
    def source(self) -> str:
        r, s, t = self.tile
        ends = "" if self.dtype == "bfloat16" else "_t"
        return _GEMM.format(
            name=self.name, n=self.n, r=r, s=s, t=t, type=self.dtype + ends, api=self.dtype, least=self.n // s,
            result=self.result + ends, out=self.result, accumulator=self.accumulator,
        )  # fmt: skip


def _plain(tiled: Any, n: int, rows: int, columns: int) -> Any:
    """The matrix whose tiles stand one after the other."""
    return tiled.reshape(n // rows, n // columns, rows, columns).swapaxes(1, 2).reshape(n, n)


def _tiled(matrix: Any, rows: int, columns: int) -> Any:
    n = len(matrix)
    return matrix.reshape(n // rows, rows, n // columns, columns).swapaxes(1, 2).reshape(-1)


def published() -> list[Published]:
    """The rows, in the order of the facts' table."""
    int16, int32 = _scale("int16", "scale_int16"), _scale("int32", "scale_int32")
    scalar16 = _SCALAR_SCALE.format(name="scale_int16", type="int16_t")
    scalar32 = _SCALAR_SCALE.format(name="scale_int32", type="int32_t")
    straight = _VECTOR_SCALE.format(name="scale_int16", hints="AIE_NO_PREPARE_FOR_PIPELINING AIE_LOOP_NO_UNROLL")
    overlapped = _VECTOR_SCALE.format(
        name="scale_int16", hints="AIE_PREPARE_FOR_PIPELINING AIE_LOOP_NO_UNROLL AIE_LOOP_MIN_ITERATION_COUNT(16)"
    )
    listing, device, simulator = "listing", "device", "aiesimulator"
    magnitude, offset = _one_case("abs_int8"), _one_case("add_offset_int8")
    again = _scale("int32", "scale_pointer_int32", by_pointer=True)
    bf = Gemm("gemm_bfloat16", 32, (4, 8, 4), "bfloat16", "bfloat16", "accfloat")
    wide = Gemm("gemm_int8_int32", 64, (4, 8, 8), "int8", "int32", "acc32")
    narrow = Gemm("gemm_int8_int16", 64, (4, 8, 8), "int8", "int16", "acc32")
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
        Published(14, "product of bf16, 32 × 32 × 32", "by hand", device, 288, 256, None, bf.task, bf.source),
        Published(
            16,
            "product of int8, 64 × 64 × 64, 32 bits out",
            "Chess",
            simulator,
            1_750,
            1_024,
            None,
            wide.task,
            wide.source,
        ),
        Published(
            16,
            "product of int8, 64 × 64 × 64, 16 bits out",
            "Chess",
            simulator,
            1_121,
            1_024,
            None,
            narrow.task,
            narrow.source,
        ),
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
