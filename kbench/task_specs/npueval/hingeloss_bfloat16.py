"""hingeloss_bfloat16: the hinge loss."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, grid, magnitudes, reshaped, together, uniform
from kbench.task_specs.npueval._operator import REDUCTION, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def labels(rng: Rng) -> tuple[Array, ...]:
    return (bf16(rng.choice((-1.0, 1.0), 256)),)


def model(pred: Array, label: Array) -> Array:
    return bf16(np.maximum(0, step(1 - step(wide(label) * wide(pred)))))


TASK, CASES = Operator(
    summary="The hinge loss of a prediction and a label.",
    formula="out = max(0, 1 - label * pred)",
    category=REDUCTION,
    inputs={"pred": Buffer("bfloat16", (256,)), "label": Buffer("bfloat16", (256,))},
    output={"out": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "hingeloss_bfloat16",
    {
        "typical": Inputs("predictions from -2 to 2, labels -1 and 1", together(uniform((256,), -2, 2), labels)),
        "margin": Inputs(
            "predictions close to the margin",
            together(
                reshaped(uniform((256,), 0.8, 1.2), lambda rng, x: bf16(wide(x) * rng.choice((-1, 1), x.shape))), labels
            ),
        ),
        "magnitudes": Inputs(
            "predictions of every size", together(magnitudes((256,), 0.1, 1e4, (0.0, 1.0, -1.0)), labels)
        ),
        "weighted": Inputs("labels other than -1 and 1", together(uniform((256,), -2, 2), grid((256,), 0.5, 4))),
    },
)
