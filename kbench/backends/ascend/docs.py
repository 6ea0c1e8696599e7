"""What is made from the headers, the rules and the tests: docs/ascend-api.md, and the tables in README.md.

python -m kbench.backends.ascend.docs > docs/ascend-api.md
python -m kbench.backends.ascend.docs readme   # rewrites the tables of rules and of APIs in README.md
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from kbench.backends.ascend.rules import RULES, UNSEEN
from kbench.backends.ascend.sim import host, kernel

README = Path(__file__).with_name("README.md")
#: The kernels that trip the rules; in a checkout only.
TESTS = Path(__file__).parents[3] / "tests" / "backends" / "ascend"
KERNELS = TESTS / "rules" / "kernels.toml"
CHECKED = TESTS / "properties" / "checked.json"

_HEAD = """# Ascend: what the simulator models

AscendC of the asc-devkit repository as of 2026-07-30, NPU architecture 2201 (Atlas A2 and A3), vector cores. This page
is made by `python -m kbench.backends.ascend.docs`; a test holds it to the headers.
"""


def _names(names: Iterable[str]) -> str:
    return textwrap.fill(", ".join(f"`{n}`" for n in sorted(names)), 118, break_long_words=False) + "\n"


def page() -> str:
    """The whole page, as Markdown."""
    parts = [_HEAD, "## Device API, by header\n"]
    for header in sorted(kernel.INCLUDE.glob("kernel_*.h")):
        names = kernel.declared_names(header.read_text())
        if names:
            parts.append(f"### {header.name}\n\n{_names(names)}")
    parts += [
        "## Device API that is not modelled\n",
        "A candidate that uses one of these names ends as `unsupported: NAME`, which is never counted as its fault.\n",
        _names(kernel.unmodelled_api()),
        "## Host API that is not modelled\n",
        _names(host.unmodelled_host_apis()),
        "## Rules\n",
        "The table of device rules is in kbench/backends/ascend/README.md.\n",
    ]
    return "\n".join(parts)


def rules_table() -> str:
    """Every rule: what must hold, and what its tripping kernels are told; then the rows that nothing here finds."""
    kernels = tomllib.loads(KERNELS.read_text())["kernel"]
    told: dict[str, list[str]] = {}
    for one in kernels:
        told.setdefault(one["rule"], []).append(f"{_severity(one)}: {_cell(one['told'])}")
    lines = ["| rule | what must hold | what is told | documentation page |", "|---|---|---|---|"]
    for name, rule in sorted(RULES.items(), key=lambda item: int(item[0][1:])):
        lines.append(f"| {name} | {_cell(rule.text)} | {'<br>'.join(told.get(name, []))} | {rule.source} |")
    lines += ["", "| row | why nothing here finds it |", "|---|---|"]
    lines += [f"| {name} | {_cell(why)} |" for name, why in UNSEEN.items()]
    return "\n".join(lines) + "\n"


def _severity(one: dict[str, str]) -> str:
    if one.get("stage") == "compile":
        return "compile error"
    return one.get("severity", "error").replace("any", "error or warning")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def api_table() -> str:
    """Every function of the headers: whether it is modelled, and how its result was checked."""
    checked: Mapping[str, Mapping[str, str]] = json.loads(CHECKED.read_text())
    tested = _tests_by_word()
    lines = []
    for header in sorted(kernel.INCLUDE.rglob("*.h")):
        rows: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name in sorted(kernel.declared_functions(header.read_text()) & kernel.known_api()):
            state = "modelled" if name in kernel.modelled_api() else "unsupported"
            how = f"oracle: {checked[name]['how']}" if name in checked else _by_tests(tested.get(name, ()))
            rows[state, how if state == "modelled" else "-"].append(f"`{name}`")
        if rows:
            lines += [f"| **{header.relative_to(kernel.INCLUDE)}** | | |"]
            lines += [f"| {', '.join(names)} | {state} | {how} |" for (state, how), names in sorted(rows.items())]
    missing = ", ".join(f"`{n}`" for n in sorted(kernel.unmodelled_api()))
    lines += ["| **documented, declared nowhere or without a meaning here** | | |", f"| {missing} | unsupported | - |"]
    return "\n".join(["| API | state | how its result was checked |", "|---|---|---|", *lines]) + "\n"


def _tests_by_word() -> dict[str, list[str]]:
    """Word → the files below tests/backends/ascend that use it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((*TESTS.rglob("test_*.py"), KERNELS, *TESTS.rglob("*.cpp"))):
        for word in set(re.findall(r"\w+", path.read_text())):
            found[word].append(path.name)
    return found


def _by_tests(files: Iterable[str]) -> str:
    named = list(files)
    return f"its own tests: {', '.join(named[:3])}" if named else "it compiles; no test of its own"


def readme() -> str:
    """README.md with the tables of today."""
    text = README.read_text()
    for name, table in (("rules", rules_table()), ("apis", api_table())):
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        text = before + mark + table + rest[rest.index(f"<!-- end of {name} -->") :]
    return text


if __name__ == "__main__":
    if sys.argv[1:] == ["readme"]:
        README.write_text(readme())
    else:
        print(page(), end="")
