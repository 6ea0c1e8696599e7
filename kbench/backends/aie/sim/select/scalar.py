"""Scalar instructions as machine operations: integers natively, soft float and division by routines.

What is native, what becomes a routine and how float addition is made of vector operations: Xilinx/llvm-aie,
AIE2LegalizerInfo.cpp and AIELegalizerHelper.cpp.
"""

from __future__ import annotations

from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.emit import Emitter
from kbench.backends.aie.sim.select.flow import integer
from kbench.backends.aie.sim.select.instructions import Instruction
from kbench.backends.aie.sim.select.routines import block_move, is_known, routine

_ALU = {
    "add": "add",
    "sub": "sub",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "shl": "ashl",
    "lshr": "lshl",
    "ashr": "ashl",
}
_COMPARE = {"eq": "eq", "ne": "ne", "slt": "lt", "sgt": "lt", "sle": "ge", "sge": "ge", "ult": "ltu", "ugt": "ltu",
            "ule": "geu", "uge": "geu"}  # fmt: skip
_DIVISION = {"udiv": "__udivsi3", "urem": "__umodsi3", "sdiv": "__divsi3", "srem": "__modsi3"}
_WIDE = {"mul": "__muldi3", "udiv": "__udivdi3", "urem": "__umoddi3", "sdiv": "__divdi3", "srem": "__moddi3",
         "shl": "__ashldi3", "lshr": "__lshrdi3", "ashr": "__ashrdi3"}  # fmt: skip
_CONVERT = {"sitofp": "__floatsisf", "uitofp": "__floatunsisf", "fptosi": "__fixsfsi", "fptoui": "__fixunssfsi"}
_CONVERT_DOUBLE = {"sitofp": "__floatsidf", "uitofp": "__floatsidf", "fptosi": "__fixdfsi", "fptoui": "__fixdfsi",
                   "fpext": "__extendsfdf2", "fptrunc": "__truncdfsf2"}  # fmt: skip
_DOUBLE = {"fadd": "__adddf3", "fsub": "__subdf3", "fmul": "__muldf3", "fdiv": "__divdf3", "frem": "fmodf"}
_FLOAT = {"fmul": "__mulsf3", "fdiv": "__divsf3", "frem": "fmodf"}
_VECTOR = {"add": "vadd", "sub": "vsub", "and": "vband", "or": "vbor", "icmp": "vlt", "select": "vsel",
           "fadd": "vadd.f", "fsub": "vsub.f", "fmul": "vmul.f"}  # fmt: skip
#: Intrinsics of LLVM → (machine operations one after the other); what is in no table is a routine or a move.
_INTRINSICS = {
    "llvm.smax": ("lt", "sel.nez"), "llvm.smin": ("lt", "sel.nez"), "llvm.umax": ("ltu", "sel.nez"),
    "llvm.umin": ("ltu", "sel.nez"), "llvm.abs": ("abs",), "llvm.ctlz": ("clz",), "llvm.fabs": ("and",),
    "llvm.cttz": ("sub", "and", "clz", "sub"), "llvm.bswap": ("lshl", "ashl", "and", "or", "or"),
    "llvm.ctpop": ("lshl", "and", "sub", "and", "lshl", "and", "add", "lshl", "add", "and", "mul", "lshl"),
    "llvm.fshl": ("ashl", "lshl", "or"), "llvm.fshr": ("ashl", "lshl", "or"), "llvm.usub.sat": ("sub", "ltu",
    "sel.nez"), "llvm.uadd.sat": ("add", "ltu", "sel.nez"), "llvm.sadd.sat": ("add", "lt", "lt", "sel.nez",
    "sel.nez"), "llvm.ssub.sat": ("sub", "lt", "lt", "sel.nez", "sel.nez"), "llvm.copysign": ("and", "and", "or"),
    "llvm.scmp": ("lt", "lt", "sub"), "llvm.ucmp": ("ltu", "ltu", "sub"), "llvm.bitreverse": ("lshl", "and", "or") *
    4, "llvm.is.fpclass": ("and", "lt"),
}  # fmt: skip
_ROUTINES = {"llvm.maxnum": "fmaxf", "llvm.minnum": "fminf", "llvm.maximum": "fmaxf", "llvm.minimum": "fminf"}
_SUFFIX = (".f32", ".f64", ".bf16", ".i")


