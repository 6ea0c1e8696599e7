"""The candidate's IR, as clang made it for 32-bit x86, rewritten for WebAssembly: text in, text out.

- operations (declared in namespace kbaie) become calls of the runtime, operands and result passed in memory;
- loads and stores are preceded by a check, unless they plainly hit the function's own stack frame;
- each basic block counts how often it ran;
- bfloat, which WebAssembly lacks, becomes i16 and arithmetic in float, rounded as the control state says at run time;
- what is undefined in C++ and would merely trap (division by zero, code that cannot be reached) fails with its line.

Layouts agree between the two targets: pointers have 32 bits in both, and clang aligns 64-bit members to 8 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from kbench.backends.aie.sim.bfloat import Bfloat, as_integers, value_as_integer
from kbench.backends.aie.sim.ir import (
    CALL,
    Function,
    Module,
    Places,
    Types,
    arguments,
    parse,
    result_type,
    split,
    type_at,
)
from kbench.core.errors import CompileError
from kbench.core.record import Finding

HEADER = (
    'target datalayout = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"\n'
    'target triple = "wasm32-unknown-unknown"\n'
)
#: Where the counters, their copies at the events and the table of globals are, by their names in the module.
COUNTS, MARKS, GLOBALS = "kb_counts", "kb_marks", "kb_globals"
#: What lies at address 0, so that nothing of the kernel's does.
NULL = "kb_null"
_NULL_BYTES = 1024
_OPERATION = re.compile(r"_ZN5kbaie(\d+)")
#: Bytes of program memory that an instruction takes at least: a bundle of 16 bytes holds six.
_BUNDLE_BYTES, _BUNDLE_SLOTS = 16, 6


@dataclass(frozen=True)
class Site:
    """Where the program calls event0 or event1: the block's counter, how many such calls stand before it there, and the
    line, where that is the candidate's."""

    block: int
    before: int
    place: int


@dataclass
class Lowered:
    """The new text, and what the machine must know about it. `places` are (file, line), index 0 is none; `blocks` gives
    the place of each block's counter, `labels` its function and label (empty: the function's first block); `functions`,
    `operations` and `externals` the places of symbols: what is defined, which operations are used, what else must come
    from elsewhere. `sites` are the calls of event0 and event1. `undefined`: some value is left to the compiler."""

    ir: str = ""
    places: list[tuple[str, int]] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    functions: dict[str, int] = field(default_factory=dict)
    operations: dict[str, int] = field(default_factory=dict)
    externals: dict[str, int] = field(default_factory=dict)
    global_bytes: int = 0
    global_count: int = 0
    program_bytes: int = 0
    undefined: bool = False


def lower(text: str, entry: str, own: Collection[str]) -> Lowered:
    """The lowered module of an entry function and all that it needs.

    Raises:
        CompileError: the source uses what the device's language does not have.
    """
    module = parse(text)
    return _Lowering(module, entry, own).run()


_META = re.compile(r", ![\w.]+ !\d+")
_GROUP = re.compile(r" #\d+(?=$|[ ,])")
_DBG = re.compile(r"!dbg !(\d+)")
_LABEL = re.compile(r'^(?:"[^"]+"|[\w.$-]+):')
_LOAD = re.compile(r"^(  %\S+ = load (?:atomic )?(?:volatile )?)(.+?), ptr (.+?)((?: [a-z_]+)?(?:, align \d+)?)$")
_STORE = re.compile(r"^  store (?:atomic )?(?:volatile )?(.+)$")
_POINTER = re.compile(r"ptr (.+?)(?: [a-z_]+)?$")
_ALLOCA = re.compile(r"^  (%\S+) = alloca (.+?)(?:, align \d+)?$")
_GEP = re.compile(r"^  (%\S+) = getelementptr (?:[a-z]+ )*i8, ptr (%\S+), i32 (-?\d+)$")
_DIVISION = re.compile(r"^  (%\S+) = ([su])(div|rem) (?:exact )?(i\d+) (.+), (\S+)$")
_ALIGN = re.compile(r", align (\d+)$")
_DROPPED = re.compile(
    r"@llvm\.(?:lifetime\.|experimental\.noalias|assume|dbg\.|donothing|invariant\.|prefetch|sideeffect|var\.annotation)"
)
_NO_BYTES = re.compile(r"= (?:phi|getelementptr|bitcast|inttoptr|ptrtoint|freeze|alloca) ")
_UNDEFINED = re.compile(r"^(?!.* (?:insertelement|shufflevector) ).*\bundef\b(?!\w)")
_RESERVED = re.compile(r"kbrt_|kb[_.]|_ZNK?4kbrt")
_LINKAGE = re.compile(
    r"\b(?:private|internal|linkonce|linkonce_odr|weak|weak_odr|available_externally|common"
    r"|dso_local|hidden|protected) "
)


