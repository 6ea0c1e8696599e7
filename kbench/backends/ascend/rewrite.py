"""The two constructs of AscendC that no C++ compiler reads, replaced column by column so that diagnostics keep their
place: the qualifiers `[aicore]` and `[host, aicore]`, and the launch configuration `<<<…>>>`.
"""

from __future__ import annotations

import re

# Comments and literals come first, so that nothing inside them is touched.
_TOKEN = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | R"(?P<delim>[^\s()\\]{0,16})\(.*?\)(?P=delim)"
      | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])*'
      | (?P<qualifier>\[\s*(?:host\s*,\s*)?aicore\s*\])
      | (?P<launch><<<.*?>>>)
    """,
    re.DOTALL | re.VERBOSE,
)


def _blank(text: str) -> str:
    """Spaces of the same length; line breaks stay, so that lines and columns do."""
    return re.sub(r"[^\n]", " ", text)


def rewrite(source: str) -> str:
    """AscendC → C++, with every remaining character at its line and column.

    A launch `k<<<blocks, l2, stream>>>(a, b)` becomes the plain call `k(a, b)`: in an operator project such code is a
    host-side wrapper that the simulator, which launches kernels itself, never runs.
    """

    def replace(match: re.Match[str]) -> str:
        if match["qualifier"] or match["launch"]:
            return _blank(match[0])
        return match[0]

    return _TOKEN.sub(replace, source)
