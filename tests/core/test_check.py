"""The check takes its measure from the reference alone."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from kbench import Case, Task, Tensor, Tolerance
from kbench.core.check import CHUNK, check, compare
from kbench.core.errors import CheckError

LOOSE = Tolerance(1e-3, 1e-3, "a test")
EXACT = Tolerance(0, 0, "moves")
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def task(dtype="float32", *, tolerance=LOOSE, role="out", **more) -> Task:
    return Task(
        name="t",
        summary="",
        tensors=(Tensor("x", dtype=dtype), Tensor("y", role, dtype=dtype)),
        behavior=lambda case, inputs: {},
        out_shapes=lambda case, inputs: {},
        draw=lambda case, rng: {},
        tolerance={"*": {"*": tolerance}},
        dtypes=({},),
        **more,
    )


def fails(expected, got, *, before=None, **options) -> CheckError:
    with pytest.raises(CheckError) as caught:
        check(task(**options), Case("0", {}), {"y": before}, {"y": expected}, {"y": got})
    return caught.value


def normal(*shape, dtype=np.float32):
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def test_message_says_where_expected_and_got():
    expected = normal(8, 2048)
    error = fails(expected, np.full_like(expected, np.inf))
    assert str(error) == "y[0, 0]: expected 0.12573, got inf (16384 of 16384 differ)"
    assert error.outcome == "nonfinite"


def test_a_near_miss_says_what_is_allowed():
    expected = np.ones(4, np.float32)
    got = expected.copy()
    got[2] = 1.5
    error = fails(expected, got)
    assert str(error) == (
        "y[2]: expected 1, got 1.5 (1 of 4 differ; allowed error 0.001 + 0.001·|expected|, largest 0.5)"
    )
    assert error.outputs[0].max_abs == 0.5


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", [1, 7, CHUNK, CHUNK + 1])
def test_equal_passes_and_the_last_element_counts(dtype, size):
    expected = normal(size, dtype=dtype)
    assert compare("y", expected=expected, got=expected.copy(), tolerance=LOOSE).outcome == "passed"
    got = expected.copy()
    got[-1] += np.asarray(1, dtype)
    result = compare("y", expected=expected, got=got, tolerance=LOOSE)
    assert (result.outcome, result.mismatched, result.total) == ("wrong_values", 1, size)


def test_the_tolerance_scales_with_the_reference_not_with_the_candidate():
    tiny = np.full(3, 1e-9, np.float32)
    relative = Tolerance(0, 0.5, "")
    assert compare("y", expected=tiny, got=tiny * 1e6, tolerance=relative).mismatched == 3
    assert compare("y", expected=tiny, got=np.full_like(tiny, np.inf), tolerance=relative).mismatched == 3


def test_the_boundary_is_judged_in_double():
    expected, tolerance = np.ones(2, np.float32), Tolerance(2**-10, 0, "")
    got = np.array([1 + 2**-10, 1 + 2**-10 + 2**-23], np.float32)
    assert compare("y", expected=expected, got=got, tolerance=tolerance).mismatched == 1


@pytest.mark.parametrize("dtype", FLOATS)
def test_infinities_and_nan_only_where_the_reference_has_them(dtype):
    special = np.array([np.nan, np.inf, -np.inf, 1], dtype)
    assert compare("y", expected=special, got=special.copy(), tolerance=LOOSE).outcome == "passed"
    for index, wrong in ((0, 0), (1, -np.inf), (2, np.nan), (3, np.nan), (3, np.inf), (1, 1)):
        got = special.copy()
        got[index] = wrong
        result = compare("y", expected=special, got=got, tolerance=LOOSE)
        assert (result.outcome, result.mismatched) == ("nonfinite", 1), (index, wrong)


def test_integers_do_not_wrap():
    expected, got = np.zeros(1, np.int8), np.full(1, -128, np.int8)
    assert compare("y", expected=expected, got=got, tolerance=Tolerance(1, 0, "")).max_abs == 128
    extremes = np.array([np.iinfo(np.int64).min]), np.array([np.iinfo(np.int64).max])
    assert compare("y", expected=extremes[0], got=extremes[1], tolerance=Tolerance(1, 0, "")).max_abs == 2.0**64
    near = np.array([3], np.uint8), np.array([2], np.uint8)
    assert compare("y", expected=near[0], got=near[1], tolerance=Tolerance(1, 0, "")).outcome == "passed"
    assert compare("y", expected=near[0], got=near[1], tolerance=EXACT).outcome == "wrong_values"


def test_exact_is_bit_for_bit_but_any_nan_is_nan():
    zeros = np.array([0.0], np.float32)
    assert compare("y", expected=zeros, got=-zeros, tolerance=EXACT).mismatched == 1
    odd_nan = np.array([0x7FC00001], np.uint32).view(np.float32)
    assert compare("y", expected=np.array([np.nan], np.float32), got=odd_nan, tolerance=EXACT).outcome == "passed"


def test_bytes_that_are_no_boolean_are_wrong():
    expected = np.array([True, False])
    got = np.array([2, 0], np.uint8).view(np.bool_)
    result = compare("y", expected=expected, got=got, tolerance=EXACT)
    assert result.first == "y[0]: expected True, got byte 2 (1 of 2 differ)"


def test_complex_is_judged_by_its_distance():
    expected = np.array([3 + 4j, 1j], np.complex64)
    assert compare("y", expected=expected, got=expected + 1e-4, tolerance=LOOSE).outcome == "passed"
    assert compare("y", expected=expected, got=expected + 1, tolerance=LOOSE).mismatched == 2
    assert compare("y", expected=expected, got=expected * np.nan, tolerance=LOOSE).outcome == "nonfinite"


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32, np.uint8])
def test_a_tail_that_keeps_the_poison_is_unwritten(dtype):
    expected = np.arange(1, 101).astype(dtype)
    got = expected.copy()
    got[96:] = np.frombuffer(b"\xff" * got.itemsize, dtype)[0]
    result = compare("y", expected=expected, got=got, tolerance=LOOSE)
    assert result.outcome == "unwritten"
    assert result.first.startswith("y[96]: never written (still 0xFF), expected 97 (4 of 100 differ")


def test_an_in_place_output_that_keeps_its_input_is_unwritten():
    before = normal(5)
    error = fails(before + 1, before.copy(), before=before, role="inout")
    assert error.outcome == "unwritten"
    assert "y[0]: still holds its input value" in str(error)


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (None, "y: expected a tensor of shape (2, 3), got no tensor"),
        ([np.zeros((2, 3), np.float32)], "y: expected a tensor of shape (2, 3), got a list of 1 tensors"),
        (np.zeros((3, 2), np.float32), "y: expected shape (2, 3), got (3, 2)"),
        (np.zeros((2, 3), np.float16), "y: expected dtype float32, got float16"),
        (np.zeros((1, 3), np.float32), "y: expected shape (2, 3), got (1, 3)"),
    ],
)
def test_nothing_broadcasts_or_converts(got, message):
    error = fails(np.zeros((2, 3), np.float32), got)
    assert (str(error), error.outcome) == (message, "wrong_shape")


def test_lists_are_judged_one_by_one_and_in_full():
    expected = [normal(2), normal(3)]
    assert str(fails(expected, expected[:1])) == "y: expected a list of 2 tensors, got a list of 1 tensors"
    error = fails(expected, [expected[0], expected[1] + 1])
    assert str(error).startswith("y[1][0]: expected ")
    assert [o.outcome for o in error.outputs] == ["passed", "wrong_values"]


def test_a_scalar_has_no_index():
    error = fails(np.array(1, np.float32), np.array(2, np.float32))
    assert str(error).startswith("y: expected 1, got 2 (1 of 1 differ")


def test_values_alike_in_five_digits_are_told_apart():
    error = fails(np.array([1], np.float64), np.array([1 + 1e-9], np.float64), tolerance=EXACT, dtype="float64")
    assert "expected 1, got 1.000000001" in str(error)


def test_a_comparer_goes_before_the_tolerance():
    def same_set(expected, got):
        return None if set(expected) == set(got) else "other elements"

    options = {"comparers": {"y": same_set}}
    done = check(task(**options), Case("0", {}), {}, {"y": np.float32([1, 2])}, {"y": np.float32([2, 1])})
    assert done[0].outcome == "passed"
    assert str(fails(np.float32([1, 2]), np.float32([1, 3]), **options)) == "y: other elements"


def test_empty_outputs_pass():
    nothing = np.zeros((0, 4), np.float32)
    assert compare("y", expected=nothing, got=nothing.copy(), tolerance=LOOSE).outcome == "passed"


def test_evidence_of_a_pass_is_kept():
    expected = np.array([1, -2], np.float32)
    done = check(task(), Case("0", {}), {}, {"y": expected}, {"y": expected * np.float32(1.0005)})
    assert done[0].max_abs == pytest.approx(1e-3, rel=1e-3)
    assert done[0].max_rel == pytest.approx(5e-4, rel=1e-3)


BF16 = ml_dtypes.bfloat16
HALF_A_UNIT = Tolerance(0.00397, 0.00397, "half a unit of bfloat16 and a little", either=True)


def bf16(*values):
    return np.array(values, BF16)


def test_a_reference_that_was_never_rounded_is_compared_as_it_is():
    """1.0898 lies at the tie of 1.0859 and 1.0938: half a unit from each, and they are a whole one from each other."""
    expected = np.float32([1.0898, 1.0898])
    got = bf16(1.0859375, 1.09375)
    assert compare("y", expected=expected, got=got, tolerance=HALF_A_UNIT).outcome == "passed"
    assert compare("y", expected=expected.astype(BF16), got=got, tolerance=HALF_A_UNIT).mismatched == 1
    assert compare("y", expected=expected, got=bf16(1.078125, 1.1), tolerance=HALF_A_UNIT).mismatched == 2


def test_a_correctly_rounded_result_passes_whatever_the_tolerance():
    expected = np.float32([1.003, -317.7])
    tiny = Tolerance(1e-6, 1e-6, "a test")
    assert compare("y", expected=expected, got=expected.astype(BF16), tolerance=tiny).outcome == "passed"


def test_a_wider_reference_is_infinite_where_the_output_s_type_is():
    expected = np.float32([70000.0, 65519.0])
    wide = Tolerance(0.1, 0.1, "a test")
    assert compare("y", expected=expected, got=np.float16([np.inf, 65504]), tolerance=wide).outcome == "passed"
    assert compare("y", expected=expected, got=np.float16([65504, np.inf]), tolerance=wide).mismatched == 2


def test_a_wider_reference_leaves_the_declared_type_as_it_is():
    wide = np.float32([1, 2])
    check(task("bfloat16"), Case("0", {}), {}, {"y": wide}, {"y": wide.astype(BF16)})
    error = fails(wide, wide, dtype="bfloat16")
    assert (error.outcome, str(error)) == ("wrong_shape", "y: expected dtype bfloat16, got float32")
