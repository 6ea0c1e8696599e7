"""The event stream: every operation once, with its operands' bytes and the candidate's line."""

import numpy as np
import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, run_kernel
from kbench.backends.ascend.sim.kernel_events import Access, Event, Recording, decode
from kbench.core.hostcc.sandbox import sandbox
from tests.backends.ascend.sim.kernels import TARGET, Probe, build

PRELUDE = """
__aicore__ inline void Copies(GlobalTensor<float>& xg, GlobalTensor<float>& yg) {
  TPipe pipe; TQue<TPosition::VECIN, 1> in; TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 4096); pipe.InitBuffer(out, 1, 4096);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xg, {3, 2, 1, 1}); // copy in
  in.EnQue(a); a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, 64, 3, {1, 1, 16, 8}); // repeats
  Adds(b, a, 1.0f, 16, 2, {2, 1, 8, 8}); // blocks
  Add(b, a, a, 8); // count
  out.EnQue(b); in.FreeTensor(a); b = out.DeQue<float>();
  DataCopyPad(yg, b, {2, 20, 0, 4, 0}); // copy out
  out.FreeTensor(b);
}
"""
BODIES = [
    "Copies(xg, yg);",
    "SetFlag<HardEvent::MTE2_V>(EVENT_ID3); WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);"
    " PipeBarrier<PIPE_ALL>(); SyncAll();",
    "LocalTensor<float> u(TPosition::VECCALC, 64, 8); u.SetValue(2, xg.GetValue(5)); yg.SetValue(1, u.GetValue(2));",
    "TPipe pipe; TBuf<> buf; pipe.InitBuffer(buf, 2048); LocalTensor<float> a = buf.Get<float>();"
    " Duplicate(a, 1.0f, 512); for (uint32_t i = 0; i < 1000; ++i) { Adds(a, a, 1.0f, 64); }",
]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("events"), PRELUDE)


def recorded(probe: Probe, body: int, *, blocks: int = 1, record_bytes: int = 1 << 16) -> Recording:
    n = 1024
    x = np.arange(n, dtype=np.float32)
    tiling = np.array([n, 256], np.uint32).tobytes()
    args = [GmBuffer("x", "in", x), GmBuffer("y", "out", nbytes=n * 4)]
    launch = Launch(blocks, args, TARGET, tiling=tiling, tiling_key=body, record_bytes=record_bytes)
    return decode(run_kernel(probe.program, launch, sandbox=sandbox("auto"), timeout_s=20).recording)


def line_of(text: str) -> int:
    """Where a line of the prelude stands in probe.cpp, whose head has nine lines."""
    return next(i for i, line in enumerate(PRELUDE.splitlines()) if text in line) + 10


def test_copies_and_vector_operations_tell_their_operands(probe: Probe) -> None:
    recording = recorded(probe, 0)
    copy_in, repeats, blocks, count, copy_out = (e for e in recording.events if e.accesses and e.name != "Scalar")
    assert copy_in.accesses == (
        Access("UB", True, 1, 0, 64, pieces=3, step=96),
        Access("GM", False, 0, 0, 64, pieces=3, step=96),
    )
    assert (copy_in.pipe, copy_in.bits, copy_in.repeats, copy_in.bytes) == ("MTE2", 32, 3, 192)
    assert repeats.accesses == (
        Access("UB", True, 2, 4096, 256, rows=3, row_step=512),
        Access("UB", False, 1, 0, 768),
    )
    assert (repeats.name, repeats.pipe, repeats.bits, repeats.repeats) == ("Adds", "V", 32, 3)
    assert blocks.accesses[0] == Access("UB", True, 2, 4096, 32, pieces=2, step=64, rows=2, row_step=256)
    assert count.accesses == (
        Access("UB", True, 2, 4096, 32),
        Access("UB", False, 1, 0, 32),
        Access("UB", False, 1, 0, 32),
    )
    assert copy_out.accesses == (
        Access("UB", False, 2, 4096, 20, pieces=2, step=32),
        Access("GM", True, 1, 0, 20, pieces=2, step=24),
    )
    assert [e.line(probe.program) for e in (copy_in, repeats, blocks, count, copy_out)] == [
        ("probe.cpp", line_of(text)) for text in ("// copy in", "// repeats", "// blocks", "// count", "// copy out")
    ]


def test_queues_tell_what_goes_through_them(probe: Probe) -> None:
    events = recorded(probe, 0).events
    transfers = [(e.name, e.a, e.b) for e in events if e.name in ("AllocTensor", "EnQue", "DeQue", "FreeTensor")]
    assert transfers == [
        ("AllocTensor", 1, 1), ("EnQue", 1, 1), ("DeQue", 1, 1), ("AllocTensor", 2, 2),
        ("EnQue", 2, 2), ("FreeTensor", 1, 1), ("DeQue", 2, 2), ("FreeTensor", 2, 2),
    ]  # fmt: skip
    flags = [(e.name, e.pipe, e.a) for e in events if e.name in ("SetFlag", "WaitFlag")]
    assert flags == [
        ("SetFlag", "MTE2", 4), ("WaitFlag", "V", 4), ("SetFlag", "V", 7), ("SetFlag", "V", 5), ("WaitFlag", "MTE3", 7),
        ("SetFlag", "MTE3", 6),
    ]  # fmt: skip


def test_synchronisation_tells_who_waits_for_what(probe: Probe) -> None:
    events = [e for e in recorded(probe, 1, blocks=2).events if e.name != "Scalar"]

    def told(block: int) -> list[tuple[str, str, int, int]]:
        return [(e.name, e.pipe, e.a, e.b) for e in events if e.block == block]

    assert told(0) == told(1) == [
        ("BlockBegin", "S", 0, 0),
        ("SetFlag", "MTE2", 4, 3),
        ("WaitFlag", "V", 4, 3),
        ("Barrier", "S", 1, 0),
        ("SyncAll", "S", 2, 0),
        ("SyncAllDone", "S", 0, 0),
        ("BlockEnd", "S", 0, 0),
    ]  # fmt: skip
    order = [(e.block, e.name) for e in events if e.name.startswith("SyncAll")]
    assert order == [(0, "SyncAll"), (1, "SyncAll"), (1, "SyncAllDone"), (0, "SyncAllDone")]


def test_scalar_accesses_of_both_memories_are_events(probe: Probe) -> None:
    scalars = [e.accesses[0] for e in recorded(probe, 2).events if e.name == "Scalar" and e.accesses]
    assert scalars == [
        Access("GM", False, 0, 20, 4),
        Access("UB", True, 0, 72, 4),
        Access("UB", False, 0, 72, 4),
        Access("GM", True, 1, 4, 4),
    ]


def test_a_recording_is_bounded_and_says_what_it_left_out(probe: Probe) -> None:
    recording = recorded(probe, 3, record_bytes=4096)
    kept: list[Event] = [e for e in recording.events if e.name == "Adds"]
    assert 0 < len(kept) < 1000
    assert len(kept) + recording.dropped == 1000 + 2  # and the ends of pipe and block


def test_nobody_listens_by_default(probe: Probe) -> None:
    assert probe.run(0).recording == b""
    assert decode(b"") == Recording(())
