"""Where faults can be put into a kernel for a tile, and what they change."""

from __future__ import annotations

import pytest

from benchmarks.aie_mutations import KINDS, Edit, sites
from benchmarks.mutations import trapped

KERNEL = """#include <aie_api/aie.hpp>
// out[i] = 99;
void scale(int16_t *in, int8_t *out, float *f) {
    constexpr unsigned lanes = 16;
    aie::set_saturation(aie::saturation_mode::saturate);
    aie::set_rounding(aie::rounding_mode::conv_even);
    for (unsigned i = 0; i < 64; i += 16) {
        aie::vector<int16, 16> v = aie::load_v<16>(in + i * 2);
        auto m = aie::lt(v, limit);
        v = aie::select(v, zero, m);
        acc = aie::mac(acc, v, w);
        aie::store_v(out + i, acc.to_vector<int8>(shift));
    }
    int32_t sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += in[i] - other[i];
        f[i] = (float)sum * 1.5f;
    }
    out[0] = sum > 127 ? 127 : sum;
    auto wide = aie::to_float<float>(v, 2);
    auto both = aie::add(wide, wide2);
}
"""


def changed(kind: str) -> list[str]:
    """The lines that each mutant of a kind changes, as they are afterwards."""
    out = []
    for edit in (e for e in sites(KERNEL) if e.kind == kind):
        old, new = KERNEL.splitlines(), edit.applied(KERNEL).splitlines()
        out += [line.strip() for line in new if line not in old]
    return out


def test_every_kind_finds_its_place() -> None:
    assert {e.kind for e in sites(KERNEL)} == set(KINDS)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("tail", "for (int i = 0; i < (8) - 1; ++i) {"),
        ("tail", "for (unsigned i = 0; i < (64) - (16); i += 16) {"),
        ("tail", "for (unsigned i = 0; i < (64) * 7 / 8; i += 16) {"),
        ("mask", "auto m = aie::ge(v, limit);"),
        ("mask", "v = aie::select(zero, v, m);"),
        ("mask", "out[0] = sum < 127 ? 127 : sum;"),
        ("stride", "for (unsigned i = 0; i < 64; i += 2 * (16)) {"),
        ("stride", "for (int i = 0; i < 8; i += 2) {"),
        ("lanes", "aie::vector<int16, 16> v = aie::load_v<(16 / 2)>(in + i * 2);"),
        ("lanes", "constexpr unsigned lanes = (2 * 16);"),
        ("shift", "aie::store_v(out + i, acc.to_vector<int8>((shift) + 1));"),
        ("rounding", "aie::set_rounding(aie::rounding_mode::floor);"),
        ("dtype", "int8_t sum = 0;"),
        ("dtype", "aie::store_v(out + i, acc.to_vector<int16>(shift));"),
        ("offset", "aie::vector<int16, 16> v = aie::load_v<16>((in + i * 2) + 1);"),
        ("offset", "sum += in[(i) + 1] - other[i];"),
        ("operand", "sum += other[i] - in[i];"),
        ("operand", "acc = aie::mac(acc, v, v);"),
        ("conversion", "auto wide = aie::vector_cast<float>(v, 2);"),
        ("bound", "for (int i = 0; i < (8) + 1; ++i) {"),
        ("constant", "f[i] = (float)sum * (1.5f * 1.25f + 0.5f);"),
        ("saturation", "aie::set_saturation(aie::saturation_mode::none);"),
        ("saturation", "out[0] = sum > 127 ? sum : sum;"),
        ("accumulate", "acc = aie::mul(v, w);"),
        ("accumulate", "sum = in[i] - other[i];"),
        ("operator", "auto both = aie::sub(wide, wide2);"),
        ("dropped", ";"),
    ],
)
def test_a_mutant_changes_one_place(kind: str, line: str) -> None:
    assert line in changed(kind)


def test_comments_offer_nothing() -> None:
    assert not any("99" in line for kind in KINDS for line in changed(kind))


def test_an_edit_is_one_replacement_and_its_trap_stands_before_the_statement() -> None:
    def one(edit: Edit) -> None:
        assert edit.applied(KERNEL) != KERNEL
        before, after = trapped(KERNEL, edit).split("__builtin_trap(); ")
        assert before.rstrip()[-1] in ";{}"
        assert before + after == KERNEL

    for edit in sites(KERNEL):
        one(edit)
