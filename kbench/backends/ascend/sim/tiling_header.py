"""The host side's tiling structures as C++ declarations, for the kernel's GET_TILING_DATA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbench.core.errors import HarnessError


def tiling_header(registry: Mapping[str, Any] | None) -> str:
    """The declarations, one line each; empty without structures.

    Args:
        registry: `structs`, each {name, bytes, fields: [{name, type, count, offset, bytes, nested}]}, nested ones first
            (`bytes` of one element, `count` 0 for what is no array); `tiling_classes`, each {op, struct}; `ops`, each
            {type}. The structure of the operator itself becomes `kb_tiling_default`.
    """
    if not registry or not registry.get("structs"):
        return ""
    lines = [_declare(described) for described in registry["structs"]]
    default = _default(registry)
    if default is not None:
        lines.append(f"namespace kb_tiling {{ using kb_tiling_default = ::{default}; }} using namespace kb_tiling;")
    return "\n".join(lines) + "\n"


def _default(registry: Mapping[str, Any]) -> str | None:
    classes: Sequence[Mapping[str, Any]] = registry.get("tiling_classes", ())
    types = {op["type"] for op in registry.get("ops", ())}
    own = [str(c["struct"]) for c in classes if c["op"] in types]
    return own[0] if own else str(classes[0]["struct"]) if classes else None


def _declare(described: Mapping[str, Any]) -> str:
    """One structure. The host lays its fields out as C does, nested structures at multiples of 8; this checks it."""
    at, members = 0, []
    for field in described["fields"]:
        alignment = 8 if field["nested"] else min(field["bytes"], 8)
        at = -(-at // alignment) * alignment
        if at != field["offset"]:
            where = f"byte {field['offset']} on the host, byte {at} in C"
            raise HarnessError(f"tiling structure {described['name']}: {field['name']} lies at {where}")
        array = f"[{field['count']}]" if field["count"] else ""
        members.append(f"{'alignas(8) ' if field['nested'] else ''}{field['type']} {field['name']}{array};")
        at += field["bytes"] * max(field["count"], 1)
    return f"struct {described['name']} {{ {' '.join(members)} }};"
