"""Errors say what there is; every class of failure belongs to one stage."""

from __future__ import annotations

import pytest

from kbench.core import errors
from kbench.core.taxonomy import HARNESS_OUTCOMES, OUTCOMES, STAGES, is_harness


def test_an_unknown_name_suggests_the_nearest():
    assert str(errors.unknown_name("task", "sqr", ["Sqrt", "Rsqrt"])) == (
        "no task named 'sqr'; did you mean 'Sqrt'? There are: Rsqrt, Sqrt"
    )
    many = str(errors.unknown_name("task", "zzz", [f"t{i:02}" for i in range(30)]))
    assert many.startswith("no task named 'zzz'. There are: t00, ")
    assert many.endswith("t19, … (30 in all)")
    assert str(errors.unknown_name("task", "x", [])).endswith("There are: none")


def test_the_two_families_are_apart():
    assert not issubclass(errors.HarnessError, errors.StageError)
    assert not issubclass(errors.StageError, errors.HarnessError)
    assert (
        str(errors.UnsupportedApi("LoadData3D", "on the vector side")) == "unsupported: LoadData3D (on the vector side)"
    )
    assert errors.RunTimeout("slow").outcome == "timeout"


def test_every_class_has_a_stage_and_a_meaning():
    assert {o.stage for o in OUTCOMES.values()} <= {*STAGES, "harness"}
    assert all(o.meaning for o in OUTCOMES.values())
    assert {"unsupported", "harness_error"} == HARNESS_OUTCOMES
    assert is_harness("unsupported")
    assert not is_harness("crash")


@pytest.mark.parametrize("kind", [errors.ExtractError, errors.CompileError, errors.RunError, errors.CheckError])
def test_a_stage_error_carries_what_a_record_needs(kind):
    error = kind("what", outcome="crash", log="a log")
    assert (error.stage, error.log, error.findings) == (kind.stage, "a log", ())
    assert kind.stage in STAGES
