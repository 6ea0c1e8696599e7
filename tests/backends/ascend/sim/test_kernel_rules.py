"""Broken rules of the device: each is told with its API, its limit, the value and the candidate's own line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from kbench.core.errors import RunError, UnsupportedApi
from tests.backends.ascend.sim.kernels import Probe, build


class Rule(NamedTuple):
    body: str
    rule: str
    message: str
    outcome: str = "rule_violation"


_BUF = "TPipe p; TBuf<> b; p.InitBuffer(b, {bytes}); auto a = b.Get<float>();"
_BUF8K = _BUF.format(bytes=8192)
_UB = _BUF.format(bytes="192 * 1024")
_Q = "TPipe p; TQue<TPosition::VECIN, {depth}> q; p.InitBuffer(q, {num}, 32);"
_Q1, _Q2 = _Q.format(depth=1, num=2), _Q.format(depth=2, num=2)

ERRORS = [
    Rule(f"{_BUF8K} DataCopy(a[3], xg, 16);", "E2", "DataCopy: dst: expected a start address aligned to 32 bytes, got"),
    Rule(f"{_BUF8K} DataCopy(yg, a[5], 16);", "E2", "DataCopy: src: expected a start address aligned to 32 bytes"),
    Rule(f"{_UB} DataCopy(a[49152 - 8], xg, 64);", "E10", "expected an end of at most 196608", "out_of_bounds"),
    Rule(
        _BUF.format(bytes="200 * 1024") + " DataCopy(a[49152], xg, 64);",
        "E10", "write of UB bytes [196608, 196864)", "out_of_bounds",
    ),
    Rule(
        f"{_UB} ((float*)a.GetPhyAddr())[49152 + 100] = 1;",
        "E10", "beyond UB: expected an address below 196608, got 197008", "out_of_bounds",
    ),
    Rule(
        "TPipe p; TQue<TPosition::VECIN, 1> q[9]; for (auto& e : q) p.InitBuffer(e, 8, 32);",
        "E15", "InitBuffer: expected at most 64 buffers in a kernel, got 72",
    ),
    Rule(
        "TPipe p; TQue<TPosition::VECIN, 1> q[9]; "
        "for (auto& e : q) { p.InitBuffer(e, 1, 32); auto a = e.AllocTensor<float>(); e.FreeTensor(a); }",
        "E16", "FreeTensor: all 8 event ids of V_MTE2 are in use",
    ),
    Rule(f"{_Q1} for (int i = 0; i < 3; i++) q.AllocTensor<float>();", "E17", "expected at most 2 tensors between"),
    Rule(f"{_Q1} q.AllocTensor<float>(); q.DeQue<float>();", "E18", "DeQue: the VECIN queue is empty"),
    Rule(
        f"{_Q1} TQue<TPosition::VECIN, 1> r; p.InitBuffer(r, 2, 32); auto a = q.AllocTensor<float>(); r.EnQue(a);",
        "E19", "EnQue: expected a tensor of this queue (UB bytes [64, 128)), got one at 0",
    ),
    Rule(f"{_Q2} auto a = q.AllocTensor<float>(); q.EnQue(a); q.EnQue(a);", "E19", "got one that is enqueued"),
    Rule(f"{_Q1} auto a = q.AllocTensor<float>(); q.FreeTensor(a); q.FreeTensor(a);", "E19", "is already free"),
    Rule(
        f"{_Q1} for (int i = 0; i < 2; i++) q.EnQue(q.AllocTensor<float>());",
        "E20", "EnQue: expected at most 1 tensors in the queue (its depth), got 2",
    ),
    Rule(
        f"{_Q1} auto a = q.AllocTensor<float>(); DataCopy(a, xg, 8); Adds(a, a, 1.0f, 8);",
        "E21", "an EnQue and a DeQue (or a flag) between the copy from global memory that filled the tensor and",
    ),
    Rule(
        f"{_Q1} auto a = q.AllocTensor<float>(); DataCopy(a, xg, 8); q.EnQue(a); Adds(a, a, 1.0f, 8);",
        "E21", "Adds: dst: expected the EnQue of a tensor after the last write to it, got one before this write",
    ),
    Rule(
        "TPipe p; TQue<TPosition::VECOUT, 1> q; p.InitBuffer(q, 2, 32); auto a = q.AllocTensor<float>(); "
        "Duplicate(a, 1.0f, 8); DataCopy(yg, a, 8);",
        "E21", "DataCopy: src: expected an EnQue and a DeQue (or a flag) between the vector operation",
    ),
    Rule("WaitFlag<HardEvent::V_S>(EVENT_ID0);", "E25", "WaitFlag: V_S id 0 was not set"),
    Rule("wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);", "E25", "WaitFlag: MTE2_V id 3 was not set"),
    Rule(
        "for (int i = 0; i < 3; i++) set_flag(PIPE_V, PIPE_S, EVENT_ID0);",
        "E26", "SetFlag: V_S id 0: expected a WaitFlag before it is set again, got 3 sets without one",
    ),
    Rule("SetFlag<HardEvent::V_S>(9);", "E27", "SetFlag: eventID: expected 0 to 7, got 9"),
    Rule("TPipe p; TPipe q;", "E33", "another TPipe of this kernel is still alive"),
    Rule("TQue<TPosition::VECIN, 1> q; q.AllocTensor<float>();", "E34", "that InitBuffer has initialised"),
    Rule(f"{_Q1} p.Reset(); q.AllocTensor<float>();", "E34", "since the pipe was reset or destroyed"),
    Rule("GetTPipePtr();", "E34", "GetTPipePtr: expected a TPipe that is alive"),
    Rule(
        f"{_BUF8K} DataCopy(a, xg[1000], 160);",
        "E35", "src: read of bytes [4000, 4640) of 'x': expected an end of at most 4080", "out_of_bounds",
    ),
    Rule(f"{_BUF8K} DataCopy(yg[1016], a, 256);", "E35", "dst: write of bytes [4064, 5088) of 'y'", "out_of_bounds"),
    Rule("((__gm__ float*)y)[1200] = 1;", "E35", "'y': expected a byte below 4080, got 4800", "out_of_bounds"),
    Rule("yg.SetValue(1152, 1.0f);", "E35", "offset: write of bytes [4608, 4612) of 'y'", "out_of_bounds"),
    Rule("GlobalTensor<float> z; z.GetValue(0);", "E35", "SetGlobalBuffer was not called", "out_of_bounds"),
    Rule("LocalTensor<float> z; z.GetValue(0);", "E9", "empty tensor: expected one from AllocTensor"),
    Rule("((__gm__ float*)x)[0] = 1;", "", "write to input 'x' at byte 0", "input_modified"),
    Rule(f"{_BUF8K} DataCopy(xg, a, 32);", "", "DataCopy: 'x' is written", "input_modified"),
    Rule(
        f"{_BUF8K} DataCopyPadExtParams<float> pad{{true, 9, 0, 0}}; DataCopyPad(a, xg, {{1, 12, 0, 0, 0}}, pad);",
        "E38", "leftPadding and rightPadding: expected at most 32 bytes each, got 9",
    ),
    Rule(
        f"{_BUF8K} DataCopyPadExtParams<float> pad; DataCopyPad(a, xg, {{4096, 4, 0, 0, 0}}, pad);",
        "E38", "blockCount: expected at most 4095, got 4096",
    ),
    Rule(
        f"{_BUF8K} int r = 300; Copy(a, a, 8, r, {{1, 1, 0, 0}});",
        "E7", "repeatTime: expected at most 255, got 300, which wraps to 44",
    ),
    Rule(
        "struct Big { uint64_t a[100]; }; GET_TILING_DATA_WITH_STRUCT(Big, big, tiling);",
        "E44", "GET_TILING_DATA: expected 800 bytes of tiling data, got 8",
    ),
    Rule("*(volatile int*)nullptr = 1;", "", "write at address 0x0", "crash"),
    Rule("Trap();", "", "Trap is reached", "crash"),
    Rule("volatile int64_t z = 0; yg.SetValue(0, (float)(t.n / z));", "", "divided by zero", "crash"),
    Rule(
        "struct R { static int f(volatile int n) { volatile char b[4096]; b[0] = n; int (*volatile again)(int) = &f; "
        "return n > 1000000 ? 1 : again(n + 1) + b[0]; } }; yg.SetValue(0, R::f(0));",
        "", "stack is used up", "stack_overflow",
    ),
    Rule("if (GetBlockIdx() != 1) SyncAll();", "E29", "block 0 waits for the other blocks (3 of 4", "deadlock"),
    Rule(
        "if (GetBlockIdx() != 1) CrossCoreSetFlag<0, PIPE_MTE3>(3); CrossCoreWaitFlag(3);",
        "E29", "block 0 waits for flag 3, which not all of its partners have set", "deadlock",
    ),
]  # fmt: skip

WARNINGS = [
    Rule(f"{_BUF8K} DataCopy(a, xg, 13);", "E1", "expected a multiple of 32 bytes, got 52; the last 20 are not"),
    Rule(_BUF.format(bytes=64) + " DataCopy(a, xg, 64);", "E9", "at most 64 bytes (the tensor's size), got 256"),
    Rule(_BUF.format(bytes=64) + " a.SetValue(16, 1.0f);", "E36", "SetValue: index: expected at most 64 bytes"),
    Rule(_BUF.format(bytes="200 * 1024"), "E14", "UB is overrun: expected at most 196608 bytes in all, got"),
    Rule("SetFlag<HardEvent::V_S>(EVENT_ID0);", "E25", "nothing waited for this flag"),
    Rule(
        "SetFlag<HardEvent::V_S>(0); SetFlag<HardEvent::V_S>(0); "
        "WaitFlag<HardEvent::V_S>(0); WaitFlag<HardEvent::V_S>(0);",
        "E26",
        "V_S id 0 is set a second time before anything waited for it",
    ),
    Rule(
        f"{_Q1} TQue<TPosition::VECIN, 1> r; p.InitBuffer(r, 2, 32); auto a = q.AllocTensor<float>(); r.FreeTensor(a);",
        "E19",
        "FreeTensor: the tensor belongs to another queue",
    ),
    Rule("GetUserWorkspace(y);", "E47", "expected a workspace of at least 16777216 bytes"),
    Rule(f"{_BUF8K} DataCopy(yg[1016], a, 136);", "E35", "write of bytes [4064, 4608) of 'y', which holds 4080; har"),
    Rule(f"{_BUF8K} DataCopy(a, xg[1016], 128);", "E35", "read of bytes [4064, 4576) of 'x', which holds 4080; har"),
    Rule("TPipe p; TQue<TPosition::VECIN, 1> q; p.InitBuffer(q, 1, 0); q.EnQue(q.AllocTensor<int>());", "E14", "got 1"),
]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build([r.body for r in (*ERRORS, *WARNINGS)], tmp_path_factory.mktemp("rules"))


@pytest.mark.parametrize("index", range(len(ERRORS)), ids=[f"{r.rule}-{r.outcome}-{i}" for i, r in enumerate(ERRORS)])
def test_a_broken_rule_ends_the_run(probe: Probe, index: int) -> None:
    rule = ERRORS[index]
    with pytest.raises(RunError) as caught:
        probe.run(index, workspace_bytes=4096)
    last = caught.value.findings[-1]
    assert caught.value.outcome == rule.outcome
    assert rule.message in str(caught.value)
    assert (last.severity, last.rule) == ("error", rule.rule)
    assert (last.file, last.line) == ("probe.cpp", probe.line[index])


@pytest.mark.parametrize("index", range(len(WARNINGS)), ids=[f"{r.rule}-{i}" for i, r in enumerate(WARNINGS)])
def test_what_the_device_tolerates_is_a_warning_told_once(probe: Probe, index: int) -> None:
    rule = WARNINGS[index]
    body = len(ERRORS) + index
    found = [f for f in probe.run(body).findings if f.rule == rule.rule]
    assert len(found) == 1
    assert found[0].severity == ("note" if "read of bytes" in rule.message else "warning")
    assert rule.message in found[0].message
    assert (found[0].file, found[0].line) == ("probe.cpp", probe.line[body])


def test_a_raw_store_close_behind_a_tensor_is_noticed_at_the_end(tmp_path: Path) -> None:
    probe = build(["((__gm__ float*)y)[1100] = 1;"], tmp_path)
    found = probe.run(0).findings[-1]
    assert (found.severity, found.rule) == ("warning", "E35")
    assert found.message == "byte 4400 of 'y' was written: expected a byte below 4080"


def test_flags_and_barriers_order_pipes_as_queues_do(tmp_path: Path) -> None:
    begin = f"{_Q1} auto a = q.AllocTensor<float>(); DataCopy(a, xg, 8);"
    flag = "SetFlag<HardEvent::{0}>(EVENT_ID1); WaitFlag<HardEvent::{0}>(EVENT_ID1);"
    end = "Adds(a, a, 1.0f, 8); {1} DataCopy(yg, a, 8);"
    ways = [
        (flag.format("MTE2_V"), flag.format("V_MTE3")), ("PipeBarrier<PIPE_ALL>();", "pipe_barrier(PIPE_ALL);"),
        ("q.EnQue(a); a = q.DeQue<float>();", flag.format("V_S") + flag.format("S_MTE3")),
    ]  # fmt: skip
    probe = build([f"{begin} {first} {end.format(0, second)}" for first, second in ways], tmp_path)
    for body in range(len(ways)):
        assert list(probe.run(body, blocks=1).outputs[0].view(np.float32)[:8]) == list(range(1, 9))


def test_expected_and_got_are_separate_fields(probe: Probe) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(0)
    finding = caught.value.findings[-1]
    assert (finding.api, finding.got) == ("DataCopy", "UB address 12")
    assert finding.expected == "a start address aligned to 32 bytes"


def test_a_pipe_outside_the_kernel(tmp_path: Path) -> None:
    probe = build(["yg.SetValue(0, 1.0f);"], tmp_path, prelude="TPipe everywhere;")
    with pytest.raises(RunError, match="a TPipe outside the kernel") as caught:
        probe.run(0)
    assert caught.value.findings[-1].rule == "E33"


def test_positions_of_the_cube_side_are_unsupported(tmp_path: Path) -> None:
    probe = build(["TPipe p; TQue<TPosition::A1, 1> q; p.InitBuffer(q, 2, 32);"], tmp_path)
    with pytest.raises(UnsupportedApi) as caught:
        probe.run(0)
    assert caught.value.name == "TPosition::A1"
