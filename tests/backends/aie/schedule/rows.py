"""Rows of Peano's own schedules: what `peano_rows/*.rows` say, read into plain facts.

A file is a family: tests of Xilinx/llvm-aie (`llvm/test/CodeGen/AIE/…`) that are alike, so that none stands on both
sides of the split. A row names its source and function, what the test expects of it, and the operations in our own
words: `defs = operation uses [address]`.

- `block N`: straight-line code of N bundles, the bundles in which its last results arrive included.
- `plain N`: a loop whose trips do not overlap, N bundles a trip.
- `loop ii=N ns=M`: a pipelined loop, N cycles from trip to trip, M trips in flight.

An address is `[p0 …]`; `p0!` is modified behind the access, further registers are offsets and counters, `~dc0` is a
counter that changes. `@in` is the object: another name never overlaps it. Without an offset (`@in+4:4`, bytes) two
accesses to one object are in order; `@in*` is a walk through an object that is in order with itself from trip to trip
too, `@m=` meets its own trip's accesses only, and `@?` may be anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "peano_rows"
_ADDRESS = re.compile(r"\[(?P<inside>[^\]]*)\]")
_OBJECT = re.compile(r"@(?P<name>[\w?]+)(?:\+(?P<offset>\d+):(?P<size>\d+))?(?P<how>[*=]?)")


@dataclass(frozen=True)
class Access:
    """An address: the pointer, whether it moves on, the other registers read, the counters changed, and the object."""

    pointer: str
    moves: bool
    reads: tuple[str, ...]
    counters: tuple[str, ...]
    object: str
    how: str
    """`*`, `=` or empty, see above."""
    offset: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class Op:
    """One operation."""

    name: str
    defs: tuple[str, ...]
    uses: tuple[str, ...]
    access: Access | None


@dataclass(frozen=True)
class Row:
    """One row: where it comes from, what Peano makes of it, and its operations."""

    family: str
    target: str
    source: str
    function: str
    name: str
    kind: str
    """`block`, `plain` or `loop`."""
    expected: int
    """Bundles, or cycles from trip to trip."""
    stages: int | None
    min_trips: int | None
    ops: tuple[Op, ...]

    @property
    def fixed_registers(self) -> bool:
        """Whether the test gives the registers: code behind register allocation (`.mir`), not a compiled function."""
        return self.source.endswith(".mir")


def read(file: Path) -> list[Row]:
    """The rows of one file."""
    known = {"family": "", "target": "", "source": "", "function": ""}
    rows: list[Row] = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            if words[0] in ("family", "target"):
                known[words[0]] = words[1]
            elif words[0] == "source":
                known |= {"source": words[1], "function": " ".join(words[2:])}
            elif words[0] == "row":
                rows.append(_row(words[1:], known))
            else:
                rows[-1] = _with(rows[-1], _op(line))
        except (ValueError, IndexError, KeyError) as e:
            raise ValueError(f"{file.name}:{number}: {line!r} cannot be read: {e}") from e
    return rows


def read_all(folder: Path = FOLDER) -> list[Row]:
    """All rows, in the order of the files' names."""
    rows = [row for file in sorted(folder.glob("*.rows")) for row in read(file)]
    names = [row.name for row in rows]
    if len(set(names)) != len(names):
        raise ValueError("rows of one name: " + ", ".join(sorted({n for n in names if names.count(n) > 1})))
    return rows


def _row(words: list[str], known: dict[str, str]) -> Row:
    name, kind, *rest = words
    numbers = dict(pair.split("=") for pair in rest if "=" in pair)
    if kind not in ("block", "plain", "loop"):
        raise ValueError(f"no kind {kind!r}")
    expected = int(numbers["ii"]) if kind == "loop" else int(rest[0])
    stages = int(numbers["ns"]) if "ns" in numbers else None
    min_trips = int(numbers["min_trip"]) if "min_trip" in numbers else None
    return Row(**known, name=name, kind=kind, expected=expected, stages=stages, min_trips=min_trips, ops=())


def _with(row: Row, op: Op) -> Row:
    return Row(**{**row.__dict__, "ops": (*row.ops, op)})


def _op(line: str) -> Op:
    found = _ADDRESS.search(line)
    access = _access(found["inside"].split()) if found else None
    left, equals, right = _ADDRESS.sub("", line).partition("=")
    name, *uses = (right if equals else left).split()
    return Op(name, tuple(left.split()) if equals else (), tuple(uses), access)


def _access(words: list[str]) -> Access:
    found = next(m for word in words if (m := _OBJECT.fullmatch(word)))
    pointer, *others = [word for word in words if not word.startswith("@")]
    number = {key: int(found[key]) if found[key] else None for key in ("offset", "size")}
    return Access(
        pointer=pointer.rstrip("!"),
        moves=pointer.endswith("!"),
        reads=tuple(word.lstrip("~") for word in others),
        counters=tuple(word[1:] for word in others if word.startswith("~")),
        object=found["name"],
        how=found["how"],
        **number,
    )
