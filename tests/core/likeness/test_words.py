"""Words of names: for looking things up, and for telling operators apart."""

from __future__ import annotations

import pytest

from kbench.core.likeness.words import operator, same_operator, words


def test_words_of_compound_names():
    assert words("leakyRelu_v2(x)") == ["leaky", "relu", "v2", "leakyrelu_v2", "x"]
    assert words("conv1d_k2 is GELU") == ["conv1d", "k2", "conv1d_k2", "is", "gelu"]
    assert words("") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("relu_bfloat16", "vector_relu"),
        ("relu_bfloat16", "relu_int8"),
        ("FastGelu", "fast_gelu_kernel"),
        ("matmul_16x16_int8", "matmul"),
        ("conv1d_k2_s1_bias_relu_bfloat16", "conv1d_bias_relu_int8"),
        ("Sqrt", "sqrt.cpp"),
    ],
)
def test_one_operator_under_two_names(one, other):
    assert same_operator(one, other)
    assert same_operator(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("relu_bfloat16", "leaky_relu_bfloat16"),
        ("log_bfloat16", "log2_bfloat16"),
        ("log2", "log10"),
        ("Sqrt", "Rsqrt"),
        ("argmax", "argmin"),
        ("conv1d", "conv2d"),
        ("cast_int8_to_int32", "cast_bfloat16_to_int8"),
        ("kernel", "kernel"),  # says nothing
        ("int8", "bfloat16"),
    ],
)
def test_two_operators(one, other):
    assert not same_operator(one, other)


def test_what_an_operator_is_called():
    assert operator("dotproduct_bias_relu_int8") == ("dotproduct", "bias", "relu")
