"""What is held in which cycle: slots and ports. Once an operation does not fit in a cycle, it never will again."""

from __future__ import annotations

from collections import defaultdict

from kbench.backends.aie.sim.schedule.table import Footprint, Row


class Board:
    """Cycles without end, from minus infinity; those from `blocked` on take nothing."""

    def __init__(self, blocked: int | None = None) -> None:
        self._held: defaultdict[int, int] = defaultdict(int)
        self._free: defaultdict[int, int] = defaultdict(int)
        self._blocked = blocked
        self._skip: dict[str, dict[int, int]] = {}

    def fits(self, footprint: Footprint, cycle: int) -> bool:
        """Whether an operation may issue in a cycle."""
        if self._blocked is not None and cycle + footprint.extent >= self._blocked:
            return False
        for offset, held, free in footprint.cells:
            at = cycle + offset
            if (held | free) & self._held.get(at, 0) or held & self._free.get(at, 0):
                return False
        return True

    def place(self, footprint: Footprint, cycle: int) -> None:
        for offset, held, free in footprint.cells:
            self._held[cycle + offset] |= held
            self._free[cycle + offset] |= free

    def find(self, row: Row, cycle: int) -> tuple[int, Footprint]:
        """The last cycle, not after `cycle`, in which an operation fits, and how. Its work is shared by all that ask
        for the same row: cycles found full are not looked at again."""
        skip = self._skip.setdefault(row.name, {})
        passed = []
        while True:
            while cycle in skip:
                passed.append(cycle)
                cycle = skip[cycle]
            for footprint in row.alternatives:
                if self.fits(footprint, cycle):
                    for full in passed:
                        skip[full] = cycle
                    return cycle, footprint
            passed.append(cycle)
            skip[cycle] = cycle - 1
            cycle -= 1


class ModuloBoard:
    """`ii` cycles that come again and again."""

    def __init__(self, ii: int) -> None:
        self.ii = ii
        self._held = [0] * ii
        self._free = [0] * ii
        self._folded: dict[Footprint, tuple[tuple[int, int, int], ...] | None] = {}

    def _fold(self, footprint: Footprint) -> tuple[tuple[int, int, int], ...] | None:
        """The footprint modulo the interval; None if it meets itself."""
        if footprint not in self._folded:
            held, free = [0] * self.ii, [0] * self.ii
            clash = False
            for offset, h, f in footprint.cells:
                at = offset % self.ii
                clash |= bool(held[at] & h)
                held[at] |= h
                free[at] |= f
            cells = tuple((i, held[i], free[i]) for i in range(self.ii) if held[i] or free[i])
            clash |= any(h & f for _, h, f in cells)
            self._folded[footprint] = None if clash else cells
        return self._folded[footprint]

    def fit(self, row: Row, cycle: int) -> Footprint | None:
        """The first alternative that may issue in a cycle."""
        for footprint in row.alternatives:
            cells = self._fold(footprint)
            if cells is not None and all(self._clear(cycle + o, h, f) for o, h, f in cells):
                return footprint
        return None

    def _clear(self, cycle: int, held: int, free: int) -> bool:
        at = cycle % self.ii
        return not ((held | free) & self._held[at] or held & self._free[at])

    def place(self, footprint: Footprint, cycle: int) -> None:
        for offset, held, free in self._fold(footprint) or ():
            self._held[(cycle + offset) % self.ii] |= held
            self._free[(cycle + offset) % self.ii] |= free

    def take(self, footprint: Footprint, cycle: int) -> None:
        """Frees what an operation holds. What it only found free stays so, as others may need it free too."""
        for offset, held, _ in self._fold(footprint) or ():
            self._held[(cycle + offset) % self.ii] &= ~held
