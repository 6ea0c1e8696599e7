"""What the trace event format asks of a file, checked from its published description; knows nothing of the writer.

"Trace Event Format" (Chromium project, JSON object format): complete (X), metadata (M), flow (s, t, f), counter (C) and
instant (i) events.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import Any

_METADATA = {"process_name": "name", "thread_name": "name", "process_labels": "labels"}
_ORDER = ("process_sort_index", "thread_sort_index")


def problems(text: str) -> list[str]:
    """Everything that is wrong with a file; empty where nothing is."""
    try:
        trace = json.loads(text, parse_constant=_no_constant)
    except ValueError as error:
        return [f"not JSON: {error}"]
    if not isinstance(trace, dict) or not isinstance(trace.get("traceEvents"), list):
        return ["expected an object with the array traceEvents"]
    found = []
    if trace.get("displayTimeUnit", "ms") not in ("ms", "ns"):
        found.append(f"displayTimeUnit {trace['displayTimeUnit']!r}: expected ms or ns")
    if not isinstance(trace.get("otherData", {}), dict):
        found.append("otherData: expected an object")
    events = trace["traceEvents"]
    for number, event in enumerate(events):
        found += [f"event {number}: {what}" for what in _event(event)]
    if not found:
        found += _nesting(events) + _flows(events)
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _event(event: Any) -> list[str]:
    if not isinstance(event, dict):
        return ["expected an object"]
    found = [f"{key}: expected an integer" for key in ("pid", "tid") if type(event.get(key)) is not int]
    if not isinstance(event.get("name"), str) or not event["name"]:
        found.append("name: expected a text")
    if not isinstance(event.get("args", {}), dict):
        found.append("args: expected an object")
    kind = event.get("ph")
    if kind == "M":
        return found + _metadata(event)
    if kind not in ("X", "s", "t", "f", "C", "i"):
        return [*found, f"ph {kind!r}: not one of X, M, s, t, f, C, i"]
    if not _time(event.get("ts")):
        found.append(f"ts {event.get('ts')!r}: expected microseconds")
    if kind == "X" and not _time(event.get("dur")):
        found.append(f"dur {event.get('dur')!r}: expected microseconds")
    if kind in "stf" and not isinstance(event.get("id"), int | str):
        found.append("a flow without an id")
    if kind in "Xstf" and not isinstance(event.get("cat"), str):
        found.append("cat: expected a text")
    if event.get("bp", "e") != "e":
        found.append(f"bp {event['bp']!r}: the one binding point is e")
    return found


def _metadata(event: dict[str, Any]) -> list[str]:
    args = event.get("args", {})
    if event["name"] in _METADATA:
        return [] if isinstance(args.get(_METADATA[event["name"]]), str) else [f"{event['name']} names nothing"]
    if event["name"] in _ORDER:
        return [] if isinstance(args.get("sort_index"), int) else [f"{event['name']} has no sort_index"]
    return [f"metadata {event['name']!r} is not known"]


def _time(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


def _rows(events: list[dict[str, Any]]) -> dict[tuple[int, int], list[tuple[int, int, str]]]:
    """Slices of each thread in nanoseconds: (start, end, name), enclosing ones first."""
    rows = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start = round(event["ts"] * 1000)
            rows[event["pid"], event["tid"]].append((start, start + round(event["dur"] * 1000), event["name"]))
    return {row: sorted(slices, key=lambda s: (s[0], -s[1])) for row, slices in rows.items()}


def _nesting(events: list[dict[str, Any]]) -> list[str]:
    """Slices of a thread lie apart or inside each other."""
    found = []
    for row, slices in _rows(events).items():
        open_: list[tuple[int, int, str]] = []
        for slice_ in slices:
            while open_ and open_[-1][1] <= slice_[0]:
                open_.pop()
            if open_ and slice_[1] > open_[-1][1]:
                found.append(f"thread {row}: {slice_} begins inside {open_[-1]} and ends after it")
            open_.append(slice_)
    return found


def _flows(events: list[dict[str, Any]]) -> list[str]:
    """A flow begins once, ends, in this order, and each end lies in a slice of its thread."""
    rows, ends = _rows(events), defaultdict(list)
    found = []
    for event in events:
        if event["ph"] in "stf":
            ends[event["cat"], event["name"], event["id"]].append(event)
            at = round(event["ts"] * 1000)
            slices = rows.get((event["pid"], event["tid"]), [])
            if not any(start <= at < max(end, start + 1) for start, end, _ in slices):
                found.append(f"flow {event['id']} ({event['ph']}) at {event['ts']} us lies in no slice")
    for key, flow in ends.items():
        order = "".join(event["ph"] for event in sorted(flow, key=lambda e: (e["ts"], "stf".index(e["ph"]))))
        if order[0] != "s" or order[-1] != "f" or order.count("s") != 1:
            found.append(f"flow {key}: expected s … f, got {order}")
    return found
