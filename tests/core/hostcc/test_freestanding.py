from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from kbench.core.errors import CompileError
from kbench.core.hostcc.sandbox import Sandbox

from .programs import build, run

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with many faces: its first argument chooses one."""
    from kbench.core.hostcc.sandbox import sandbox

    text = (HERE / "standard.cpp").read_text()
    return build(text, sandbox("auto"), tmp_path_factory.mktemp("standard"))


def said(program: Path, box: Sandbox, *arguments: str) -> list[str]:
    ran = run(program, box, *arguments)
    assert ran.outcome == "returned", ran
    return ran.finished.stdout.decode().splitlines()


def test_the_library_does_what_it_says(standard: Path, fast_box: Sandbox) -> None:
    assert said(standard, fast_box, "containers") == [
        "early", "a:1,2 b:3", "sorted 1 2 3 9", "sum 15", "set 1 2 5", "found 42", "7 shared", "tuple 1 x 2.5",
        "to_string -12 3.500000", "stoi 77", "array 0 0 3", "dynamic yes no", "caught late: key", "caught 5",
    ]  # fmt: skip


def test_streams(standard: Path, fast_box: Sandbox) -> None:
    assert said(standard, fast_box, "streams") == [
        "early", "1 2.5 x yy 1 true -3 ff 0xff 17 A 0.1", "[00042] 3.14 P(3) 1.234568e+04", "ab    |    ab|-0007",
        "12 3.5 abc", "<l1><l2>", "1e+20 1e-05 100000 nan -inf",
    ]  # fmt: skip


FORMATS = ["%g", "%.17g", "%f", "%.0f", "%.3e", "%15.4f", "%-12.2e|", "%+.1f", "%#g", "%.10g", "%a", "%.3a", "%e"]


def test_printf_rounds_as_python_does(standard: Path, fast_box: Sandbox) -> None:
    rng = np.random.default_rng(7)
    values = [0.0, -0.0, 1.0, 0.5, 1.5, 2.5, 0.125, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
    values += [float(v) for v in rng.integers(0, 1 << 63, 40, dtype=np.uint64).view(np.float64)]
    values += [float(v) for v in rng.standard_normal(20)]
    formats = [f for f in FORMATS if "a" not in f]
    lines = said(standard, fast_box, "printf", *formats, "--", *(v.hex() for v in values))[1:]
    expected = [f % v for v in values for f in formats]
    assert lines == expected


def test_integers_and_text_are_printed(standard: Path, fast_box: Sandbox) -> None:
    assert said(standard, fast_box, "integers") == [
        "early", "-42|   -42|-42   |-00042|+42|0x2a|0X2A|052|42|18446744073709551615|-9223372036854775808|-1|255",
        "text|  text|te|(null)|c|%", "0x1.8p+0 0x0.0000000000001p-1022 -0x1.921fb54442d18p+1",
    ]  # fmt: skip


def test_numbers_are_read_back_exactly(standard: Path, fast_box: Sandbox) -> None:
    rng = np.random.default_rng(3)
    texts = ["0", "-0.0", "1e400", "1e-400", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "inf"]
    texts += ["9007199254740993", "0.1", "123456789012345678901234567890", "1.7976931348623158e308"]
    texts += ["2.2250738585072011e-308"]
    texts += [repr(float(v)) for v in rng.integers(0, 0x7FE << 52, 40, dtype=np.uint64).view(np.float64)]
    lines = said(standard, fast_box, "strtod", *texts)[1:]
    assert lines == [float(t).hex() for t in texts]


def _away(v: float) -> float:
    """Half away from zero, as C's round."""
    if not math.isfinite(v) or abs(v) > 1e15:
        return v
    whole = math.floor(abs(v))
    return math.copysign(whole + (abs(v) - whole >= 0.5), v)


UNARY = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "cbrt": np.cbrt, "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "rint": np.rint, "fabs": np.abs, "erf": np.vectorize(math.erf), "round": np.vectorize(_away),
}  # fmt: skip
BINARY = {"pow": np.power, "fmod": np.fmod, "atan2": np.arctan2, "hypot": np.hypot}
#: units in the last place; the C library behind numpy is itself off by up to three (cbrt)
SLACK = {
    "cbrt": 4,  # the C library behind numpy is itself three off
    "sinh": 3,
    "cosh": 3,
    "tanh": 3,
    "asin": 4,
    "acos": 4,
    "asinh": 3,
    "acosh": 4,
    "atanh": 4,
    "tan": 2,
    "log1p": 3,
}


def _points() -> np.ndarray:
    rng = np.random.default_rng(11)
    grid = np.concatenate([rng.uniform(-1, 1, 60), rng.uniform(-30, 30, 60), rng.uniform(-700, 700, 30)])
    special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-300, 5e-324, 1e300, -1e300, math.inf, -math.inf, math.nan]
    special += [math.nextafter(0.5, 0), math.nextafter(0.5, 1), 1e-160, 1e160]
    return np.concatenate([grid, special])


def _hex(values: np.ndarray) -> list[str]:
    return [f"{struct.unpack('<Q', struct.pack('<d', v))[0]:x}" for v in values]


