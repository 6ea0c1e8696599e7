"""A lone `.asc` file as a candidate: a kernel written for `<<<…>>>`, launched as the task says."""

from __future__ import annotations

from dataclasses import replace

import kbench
from kbench.backends.ascend.backend import AscendBackend
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.record import Record
from kbench.generators.replay import roles_of

from .vector_add import CASE, ENTRY

_KERNEL = """#include "kernel_operator.h"
__global__ __aicore__ __vector__ void vector_add(__gm__ float* x, GM_ADDR y, __gm__ float* z) {
    constexpr uint32_t each = 2048 / 16;
    if (AscendC::GetBlockIdx() >= 16) return;
    AscendC::LocalMemAllocator<AscendC::Hardware::UB> memory;
    auto a = memory.Alloc<float, each>(), b = memory.Alloc<float, each>();
    AscendC::GlobalTensor<float> gm;
    gm.SetGlobalBuffer(x + each * AscendC::GetBlockIdx());
    AscendC::DataCopy(a, gm, each);
    gm.SetGlobalBuffer((__gm__ float*)y + each * AscendC::GetBlockIdx());
    AscendC::DataCopy(b, gm, each);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Add(a, a, b, each);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    gm.SetGlobalBuffer(z + each * AscendC::GetBlockIdx());
    AscendC::DataCopy(gm, a, each);
}
"""


def _judged(name: str, kernel: str) -> Record:
    files = {name: kernel}
    backend = AscendBackend()
    settings = Settings(backend.default_target, track=Track.KERNEL_ONLY)
    entry = replace(ENTRY, plain_launch=True)
    candidate = Candidate(files, roles_of(files), "vector_add")
    return kbench.evaluate(entry, candidate, backend, cases=[CASE], settings=settings)


def test_a_lone_kernel_passes() -> None:
    record = _judged("add.asc", _KERNEL)
    assert record.outcome == "passed", record.message


def test_an_asc_file_needs_no_qualifier_of_cores() -> None:
    record = _judged("add.asc", _KERNEL.replace("__vector__ ", "").replace("Add(a, a, b", "Sub(a, a, b"))
    assert record.outcome == "wrong_values", record.message


def test_an_operator_projects_kernel_is_a_c_function() -> None:
    record = _judged("add.cpp", _KERNEL.replace("__vector__ ", ""))
    assert record.outcome == "link_error"
    assert 'extern "C"' in record.message
