"""The tables of docs/ascend-api.md, from the headers and the rules themselves.

python -m kbench.backends.ascend.docs > docs/ascend-api.md
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from kbench.backends.ascend.rules import RULES
from kbench.backends.ascend.sim import host, kernel

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
        rules_table(),
    ]
    return "\n".join(parts)


def rules_table() -> str:
    rows = [f"| {name} | {rule.severity} | {rule.text} | {rule.source} |" for name, rule in RULES.items()]
    return "\n".join(["| rule | severity | what must hold | documentation page |", "|---|---|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    print(page(), end="")
