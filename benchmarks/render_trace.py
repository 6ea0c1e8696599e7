"""A picture of a trace file: `python benchmarks/render_trace.py trace.json picture.png --cores 2 --from 0 --to 40`.

Reads nothing but the file (the trace event format: slices, flows, metadata): what is seen is what a viewer gets.
Needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

Row = tuple[int, int]  # process, thread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trace", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--cores", type=int, default=2, help="processes that are drawn, the first ones")
    parser.add_argument("--from", dest="begin", type=float, default=0.0, help="microseconds")
    parser.add_argument("--to", dest="end", type=float, default=None, help="microseconds")
    asked = parser.parse_args()
    draw(json.loads(asked.trace.read_text(encoding="utf-8")), asked.picture, asked.cores, (asked.begin, asked.end))


def draw(trace: dict[str, Any], picture: Path, cores: int, window: tuple[float, float | None]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    events = trace["traceEvents"]
    rows = rows_of(events, cores)
    slices = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) in rows]
    end = window[1] or max(e["ts"] + e["dur"] for e in slices)
    figure, axes = plt.subplots(figsize=(16, 1.2 + 0.55 * len(rows)), layout="constrained")
    colours = colours_of(slices)
    shown = [e for e in slices if e["ts"] < end and e["ts"] + e["dur"] > window[0]]
    for e in shown:
        _slice(axes, e, rows[e["pid"], e["tid"]], colours, end - window[0])
    for start, stop in flows_of(events, rows):
        if window[0] <= start["ts"] <= end:
            ends = [(e["ts"], rows[e["pid"], e["tid"]]) for e in (start, stop)]
            style = {"arrowstyle": "->", "color": "#333", "lw": 0.7, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=ends[1], xytext=ends[0], arrowprops=style)
    axes.set_yticks(list(rows.values()), [_label(events, row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(window[0], end)
    axes.set_xlabel("microseconds of the modelled target")
    told = trace.get("otherData", {})
    axes.set_title(", ".join(str(told[k]) for k in ("task", "case", "backend", "target") if k in told))
    figure.savefig(picture, dpi=90)


def rows_of(events: list[dict[str, Any]], cores: int) -> dict[Row, int]:
    """(process, thread) → row, in the order that the file asks for."""
    order = {(e["pid"], e["tid"]): e["args"]["sort_index"] for e in events if e["name"] == "thread_sort_index"}
    processes = sorted({pid for pid, _ in order})[:cores]
    kept = sorted((row for row in order if row[0] in processes), key=lambda row: (row[0], order[row]))
    return {row: number for number, row in enumerate(kept)}


def colours_of(slices: list[dict[str, Any]]) -> dict[str, Any]:
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(_kind(e) for e in slices if e["cat"] != "wait"))
    return {name: plt.get_cmap("tab20")(i % 20) for i, name in enumerate(names)}


def _kind(event: dict[str, Any]) -> str:
    return str(event["name"]).split(" (line")[0].split(" ×")[0]


def _slice(axes: Any, event: dict[str, Any], row: int, colours: dict[str, Any], width: float) -> None:
    wait = event["cat"] == "wait"
    colour = "#e4e4e4" if wait else colours[_kind(event)]
    axes.barh(row, event["dur"], left=event["ts"], height=0.7, color=colour, edgecolor="white", linewidth=0.3)
    if event["dur"] > width * 0.006 * len(event["name"]):
        axes.text(event["ts"] + event["dur"] / 2, row, event["name"], ha="center", va="center", fontsize=7)


def flows_of(events: list[dict[str, Any]], rows: dict[Row, int]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Both ends of each flow whose ends are drawn."""
    starts = {e["id"]: e for e in events if e["ph"] == "s" and (e["pid"], e["tid"]) in rows}
    ends = [e for e in events if e["ph"] == "f" and (e["pid"], e["tid"]) in rows and e["id"] in starts]
    return [(starts[e["id"]], e) for e in ends]


def _label(events: list[dict[str, Any]], row: Row) -> str:
    named = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"].endswith("_name")}
    process = next(n for (kind, pid, _), n in named.items() if kind == "process_name" and pid == row[0])
    return f"{process}  {named['thread_name', row[0], row[1]]}"


if __name__ == "__main__":
    main()
