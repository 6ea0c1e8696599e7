"""The two constructs of AscendC that no C++ compiler reads, replaced column by column so that diagnostics keep their
place: the qualifiers `[aicore]` and `[host, aicore]`, and the launch configuration `<<<…>>>`.
"""

from __future__ import annotations

import re

# Comments and literals come first, so that nothing inside them is touched. What is left open reaches to the end of its
# line or of the text, and repetition is possessive: the time is linear in whatever a candidate writes.
_TOKEN = re.compile(
    r"""//[^\n]*+
      | /\*.*?(?:\*/|\Z)
      | R"(?P<delim>[^\s()\\"]{0,16})\(.*?(?:\)(?P=delim)"|\Z)
      | "(?:\\.|[^"\\\n])*+"?
      | '(?:\\.|[^'\\\n])*+'?
      | (?P<qualifier>\[\s*+(?:host\s*+,\s*+)?aicore\s*+\])
      | (?P<launch>(?P<kernel>(?<!::)\b\w++(?:::\w++)*+\s*+(?:<[^<>;{}]*+>\s*+)?)
        <<<(?P<config>(?:(?!<<<)[^;{}]){0,2000}?)>>>)
    """,
    re.DOTALL | re.VERBOSE,
)


def _blank(text: str) -> str:
    """Spaces of the same length; line breaks stay, so that lines and columns do."""
    return re.sub(r"[^\n]", " ", text)


def rewrite(source: str) -> str:
    """AscendC → C++, with every remaining character at its line and column.

    A launch `k<<<blocks, l2, stream>>>(a, b)` becomes the expression `(a, b)`: in an operator project such code is a
    host-side wrapper that nothing runs, and published ones name kernels that do not exist.
    """

    def replace(match: re.Match[str]) -> str:
        if match["qualifier"] or match["launch"]:
            return _blank(match[0])
        return match[0]

    return _TOKEN.sub(replace, source)


def rewrite_program(source: str) -> str:
    """The same for a program whose launches run: `k<<<blocks, l2, stream>>>(a, b)` becomes
    `::kb::Launch<k>("k", blocks, l2, stream)(a, b)`. Lines stay, columns after a launch do not."""

    def replace(match: re.Match[str]) -> str:
        if match["qualifier"]:
            return _blank(match[0])
        if match["launch"]:
            name = " ".join(match["kernel"].split()).replace('"', "'")
            return f'::kb::Launch<{match["kernel"]}>("{name}", {match["config"]})'
        return match[0]

    return _TOKEN.sub(replace, source)
