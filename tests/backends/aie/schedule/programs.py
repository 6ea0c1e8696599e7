"""Programs for the property tests: random operations with operands of the right kinds."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation

#: name: kinds of the results, kinds of the operands; `p` pointer, `r` scalar, `x` vector, `c` accumulator.
VOCABULARY = {
    "lda": ("r", "p"),
    "lda.s8": ("r", "p"),
    "st": ("", "rp"),
    "st.s8": ("", "rp"),
    "vld": ("x", "p"),
    "vldb.unpack": ("x", "p"),
    "vlda.ups": ("c", "rp"),
    "vst": ("", "xp"),
    "vst.srs": ("", "crp"),
    "vst.conv": ("", "cp"),
    "add": ("r", "rr"),
    "mul": ("r", "rr"),
    "mov.imm": ("r", ""),
    "padd": ("p", "p"),
    "vadd": ("x", "xx"),
    "vmax_lt": ("xr", "xx"),
    "vshuffle": ("x", "xxr"),
    "vbcst": ("x", "r"),
    "vextract": ("r", "xr"),
    "vmul": ("c", "xxr"),
    "vmac": ("c", "cxxr"),
    "vmac.f": ("c", "cxxr"),
    "vadd.f": ("c", "ccr"),
    "vups": ("c", "xr"),
    "vsrs": ("x", "cr"),
    "vconv.bf16.fp32": ("x", "c"),
    "vunpack": ("x", "x"),
}
_SIZES = {"lda": 4, "lda.s8": 1, "st": 4, "st.s8": 1}


@dataclass
class _Values:
    """Names by kind."""

    live_in: dict[str, list[str]] = field(default_factory=lambda: {k: [f"{k}{i}" for i in range(3)] for k in "prxc"})
    made: dict[str, list[str]] = field(default_factory=lambda: {k: [] for k in "prxc"})

    def of(self, kind: str) -> list[str]:
        return self.live_in[kind] + self.made[kind]


@st.composite
def memories(draw: st.DrawFn, name: str) -> Memory:
    """An access to one of two objects that nothing else overlaps, or to anything; walking, at an offset, or unknown."""
    root = draw(st.sampled_from(["a", "b", "any"]))
    size = _SIZES.get(name, 32)
    distinct = root != "any"
    how = draw(st.sampled_from(["unknown", "offset", "walk"])) if distinct else "unknown"
    if how == "unknown":
        return Memory(root, size, distinct=distinct)
    offset = draw(st.integers(0, 3)) * 32
    return Memory(root, size, offset, 0 if how == "offset" else 32, distinct)


@st.composite
def bodies(draw: st.DrawFn, most: int = 14, reuse: bool = False) -> tuple[list[Operation], _Values]:
    """Straight-line operations. With `reuse` results go into registers that have been written before."""
    values = _Values()
    operations = []
    for number in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(sorted(VOCABULARY)))
        results, operands = VOCABULARY[name]
        uses = tuple(draw(st.sampled_from(values.of(kind))) for kind in operands)
        defs = []
        for kind in results:
            fresh = f"{kind}{draw(st.integers(0, 2))}" if reuse else f"{kind}v{number}"
            defs.append(fresh)
            if fresh not in values.of(kind):
                values.made[kind].append(fresh)
        accesses = name in _SIZES or name.startswith(("vld", "vst"))
        operations.append(Operation(name, tuple(defs), uses, draw(memories(name)) if accesses else None))
    return operations, values


@st.composite
def straight(draw: st.DrawFn) -> Function:
    """A function of one block that returns."""
    reuse = draw(st.booleans())
    operations, _ = draw(bodies(reuse=reuse))
    block = Block("b", (*operations, Operation("ret", uses=("lr",))))
    return Function("f", (block,), fixed_registers=reuse)


@st.composite
def loops(draw: st.DrawFn) -> Function:
    """A function with one loop between a block before it and one behind it that reads what the loop made."""
    reuse = draw(st.booleans())
    operations, values = draw(bodies(reuse=reuse))
    carried = []
    for kind in "prxc":
        if not reuse and values.made[kind] and draw(st.booleans()):
            start = draw(st.sampled_from(values.live_in[kind]))
            carried.append((start, draw(st.sampled_from(values.made[kind]))))
    loop = Loop(
        "loop",
        ("loop",),
        counted=True,
        min_trips=draw(st.sampled_from([None, 2, 5, 40])),
        pipeline=draw(st.booleans()),
        carried=tuple(carried),
        setup=draw(st.booleans()),
    )
    results = [name for kind in "rx" for name in values.made[kind]][-2:]
    reads = [
        Operation("mov" if name.startswith("r") else "vmov", (f"{name[0]}out{i}",), (name,))
        for i, name in enumerate(results)
    ]
    blocks = (
        Block("before", (Operation("mov.imm", ("r0",)),), ("loop",)),
        Block("loop", tuple(operations), ("loop", "after")),
        Block("after", (*reads, Operation("ret", uses=("lr",)))),
    )
    return Function("f", blocks, (loop,), reuse)
