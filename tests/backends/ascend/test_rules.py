"""The table of rules, the headers and the documentation say the same."""

import re
from pathlib import Path

import kbench.backends.ascend.sim as sim
from kbench.backends.ascend.docs import README, page, readme
from kbench.backends.ascend.rules import RULES
from kbench.backends.ascend.sim import kernel

PAGE = Path(__file__).parents[3] / "docs" / "ascend-api.md"


def used_rules() -> set[str]:
    root = Path(sim.__file__).parent
    sources = [*root.glob("*.py"), *root.glob("runtime/*.cpp"), *root.glob("runtime/*.h")]
    return {rule for path in sources for rule in re.findall(r'"(E\d+)"', path.read_text())}


def test_every_rule_that_is_enforced_is_in_the_table_and_the_reverse():
    assert used_rules() == set(RULES)


def test_the_documentation_is_made_from_the_headers():
    assert PAGE.read_text() == page(), "run: python -m kbench.backends.ascend.docs > docs/ascend-api.md"


def test_the_table_of_rules_is_made_from_the_kernels_that_trip_them():
    assert README.read_text() == readme(), "run: python -m kbench.backends.ascend.docs readme"


def test_no_name_is_both_modelled_and_not():
    assert not kernel.modelled_api() & kernel.unmodelled_api()
