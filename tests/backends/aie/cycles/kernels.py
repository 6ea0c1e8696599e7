"""Kernels of the small task, profiled."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from kbench.backends.aie.backend import AieBackend
from kbench.core.backend import Settings
from kbench.core.profile import Profile
from kbench.core.timeline import Timeline
from tests.backends.aie.kernel import ENTRY, candidate

BACKEND = AieBackend()


def closely(source: str, target: str = "npu1") -> tuple[Profile, str]:
    """(profile, listing) of a kernel of `increment`: y = x + n of 64 int32."""
    profile, text, _ = _told(source, target)
    return profile, text


def drawn_closely(source: str, target: str = "npu1") -> tuple[Profile, Timeline]:
    """(profile, timeline) of such a kernel."""
    profile, _, drawn = _told(source, target)
    return profile, drawn


def _told(source: str, target: str) -> tuple[Profile, str, Timeline]:
    settings = Settings(target=target)
    case = ENTRY.cases[0]
    inputs = ENTRY.task.draw(case, np.random.default_rng(0))
    with tempfile.TemporaryDirectory() as folder:
        built = BACKEND.compile(candidate(source), ENTRY, ENTRY.cases, settings, Path(folder))
        result = BACKEND.run(built, ENTRY, case, inputs, settings)
        found = BACKEND.profile(built, ENTRY, case, inputs, settings, result)
        text = BACKEND.listing(built, ENTRY, case, inputs, settings, result)
        drawn = BACKEND.timeline(built, ENTRY, case, inputs, settings, result)
    assert found is not None
    assert text is not None
    assert drawn is not None
    return found, text, drawn


def kernel(body: str, before: str = "", pointers: str = "int32_t *__restrict") -> str:
    """A kernel with this body, which begins in line 5; `before` stands in line 3."""
    head = f"void increment({pointers} x, {pointers} y, int32_t n) {{"
    return f'#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n{before}\n{head}\n{body}\n}}\n'


SCALAR = "    for (unsigned i = 0; i < 64; ++i) y[i] = x[i] + n;"
VECTOR = """    AIE_LOOP_NO_UNROLL
    for (unsigned i = 0; i < 64; i += 16)
        aie::store_v(y + i, aie::add(aie::load_v<16>(x + i), n));"""