class _Lowering:
    def __init__(self, module: Module, entry: str, own: Collection[str]) -> None:
        self.module = module
        self.types = Types(module.types)
        self.places = Places(module.metadata, own)
        self.entry = entry
        self.out = Lowered()
        self.descs: dict[str, str] = {}
        self.arguments: dict[int, str] = {}
        self.slots: dict[str, int] = {}  # scratch of each operand and of the result, in bytes
        self.declared: dict[str, str] = {}  # of the runtime and of intrinsics that the new code calls
        self.serial = self.instructions = 0

    def run(self) -> Lowered:
        self.refuse_reserved()
        roots = [self.entry, *(n for n in self.module.globals if n == "llvm.global_ctors")]
        needed = self.module.reachable(roots)
        functions = [line for f in self.module.functions.values() if f.name in needed for line in self.function(f)]
        globals_ = [self.global_(name) for name in self.module.globals if name in needed]
        declarations = [self.declaration(n) for n in self.module.declarations if n in needed]
        types = [f"{n} = type {as_integers(t)}" for n, t in self.module.types.items()]
        types.append(f"@{NULL} = hidden global [{_NULL_BYTES} x i8] zeroinitializer, align 64")
        parts = [types, globals_, self.tables(needed), functions, declarations, self.declared.values()]
        self.out.ir = HEADER + "\n".join(line for part in parts for line in part if line) + "\n"
        self.out.places = self.places.table
        self.out.program_bytes = -(-self.instructions // _BUNDLE_SLOTS) * _BUNDLE_BYTES
        return self.out

    def refuse_reserved(self) -> None:
        """No candidate names what is the runtime's: it would meet the calls that are put in here."""
        for name in (*self.module.functions, *self.module.globals, *self.module.declarations):
            if _RESERVED.match(name):
                found = self.module.functions.get(name)
                place = self.place_of(found.header) if found else 0
                raise self.error(
                    place, f"names {name}, which belongs to the simulator's runtime", "forbidden_symbol", name
                )

    # --- globals and declarations -------------------------------------------------------------------------------------

    def global_(self, name: str) -> str:
        line = _META.sub("", self.module.globals[name])
        left, _, right = line.partition(" = ")
        if name.startswith("llvm."):
            return line if name == "llvm.global_ctors" else ""
        right = re.sub(r", comdat(?:\([^)]*\))?", "", right)
        if not re.match(r"(?:[a-z_]+ )*external ", right):
            right = f"internal {_LINKAGE.sub('', right)}"
        else:
            self.external(name, 0)
        return f"{left} = {as_integers(right)}"

    def tables(self, needed: Collection[str]) -> list[str]:
        """Counters, scratch, descriptors, and the candidate's globals with their sizes for the checks."""
        regions = []
        for name in self.module.globals:
            found = re.search(r"\b(global|constant) (.*)$", self.module.globals[name])
            if name in needed and found and not name.startswith("llvm."):
                size = self.types.size(type_at(found[2])[0])
                self.out.global_bytes += size
                self.out.global_count += 1
                regions.append(f"{{ ptr, i32, i32 }} {{ ptr @{name}, i32 {size}, i32 {int(found[1] == 'global')} }}")
        slots = [f"@{name} = internal global [{size} x i8] undef, align 16" for name, size in self.slots.items()]
        counts = f"[{max(1, len(self.out.blocks))} x i64]"
        marks = [f"@{MARKS} = hidden global [2 x {{ i64, {counts} }}] zeroinitializer, align 8"]
        return [
            f"@{COUNTS} = hidden global {counts} zeroinitializer, align 8",
            *(marks if self.out.sites else ()),
            f"@{GLOBALS} = hidden constant [{len(regions)} x {{ ptr, i32, i32 }}] [{', '.join(regions)}], align 4",
            *slots,
            *self.arguments.values(),
            *(f"{name} = internal constant {text}, align 4" for text, name in self.descs.items()),
        ]

    def declaration(self, name: str) -> str:
        if _OPERATION.match(name) or _DROPPED.match(f"@{name}") or (name.startswith("llvm.") and ".bf16" in name):
            return ""
        line = self.module.declarations[name]
        if not name.startswith("llvm."):
            self.external(name, 0)
        return as_integers(re.sub(r"^declare (?:!dbg !\d+ )?", "declare ", _GROUP.sub("", line)))

    def external(self, name: str, place: int) -> None:
        self.out.externals[name] = self.out.externals.get(name) or place

    def runtime(self, name: str, declaration: str) -> str:
        """Declares a function of the runtime, or an intrinsic, that new code calls."""
        if name not in self.module.declarations:
            self.declared[name] = declaration
        return f"@{name}"

    # --- functions ----------------------------------------------------------------------------------------------------

    def function(self, function: Function) -> Iterator[str]:
        self.place = next((place for line in (function.header, *function.body) if (place := self.place_of(line))), 0)
        self.out.functions[function.name] = self.place
        self.frames: dict[str, tuple[int, int]] = {}  # pointer → (bytes of its alloca, offset)
        self.function_name = function.name
        yield self.header(function)
        if not any(_LABEL.match(line) for line in function.body[:1]):
            self.open_block("")
        self.stack = any(" alloca " in line for line in function.body)
        for line in function.body:
            if not line or line.lstrip().startswith(";"):
                continue
            if (label := _LABEL.match(line)) is not None:
                yield line.partition(";")[0].rstrip()
                self.open_block(label[0][:-1])
                continue
            yield from self.instruction(line)
        yield "}"

    def place_of(self, line: str) -> int:
        dbg = _DBG.search(line) if "!dbg" in line else None
        return self.places.of(f"!{dbg[1]}") if dbg else 0

    def header(self, function: Function) -> str:
        line = _GROUP.sub("", re.sub(r"!dbg !\d+ ", "", function.header))
        line = re.sub(r" (?:comdat|section \"[^\"]*\"|align \d+|personality .*)(?= )", "", line)
        line = _LINKAGE.sub("", line)
        kind = "" if function.name == self.entry else "internal "
        return as_integers(line.replace("define ", f"define {kind}", 1))

    def open_block(self, label: str) -> None:
        self.block = len(self.out.blocks)
        self.out.blocks.append(0)
        self.out.labels.append((self.function_name, label))
        self.counted = False

    def instruction(self, line: str) -> Iterator[str]:
        place = self.place_of(line)
        line = _GROUP.sub("", _META.sub("", line)) if "!" in line or "#" in line else line
        is_phi = " = phi " in line
        if place and not self.out.blocks[self.block] and not is_phi:
            self.out.blocks[self.block] = place
        if not _NO_BYTES.search(line):
            self.instructions += 1
        if "undef" in line and _UNDEFINED.search(line):
            self.out.undefined = True
        if not is_phi and " = alloca " not in line and not self.counted:
            self.counted = True
            yield from self.count()
        yield from self.rewritten(line, place)

    def count(self) -> Iterator[str]:
        at = f"getelementptr (i8, ptr @{COUNTS}, i32 {8 * self.block})"
        old, new = self.name(), self.name()
        yield f"  {old} = load i64, ptr {at}, align 8"
        yield f"  {new} = add i64 {old}, 1"
        yield f"  store i64 {new}, ptr {at}, align 8"
        if self.stack:
            self.stack = False
            check = self.runtime("kbrt_check_stack", "declare void @kbrt_check_stack(i32)")
            yield f"  call void {check}(i32 {self.place})"

    def name(self) -> str:
        self.serial += 1
        return f"%kb.{self.serial}"

    def rewritten(self, line: str, place: int) -> Iterator[str]:
        if (call := CALL.match(line)) is not None:
            yield from self.call(line, call[1] or "", call[2], place)
            return
        if (load := _LOAD.match(line)) is not None:
            yield from self.access("read", load[2], load[3], load[4], place)
        elif (store := _STORE.match(line)) is not None:
            value, to, *tail = split(store[1])
            pointer = _POINTER.match(to)
            assert pointer is not None
            yield from self.access("write", type_at(value)[0], pointer[1], ", ".join(["", *tail]), place)
        elif (alloca := _ALLOCA.match(line)) is not None:
            if "," not in alloca[2]:
                self.frames[alloca[1]] = (self.types.size(alloca[2]), 0)
        elif (gep := _GEP.match(line)) is not None and gep[2] in self.frames:
            size, offset = self.frames[gep[2]]
            self.frames[gep[1]] = (size, offset + int(gep[3]))
        elif (division := _DIVISION.match(line)) is not None:
            yield from self.division(line, division, place)
            return
        elif line == "  unreachable":
            yield f"  call void {self.runtime('kbrt_unreachable', 'declare void @kbrt_unreachable(i32)')}(i32 {place})"
        self.refuse(line, place)
        yield from Bfloat(self).lines(line) if "bfloat" in line else [line]

    def refuse(self, line: str, place: int) -> None:
        for word, what in (("half", "_Float16"), ("x86_fp80", "an 80-bit float"), ("fp128", "a 128-bit float")):
            if word in line and re.search(rf"(?<![%@\w.]){word}\b", line):
                raise self.error(place, f"{what} is no type of this device")
        if "addrspace(" in line:
            raise self.error(place, "an address space is no part of the language here")

    def error(self, place: int, message: str, outcome: str = "compile_error", api: str = "") -> CompileError:
        file, line = self.places.table[place]
        finding = Finding(severity="error", message=message, file=file, line=line, api=api)
        return CompileError(str(finding), outcome=outcome, findings=[finding], component="sim")

    # --- memory -------------------------------------------------------------------------------------------------------

    def access(self, kind: str, type_: str, pointer: str, tail: str, place: int) -> Iterator[str]:
        size = self.types.size(type_) if not type_.startswith("<") else _vector_bytes(self.types, type_)
        if self.own_frame(pointer, size):
            return
        found = _ALIGN.search(tail)
        yield self.check(kind, pointer, f"i32 {size}", found[1] if found else "1", place)

    def own_frame(self, pointer: str, size: int) -> bool:
        if pointer not in self.frames:
            return False
        whole, offset = self.frames[pointer]
        return offset >= 0 and offset + size <= whole

    def check(self, kind: str, pointer: str, size: str, align: str, place: int) -> str:
        name = f"kbrt_check_{kind}"
        self.runtime(name, f"declare void @{name}(ptr, i32, i32, i32)")
        return f"  call void @{name}(ptr {pointer}, {size}, i32 {align}, i32 {place})"

    def division(self, line: str, m: re.Match[str], place: int) -> Iterator[str]:
        """`m`: result, signed or not, div or rem, type, dividend, divisor."""
        result, sign, what, type_, a, by = m.groups()
        if not by.startswith("%"):
            yield line
            return
        wide = by
        if type_ != "i64":
            wide = self.name()
            yield f"  {wide} = zext {type_} {by} to i64"
        check = self.runtime("kbrt_check_div", "declare void @kbrt_check_div(i64, i32)")
        yield f"  call void {check}(i64 {wide}, i32 {place})"
        if sign == "u":
            yield line
            return
        # The least integer by -1: wraps on the device, traps in WebAssembly.
        one, safe, plain, negated = (self.name() for _ in range(4))
        yield f"  {one} = icmp eq {type_} {by}, -1"
        yield f"  {safe} = select i1 {one}, {type_} 1, {type_} {by}"
        if what == "rem":
            yield f"  {result} = srem {type_} {a}, {safe}"
            return
        yield f"  {plain} = sdiv {type_} {a}, {safe}"
        yield f"  {negated} = sub {type_} 0, {plain}"
        yield f"  {result} = select i1 {one}, {type_} {negated}, {type_} {plain}"

    # --- calls --------------------------------------------------------------------------------------------------------

    def call(self, line: str, result: str, rest: str, place: int) -> Iterator[str]:
        if _DROPPED.search(line):
            return
        self.refuse(line, place)
        found = re.search(r'([^@]*?)@("[^"]+"|[\w.$-]+)\(', rest)
        callee = found[2] if found else ""
        if found and (operation := _OPERATION.match(callee)):
            length = int(operation[1])
            name = callee[operation.end() :][:length]
            self.out.operations.setdefault(name, place)
            yield from self.operation(name, result, found[1], arguments(rest, found.end() - 1), place)
            return
        if callee.startswith("llvm.x86."):
            raise self.error(place, f"{callee[5:]} is an instruction of another processor")
        if callee.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            yield from self.block_move(callee, arguments(rest, rest.index("(", rest.index("@"))), place)
        elif callee and not callee.startswith("llvm.") and callee in self.module.declarations:
            self.external(callee, place)
        line = line.replace("= musttail call", "= call").replace("  musttail call", "  call")
        yield from Bfloat(self).lines(line) if "bfloat" in line else [line]

    def block_move(self, callee: str, arguments: list[tuple[str, str]], place: int) -> Iterator[str]:
        target, source, size = arguments[0][1], arguments[1][1], arguments[2]
        bytes_ = int(size[1]) if size[1].isdigit() else 1 << 40
        if size[0] == "i64":  # merged stores count in 64 bits, on any target
            narrow = size[1] if size[1].isdigit() else self.name()
            if narrow != size[1]:
                yield f"  {narrow} = trunc i64 {size[1]} to i32"
            size = ("i32", narrow)
        if not self.own_frame(target, bytes_):
            yield self.check("write", target, f"{size[0]} {size[1]}", "1", place)
        if not callee.startswith("llvm.memset") and not self.own_frame(source, bytes_):
            yield self.check("read", source, f"{size[0]} {size[1]}", "1", place)

    def operation(
        self, name: str, result: str, before: str, arguments: list[tuple[str, str]], place: int
    ) -> Iterator[str]:
        """The call of the runtime: operands into their scratch, then descriptor, result and operands by address."""
        if name == "event":
            yield self.mark(arguments[1][1], place)
            return
        if not arguments or not arguments[0][1].lstrip("-").isdigit():
            raise self.error(place, f"the types of {name} are not constant")
        kinds, operands = int(arguments[0][1]) & 0xFFFFFFFF, arguments[1:]
        type_ = result_type(before)
        ret = (0, 0) if type_ == "void" else self.types.lanes(type_)
        shapes = [self.types.lanes(t) for t, _ in operands]
        for i, ((operand, value), (lanes, bits)) in enumerate(zip(operands, shapes, strict=True)):
            slot = self.slot(f"kb.a{i}", lanes * ((bits + 7) // 8))
            if bits % 8:  # a truth value
                wide = self.name()
                yield f"  {wide} = zext {operand} {value} to i8"
                operand, value = "i8", wide
            yield f"  store {as_integers(operand)} {value_as_integer(value)}, ptr {slot}, align 16"
        slot = self.slot("kb.r", ret[0] * ((ret[1] + 7) // 8))
        runtime = self.runtime(f"kbrt_{name}", f"declare void @kbrt_{name}(ptr, ptr, ptr)")
        desc = self.desc(kinds, place, ret, shapes)
        yield f"  call void {runtime}(ptr {desc}, ptr {slot}, ptr {self.argument_list(len(operands))})"
        if type_ == "i1":
            wide = self.name()
            yield f"  {wide} = load i8, ptr {slot}, align 16"
            yield f"  {result} = trunc i8 {wide} to i1"
        elif result:
            yield f"  {result} = load {as_integers(type_)}, ptr {slot}, align 16"

    def mark(self, which: str, place: int) -> str:
        """The call that keeps, at the first event of its kind, what the counters say."""
        before = sum(site.block == self.block for site in self.out.sites)
        self.out.sites.append(Site(self.block, before, place))
        mark = self.runtime("kbrt_mark", "declare void @kbrt_mark(ptr, i32, i32, ptr)")
        return f"  call void {mark}(ptr @{MARKS}, i32 {which}, i32 {len(self.out.sites)}, ptr @{COUNTS})"

    def slot(self, name: str, size: int) -> str:
        self.slots[name] = max(self.slots.get(name, 16), size)
        return f"@{name}"

    def argument_list(self, count: int) -> str:
        if count not in self.arguments:
            for i in range(count):
                self.slot(f"kb.a{i}", 16)
            pointers = ", ".join(f"ptr @kb.a{i}" for i in range(count))
            text = f"[{count} x ptr] [{pointers}]"
            self.arguments[count] = f"@kb.args{count} = internal constant {text}, align 4"
        return f"@kb.args{count}"

    def desc(self, kinds: int, place: int, ret: tuple[int, int], shapes: list[tuple[int, int]]) -> str:
        words = [kinds, place, len(shapes), *ret, *(n for shape in shapes for n in shape)]
        text = f"[{len(words)} x i32] [{', '.join(f'i32 {w}' for w in words)}]"
        return self.descs.setdefault(text, f"@kb.desc{len(self.descs)}")


def _vector_bytes(types: Types, type_: str) -> int:
    """Bytes that a load of a vector touches: without the padding of odd lengths."""
    lanes, bits = types.lanes(type_)
    return (lanes * bits + 7) // 8
