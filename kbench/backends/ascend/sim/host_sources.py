"""Which of a candidate's files are the host side, and how they go together."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_ACLNN = ("aclnn", "opdev/", "level0/", "level2/")  # folders of the operator library's own headers


def host_sources(
    files: Mapping[str, str], main: str, others: Collection[str] = ()
) -> tuple[list[str], tuple[str, ...]]:
    """The translation units of the host side: the main one, then those beside and below it, without the aclnn layer's
    (they need headers of the operator library, and nothing here calls them). Also says which of those were left.

    Args:
        others: the main files of other roles, and so not the host's, wherever they lie.
    """
    folder = posixpath.dirname(main)
    units = [
        path
        for path in sorted(files)
        if path.endswith((".cpp", ".cc", ".cxx"))
        and path.startswith(f"{folder}/" if folder else "")
        and path not in (main, *others)
        and "op_kernel" not in path.split("/")
    ]
    skipped = tuple(path for path in units if any(h.startswith(_ACLNN) for h in _foreign_headers(files, path, set())))
    return [main, *(path for path in units if path not in skipped)], skipped


def _foreign_headers(files: Mapping[str, str], path: str, seen: set[str]) -> Iterator[str]:
    """Headers that a source includes and that are not the candidate's, through the candidate's own ones."""
    seen.add(path)
    for name in _INCLUDE.findall(files[path]):
        own = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if own not in files:
            yield name
        elif own not in seen:
            yield from _foreign_headers(files, own, seen)


_SYMTAB, _UNDEFINED, _GLOBAL, _WEAK = 2, 0, 1, 2


def weaken(path: Path) -> None:
    """Make every global definition of an object file weak.

    The operator's build links definition and tiling into libraries of their own, so real sources may define the same
    function in two of them; here they meet in one program, where the main source's definition counts.
    """
    data = bytearray(path.read_bytes())
    (at,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    for section in range(count):
        kind, _, _, begin, length = struct.unpack_from("<IQQQQ", data, at + section * size + 4)
        if kind != _SYMTAB:
            continue
        for symbol in range(begin, begin + length, 24):
            info, home = data[symbol + 4], struct.unpack_from("<H", data, symbol + 6)[0]
            if info >> 4 == _GLOBAL and home != _UNDEFINED:
                data[symbol + 4] = _WEAK << 4 | info & 15
    path.write_bytes(data)
