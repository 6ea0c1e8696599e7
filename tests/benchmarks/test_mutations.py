"""Where faults can be put into a kernel's source, and what they change."""

from __future__ import annotations

import pytest

from benchmarks.mutations import KINDS, SYNC_KINDS, Edit, blanked, sites, trapped

KERNEL = """#include "kernel_operator.h"
// Add(a, b, c, 99);
#define TWICE(x) Muls(x, x, 2.0f, 7)
class K {
public:
    __aicore__ inline void Init(GM_ADDR x, uint32_t n) {
        xg.SetGlobalBuffer((__gm__ float*)x + n * GetBlockIdx(), n);
        pipe.InitBuffer(queue, 2, tile * sizeof(float));
    }
    template <class T> __aicore__ inline void Step(uint32_t i) {
        LocalTensor<float> a = queue.AllocTensor<float>();
        LocalTensor<int32_t> k = indices.Get<int32_t>();
        DataCopy(a, xg[i * tile], tile);
        for (int j = 0; j < rounds; ++j) {
            Sub(a, a, b, mask, repeat, {1, 1, 1, 8, 8, 8});
            Muls(a, a, 2.0f, tile);
        }
        if (i == last) { Cast(k, a, RoundMode::CAST_RINT, tile); }
        queue.EnQue(a);
        AscendC::SyncAll();
    }
};
"""


def of(kind: str) -> list[Edit]:
    return [e for e in sites(KERNEL) if e.kind == kind]


def changed(kind: str) -> list[str]:
    """The lines that each mutant of a kind changes, as they are afterwards."""
    out = []
    for edit in of(kind):
        old, new = KERNEL.splitlines(), edit.applied(KERNEL).splitlines()
        out += [line.strip() for line in new if line not in old]
    return out


def test_every_kind_finds_its_place() -> None:
    assert {e.kind for e in sites(KERNEL)} - set(SYNC_KINDS) == set(KINDS)


WAITS = """void f() {
    DataCopy(a, xg, 64);
    q.EnQue(a);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    PipeBarrier<PIPE_V>();
    PipeBarrier<PIPE_ALL>();
    q.DeQue<float>();
    q.FreeTensor(a);
    SyncAll();
    constexpr int32_t COUNT = 2;
    pipe.InitBuffer(q, COUNT, 256);
    pipe.InitBuffer(single, 1, 256);
}
"""


def test_synchronisation_is_dropped_misplaced_or_wrong() -> None:
    edits = [e for e in sites(WAITS) if e.kind in SYNC_KINDS]
    assert {e.kind for e in edits} == set(SYNC_KINDS)
    made = {(e.kind, e.what): e.applied(WAITS).splitlines()[1:-1] for e in edits}
    kept = [line for line in WAITS.splitlines()[1:-1] if "Flag" not in line]
    assert [line for line in made["pair", "SetFlag and WaitFlag"] if line.strip() != ";"] == kept
    assert made["late", "EnQue too early"][0] == "    q.EnQue(a); DataCopy(a, xg, 64);"
    assert "    SetFlag<HardEvent::V_MTE2>(id);" in made["event", "backwards, both"]
    assert "    WaitFlag<HardEvent::V_MTE3>(id);" in made["event", "other event, WaitFlag"]
    assert "    WaitFlag<HardEvent::MTE2_V>(static_cast<event_t>(((id) + 1) % 8));" in made["id", "id of WaitFlag"]
    assert [e.what for e in edits if e.kind == "barrier"] == ["PipeBarrier"]  # not V's own
    assert "    pipe.InitBuffer(q, 1, 256);" in made["buffers", "one buffer"]
    assert len([e for e in edits if e.kind == "buffers"]) == 1  # the other queue has one already


def test_what_the_compiler_orders_by_itself_is_no_pair() -> None:
    text = WAITS.replace("MTE2_V", "V_S")
    assert not [e for e in sites(text) if e.kind == "pair"]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("tail", "DataCopy(a, xg[i * tile], (tile) - 1);"),
        ("tail", "Muls(a, a, 2.0f, (tile) - 1);"),
        ("lanes", "Sub(a, a, b, (mask) - 1, repeat, {1, 1, 1, 8, 8, 8});"),
        ("lanes", "Sub(a, a, b, mask, (repeat) - 1, {1, 1, 1, 8, 8, 8});"),
        ("lanes", "Sub(a, a, b, mask, repeat, {1, (1) + 1, 1, 8, 8, 8});"),
        ("rounding", "if (i == last) { Cast(k, a, RoundMode::CAST_FLOOR, tile); }"),
        ("dtype", "LocalTensor<half> a = queue.AllocTensor<half>();"),
        ("offset", "xg.SetGlobalBuffer((__gm__ float*)x + n * (GetBlockIdx() + 1), n);"),
        ("offset", "DataCopy(a, xg[(i * tile) + 1], tile);"),
        ("operand", "Sub(a, b, a, mask, repeat, {1, 1, 1, 8, 8, 8});"),
        ("dropped", "if (i == last) { ; }"),
        ("tile", "pipe.InitBuffer(queue, 2, (tile * sizeof(float)) / 2);"),
        ("bound", "for (int j = 0; j < (rounds) - 1; ++j) {"),
        ("bound", "if (!(i == last)) { Cast(k, a, RoundMode::CAST_RINT, tile); }"),
        ("constant", "Muls(a, a, (2.0f * 1.25f + 0.5f), tile);"),
    ],
)
def test_a_mutant_changes_one_place(kind: str, line: str) -> None:
    assert line in changed(kind)


def test_a_structure_of_parameters_has_no_number_to_change() -> None:
    text = "void Out() { DataCopyExtParams bytes{1, n, 0, 0, 0}; DataCopyPad(yg[at], y, bytes); }"
    assert [e.what for e in sites(text) if e.kind == "tail"] == ["block length - 1"]


def test_synchronisation_is_dropped_as_a_whole_statement() -> None:
    assert [e.what for e in of("sync")] == ["EnQue", "SyncAll"]
    assert all(e.text == "" for e in of("sync"))


def test_comments_and_macros_offer_nothing() -> None:
    assert "99" not in blanked(KERNEL)
    assert not any("TWICE" in line or "99" in line for kind in KINDS for line in changed(kind))


def test_an_edit_is_one_replacement_and_its_trap_stands_before_the_statement() -> None:
    for edit in sites(KERNEL):
        assert edit.applied(KERNEL) != KERNEL
        assert len(edit.applied(KERNEL)) == len(KERNEL) - (edit.end - edit.start) + len(edit.text)
        before, after = trapped(KERNEL, edit).split("__builtin_trap(); ")
        assert before.rstrip()[-1] in ";{}"
        assert before + after == KERNEL


def test_the_bound_of_an_inclusive_loop_is_what_stands_behind_the_comparison() -> None:
    (edit,) = (e for e in sites("void f() { for (int i = a; i <= b; i++) { g(i); } }") if e.what == "loop bound - 1")
    assert edit.applied("void f() { for (int i = a; i <= b; i++) { g(i); } }").count("i <= (b) - 1;") == 1
