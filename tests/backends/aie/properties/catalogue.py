"""Every step of the property tests, and what the README's table says of the APIs that they check.

python -m tests.backends.aie.properties.catalogue   # rewrites checked.json
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tests.backends.aie.oracles.numbers import RESET
from tests.backends.aie.properties import (
    comparing,
    computing,
    converting,
    elementwise,
    members,
    moving,
    multiplying,
    walking,
)
from tests.backends.aie.properties.draws import Pick
from tests.backends.aie.properties.steps import Expect, Program, Step

CHECKED = Path(__file__).with_name("checked.json")
DEVICES = ("npu1", "npu2")
GROUPS: dict[str, Callable[[Pick], Iterator[Step]]] = {
    "elementwise": elementwise.steps,
    "comparing": comparing.steps,
    "moving": moving.steps,
    "converting": converting.steps,
    "computing": computing.steps,
    "members": members.steps,
    "multiplying": multiplying.steps,
    "walking": walking.steps,
}


def program(group: str, device: str, every: bool = False) -> Program:
    return Program(list(GROUPS[group](Pick(device, every))))


def checked() -> dict[str, str]:
    """API → how its results are compared."""
    found: dict[str, list[tuple[Step, bool]]] = defaultdict(list)
    for device in DEVICES:
        for group in GROUPS:
            made = program(group, device)
            before = made.inputs(np.random.default_rng(0))
            for step in made.steps:
                expected = step.oracle(RESET, *(made.values(i, before) for i in step.ins))
                near = any(isinstance(e, Expect) and e.within is not None for e in expected)
                found[step.api].append((step, near))
    return {api: _how(steps) for api, steps in sorted(found.items())}


def _how(steps: list[tuple[Step, bool]]) -> str:
    near = sum(n for _, n in steps)
    exact = "every bit" if near == 0 else "within the method's error" if near == len(steps) else "every bit where exact"
    forms = len({s.name for s, _ in steps})
    return f"{exact}, {forms} form{'s' if forms > 1 else ''} of types and sizes, every rounding and saturation mode"


if __name__ == "__main__":
    CHECKED.write_text(json.dumps(checked(), indent=1) + "\n")
