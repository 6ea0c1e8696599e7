"""What there is, by name."""

from __future__ import annotations

import pytest

from kbench.core.errors import ConfigError
from kbench.core.inventory import KINDS, inventory
from kbench.core.plugins import registry


@pytest.fixture(scope="module")
def known():
    return registry(use_entry_points=False, plugins=["fake_plugin", "no:aie", "no:ascend"])


def test_every_kind_has_names_and_words(known):
    rows = inventory(known, KINDS, "fakes")
    assert list(rows) == list(KINDS)
    assert dict(rows["targets"]) == {"fake1": "fake", "fake2": "fake"}
    assert all(words for kind in rows.values() for _, words in kind)


def test_tasks_are_those_of_one_suite(known):
    (tasks,) = inventory(known, ["tasks"], "fakes").values()
    assert dict(tasks)["absolute"].startswith("fakes, level 1, 3 cases: ")
    with pytest.raises(ConfigError, match="no suite named 'fakez'"):
        inventory(known, ["tasks"], "fakez")
