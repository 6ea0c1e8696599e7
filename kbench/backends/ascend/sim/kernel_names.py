"""Names of AscendC: those that the simulator's headers declare, and the documented ones that they do not."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
INCLUDE = HERE / "include"


@functools.cache
def _unmodelled() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = json.loads((HERE / "unmodelled_apis.json").read_text())
    return lists


def unmodelled_api() -> frozenset[str]:
    """Documented names of AscendC that the headers do not declare: `unsupported`, never the candidate's mistake."""
    return frozenset(_unmodelled()["names"]) - modelled_api()


def unmodelled_headers() -> frozenset[str]:
    """Documented headers that do not exist here. Kernels include more than they use: what they use decides."""
    return frozenset(name for name in _unmodelled()["headers"] if not (INCLUDE / name).exists())


@functools.cache
def modelled_api() -> frozenset[str]:
    """Names that the headers declare in namespace AscendC or as macros."""
    return frozenset().union(*(declared_names(path.read_text()) for path in INCLUDE.rglob("*.h")))


def declared_names(header: str) -> frozenset[str]:
    """Names of the vendor's that a header of ours declares: functions, types, constants and macros."""
    text = re.sub(r"^namespace kb\b.*?^}  // namespace kb", "", header, flags=re.MULTILINE | re.DOTALL)
    declared = r"^\s*(?:template <[^\n]*>\s*)?(?:KB_API|inline|constexpr)[^\n;={]*?\b(\w+)\("
    functions = re.findall(declared, text, re.MULTILINE)
    functions += re.findall(r"^KB_\w+\((\w+)", text, re.MULTILINE)
    types = re.findall(r"^\s*(?:enum class|enum|struct|class|using)\s+(?!namespace\b)(\w+)", text, re.MULTILINE)
    macros = re.findall(r"^#define (\w+)", text, re.MULTILINE)
    constants = re.findall(r"^inline constexpr [\w:]+ (\w+)", text, re.MULTILINE)
    names = {*functions, *types, *macros, *constants} - {"Name", "int64_t"}  # a macro's parameter, a return type
    return frozenset(n for n in names if not n.lower().startswith("kb"))


def known_api() -> frozenset[str]:
    """Every name that exists: what a misspelt one is compared with."""
    return modelled_api() | unmodelled_api()
