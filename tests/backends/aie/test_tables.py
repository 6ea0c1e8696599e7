"""Functions of bfloat16 by table: against the functions that the tables are of."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.aie.snippets import bf16, floats, run

X = bf16(np.linspace(-9, 9, 64))
BODY = """
for (int i = 0; i < 64; i += 16) {
    const v16bfloat16 x = *(v16bfloat16 *)(in0 + i);
    *(v16bfloat16 *)(out0 + i) = to_v16bfloat16(getExpBf16(x));
    *(v16bfloat16 *)(out0 + 64 + i) = getTanhBf16(x);
}
for (int i = 0; i < 64; ++i) out0[128 + i] = getInvBf16(in0[i]);
"""


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_functions_by_table(target: str) -> None:
    (got,) = run(BODY, [X], [("bfloat16", 192)], target, "lut_based_ops.h")
    exp, tanh, inverse = floats(got).reshape(3, 64)
    x = floats(X)
    # x has eight bits behind the point; the result is cut to bfloat16.
    assert np.allclose(exp, np.exp(np.floor(x * 256) / 256), rtol=2**-6)
    assert np.allclose(tanh, np.tanh(x), atol=8e-3)
    assert np.allclose(inverse, 1 / np.abs(x), rtol=2**-7)


def test_the_lookup_of_the_whole_part_rounds_as_the_core_is_set() -> None:
    """What the page on parallel_lookup warns of: with another mode than floor, 0.99 has the whole part 1."""
    body = "aie::set_rounding(aie::rounding_mode::positive_inf);" + BODY
    (got,) = run(body, [bf16(np.full(64, 0.99))], [("bfloat16", 192)], include="lut_based_ops.h")
    assert np.allclose(floats(got)[0], np.e * np.exp(floats(bf16([0.99]))[0]), rtol=0.02)
