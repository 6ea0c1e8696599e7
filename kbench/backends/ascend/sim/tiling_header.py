"""The host side's tiling structures as C++ declarations, for the kernel's GET_TILING_DATA."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from kbench.backends.ascend.sim.kernel_names import INCLUDE
from kbench.core.errors import HarnessError

_LIBRARY = "kernel_tiling/kernel_tiling.h"


def tiling_header(tiling: Mapping[str, Any] | None) -> str:
    """The declarations, one line each; empty without structures.

    Args:
        tiling: `Registry.tiling_json()`: `structs`, nested ones first, and the name of the `default` one, which
            becomes the type of GET_TILING_DATA. Those of library operations are the library's own.
    """
    if not tiling or not tiling["structs"]:
        return ""
    alignments: dict[str, int] = {}
    lines = [f'#include "{_LIBRARY}"']
    lines += [_declare(described, alignments) for described in tiling["structs"]]
    if tiling["default"]:
        lines.append(f"namespace kb_tiling {{ using kb_tiling_default = ::{tiling['default']}; }}")
        lines.append("using namespace kb_tiling;")
    return "\n".join(lines) + "\n"


def _declare(described: Mapping[str, Any], alignments: dict[str, int]) -> str:
    """One structure, whose alignment `alignments` receives. The host lays its fields out as C does; this checks it."""
    at, widest, members = 0, 1, []
    for field in described["fields"]:
        alignment = alignments[field["struct"]] if "struct" in field else min(field["bytes"], 8)
        at = -(-at // alignment) * alignment
        if at != field["offset"]:
            where = f"byte {field['offset']} on the host, byte {at} in C"
            raise HarnessError(f"tiling structure {described['name']}: {field['name']} lies at {where}")
        count = field.get("count", 0)
        members.append(f"{field['type']} {field['name']}{f'[{count}]' if count else ''};")
        at += field["bytes"] * max(count, 1)
        widest = max(widest, alignment)
    alignments[described["name"]] = widest
    if described["name"] in _library_structures():
        return _same_as_the_librarys(described)
    return f"struct {described['name']} {{ {' '.join(members)} }};"


@functools.cache
def _library_structures() -> frozenset[str]:
    """Structures of library operations, which a header of the vendor's declares."""
    return frozenset(re.findall(r"^struct (\w+) {", (INCLUDE / _LIBRARY).read_text(), re.MULTILINE))


def _same_as_the_librarys(described: Mapping[str, Any]) -> str:
    """The kernel's declaration is the header's: it has to be what the host fills in."""
    name = described["name"]
    same = [f"__builtin_offsetof({name}, {field['name']}) == {field['offset']}" for field in described["fields"]]
    return f'static_assert({" && ".join(same)}, "{name}: host and kernel side differ");'
