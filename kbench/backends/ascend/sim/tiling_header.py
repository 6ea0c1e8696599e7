"""The host side's tiling structures as C++ declarations, for the kernel's GET_TILING_DATA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbench.core.errors import HarnessError


def tiling_header(tiling: Mapping[str, Any] | None) -> str:
    """The declarations, one line each; empty without structures.

    Args:
        tiling: `Registry.tiling_json()`: `structs`, nested ones first, and the name of the `default` one, which
            becomes the type of GET_TILING_DATA.
    """
    if not tiling or not tiling["structs"]:
        return ""
    alignments: dict[str, int] = {}
    lines = [_declare(described, alignments) for described in tiling["structs"]]
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
    return f"struct {described['name']} {{ {' '.join(members)} }};"