class ScalarSelection:
    """Emits what is no operation of the API and no access to memory."""

    def __init__(self, emitter: Emitter) -> None:
        self.out = emitter

    def select(self, i: Instruction) -> None:
        code = i.opcode
        if any(t.startswith("<") and kinds.bits(t) >= 128 for t in (i.type, *i.types)):
            self.on_vectors(i)
        elif code in _ALU or code == "mul":
            self.arithmetic(i)
        elif code in _DIVISION:
            self.divide(i)
        elif code == "icmp":
            self.compare(i)
        elif code == "select":
            self.plain("sel.nez", i)
        elif code in ("zext", "sext"):
            self.extend(i)
        elif code in ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "fpext", "fptrunc", *_CONVERT):
            self.floating(i)
        elif code == "call":
            self.call(i)
        elif code in ("extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue"):
            self.plain("mov", i)

    def plain(self, name: str, i: Instruction, uses: tuple[str, ...] | None = None) -> None:
        given = tuple(self.out.scalar(v) for v in i.operands) if uses is None else uses
        self.out.add(name, (i.result,), given)

    def steps(self, names: tuple[str, ...], result: str, uses: tuple[str, ...]) -> None:
        """Operations one after the other, each on what the one before made."""
        held: tuple[str, ...] = uses
        for n, name in enumerate(names):
            made = result if n == len(names) - 1 else self.out.temporary()
            self.out.add(name, (made,), held)
            held = (made, *uses[:1])

    def routine(self, name: str, i: Instruction, result: str = "") -> None:
        uses = tuple(self.out.scalar(v) for v in i.operands)
        made = (result or i.result,) if i.result or result else ()
        self.out.add("jl", made, uses, call=routine(name))

    # --- integers -----------------------------------------------------------------------------------------------------

    def arithmetic(self, i: Instruction) -> None:
        if kinds.bits(i.type) <= 32:
            self.plain(_ALU.get(i.opcode, "mul"), i)
        elif i.opcode in ("add", "sub"):
            self.steps((i.opcode, {"add": "adc", "sub": "sbc"}[i.opcode]), i.result, self._given(i))
        elif i.opcode in ("and", "or", "xor"):
            self.steps((i.opcode, i.opcode), i.result, self._given(i))
        elif i.opcode != "mul" and (amount := integer(i.operands[1])) is not None:
            if amount % 32:
                self.steps(("ashl", "lshl", "or"), i.result, self._given(i))
            else:
                self.plain("mov", i)  # of one half to the other
        else:
            self.routine(_WIDE[i.opcode], i)

    def _given(self, i: Instruction) -> tuple[str, ...]:
        return tuple(self.out.scalar(v) for v in i.operands)

    def divide(self, i: Instruction) -> None:
        self.routine(_DIVISION[i.opcode] if kinds.bits(i.type) <= 32 else _WIDE[i.opcode], i)

    def compare(self, i: Instruction) -> None:
        wide = kinds.bits(i.types[0]) > 32
        zero = integer(i.operands[1]) == 0 and i.what in ("eq", "ne")
        if wide:
            name = ("or", "eqz" if i.what == "eq" else "nez") if zero else ("ltu", "eq", _COMPARE[i.what])
            self.steps(name, i.result, self._given(i))
            return
        uses = tuple(self._widened(v, t, i.what) for v, t in zip(i.operands, i.types, strict=True))
        self.plain({"eq": "eqz", "ne": "nez"}[i.what] if zero else _COMPARE[i.what], i, uses)

    def _widened(self, value: str, type_: str, predicate: str) -> str:
        """A narrow number as the comparison needs it: the register's other bits count as well."""
        held = self.out.scalar(value)
        made = self.out.code.definitions.get(value)
        if type_ not in ("i8", "i16") or made is None or made.opcode in ("load", "zext", "sext", "phi", "call"):
            return held
        wide = self.out.temporary()
        sign = "s" if predicate.startswith("s") else "u"
        self.out.add(f"ext.{sign}{type_[1:]}", (wide,), (held,))
        return wide

    def extend(self, i: Instruction) -> None:
        """A load extends by itself, and so do comparisons."""
        made = self.out.code.definitions.get(i.operands[0])
        of, held = i.types[0], self.out.scalar(i.operands[0])
        if of == "i1" and i.opcode == "sext":
            self.out.add("sub", (i.result,), (held,))
        elif of in ("i8", "i16") and (made is None or made.opcode not in ("load", "call")):
            self.out.add(f"ext.{'s' if i.opcode == 'sext' else 'u'}{of[1:]}", (i.result,), (held,))
        else:
            self.out.registers.alias(i.result, i.operands[0])

    # --- floats -------------------------------------------------------------------------------------------------------

    def floating(self, i: Instruction) -> None:
        code = i.opcode
        if "double" in (i.type, *i.types):
            self.double(i)
        elif code in ("fadd", "fsub"):
            self.add(i)
        elif code == "fcmp":
            self.compare_floats(i)
        elif code == "fneg":
            self.plain("xor", i)
        elif code == "fpext":
            self.plain("ashl", i)
        elif code == "fptrunc":
            self.narrow(i)
        elif code in _CONVERT:
            self.convert(i)
        else:
            self.by_routine(i, _FLOAT[code])

    def double(self, i: Instruction) -> None:
        name = _DOUBLE.get(i.opcode) or _CONVERT_DOUBLE.get(i.opcode, "__cmpdf2")
        if i.opcode == "fneg":
            self.plain("xor", i)
        else:
            self.routine(name, i)

    def by_routine(self, i: Instruction, name: str) -> None:
        """In 32 bits; of bfloat16 the result is narrowed."""
        if i.type != "bfloat":
            self.routine(name, i)
            return
        wide = self.out.temporary()
        self.routine(name, i, wide)
        self.narrowed(i.result, wide)

    def add(self, i: Instruction) -> None:
        """On the vector unit: elements inserted, the accumulators' adder, the sum extracted."""
        moved = []
        for value in i.operands:
            vector, accumulator = self.out.temporary(), self.out.temporary()
            self.out.add("vinsert", (vector,), ("", self.out.scalar(value)))
            self.out.add("vmov.to.bm", (accumulator,), (vector,))
            moved.append(accumulator)
        total = self.out.temporary()
        self.out.add("vsub.f" if i.opcode == "fsub" else "vadd.f", (total,), moved)
        if i.type == "bfloat":
            self.narrowed_sum(i.result, total)
        elif self._only_narrowed(i.result):
            self.out.registers.rename(f"{i.result} sum", total)
        else:
            vector = self.out.temporary()
            self.out.add("vmov.from.bm", (vector,), (total,))
            self.out.add("vextract", (i.result,), (vector,))

    def _only_narrowed(self, value: str) -> bool:
        users = self.out.code.users.get(value, [])
        return len(users) == 1 and users[0][1].opcode == "fptrunc" and users[0][1].type == "bfloat"

    def narrow(self, i: Instruction) -> None:
        made = self.out.code.definitions.get(i.operands[0])
        if made is not None and made.opcode in ("fadd", "fsub") and self._only_narrowed(i.operands[0]):
            self.narrowed_sum(i.result, self.out.registers.names(f"{i.operands[0]} sum")[0])
        else:
            self.narrowed(i.result, self.out.scalar(i.operands[0]))

    def narrowed(self, result: str, value: str) -> None:
        vector, accumulator = self.out.temporary(), self.out.temporary()
        self.out.add("vinsert", (vector,), ("", value))
        self.out.add("vmov.to.bm", (accumulator,), (vector,))
        self.narrowed_sum(result, accumulator)

    def narrowed_sum(self, result: str, accumulator: str) -> None:
        vector = self.out.temporary()
        self.out.add("vconv.bf16.fp32", (vector,), (accumulator,))
        self.out.add("vextract", (result,), (vector,))

    def compare_floats(self, i: Instruction) -> None:
        """Of bfloat16 by a comparison of vectors (twice for equality), of 32 bits by a routine."""
        if "bfloat" not in i.types:
            self.out.add("jl", (i.result,), self._given(i), call=routine("__cmpsf2"))
            return
        vectors = []
        for value in i.operands:
            made = self.out.temporary()
            self.out.add("vinsert", (made,), ("", self.out.scalar(value)))
            vectors.append(made)
        found = []
        for pair in (vectors, vectors[::-1])[: 2 if i.what[1:] in ("eq", "ne") else 1]:
            found.append(self.out.temporary())
            self.out.add("vge" if i.what[1:] in ("ge", "le") else "vlt", (found[-1],), pair)
        self.out.add("and", (i.result,), found)

    def convert(self, i: Instruction) -> None:
        if "bfloat" not in (i.type, *i.types):
            self.routine(_CONVERT[i.opcode], i)
        elif i.type == "bfloat":
            wide = self.out.temporary()
            self.routine(_CONVERT[i.opcode], i, wide)
            self.narrowed(i.result, wide)
        else:
            self.routine(_CONVERT[i.opcode], i)

    # --- calls --------------------------------------------------------------------------------------------------------

    def call(self, i: Instruction) -> None:
        name = i.what
        if name.startswith("llvm."):
            self.intrinsic(i)
        else:
            self.routine(name, i)

    def intrinsic(self, i: Instruction) -> None:
        base = i.what
        for suffix in _SUFFIX:
            base = base.partition(suffix)[0]
        if base in _INTRINSICS:
            self.steps(_INTRINSICS[base], i.result, self._given(i))
        elif base == "llvm.fmuladd" or base == "llvm.fma":
            product = self.out.temporary()
            self.routine("__mulsf3", i, product)
            self.add(Instruction("fadd", i.result, i.type, (i.operands[2], i.operands[2]), place=i.place))
        elif base.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            uses = tuple(self.out.scalar(v) for v in i.operands[:3])
            self.out.add("jl", (), uses, call=block_move(base[5:].partition(".")[0], integer(i.operands[2])))
        elif base in _ROUTINES:
            self.routine(_ROUTINES[base], i)
        elif i.result:
            name = f"{base[5:]}f"
            if is_known(name):
                self.routine(name, i)
            else:
                self.plain("mov", i)

    # --- arithmetic of the language on vectors ------------------------------------------------------------------------

    def on_vectors(self, i: Instruction) -> None:
        """What the compiler itself makes of vectors: one operation for each register."""
        name = _VECTOR.get(i.opcode, "vshuffle")
        if i.opcode == "extractelement":
            name = "vextract"
        elif i.opcode == "insertelement":
            name = "vinsert"
        vectors = [self.out.names(v, vector=True) if t.startswith("<") else self.out.names(v)
                   for v, t in zip(i.operands, i.types, strict=False)]  # fmt: skip
        for n, made in enumerate(self.out.registers.names(i.result)):
            uses = [names[min(n, len(names) - 1)] for names in vectors]
            self.out.add(name, (made,), uses[1:] + uses[:1] if i.opcode == "select" else uses)
