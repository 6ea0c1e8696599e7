"""Elementary functions, and how far the device's results may be from them.

Pages: Elementary Functions say what is computed and where, not how exactly. Vector inv and invsqrt are a magic
constant and refinements; tanh and exp2 are a unit of the second device that gives bfloat16; the bounds are what those
methods reach.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.backends.aie.oracles.numbers import Values, wide

#: Exponential, hyperbolic tangent and inverse by the tables of lut_based_ops: eight bits of the fraction for the
#: first, straight lines for the second, seven bits of the mantissa for the third.
TABLES = {"getExpBf16": 2.0**-6, "getTanhBf16": 2.0**-6, "getInvBf16": 2.0**-6}
EXACT: dict[str, Callable[..., Values]] = {
    "inv": lambda x: 1.0 / x,
    "invsqrt": lambda x: 1.0 / np.sqrt(x),
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "exp2": np.exp2,
    "getExpBf16": np.exp,
    "getTanhBf16": np.tanh,
    "getInvBf16": lambda x: 1.0 / x,
}
#: function, type → relative bound
WITHIN = {
    ("inv", "float"): 2.0**-17, ("inv", "bfloat16"): 2.0**-6, ("invsqrt", "float"): 2.0**-9,
    ("invsqrt", "bfloat16"): 2.0**-6, ("sqrt", "float"): 2.0**-23, ("sqrt", "bfloat16"): 2.0**-7,
    ("tanh", "float"): 2.0**-6, ("exp2", "float"): 2.0**-6,
}  # fmt: skip


def exact(name: str, x: Values) -> Values:
    return EXACT[name](wide(x).astype(np.float64))


def bound(name: str, dtype: str, x: Values) -> Values:
    """What a result may be off by."""
    return np.abs(exact(name, x)) * WITHIN[name, dtype]
