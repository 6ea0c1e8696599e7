"""One C function, compiled and called in the sandbox."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, HarnessError, RunError, RunTimeout, UnsupportedApi
from kbench.core.hostcc.function import call_function, compile_function
from kbench.core.hostcc.signature import Out, arguments_of, defines_of, signature_of
from kbench.core.task import Attr, Case, Task, Tensor, Tolerance

SETTINGS = Settings(target="host", run_timeout_s=20)
COPY = "void copy(const float *x, float *y, int64_t n)"


@pytest.fixture
def build(tmp_path):
    def build(text, signature=COPY, **options):
        candidate = Candidate({"kernel.c": text}, {"kernel": "kernel.c"})
        return compile_function(candidate, signature, SETTINGS, tmp_path, **options)

    return build


def body(statements, signature=COPY):
    return f"#include <stdint.h>\n{signature} {{\n{statements}\n}}\n"


def call(function, *arguments, settings=SETTINGS):
    return call_function(function, arguments, settings)


X = np.arange(5, dtype=np.float32)
OUT = Out((5,), "float32")
LOOP = "for (int64_t i = 0; i < n; i++) y[i] = x[i];"


def test_outputs_come_back_in_order_and_in_place(build):
    signature = "void f(const int8_t *x, double *twice, int16_t *sum, int32_t k, float scale)"
    function = build(
        body("for (int i = 0; i < 3; i++) { twice[i] = scale * x[i]; sum[i] = sum[i] + k; }", signature), signature
    )
    kept = np.array([[1, 2, 3]], np.int16)
    twice, total = call(function, np.array([-1, 0, 1], np.int8), Out((3,), "float64"), kept, 10, 2)
    np.testing.assert_array_equal(twice, [-2.0, 0.0, 2.0])
    np.testing.assert_array_equal(total, [[11, 12, 13]])
    np.testing.assert_array_equal(kept, [[1, 2, 3]])
    assert (twice.dtype, total.dtype) == (np.float64, np.int16)


def test_arrays_need_not_be_contiguous(build):
    [y] = call(build(body(LOOP)), np.arange(10, dtype=np.float32)[::2], OUT, 5)
    np.testing.assert_array_equal(y, [0, 2, 4, 6, 8])


def test_empty_arrays(build):
    [y] = call(build(body(LOOP)), X[:0], Out((0, 3), "float32"), 0)
    assert y.shape == (0, 3)


def test_what_is_not_written_is_poison(build):
    [y] = call(build(body("y[0] = 0;")), X, OUT, 5)
    assert y[0] == 0
    assert np.isnan(y[1:]).all()


def test_mathematics_and_a_header_of_the_candidate(tmp_path):
    files = {"kernel.c": '#include <math.h>\n#include <string.h>\n#include "part.h"\n' + body("PART"), "part.h": (
        "#define PART memcpy(y, x, 4 * n); y[0] = sqrtf(16.0f) + fmaxf(0.5f, -1.0f);\n")}  # fmt: skip
    function = compile_function(Candidate(files, {"kernel": "kernel.c"}), COPY, SETTINGS, tmp_path)
    [y] = call(function, X, OUT, 5)
    np.testing.assert_array_equal(y, [4.5, 1, 2, 3, 4])


def test_types_may_be_macros(build):
    signature = "void copy(const T *x, T *y, int64_t n)"
    function = build(body(LOOP, signature), signature, defines=["T=_Float16"])
    [y] = call(function, X.astype(np.float16), Out((5,), "float16"), 5)
    np.testing.assert_array_equal(y, X)


def test_macros_of_the_candidate_do_not_reach_the_call(build):
    [y] = call(build(body(LOOP) + "#define copy wrong\n#define arguments 0\n"), X, OUT, 5)
    np.testing.assert_array_equal(y, X)


@pytest.mark.parametrize(
    ("text", "outcome", "line"),
    [
        (body("y[0] = ;"), "compile_error", 3),
        (body("y[0] = nonsense(x[0]);"), "compile_error", 3),
        (body(LOOP, "void copy(const float *x, float *y, int32_t n)"), "compile_error", 2),
        (body('__asm__("nop");'), "inline_assembly", 3),
        ("#include <nothing.h>\n" + body(LOOP), "missing_include", 1),
    ],
)
def test_compile_errors_are_told_with_class_and_line(build, text, outcome, line):
    with pytest.raises(CompileError) as raised:
        build(text)
    assert raised.value.outcome == outcome
    assert ("kernel.c", line) in {(f.file, f.line) for f in raised.value.findings}
    assert raised.value.log


def test_a_function_that_is_not_there(build):
    with pytest.raises(CompileError) as raised:
        build("#include <stdint.h>\n")
    assert raised.value.outcome == "link_error"


@pytest.mark.parametrize("name", ["system", "open", "qsort", "abort"])
def test_only_the_pure_library_may_be_called(build, name):
    with pytest.raises(CompileError, match=name) as raised:
        build(f"void *{name}();\n" + body(f"{name}(0);"))
    assert raised.value.outcome == "forbidden_symbol"


@pytest.mark.parametrize(
    ("statements", "outcome"),
    [
        ("*(volatile int *)16 = 1;", "crash"),
        ("__builtin_trap();", "crash"),
        ("((float *)x)[0] = 1;", "crash"),  # inputs are read-only
        ("y[5000] = 1;", "crash"),  # the guard page
        ("y[100000] = 1;", "crash"),
    ],
)
def test_a_crash_names_its_line(build, statements, outcome):
    with pytest.raises(RunError) as raised:
        call(build(body(statements)), X, OUT, 5)
    assert raised.value.outcome == outcome
    assert ("kernel.c", 3) in {(f.file, f.line) for f in raised.value.findings}


def test_a_recursion_without_end(build):
    with pytest.raises(RunError) as raised:
        call(build(body("volatile char deep[1 << 16]; deep[0] = 1; copy(x, y, deep[0]); y[0] = deep[1];")), X, OUT, 5)
    assert raised.value.outcome == "stack_overflow"
    assert raised.value.findings[0].file == "kernel.c"


def test_a_write_just_past_the_end_is_told(build):
    with pytest.raises(RunError, match="past the end of argument 1") as raised:
        call(build(body("for (int64_t i = 0; i <= n; i++) y[i] = 0;")), X, OUT, 5)
    assert raised.value.outcome == "out_of_bounds"


def test_a_hang_ends_in_its_time(build):
    function = build(body("for (volatile int i = 0;; i++) {}"))
    with pytest.raises(RunTimeout, match=r"0\.5 s"):
        call(function, X, OUT, 5, settings=Settings(target="host", run_timeout_s=0.5))


def test_the_number_of_arguments_is_checked(build):
    with pytest.raises(HarnessError, match="expected 3 arguments, got 2"):
        call(build(body(LOOP)), X, OUT)


def test_what_is_no_signature_is_told(build):
    with pytest.raises(HarnessError, match="expected 'void NAME"):
        build(body(LOOP), "int copy(int)")
    with pytest.raises(HarnessError, match="got 'long double'"):
        build(body(LOOP), "void copy(const float *x, long double n)")


def _task(*tensors, attrs=()):
    return Task(
        name="f",
        summary="",
        tensors=tensors,
        attrs=attrs,
        dtypes=({"T": "float16"},),
        behavior=lambda case, inputs: {},
        out_shapes=lambda case, inputs: {"y": (2, 3)},
        draw=lambda case, rng: {},
        tolerance={"*": {"*": Tolerance(0, 0, "exact")}},
    )


def test_a_task_in_c():
    task = _task(Tensor("x", dtype="int32"), Tensor("y", "out"), attrs=(Attr("eps", "float", 0.5), Attr("on", "bool")))
    assert signature_of(task) == (
        "void f(const int32_t *x, int64_t x_size, T *y, int64_t y_size, double eps, int64_t on)"
    )
    case = Case("c", {"x": (4,)}, {"T": "float16"}, {"on": True})
    x = np.zeros(4, np.int32)
    assert defines_of(case) == ("T=_Float16",)
    first, *rest = arguments_of(task, case, {"x": x})
    assert first is x
    assert rest == [4, Out((2, 3), "float16"), 6, 0.5, True]


@pytest.mark.parametrize(
    "task",
    [
        _task(Tensor("x", is_list=True)),
        _task(Tensor("x", optional=True)),
        _task(Tensor("x"), attrs=(Attr("mode", "str"),)),
    ],
)
def test_what_a_plain_function_cannot_take_is_unsupported(task):
    with pytest.raises(UnsupportedApi):
        signature_of(task)