def _doubles(lines: list[str]) -> np.ndarray:
    return np.array([struct.unpack("<d", struct.pack("<Q", int(t, 16)))[0] for t in lines])


def _assert_close(got: np.ndarray, expected: np.ndarray, ulps: float, points: object) -> None:
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    with np.errstate(all="ignore"):
        equal = (got == expected) | np.isnan(expected)
        error = np.abs(got - expected) / np.spacing(np.abs(expected))
    bad = ~equal & ~(error <= ulps)
    assert not bad.any(), (points, got[bad][:3], expected[bad][:3], error[bad][:3])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_mathematics_is_within_an_ulp_or_two(standard: Path, fast_box: Sandbox) -> None:
    points = _points()
    lines = said(standard, fast_box, "math", *UNARY, "--", *_hex(points))[1:]
    for i, (name, function) in enumerate(UNARY.items()):
        got = _doubles(lines[i * len(points) : (i + 1) * len(points)])
        _assert_close(got, np.asarray(function(points), dtype=np.float64), SLACK.get(name, 1.5), name)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_mathematics_of_two_arguments(standard: Path, fast_box: Sandbox) -> None:
    points = _points()
    pairs = np.stack([points, np.roll(points, 7)], axis=1)
    lines = said(standard, fast_box, "math2", *BINARY, "--", *_hex(pairs.reshape(-1)))[1:]
    for i, (name, function) in enumerate(BINARY.items()):
        got = _doubles(lines[i * len(points) : (i + 1) * len(points)])
        _assert_close(got, function(pairs[:, 0], pairs[:, 1]), 2 if name == "hypot" else 1.5, name)


def test_half_converts_as_numpy_does(standard: Path, fast_box: Sandbox) -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 1 << 32, 300, dtype=np.uint32).view(np.float32)
    edges = np.float32([65504, 65519.996, 65520, 6e-8, 2.98e-8, 2.9e-8, 1e-7, np.inf, -0.0, 1e-3])
    values = np.concatenate([values, edges])
    values = values[~np.isnan(values)]
    with np.errstate(over="ignore"):
        expected = values.astype(np.float16)
    lines = said(standard, fast_box, "half", *(f"{v:x}" for v in values.view(np.uint32)))[1:]
    got = np.array([int(t.split()[0], 16) for t in lines], dtype=np.uint16)
    back = np.array([int(t.split()[1], 16) for t in lines], dtype=np.uint32)
    assert np.array_equal(got, expected.view(np.uint16))
    assert np.array_equal(back, expected.astype(np.float32).view(np.uint32))


@pytest.mark.parametrize(
    ("face", "outcome", "words"),
    [
        ("null", "crash", "writes to an address that is not mapped"),
        ("read", "crash", "reads an address that is not mapped"),
        ("divide", "crash", "division by zero"),
        ("overflow", "stack_overflow", "stack"),
        ("memory", "memory_limit", "memory when"),
        ("huge", "memory_limit", "memory when"),
        ("throw", "crash", "uncaught exception of type St13runtime_error: no luck"),
        ("abort", "crash", "calls abort"),
        ("assert", "crash", "assertion failed: 1 > 2 (candidate.cpp:"),
        ("exit", "crash", "calls exit(0)"),
        ("pure", "crash", "pure virtual"),
        ("trap", "crash", "illegal instruction"),
        ("double_free", "crash", ""),
    ],
)
def test_every_end_has_a_class(standard: Path, fast_box: Sandbox, face: str, outcome: str, words: str) -> None:
    ran = run(standard, fast_box, face)
    assert ran.outcome == outcome, ran
    assert words in ran.message
    assert ran.finished.returncode == 86
    assert ran.finished.stdout == b"early\n", "what was printed before is kept"


def test_clocks_tick_the_same_on_every_run(standard: Path, fast_box: Sandbox) -> None:
    assert said(standard, fast_box, "clock") == said(standard, fast_box, "clock")


def test_there_are_no_files(fast_box: Sandbox, tmp_path: Path) -> None:
    text = '#include <fstream>\nextern "C" void candidate(int, char**) { std::ifstream f("/etc/passwd"); }\n'
    with pytest.raises(CompileError, match="there are no files here"):
        build(text, fast_box, tmp_path)
    text = '#include <cstdio>\nextern "C" void candidate(int, char**) { fopen("/etc/passwd", "r"); }\n'
    with pytest.raises(CompileError, match="calls fopen") as caught:
        build(text, fast_box, tmp_path)
    assert caught.value.outcome == "forbidden_symbol"


def test_constructors_run_after_the_lock_down(standard: Path, fast_box: Sandbox) -> None:
    assert said(standard, fast_box, "nothing") == ["early"]


def test_a_kernel_that_throws_without_exceptions_ends_in_words(fast_box: Sandbox, tmp_path: Path) -> None:
    text = '#include <vector>\nextern "C" void candidate(int n, char**) { std::vector<int> v; v.at(n); }\n'
    ran = run(build(text, fast_box, tmp_path, part="kernel"), fast_box)
    assert ran.outcome == "crash"
    assert "out_of_range" in ran.message or "vector" in ran.message
