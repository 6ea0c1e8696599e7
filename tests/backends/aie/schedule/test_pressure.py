"""Registers: values that outlive the interval are moved, values without a register go to memory and back."""

from __future__ import annotations

from kbench.backends.aie.sim.schedule import schedule
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.pressure import kinds
from kbench.backends.aie.sim.schedule.program import Function, Operation
from tests.backends.aie.schedule import kernels
from tests.backends.aie.schedule.kernels import at

Op = Operation


def _many(count: int) -> list[Operation]:
    """`count` sums that are all wanted at the end."""
    body = [Op("vadd", (f"x{i}",), ("a", "b")) for i in range(count)]
    return [*body, *(Op("vst", (), (f"x{i}", "p"), at("c", 64 * i, 0)) for i in range(count))]


def test_what_fits_stays_in_registers() -> None:
    assert schedule(kernels.straight(_many(10)), "npu1").blocks["entry"].spills == 0


def test_what_does_not_fit_goes_to_memory_and_back() -> None:
    found = schedule(kernels.straight(_many(16)), "npu1").blocks["entry"]
    added = [issue for bundle in found.bundles for issue in bundle if "spill" in issue.operation.text]
    # 12 registers hold the two that are read and ten that are written.
    assert found.spills == len(added) / 4 == 4
    assert {issue.operation.name for issue in added} == {"vst", "vld"}
    assert found.cycles > schedule(kernels.straight(_many(10)), "npu1").blocks["entry"].cycles


def test_a_loaded_value_is_loaded_when_it_is_wanted() -> None:
    body = [Op("vld", (f"x{i}",), ("p",), at("a", 32 * i, 0)) for i in range(40)]
    body += [Op("vst", (), (f"x{i}", "q"), at("c", 32 * i, 0)) for i in range(40)]
    assert schedule(kernels.straight(body), "npu1").blocks["entry"].spills == 0


def _long_lived() -> list[Operation]:
    """`x` is wanted again behind a chain of about sixteen cycles; slots ask for eight."""
    body = [
        Op("vld", ("x", "p"), ("p",), at("a", 0, 32)),
        Op("vmul", ("m",), ("x", "k")),
        Op("vsrs", ("s",), ("m", "shift")),
        Op("vmul", ("n",), ("s", "x")),
        Op("vst.srs", ("q",), ("n", "shift", "q"), at("c", 0, 32)),
    ]
    return body + [Op("vmul", (f"o{i}",), ("x", "k")) for i in range(6)]


def test_a_value_that_outlives_the_interval_is_moved() -> None:
    found = schedule(kernels.loop(_long_lived(), 100), "npu1")
    loop = found.loops["loop"]
    assert (loop.kind, loop.ii, loop.res_mii, loop.stages) == ("pipelined", 8, 8, 3)
    kernel = [issue for bundle in found.blocks["loop"].bundles for issue in bundle]
    moves = [issue for issue in kernel if issue.index < 0]
    assert [issue.operation.name for issue in moves] == ["vmov"]
    reader = next(issue for issue in kernel if issue.index == 3)
    assert reader.uses == ("s", moves[-1].operation.defs[0])


def test_registers_as_they_are_given_must_cover_a_value_s_life() -> None:
    given = kernels.loop(_long_lived(), 100)
    fixed = Function(given.name, given.blocks, given.loops, fixed_registers=True)
    assert schedule(fixed, "npu1").loops["loop"].ii == 10


def test_accumulators_that_do_not_fit_keep_the_interval_up() -> None:
    """Ten chains of four cycles want ten registers of the nine that there are."""
    body = [Op("vld", ("x", "p"), ("p",), at("a", 0, 32))]
    body += [Op("vmac", (f"n{i}",), (f"a{i}", "x", "k", "conf")) for i in range(10)]
    carried = tuple((f"a{i}", f"n{i}") for i in range(10))
    few = schedule(kernels.loop(body[:9], 64, carried=carried[:8]), "npu1").loops["loop"]
    many = schedule(kernels.loop(body, 64, carried=carried), "npu1")
    assert few.kind == "pipelined"
    assert many.loops["loop"].kind != "pipelined" or many.blocks["loop"].spills


def test_kinds_follow_the_operation() -> None:
    found = kinds(
        machine("npu1"),
        [
            Op("vld", ("a",)),
            Op("vadd", ("b",)),
            Op("vmul", ("c",)),
            Op("vmul.f", ("d",)),
            Op("vextract", ("e",)),
            Op("lda", ("f",)),
        ],
    )
    assert found == {"a": ("vector", 0.5), "b": ("vector", 1.0), "c": ("accumulator", 1.0), "d": ("accumulator", 0.5)}
