"""The judge's own tables of the two cores: slots, stages, bypasses, memory cycles. Written apart from the scheduler's.

Sources: Xilinx/llvm-aie `aie2/AIE2Schedule.td` (0361a31), `aie2/AIE2Slots.td`, `aie2/AIE2CompositeFormats.td`,
`aie2/AIE2MultiSlotPseudoInstrInfo.td`, `aie2p/AIE2PGenSchedule.td` (1b54f07); checked against the hardware measurements
of tnzr.org/xdna (loads 7, vshuffle 2, vmac.f 6 with the accumulator read in cycle 3, jump and return 6, mul 2).
A latency is the producer's last stage less the consumer's stage plus one, and one less with a common bypass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

#: Bundles behind a branch, call or return that still issue.
DELAY_SLOTS = 5

#: What a slot takes of the bundle; the long slot's immediate lies over those of alu and mv.
SLOTS = {"lng": ("alu", "mv")}

#: Of an operand whose stage is not listed: read and written in the cycle of issue.
_NOW = ((1, False),)


@dataclass(frozen=True)
class Timing:
    """When an operation reads and writes. Stages count from 1, the cycle of issue; the last holds for all further."""

    slots: tuple[str, ...]
    defs: tuple[tuple[int, bool], ...] = _NOW
    uses: tuple[tuple[int, bool], ...] = _NOW
    memory_first: int = 0
    memory_last: int = 0
    stores: bool = False
    branch: bool = False
    part_word: bool = False
    store_unit: int = 0
    """Stage in which it needs the store unit."""

    def define(self, place: int) -> tuple[int, bool]:
        """(stage, whether the bypass forwards it) of a result."""
        return self.defs[min(place, len(self.defs) - 1)]

    def use(self, place: int) -> tuple[int, bool]:
        """(stage, whether it takes the bypass) of an operand."""
        return self.uses[min(place, len(self.uses) - 1)]

    @property
    def settles(self) -> int:
        """Cycles from issue until every result can be read and memory is written: 1 is the next cycle."""
        return max([stage for stage, _ in self.defs] + [self.memory_last - 3 if self.stores else 0])


def _words(*lines: str) -> list[str]:
    return " ".join(lines).split()


ALU = _words(
    "add sub adc sbc and or xor ashl lshl abs clb clz eq ne lt ltu ge geu eqz nez divs movx sel.eqz sel.nez",
    "ext.s8 ext.s16 ext.u8 ext.u16 event acq rel done",
)
MV_SCALAR = _words("add.nc mov.mv mov.cntr")
MV_VECTOR = _words(
    "vadd vsub vband vbor vaddsub vsel vshuffle vshift vshift.align vbcst vbcstshfl vextbcst vinsert",
    "vpush.hi vpush.lo vmov",
)
MV_FLAGS = _words("vmax_lt vmin_ge vsub_lt vsub_ge vmaxdiff_lt vabs_gtz vneg_gtz vbneg_ltz")
MV_SCALAR_RESULT = _words("vlt vge veqz vextract")
TO_ACCUMULATOR = _words("vmov.to.bm vconv.fp32.bf16")
FROM_ACCUMULATOR = _words("vmov.from.bm vtanh vexp2")
AMONG_ACCUMULATORS = _words("vmov.bm vmov.cm vconv.fp32.bf16.wh")
IN_ST = _words("vconv.bf16.fp32 vfloor vfloor.w vpack")
PRODUCTS = _words("vmul vnegmul")
SUMS = _words(
    "vmac vmsc vnegmac vnegmsc vaddmac vaddmsc vsubmac vsubmsc vadd.acc vsub.acc vnegadd.acc vneg.acc",
)
TWO_ACCUMULATORS = _words(
    "vaddmac vaddmsc vsubmac vsubmsc vadd.acc vsub.acc vnegadd.acc",
    "vaddmac.f vaddmsc.f vadd.f vsub.f vnegadd.f",
)
FLOAT_SUMS = _words("vmac.f vmsc.f vaddmac.f vaddmsc.f vadd.f vsub.f vnegadd.f vneg.f")
LOADS = _words("lda lda.s8 lda.u8 lda.s16 lda.u16 lda.tm")
VECTOR_LOADS = {"vld": ("lda", "ldb"), "vlda": ("lda",), "vldb": ("ldb",), "vlda.am": ("lda",), "vlda.conv": ("lda",)}
VECTOR_LOADS |= {"vlda.q": ("lda",), "vldb.unpack": ("ldb",), "vldb.4x": ("ldb",)}
BRANCHES = {
    "j": "lng",
    "jz": "lng",
    "jnz": "lng",
    "jnzd": "alu",
    "j.ind": "alu",
    "jl": "lng",
    "jl.ind": "alu",
    "ret": "alu",
}
FILES = ("p", "m", "dj", "dn", "dc")
#: Ends of a name that change neither slots nor stages: the destination's file, a register of the loop unit.
_ENDS = tuple(f".{end}" for end in (*FILES, "s", "lc", "ls", "le"))


@cache
def timing(machine: str, name: str) -> Timing:
    """Of an operation on `aie2` or `aie2p`. Raises KeyError for one that the judge does not know."""
    rows = _rows(machine)
    if name in rows:
        return rows[name]
    return rows[next((name.removesuffix(end) for end in _ENDS if name.endswith(end)), name)]


@cache
def _rows(machine: str) -> dict[str, Timing]:
    rows = _scalars() | _memory() | _moves(machine) | _arithmetic(machine)
    if machine == "aie2p":
        rows["vst.conv"] = rows["vst.am"]  # memory in E5, not E7
        rows |= {"mac": Timing(("alu",), defs=((2, False),)), "paddxm": Timing(("lng",)), "movs": Timing(("st",))}
    return rows


def _scalars() -> dict[str, Timing]:
    rows = {name: Timing(("alu",)) for name in ALU} | {name: Timing(("mv",)) for name in MV_SCALAR}
    rows |= {"mul": Timing(("alu",), defs=((2, False),)), "mov": Timing(("mv", "alu")), "movxm": Timing(("lng",))}
    rows |= {"mov.imm": Timing(("lda", "alu", "mv", "lng")), "mov.imm11": Timing(("lda", "alu", "mv", "lng"))}
    rows |= {f"mov.{file}": Timing(("mv",)) for file in FILES} | {"mov.imm.s": Timing(("mv", "lng"))}
    rows |= {f"mov.imm.{file}": Timing(("lda", "mv", "lng")) for file in FILES}
    rows |= {"mova": Timing(("lda",)), "padd": Timing(("lda", "ldb", "st"))}
    rows |= {"padda": Timing(("lda",)), "paddb": Timing(("ldb",)), "padds": Timing(("st",))}
    for name, slot in BRANCHES.items():
        rows[name] = Timing((slot,), defs=((4, False),) if name.startswith("jl") else _NOW, branch=True)
    return rows


def _memory() -> dict[str, Timing]:
    late = ((7, False), (1, False))
    rows = {name: Timing(("lda",), late, _NOW, 5, 5) for name in LOADS}
    rows |= {name: Timing(slots, late, _NOW, 5, 5) for name, slots in VECTOR_LOADS.items()}
    rows["vlda.ups"] = Timing(("lda",), ((9, False), (1, False)), late, 5, 5)
    for name in _words("st st.tm vst vst.am vst.q vst.pack"):
        rows[name] = Timing(("st",), memory_first=5, memory_last=5, stores=True, store_unit=2)
    rows["vst.srs"] = Timing(("st",), memory_first=7, memory_last=7, stores=True, store_unit=4)
    rows["vst.conv"] = Timing(("st",), memory_first=7, memory_last=7, stores=True, store_unit=2)
    for name in ("st.s8", "st.s16"):
        rows[name] = Timing(("lda",), _NOW, late, 5, 11, stores=True, part_word=True, store_unit=8)
    return rows


def _moves(machine: str) -> dict[str, Timing]:
    two, forwarded, taken = ((2, False),), ((2, True),), ((1, True),)
    rows = {name: Timing(("mv",), forwarded, taken) for name in MV_VECTOR}
    rows |= {name: Timing(("mv",), ((2, True), (2, False)), taken) for name in MV_FLAGS}
    rows |= {name: Timing(("mv",), two, taken) for name in MV_SCALAR_RESULT + TO_ACCUMULATOR}
    rows |= {name: Timing(("mv",), forwarded) for name in FROM_ACCUMULATOR}
    rows |= {name: Timing(("mv",), two) for name in AMONG_ACCUMULATORS}
    rows["vmov.wh"] = Timing(("mv",), two if machine == "aie2" else forwarded)
    rows["vups"] = Timing(("mv",), ((3, False),))
    rows["vsrsm"] = Timing(("mv",), ((4, False),))
    rows["vsrs"] = Timing(("st",), ((4, False),))
    rows["vunpack"] = Timing(("ldb",), ((7, False),), ((7, False),))
    rows["vmov.scd"], rows["vmov.mcd"] = Timing(("lda",), ((7, False),)), Timing(("st",))
    return rows | {name: Timing(("st",), two) for name in IN_ST}


def _arithmetic(machine: str) -> dict[str, Timing]:
    result, read = (5, 3) if machine == "aie2" else (6, 4)
    whole = ((result, True),)
    rows = {name: Timing(("vec",), whole) for name in [*PRODUCTS, "vclr"]}
    rows |= {name: Timing(("vec",), ((6, False),)) for name in ("vmul.f", "vnegmul.f", "vclr.f")}
    rows["vmov.d"] = Timing(("vec",), whole, ((read, machine == "aie2p"),))
    for names, defs, bypass in ((SUMS, whole, True), (FLOAT_SUMS, ((6, False),), machine == "aie2p")):
        for name in names:
            accumulators = 2 if name in TWO_ACCUMULATORS else 1
            rows[name] = Timing(("vec",), defs, (*[(read, bypass)] * accumulators, (1, False)))
    return rows
