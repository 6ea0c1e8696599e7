"""Is the output right? The reference alone sets the measure: its shape, its dtype, its tolerance, its infinities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kbench.core.errors import CheckError
from kbench.core.record import OutputError
from kbench.core.task import DTYPES, Array, Case, Comparer, Task, Tolerance, Value, Values, dtype_name

#: Elements judged at a time: the temporaries of one chunk stay in a core's cache.
CHUNK = 1 << 16
#: A float32 estimate decides below this share of the tolerance; the rest is judged in float64.
_SAFE = 1 - 1e-6


def check(task: Task, case: Case, inputs_before: Values, expected: Values, got: Values) -> tuple[OutputError, ...]:
    """Compare every output of a case with its reference.

    Args:
        inputs_before: the inputs as drawn; they tell an in-place output that was never written.
        expected, got: output name → array or list of arrays, in the declared shapes and dtypes.

    Returns:
        the evidence of each output, all of outcome `passed`.

    Raises:
        CheckError: with the class of the first failing output and the evidence of all.
    """
    results: list[OutputError] = []
    for tensor in task.outputs:
        if tensor.name in case.unchecked:
            results.append(OutputError(output=tensor.name, outcome="passed", first="the reference does not give it"))
            continue
        judge = _Judge(
            DTYPES[task.dtype_of(tensor, case)],
            _tolerance(task, case, tensor.name),
            task.comparers.get(tensor.name),
        )
        results += judge.output(
            tensor.name, expected[tensor.name], got.get(tensor.name), inputs_before.get(tensor.name)
        )
    failed = [r for r in results if r.outcome != "passed"]
    if failed:
        raise CheckError(failed[0].first, outcome=failed[0].outcome, outputs=results)
    return tuple(results)


def _tolerance(task: Task, case: Case, output: str) -> Tolerance | None:
    if output in task.comparers:
        return None
    return task.tolerance_of(output, task.dtype_of(task.tensor(output), case), case)


@dataclass(frozen=True)
class _Judge:
    dtype: np.dtype[Any]
    tolerance: Tolerance | None
    comparer: Comparer | None

    def output(self, name: str, expected: Value, got: Value, before: Value) -> list[OutputError]:
        if isinstance(expected, list):
            return self._list(name, expected, got, before)
        if expected is None or got is None or isinstance(got, list):
            if expected is None and got is None:
                return [OutputError(output=name, outcome="passed")]
            return [_wrong_shape(name, f"{name}: expected {_kind(expected)}, got {_kind(got)}")]
        return [self._array(name, expected=expected, got=got, before=None if isinstance(before, list) else before)]

    def _list(self, name: str, expected: list[Array], got: Value, before: Value) -> list[OutputError]:
        if not isinstance(got, list) or len(got) != len(expected):
            return [_wrong_shape(name, f"{name}: expected {_kind(expected)}, got {_kind(got)}")]
        olds: list[Array | None] = list(before) if isinstance(before, list) else [None] * len(expected)
        return [
            self._array(f"{name}[{i}]", expected=e, got=g, before=old)
            for i, (e, g, old) in enumerate(zip(expected, got, olds, strict=True))
        ]

    def _array(self, name: str, *, expected: Array, got: Array, before: Array | None) -> OutputError:
        declared = self.dtype if is_wider(expected.dtype, self.dtype) else expected.dtype
        if got.dtype != declared:
            return _wrong_shape(name, f"{name}: expected dtype {_dtype(declared)}, got {_dtype(got.dtype)}")
        if self.comparer is not None:
            wrong = self.comparer(_rounded(expected, declared), got)
            outcome = "passed" if wrong is None else "wrong_values"
            return OutputError(
                output=name, outcome=outcome, total=expected.size, first=f"{name}: {wrong}" if wrong else ""
            )
        if got.shape != expected.shape:
            return _wrong_shape(name, f"{name}: expected shape {expected.shape}, got {got.shape}")
        assert self.tolerance is not None
        return compare(name, expected=expected, got=got, tolerance=self.tolerance, before=before)


def _wrong_shape(name: str, message: str) -> OutputError:
    return OutputError(output=name, outcome="wrong_shape", first=message)


def _kind(value: Value) -> str:
    if value is None:
        return "no tensor"
    return f"a list of {len(value)} tensors" if isinstance(value, list) else f"a tensor of shape {value.shape}"


def _dtype(dtype: np.dtype[Any]) -> str:
    try:
        return dtype_name(dtype)
    except KeyError:
        return str(dtype)


def is_wider(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Both are floating types, and the first has more bytes."""
    return _is_float(one) and _is_float(other) and one.itemsize > other.itemsize


