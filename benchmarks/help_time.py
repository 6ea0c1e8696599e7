"""`kbench --help` against a bare typer program's `--help`: the ratio of their times.

    python benchmarks/help_time.py [--times 20]

Both run alternately in new processes; user + system time of each, so that other work on the machine matters less.
Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

BARE = """
import typer
app = typer.Typer(help="A bare program.")
@app.command()
def one(name: str = typer.Option("x", help="A name.")) -> None: "The first command."
@app.command()
def two(name: str = typer.Option("x", help="A name.")) -> None: "The second command."
app()
"""
OURS = "from kbench.cli import main; main()"


def cpu_seconds(code: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, "-c", code, "--help"], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    times = parser.parse_args().times
    pairs = [(cpu_seconds(BARE), cpu_seconds(OURS)) for _ in range(times + 1)][1:]
    bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(json.dumps({"bare_s": round(bare, 3), "kbench_s": round(ours, 3), "ratio": round(ours / bare, 2)}))


if __name__ == "__main__":
    main()
