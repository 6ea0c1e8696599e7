"""Blocks that wait for each other: loops that poll global memory, cross-core flags, deadlocks that are named."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.errors import RunError, UnsupportedApi
from tests.backends.ascend.sim.kernels import Probe, build

_PRELUDE = "static volatile __gm__ uint32_t turn[16];\n"
_LAST_FIRST = "GetBlockNum() - 1 - GetBlockIdx()"
_CLEAN = "DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>"
BODIES = [
    # the last block goes first: each takes the next number where the counter is its own
    f"while (turn[0] != {_LAST_FIRST}) {{}} Put(yg, GetBlockIdx(), (float)turn[0]); turn[0] = turn[0] + 1;",
    f"if (GetBlockIdx() == GetBlockNum() - 1) {{ yg.SetValue(63, 0); {_CLEAN}(yg[63]); }} else {{ do {{ "
    f"{_CLEAN}(yg[63]); }} while (yg.GetValue(63) != (float)({_LAST_FIRST})); }} "
    f"Put(yg, GetBlockIdx(), yg.GetValue(63)); yg.SetValue(63, yg.GetValue(63) + 1); {_CLEAN}(yg[63]);",
    "LocalTensor<float> a(TPosition::VECIN, 0, 8); if (GetBlockIdx() == GetBlockNum() - 1) Put(yg, 0, 7); "
    "else do { "
    "DataCopy(a, yg, 8); SetFlag<HardEvent::MTE2_S>(EVENT_ID0); WaitFlag<HardEvent::MTE2_S>(EVENT_ID0); } "
    "while (a.GetValue(0) != 7);",
    "if (GetBlockIdx() == 2) while (turn[1] == 0) {}",
    "if (GetBlockIdx() == 1) while (yg.GetValue(5) != 3) {}",
    "if (GetBlockIdx() == 0) while (turn[2] != 1) { if (turn[3] == 1) return; }",
    "for (int i = 0; i < 1000; i++) { if (turn[4] == 1) break; } Put(yg, GetBlockIdx(), 5);",
]  # fmt: skip
TURNS, POLL, COPY, STUCK, STUCK_VALUE, STUCK_TWO, LIMITED = range(len(BODIES))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("blocks"), _PRELUDE)


@pytest.mark.parametrize("body", [TURNS, POLL])
def test_blocks_that_poll_take_turns(probe: Probe, body: int) -> None:
    y = probe.run(body, n=64, blocks=24).outputs[0].view(np.float32)
    assert np.array_equal(y[:24], np.arange(24)[::-1])


def test_a_flag_may_be_polled_by_copies(probe: Probe) -> None:
    assert probe.run(COPY, n=64, blocks=4).outputs[0].view(np.float32)[0] == 7


def test_a_loop_with_a_limit_of_its_own_ends(probe: Probe) -> None:
    y = probe.run(LIMITED, n=64, blocks=4).outputs[0].view(np.float32)
    assert np.array_equal(y[:4], [5] * 4)


@pytest.mark.parametrize(
    ("body", "block", "what"),
    [
        (STUCK, 2, "a variable in global memory to become something else than 0"),
        (STUCK_VALUE, 1, "byte 20 of 'y' to become something else than 4294967295"),
        (STUCK_TWO, 0, "a variable in global memory to become something else than 0"),
    ],
)
def test_a_loop_that_never_ends_is_a_deadlock_with_its_line(probe: Probe, body: int, block: int, what: str) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(body, n=64, blocks=4)
    assert caught.value.outcome == "deadlock"
    found = caught.value.findings[-1]
    assert found.message == f"loop: block {block} waits for {what}, which never comes: 1 of 4 blocks wait, 3 have ended"
    assert (found.rule, found.line) == ("E29", probe.line[body])


# --- kernels of both kinds of cores ---------------------------------------------------------------------------------

_KEYS = {"MIX12": "KERNEL_TYPE_MIX_AIC_1_2", "MIX11": "KERNEL_TYPE_MIX_AIC_1_1", "CUBE": "KERNEL_TYPE_MIX_AIC_1_0"}
_PASS_ON = (  # the cube core of a block waits for its vector cores, then they for it
    "if ASCEND_IS_AIV { Put(yg, GetBlockIdx(), 1 + (float)GetSubBlockIdx() + 10 * (float)GetTaskRatio()); "
    "CrossCoreSetFlag<2, PIPE_MTE3>(3); CrossCoreWaitFlag(4); Put(yg, 16 + GetBlockIdx(), Take(yg, 32 + "
    "GetBlockIdx() / GetTaskRatio())); } "
    "if ASCEND_IS_AIC { CrossCoreWaitFlag<2>(3); float s = 0; for (int i = 0; i < GetSubBlockNum(); i++) "
    "s += Take(yg, GetBlockIdx() * GetSubBlockNum() + i); Put(yg, 32 + GetBlockIdx(), s); "
    "CrossCoreSetFlag<2, PIPE_FIX>(4); }"
)
_ALL = (
    "if ASCEND_IS_AIC Put(yg, 48 + GetBlockIdx(), 1); SyncAll<false>(); "
    "if ASCEND_IS_AIV { float s = 0; for (int i = 0; i < GetBlockNum(); i++) s += Take(yg, 48 + i); "
    "Put(yg, GetBlockIdx(), s); }"
)
_PAIR = (  # the second vector core of a block reads what the first one wrote
    "if ASCEND_IS_AIV { if (GetSubBlockIdx() == 0) Put(yg, GetBlockIdx(), 5 + (float)GetBlockIdx()); "
    "CrossCoreSetFlag<1, PIPE_MTE3>(0); CrossCoreWaitFlag(0); "
    "if (GetSubBlockIdx() == 1) Put(yg, GetBlockIdx(), Take(yg, GetBlockIdx() - 1)); }"
)
MIXED = [
    ("MIX12", _PASS_ON), ("MIX11", _PASS_ON), ("MIX12", _ALL), ("MIX12", _PAIR),
    ("MIX12", "if ASCEND_IS_AIC { if (GetBlockIdx() == 1) CrossCoreWaitFlag(5); }"),
    ("MIX12", "if ASCEND_IS_AIV for (int i = 0; i < 16; i++) CrossCoreSetFlag<2, PIPE_MTE3>(6);"),
    ("MIX12", "if ASCEND_IS_AIC { LocalTensor<float> a(TPosition::VECIN, 0, 8); Adds(a, a, 1.0f, 8); }"),
    ("CUBE", "Put(yg, GetBlockIdx(), 3 + (float)GetBlockIdx());"),
    ("MIX11", "if ASCEND_IS_AIV CrossCoreSetFlag<0, PIPE_MTE3>(17); if ASCEND_IS_AIC "
     "CrossCoreSetFlag<0, PIPE_FIX>(1);"),
]  # fmt: skip
PASS_ON, PASS_ON_ONE, ALL, PAIR, CUBE_STUCK, TOO_MANY, CUBE_DATA, CUBE_ONLY, FLAG_17 = range(len(MIXED))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    typed = [f"KERNEL_TASK_TYPE({i}, {_KEYS[kind]}); {body}" for i, (kind, body) in enumerate(MIXED)]
    return build(typed, tmp_path_factory.mktemp("mixed"))


def _values(mixed: Probe, body: int, blocks: int = 3) -> list[float]:
    return list(mixed.run(body, n=64, blocks=blocks).outputs[0].view(np.float32))


def test_cube_and_vector_cores_pass_flags(mixed: Probe) -> None:
    y = _values(mixed, PASS_ON)
    assert y[:6] == [21, 22] * 3
    assert y[16:22] == y[32:35] * 2 == [43] * 6
    y = _values(mixed, PASS_ON_ONE)
    assert y[:3] == [11] * 3
    assert y[16:19] == y[32:35] == [11] * 3


def test_all_cores_meet_and_pairs_meet(mixed: Probe) -> None:
    assert _values(mixed, ALL)[:6] == [3] * 6
    assert _values(mixed, PAIR)[:6] == [5, 5, 7, 7, 9, 9]
    assert _values(mixed, CUBE_ONLY)[:3] == [3, 4, 5]


@pytest.mark.parametrize(
    ("body", "rule", "words"),
    [
        (CUBE_STUCK, "E29", "cube block 1 waits for flag 5, which not all of its partners have set, which never comes"),
        (TOO_MANY, "E29", "flag 6: expected at most 15 sets without a wait"),
    ],
)
def test_flags_that_hang_or_overflow(mixed: Probe, body: int, rule: str, words: str) -> None:
    with pytest.raises(RunError, match=words) as caught:
        mixed.run(body, n=64, blocks=3)
    assert (caught.value.findings[-1].rule, caught.value.findings[-1].line) == (rule, mixed.line[body])


def test_the_cube_sides_data_instructions_are_not_modelled(mixed: Probe) -> None:
    with pytest.raises(UnsupportedApi, match="Adds"):
        mixed.run(CUBE_DATA, n=64, blocks=1)


def test_a_flag_beyond_15_is_told(mixed: Probe) -> None:
    found = mixed.run(FLAG_17, n=64, blocks=2).findings
    assert [f.rule for f in found] == ["E29"]
    assert "expected 0 to 15, got 17" in found[0].message