def _is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype.name == "bfloat16"


def compare(
    name: str, *, expected: Array, got: Array, tolerance: Tolerance, before: Array | None = None
) -> OutputError:
    """Judge one array against its reference, of the same shape and dtype, or of a wider floating dtype.

    A wider reference was never rounded to the output's dtype: an element passes that is near to it as it is or as the
    output's dtype has it. The first is what the tolerance was written for where a benchmark compares so; the second
    lets a correctly rounded result pass, and settles what is infinite.

    `before` is what an in-place output held when the kernel started.
    """
    unrounded = _flat(expected) if expected.dtype != got.dtype else None
    expected = _rounded(expected, got.dtype)
    flat_expected, flat_got = _flat(expected), _flat(got)
    bad = np.zeros(flat_expected.size, np.bool_)
    max_abs = max_rel = 0.0
    with np.errstate(all="ignore"):
        for start in range(0, flat_expected.size, CHUNK):
            part = slice(start, start + CHUNK)
            far, most_abs, most_rel = _judge_chunk(flat_expected[part], flat_got[part], tolerance)
            if unrounded is not None:
                far &= ~_near_unrounded(unrounded[part], flat_expected[part], flat_got[part], tolerance)
            bad[part] = far
            max_abs, max_rel = max(max_abs, most_abs), max(max_rel, most_rel)
    count = int(np.count_nonzero(bad))
    result = OutputError(
        output=name, outcome="passed", mismatched=count, total=expected.size, max_abs=max_abs, max_rel=max_rel
    )
    if not count:
        return result
    outcome, first = _explain(name, expected, got, bad, before)
    if outcome == "wrong_values" and not tolerance.exact:
        terms = f"{tolerance.atol:g}", f"{tolerance.rtol:g}·|expected|"
        allowed = " or ".join(terms) if tolerance.either else " + ".join(terms)
        first = f"{first[:-1]}; allowed error {allowed}, largest {max_abs:.3g})"
    return result.model_copy(update={"outcome": outcome, "first": first})


def _rounded(array: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return array if array.dtype == dtype else array.astype(dtype)


def _near_unrounded(unrounded: Array, rounded: Array, got: Array, tolerance: Tolerance) -> NDArray[np.bool_]:
    finite = np.isfinite(_widened(rounded))
    return np.asarray(finite & ~_outside(unrounded, got, tolerance), dtype=np.bool_)


def _flat(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(-1)


def _bits(array: Array) -> NDArray[Any]:
    return array.view(f"u{array.dtype.itemsize}")


def _judge_chunk(expected: Array, got: Array, tolerance: Tolerance) -> tuple[NDArray[np.bool_], float, float]:
    """(elements outside the tolerance, largest absolute and relative error over finite elements)."""
    kind = expected.dtype.kind
    if tolerance.exact or kind == "b":
        return _judge_exact(expected, got)
    if kind in "iu":
        return _judge_integers(expected, got, tolerance)
    e, g = _widened(expected), _widened(got)
    size = np.abs(e)
    difference = np.abs(g - e)
    bound = tolerance.bound(size).astype(size.dtype)
    suspect = ~(difference - bound * size.dtype.type(_SAFE) <= 0)  # inf − inf is NaN, which is no ≤ either
    if suspect.any():
        suspect[suspect] = _outside(e[suspect], g[suspect], tolerance)
    return suspect, _largest(difference), _largest(difference / size)


def _judge_exact(expected: Array, got: Array) -> tuple[NDArray[np.bool_], float, float]:
    bad = _bits(expected) != _bits(got)
    if not bad.any():
        return bad, 0.0, 0.0
    if expected.dtype.kind in "iub":
        difference = _distance(expected[bad], got[bad])
        return bad, _largest(difference), _largest(difference / np.abs(expected[bad].astype(np.float64)))
    e, g = _widened(expected[bad]), _widened(got[bad])
    bad[bad] = ~(np.isnan(e) & np.isnan(g))
    difference = np.abs(g - e)
    return bad, _largest(difference), _largest(difference / np.abs(e))


def _judge_integers(expected: Array, got: Array, tolerance: Tolerance) -> tuple[NDArray[np.bool_], float, float]:
    difference = _distance(expected, got)
    size = np.abs(expected.astype(np.float64))
    return difference > tolerance.bound(size), _largest(difference), _largest(difference / size)


def _distance(expected: Array, got: Array) -> NDArray[np.float64]:
    """|got − expected| of integers, without the wrap that makes int8 0 and −128 look alike."""
    high, low = np.maximum(_integers(expected), _integers(got)), np.minimum(_integers(expected), _integers(got))
    difference: NDArray[Any] = _bits(high) - _bits(low)
    return difference.astype(np.float64)


def _integers(array: Array) -> Array:
    return array.view(np.uint8) if array.dtype.kind == "b" else array


def _widened(array: Array) -> Array:
    """In float32 (float64 and complex128 for the wider dtypes), where half types are exact."""
    if array.dtype == np.float16:
        return _HALF[array.view(np.uint16)]
    if array.dtype.name == "bfloat16":
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.complex128) if array.dtype.kind == "c" else array


#: Every float16 as float32: looking up is faster than converting where the processor has no conversion.
_HALF = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)


