"""The reference generator answers with the known solution or says that there is none."""

from __future__ import annotations

import pytest

from kbench import Candidate, Request
from kbench.core.errors import ConfigError
from kbench.generators.reference import Reference


def test_the_known_solution_is_the_answer():
    known = Candidate({"k.c": "text"}, {"kernel": "k.c"})
    assert Reference().generate(Request((), "s", "t", reference=known)).candidate is known


def test_no_solution_is_ours():
    with pytest.raises(ConfigError, match="no reference solution of 't'"):
        Reference().generate(Request((), "s", "t"))
