"""The elementwise part of the advanced library: mathematics and activations.

Pages: advanced API, mathematics and activation functions; the functions' own formulas. Results are the formula's value
in double precision, rounded once to the destination's type; double functions err in their last digits, so a result is
right when it is what the value rounds to with up to a few units of a double's last place added or taken. Where the page
has a formula of basic operations and no other working type (`STEPS`), the value of the formula with every step rounded
to the operands' type is right as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from tests.backends.ascend.oracles.numbers import Doubles, Values, doubles, to_float

_SLACK = 2.0**-46


def gelu(x: Doubles) -> Doubles:
    return x / (1 + np.exp(-1.5957691216057308 * (x + 0.044715 * x**3)))


def faster_gelu(x: Doubles) -> Doubles:
    return x / (1 + np.exp(-1.702 * x))


def geglu(x: Doubles, y: Doubles) -> Doubles:
    return x * y / (1 + np.exp(-0.0713548162726 * y * (22.363860002236 + y * y)))


@dataclass(frozen=True)
class Function:
    """`domain`: where the inputs are drawn. `tmp`: bytes of the smallest temporary buffer for half and for float.
    `forms`: which of the four signatures exist: with and without temporary buffer, each with and without a count."""

    value: Callable[..., Doubles]
    domain: tuple[float, float]
    tmp: tuple[int, int]
    sources: int = 1
    forms: tuple[int, ...] = (0, 1, 2, 3)
    second: tuple[float, float] | None = None
    scalar: tuple[float, float] | None = None


_COUNT = (0, 2)  # with a count only
_UNIT = (-1.0, 1.0)
_WIDE = (-60000.0, 60000.0)


def _f(half: int, float_: int) -> tuple[int, int]:
    return half * 256, float_ * 256


FUNCTIONS: dict[str, Function] = {
    "Acos": Function(np.arccos, _UNIT, _f(6, 2)),
    "Acosh": Function(np.arccosh, (1.0, 60000.0), _f(2, 1)),
    "Asin": Function(np.arcsin, _UNIT, _f(6, 2)),
    "Asinh": Function(np.arcsinh, _WIDE, _f(3, 3)),
    "Atan": Function(np.arctan, _WIDE, _f(12, 5)),
    "Atanh": Function(np.arctanh, (0.0011, 0.98), _f(4, 1)),
    "Cos": Function(np.cos, _WIDE, _f(8, 3)),
    "Sin": Function(np.sin, _WIDE, _f(8, 3)),
    "Tan": Function(np.tan, (-1.5, 1.5), _f(10, 4)),
    "Cosh": Function(np.cosh, (-10.0, 10.0), _f(6, 2)),
    "Sinh": Function(np.sinh, (-10.0, 10.0), _f(4, 1)),
    "Tanh": Function(np.tanh, (-12.0, 12.0), _f(4, 1)),
    "Erf": Function(special.erf, (-5.0, 5.0), _f(8, 3)),
    "Erfc": Function(special.erfc, (-5.0, 4.0), _f(16, 7)),
    "Digamma": Function(special.digamma, (0.1, 1000.0), _f(16, 7), forms=_COUNT),
    "Lgamma": Function(special.gammaln, (0.1, 1000.0), _f(26, 8), forms=_COUNT),
    "Log": Function(np.log, (1e-4, 60000.0), (0, 0), forms=(2, 3)),
    "Log2": Function(np.log2, (1e-4, 60000.0), _f(1, 0)),
    "Log10": Function(np.log10, (1e-4, 60000.0), (0, 0), forms=(2, 3)),
    "Ceil": Function(np.ceil, _WIDE, _f(2, 1), forms=_COUNT),
    "Floor": Function(np.floor, _WIDE, _f(2, 0), forms=_COUNT),
    "Round": Function(np.rint, _WIDE, _f(1, 0), forms=_COUNT),
    "Trunc": Function(np.trunc, _WIDE, _f(2, 1)),
    "Frac": Function(lambda x: x - np.trunc(x), _WIDE, _f(4, 0)),
    "Sign": Function(np.sign, _WIDE, _f(3, 3)),
    "Fmod": Function(np.fmod, (-100.0, 100.0), _f(8, 1), 2, second=(0.5, 20.0)),
    "Power": Function(np.power, (0.1, 9.0), _f(8, 5), 2, second=(-4.0, 4.0)),
    "ClampMax": Function(lambda x, s: np.minimum(x, s), _WIDE, (128, 64), forms=_COUNT, scalar=(-50.0, 50.0)),
    "ClampMin": Function(lambda x, s: np.maximum(x, s), _WIDE, (128, 64), forms=_COUNT, scalar=(-50.0, 50.0)),
    "Sigmoid": Function(lambda x: 1 / (1 + np.exp(-x)), (-15.0, 15.0), (256, 256)),
    "Silu": Function(lambda x: x / (1 + np.exp(-x)), (-15.0, 15.0), (0, 0), forms=(2,)),
    "Swish": Function(lambda x, s: x / (1 + np.exp(-s * x)), (-9.0, 9.0), (0, 0), forms=(2,), scalar=(0.5, 1.5)),
    "Gelu": Function(gelu, (-6.0, 9.0), (768, 768), forms=_COUNT),
    "FasterGelu": Function(faster_gelu, (-6.0, 9.0), (768, 768), forms=_COUNT),
    "GeGLU": Function(geglu, (-9.0, 9.0), _f(4, 0), 2, second=(-5.0, 9.0)),
    "SwiGLU": Function(
        lambda x, y, s: x * y / (1 + np.exp(-s * y)), (-9.0, 9.0), _f(6, 0), 2, second=(-9.0, 9.0), scalar=(0.5, 1.5)
    ),
    "ReGlu": Function(lambda x, y: x * np.maximum(y, 0), (-9.0, 9.0), _f(6, 1), 2, _COUNT, second=(-9.0, 9.0)),
    "PowerTo": Function(lambda x, s: np.power(x, s), (0.1, 9.0), _f(8, 6), scalar=(-3.0, 3.0)),
    "PowerOf": Function(lambda x, s: np.power(s, x), (-3.0, 3.0), _f(8, 6), scalar=(0.2, 6.0)),
    "Exp": Function(np.exp, (-9.0, 9.0), _f(4, 3), forms=_COUNT),
}


def _stepped(dtype: str, *operations: Callable[[Doubles], Doubles]) -> Callable[[Doubles], Doubles]:
    """Operations one after another, each result rounded to the type."""

    def run(x: Doubles) -> Doubles:
        for operation in operations:
            x = doubles(to_float(operation(x), dtype))
        return x

    return run


def _logistic(dtype: str, factor: float) -> Callable[[Doubles], Doubles]:
    """1 + exp(factor · x), step by step."""
    factor = float(np.array([factor]).astype("f2" if dtype == "f16" else "f4")[0])
    return _stepped(dtype, lambda x: x * factor, np.exp, lambda x: x + 1)


def _steps_sigmoid(x: Doubles) -> Doubles:
    return 1 / _logistic("f16", -1.0)(x)


def _steps_swish(x: Doubles, scalar: float) -> Doubles:
    return x / _logistic("f16", -scalar)(x)


def _steps_faster_gelu(x: Doubles) -> Doubles:
    return x / _logistic("f16", -1.702)(x)


def _steps_fmod(x: Doubles, y: Doubles) -> Doubles:
    return x - _stepped("f32", lambda v: v / y, np.trunc, lambda v: v * y)(x)


def _steps_atanh(x: Doubles) -> Doubles:
    quotient = doubles(to_float(1 + x, "f32")) / doubles(to_float(1 - x, "f32"))
    return 0.5 * _stepped("f32", lambda v: v, np.log)(quotient)


STEPS: dict[tuple[str, str], Callable[..., Doubles]] = {
    ("Sigmoid", "f16"): _steps_sigmoid,
    ("Swish", "f16"): _steps_swish,
    ("FasterGelu", "f16"): _steps_faster_gelu,
    ("Fmod", "f32"): _steps_fmod,
    ("Atanh", "f32"): _steps_atanh,
    ("Atanh", "f16"): _steps_atanh,  # half works in float
    ("Silu", "f16"): lambda x: _steps_swish(x, 1.0),
}


#: the formula (for Exp: an expansion to so many terms) is given, the order of its steps is not: how far a result may
#: lie off, relative to the value
LOOSE: dict[tuple[str, str], float] = {("Gelu", "f16"): 2.0**-6, ("Exp", "f32"): 2.0**-21}


def near(name: str, dtype: str, sources: list[Values], got: Values) -> np.ndarray:
    """Which results are as near as `LOOSE` allows; none where it says nothing."""
    allowed = LOOSE.get((name, dtype))
    if allowed is None:
        return np.zeros(got.shape, bool)
    with np.errstate(all="ignore"):
        value = FUNCTIONS[name].value(*(doubles(s) for s in sources))
    off = np.abs(doubles(got) - value)
    return np.asarray(off <= np.maximum(np.abs(value) * allowed, 2.0**-22))


def stepped(name: str, dtype: str, sources: list[Values], scalar: float) -> Values | None:
    """What the formula gives with every step rounded; None where only the formula's own value is right."""
    steps = STEPS.get((name, dtype))
    if steps is None:
        return None
    arguments: list[Doubles | float] = [doubles(s) for s in sources]
    if FUNCTIONS[name].scalar:
        arguments.append(scalar)
    with np.errstate(all="ignore"):
        return to_float(np.asarray(steps(*arguments)), dtype)


def bounds(name: str, dtype: str, sources: list[Values], scalar: float) -> tuple[Values, Values]:
    """The least and the greatest right result for each element."""
    function = FUNCTIONS[name]
    arguments: list[Doubles | float] = [doubles(s) for s in sources]
    if function.scalar:
        arguments.append(scalar)
    with np.errstate(all="ignore"):
        value = np.asarray(function.value(*arguments), np.float64)
    slack = np.where(value == np.rint(value), 0.0, np.abs(value) * _SLACK + 1e-300)
    return to_float(value - slack, dtype), to_float(value + slack, dtype)
