"""What is made from the headers, the rules and the tests' kernels: docs/ascend-api.md, and the table in README.md.

python -m kbench.backends.ascend.docs > docs/ascend-api.md
python -m kbench.backends.ascend.docs rules   # rewrites the table of rules in README.md
"""

from __future__ import annotations

import sys
import textwrap
import tomllib
from collections.abc import Iterable
from pathlib import Path

from kbench.backends.ascend.rules import RULES, UNSEEN
from kbench.backends.ascend.sim import host, kernel

README = Path(__file__).with_name("README.md")
#: The kernels that trip the rules; in a checkout only.
KERNELS = Path(__file__).parents[3] / "tests" / "backends" / "ascend" / "rules" / "kernels.toml"
_BEGIN, _END = "<!-- rules -->\n", "<!-- end of rules -->\n"

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


def readme() -> str:
    """README.md with the table of today."""
    before, _, rest = README.read_text().partition(_BEGIN)
    return before + _BEGIN + rules_table() + _END + rest.partition(_END)[2]


if __name__ == "__main__":
    if sys.argv[1:] == ["rules"]:
        README.write_text(readme())
    else:
        print(page(), end="")