def _outside(expected: Array, got: Array, tolerance: Tolerance) -> NDArray[np.bool_]:
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    e, g = expected.astype(wide), got.astype(wide)
    near = np.abs(g - e) <= tolerance.bound(np.abs(e))
    both_nan = np.isnan(e) & np.isnan(g)
    right = (g == e) | both_nan | (np.isfinite(e) & np.isfinite(g) & near)
    return np.asarray(~right, dtype=np.bool_)


def _largest(values: NDArray[Any]) -> float:
    largest = float(np.fmax.reduce(values, initial=0.0))
    if np.isfinite(largest):
        return largest
    return float(values[np.isfinite(values)].max(initial=0.0))


def _explain(name: str, expected: Array, got: Array, bad: NDArray[np.bool_], before: Array | None) -> tuple[str, str]:
    """(class of failure, message) of an array with wrong elements."""
    index = np.flatnonzero(bad)
    counted = f"({index.size} of {bad.size} differ)"
    untouched = _untouched(_flat(got)[index], None if before is None else _flat(before)[index])
    if untouched.all() or (index[-1] == bad.size - 1 and untouched[-1]):
        first = int(index[np.flatnonzero(untouched)[0]])
        what = "still holds its input value" if before is not None else "never written (still 0xFF)"
        return "unwritten", (
            f"{_place(name, expected, first)}: {what}, expected {_value(_flat(expected)[first:][:1])} {counted}"
        )
    e, g = _flat(expected)[index], _flat(got)[index]
    outcome = "wrong_values" if _all_finite(e) and _all_finite(g) else "nonfinite"
    first = int(index[0])
    want, have = _pair(e[:1], g[:1])
    return outcome, f"{_place(name, expected, first)}: expected {want}, got {have} {counted}"


def _untouched(got: Array, before: Array | None) -> NDArray[np.bool_]:
    """Elements that still hold what the buffer held at the start: the poison, or an in-place output's input."""
    bits = _bits(got)
    old = np.iinfo(bits.dtype).max if before is None else _bits(before)
    return np.asarray(bits == old, dtype=np.bool_)


def _all_finite(array: Array) -> bool:
    return array.dtype.kind in "iub" or bool(np.isfinite(_widened(array)).all())


def _place(name: str, array: Array, index: int) -> str:
    if array.ndim == 0:
        return name
    return f"{name}[{', '.join(str(int(i)) for i in np.unravel_index(index, array.shape))}]"


def _pair(expected: Array, got: Array) -> tuple[str, str]:
    """Both values, with as many digits as it takes to tell them apart."""
    short = _value(expected), _value(got)
    return short if short[0] != short[1] else (_value(expected, 17), _value(got, 17))


def _value(one: Array, digits: int = 5) -> str:
    """The text of an array of one element."""
    kind = one.dtype.kind
    if kind == "b":
        byte = int(one.view(np.uint8)[0])
        return str(bool(byte)) if byte < 2 else f"byte {byte}"
    if kind in "iu":
        return str(int(one[0]))
    if kind == "c":
        return f"{complex(one[0]):.{digits}g}"
    return f"{float(one[0]):.{digits}g}"
