"""What is left of a source when its disguises are taken off, and what is a copy then."""

from __future__ import annotations

import pytest

from kbench.core.likeness.likeness import Likeness, likeness, prints

RELU = """
#include <aie_api/aie.hpp>
// The positive part.
void relu(bfloat16 *in, bfloat16 *out) {
    for (unsigned i = 0; i < 256; ++i)
        out[i] = (float)in[i] > 0.0f ? in[i] : (bfloat16)0.0f;
}
"""
RENAMED = """
extern "C" void vaXiqui(bfloat16 *__restrict uno, bfloat16 *__restrict due)
{ for (unsigned k7 = 0; k7 < 256; ++k7) { due[k7] = ((float) uno[k7]) > 0.0f ? uno[k7] : (bfloat16) 0.0f; } }
"""
TEMPLATED = """
template <typename T, unsigned N> static inline void relu_of(const T *a, T *b) {
    for (unsigned i = 0; i < N; ++i) b[i] = static_cast<float>(a[i]) > 0.0f ? a[i] : T(0.0f);
}
void relu(bfloat16 *in, bfloat16 *out) { relu_of<bfloat16, 256>(in, out); }
"""
RETYPED = """
void relu(int8_t *in, int8_t *out) {
    for (int i = 0; i < 512; ++i)
        out[i] = in[i] > 0 ? in[i] : (int8_t)0;
}
"""
ALIASES = """
#define SIZE 256
using Value = bfloat16;
typedef Value *Values;
void relu(Values in, Values out) {
    for (unsigned i = 0; i < SIZE; ++i) out[i] = (float)in[i] > 0.0f ? in[i] : (Value)0.0f;
}
"""
LEAKY = """
void leaky_relu(bfloat16 *in, bfloat16 *out) {
    for (unsigned i = 0; i < 256; ++i)
        out[i] = (float)in[i] > 0.0f ? (float)in[i] : 0.01f * (float)in[i];
}
"""
MAX = """
void larger(int8_t *a, int8_t *b, int8_t *c) {
    for (unsigned i = 0; i < 256; ++i)
        c[i] = a[i] > b[i] ? a[i] : b[i];
}
"""
MIN = MAX.replace(">", "<")


def compared(solution: str, other: str) -> Likeness:
    return likeness(prints(solution).whole, prints(other).whole)


DISGUISES = {"none": RELU, "renamed": RENAMED, "templated": TEMPLATED, "retyped": RETYPED, "aliases": ALIASES}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_a_disguise_leaves_a_copy(disguise):
    assert compared(RELU, disguise).copy
    assert compared(RELU, disguise).lacking == 0


@pytest.mark.parametrize(("one", "other"), [(RELU, LEAKY), (LEAKY, RELU), (MAX, MIN), (MIN, MAX), (RELU, MAX)])
def test_another_operation_is_no_copy(one, other):
    assert not compared(one, other).copy


def test_what_computes_with_other_operations_says_so():
    there, back = compared(RELU, LEAKY), compared(LEAKY, RELU)  # <, >, ? and one multiplication more
    assert (there.lacking, there.surplus) == (0, pytest.approx(1 / 3))
    assert (back.lacking, back.surplus) == (pytest.approx(1 / 4), 0)


def test_called_names_are_the_machines_and_stay():
    store = (
        "void f(float *x, float *y) {{\n"
        "store(y, {0}(load(x), load(x + 8))); store(y + 8, {0}(load(x + 8), load(x))); }}"
    )
    one, other = store.format("add"), store.format("sub")
    assert compared(one, one.replace("f(", "g(")).share == 1
    assert not compared(one, other).copy
    assert compared(one, other).lacking == compared(one, other).surplus > 0


def test_a_function_of_the_file_has_any_name():
    one = "static float twice(float x) { return x + x; }\nvoid f(float *x) { x[0] = twice(x[1]); }"
    assert compared(one, one.replace("twice", "wonder")).share == 1


def test_function_alone_is_compared_where_it_is_large_enough():
    found = dict(prints(RELU + LEAKY).functions)
    assert set(found) == {"relu", "leaky_relu"}
    assert likeness(dict(prints(RELU).functions)["relu"], found["relu"]).copy
    assert prints("int f() { return 1; }").functions == ()


def test_nothing_is_no_copy_of_anything():
    assert not compared("", RELU).copy
    assert not compared(RELU, "").copy
    assert prints("/* only words").whole.size == 0
