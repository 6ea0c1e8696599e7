"""Addresses → the candidate's own lines, from the DWARF line tables."""

from __future__ import annotations

import bisect
import functools
import posixpath
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

Row = tuple[int, int, str, int]  # first address, first address after, file, line


def line_of(program: Path, address: int) -> tuple[str, int] | None:
    """The candidate's relative file and the line of an address in an executable, or None where the code there is the
    runtime's or has no line. For a return address ask `address - 1`: the call, not what follows it."""
    stat = program.stat()
    rows = _rows(program, stat.st_mtime_ns, stat.st_size)
    i = bisect.bisect_right(rows, (address, 1 << 64, "", 0)) - 1
    if i < 0 or not rows[i][0] <= address < rows[i][1]:
        return None
    return rows[i][2], rows[i][3]


@functools.lru_cache(maxsize=16)
def _rows(program: Path, mtime_ns: int, size: int) -> list[Row]:
    """The line table of units compiled from relative names, which only candidates' are; sorted by address."""
    rows: list[Row] = []
    with program.open("rb") as file:
        elf = ELFFile(file)
        if not elf.has_dwarf_info():
            return rows
        dwarf = elf.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            name = unit.get_top_DIE().attributes.get("DW_AT_name")
            if name is None or name.value.startswith(b"/"):
                continue
            table = dwarf.line_program_for_CU(unit)
            if table is not None:
                rows += _unit_rows(table)
    return sorted(rows)


def _unit_rows(table: Any) -> list[Row]:
    files = _file_names(table)
    rows: list[Row] = []
    last: Any = None
    for entry in table.get_entries():
        state = entry.state
        if state is None:
            continue
        if last is not None and not last.end_sequence and state.address > last.address and last.line:
            name = files.get(last.file, "")
            if name and not name.startswith("/"):
                rows.append((last.address, state.address, name, last.line))
        last = state
    return rows


def _file_names(table: Any) -> dict[int, str]:
    """File number → path as the compiler saw it (DWARF 4: numbers from 1, folder 0 is the compilation's)."""
    folders = [f.decode(errors="replace") for f in table.header["include_directory"]]
    names: dict[int, str] = {}
    for i, entry in enumerate(table.header["file_entry"], start=1):
        name = entry.name.decode(errors="replace")
        folder = folders[entry.dir_index - 1] if entry.dir_index else ""
        names[i] = posixpath.normpath(posixpath.join(folder, name))
    return names
