"""Single faults that can be put into an AscendC kernel's source: where they can go, and what text they change.

`sites(text)` reads a kernel file without a compiler: comments, strings and preprocessor lines are blanked, function
bodies are split into statements, and each statement offers the edits of eleven kinds (KINDS), and of twelve more that
concern synchronisation alone (SYNC_KINDS). Only statements inside functions
offer any, so that a trap in front of a statement tells whether it is ever executed (`trapped`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

_UNARY = "Abs Exp Ln Sqrt Rsqrt Reciprocal Relu Not"
_BINARY = (
    "Add Sub Mul Div Max Min And Or AddRelu SubRelu AddReluCast SubReluCast MulCast MulAddDst FusedMulAdd "
    "FusedMulAddRelu MulAddRelu AddDeqRelu"
)
_SCALAR = "Adds Muls Maxs Mins ShiftLeft ShiftRight LeakyRelu Axpy"
_REDUCE = (
    "ReduceSum ReduceMax ReduceMin WholeReduceSum WholeReduceMax WholeReduceMin BlockReduceSum BlockReduceMax "
    "BlockReduceMin PairReduceSum RepeatReduceSum ReduceRepeat ReduceDataBlock ReducePairElem"
)
_OTHER = (
    "Cast Duplicate Compare CompareScalar Compares Select Gather Gatherb GatherMask Brcb CreateVecIndex "
    "ArithProgression Transpose Copy Sort32 MrgSort CastDeq CastDequant"
)
_COPIES = frozenset(("DataCopy", "DataCopyPad"))
_VECTOR = frozenset(f"{_UNARY} {_BINARY} {_SCALAR} {_REDUCE} {_OTHER}".split())
_ORDERED = frozenset(("Sub", "Div", "SubRelu", "SubReluCast", "Compare", "FusedMulAdd", "MulAddRelu"))
_SYNC = frozenset((
    "SyncAll", "EnQue", "SetFlag", "WaitFlag", "CrossCoreSetFlag", "CrossCoreWaitFlag", "IBSet", "IBWait",
    "WaitPreBlock", "NotifyNextBlock",
))  # fmt: skip
_OTHER_TYPE = {  # of another width, or a size would not change
    "float": "half", "half": "float", "bfloat16_t": "float", "int32_t": "int16_t", "uint32_t": "uint16_t",
    "int16_t": "int32_t", "uint16_t": "uint32_t", "int64_t": "int32_t", "uint8_t": "uint16_t", "int8_t": "int16_t",
}  # fmt: skip
_OTHER_ROUNDING = {
    "NONE": ("FLOOR", "CEIL", "TRUNC"), "RINT": ("FLOOR", "CEIL", "TRUNC"), "ROUND": ("FLOOR", "CEIL", "TRUNC"),
    "FLOOR": ("CEIL", "ROUND"), "CEIL": ("FLOOR", "ROUND"), "TRUNC": ("CEIL", "FLOOR"), "ODD": ("FLOOR", "CEIL"),
}  # fmt: skip
_OTHER_COMPARE = {"LT": "GE", "GT": "LE", "EQ": "NE", "LE": "GT", "GE": "LT", "NE": "EQ"}


HIT = "kbench-hit"  # what a probe prints


@dataclass(frozen=True, order=True)
class Edit:
    """Text from `start` to `end` becomes `text`; `at` is where the statement starts, `what` names the variant."""

    kind: str
    what: str
    at: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


def trapped(source: str, edit: Edit) -> str:
    """The source with a trap in front of the edit's statement: a run that still ends never executes it."""
    return source[: edit.at] + "__builtin_trap(); " + source[edit.at :]


def probed(source: str, places: Iterable[int], name: str) -> str:
    """The source, which prints `HIT name place` when it comes to one of these statements for the first time."""
    for at in sorted(places, reverse=True):
        probe = f'{{ static bool kbSeen; if (!kbSeen) {{ kbSeen = true; AscendC::printf("{HIT} {name} {at}\\n"); }} }} '
        source = source[:at] + probe + source[at:]
    return source


@dataclass(frozen=True)
class Span:
    """A piece of the source: its offset and text."""

    at: int
    text: str

    @property
    def end(self) -> int:
        return self.at + len(self.text)

    def stripped(self) -> Span:
        left = len(self.text) - len(self.text.lstrip())
        return Span(self.at + left, self.text.strip())


@dataclass(frozen=True)
class Call:
    """One call: its name, template arguments, and arguments."""

    name: str
    at: int
    template: str
    arguments: tuple[Span, ...]


# --- reading the source ----------------------------------------------------------------------------------------------

_NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*",
    re.DOTALL | re.MULTILINE,
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(<[^;(){}]*?>)?\s*\(")
_TYPE_HEAD = re.compile(r"\b(class|struct|namespace|enum|union)\b")
_TEMPLATE = re.compile(r"\btemplate\s*<[^{};]*?>\s*(?=[\w_])")
_NO_START = re.compile(r"(else|case|default|public|private|protected|using|typedef|static_assert|break|continue)\b|\}")


def blanked(source: str) -> str:
    """The source with comments, strings and preprocessor lines as spaces: every offset stays."""
    return _NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)


def closing(code: str, at: int) -> int:
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0:
            return i
    return len(code)


def bodies(code: str) -> Iterator[tuple[int, int]]:
    """The inside of every function body: a brace after a parameter list that opens no type or namespace."""
    head = i = 0
    while i < len(code):
        if code[i] in ";}":
            head = i + 1
        elif code[i] == "(":
            i = closing(code, i)
        elif code[i] == "{":
            before = _TEMPLATE.sub("", code[head:i])
            if "(" in before and not _TYPE_HEAD.search(before):
                end = closing(code, i)
                yield i + 1, end
                i = end
            head = i + 1
        i += 1


def statements(code: str, start: int, end: int) -> Iterator[Span]:
    """The statements of a body, those of nested blocks too; a block's head is a statement of its own."""
    at = i = start
    while i < end:
        if code[i] in "([" or (code[i] == "{" and _initializes(code[at:i])):
            i = closing(code, i)
        elif code[i] in ";{}":
            yield Span(at, code[at:i]).stripped()
            at = i + 1
        i += 1


def _initializes(before: str) -> bool:
    text = before.rstrip()
    return bool(text) and (text[-1].isalnum() or text[-1] in "_=>,") and text.split()[-1] not in ("else", "do", "try")


def calls(span: Span) -> Iterator[Call]:
    """Every call in a statement, nested ones too."""
    for m in _CALL.finditer(span.text):
        open_ = m.end() - 1
        close = closing(span.text, open_)
        inside = Span(span.at + open_ + 1, span.text[open_ + 1 : close])
        yield Call(m[1], span.at + m.start(), m[2] or "", tuple(pieces(inside)))


def pieces(inside: Span) -> Iterator[Span]:
    """The parts between commas."""
    depth, first = 0, 0
    for i, char in enumerate(inside.text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            yield Span(inside.at + first, inside.text[first:i]).stripped()
            first = i + 1
    if inside.text.strip():
        yield Span(inside.at + first, inside.text[first:]).stripped()


# --- what a statement offers -----------------------------------------------------------------------------------------
# Every function takes a statement and the file's blanked text.

Found = Iterator[tuple[str, Span, str]]  # variant, the piece that changes, its new text


def _wrapped(piece: Span, change: str) -> str:
    return f"({piece.text}) {change}"


def _plain(piece: Span) -> bool:
    """An arithmetic expression, as opposed to parameters in a structure, a flag, or an array."""
    if re.search(r"[Pp]aram|^\{|^(true|false)$|^&|PLACEHOLDER", piece.text):
        return False
    return bool(piece.text)


def _structure(piece: Span, code: str) -> bool:
    """A variable that is declared as a structure of parameters, whatever its name."""
    declared = rf"Params\w*\s*(?:<[^;(){{}}]*>)?\s*&?\s*{piece.text}\b"
    return re.fullmatch(r"\w+", piece.text) is not None and re.search(declared, code) is not None


def _array(piece: Span, code: str) -> bool:
    return re.fullmatch(r"\w+", piece.text) is not None and re.search(rf"\b{piece.text}\s*\[", code) is not None


def _params(piece: Span) -> bool:
    return bool(re.search(r"^\{|[Pp]aram", piece.text))


def _tail(s: Span, code: str) -> Found:
    for call in calls(s):
        if call.name not in _VECTOR | _COPIES or len(call.arguments) < 3:
            continue
        last = call.arguments[-1]
        if _plain(last) and not _structure(last, code):
            yield f"{'copy' if call.name in _COPIES else 'count'} - 1", last, _wrapped(last, "- 1")
    for fields in _fields(s, r"DataCopy(?:Ext)?Params"):
        if len(fields) >= 2:
            yield "block length - 1", fields[1], _wrapped(fields[1], "- 1")
    for value in _assigned(s, r"blockLen"):
        yield "block length - 1", value, _wrapped(value, "- 1")


def _fields(s: Span, names: str) -> Iterator[tuple[Span, ...]]:
    """The components of every structure of this type that the statement writes down."""
    for m in re.finditer(rf"\b(?:{names})\b\s*\w*\s*(?==?\s*[{{(])=?\s*([{{(])", s.text):
        open_ = m.end() - 1
        inside = Span(s.at + open_ + 1, s.text[open_ + 1 : closing(s.text, open_)])
        yield tuple(pieces(inside))


def _assigned(s: Span, field: str) -> Iterator[Span]:
    m = re.match(rf"[\w.\->\[\]]*[.>](?:{field})\s*=(?!=)", s.text)
    if m:
        yield Span(s.at + m.end(), s.text[m.end() :]).stripped()


def _lanes(s: Span, code: str) -> Found:
    for call in calls(s):
        if call.name not in _VECTOR or len(call.arguments) < 4:
            continue
        arguments = call.arguments
        if call.name in _REDUCE.split() and len(arguments) >= 6:
            names = ("mask", "repeat", "dst stride", "block stride", "repeat stride")
            once = "1" in (arguments[2].text, arguments[3].text)
            for name, piece in zip(names, arguments[2:], strict=False):
                if _plain(piece) and not _array(piece, code) and not (once and name in ("dst stride", "repeat stride")):
                    yield name, piece, _wrapped(piece, "+ 1" if "stride" in name else "- 1")
        elif _params(arguments[-1]) and len(arguments) >= 5:
            if _plain(arguments[-3]) and not _array(arguments[-3], code):
                yield "mask", arguments[-3], _wrapped(arguments[-3], "- 1")
            if _plain(arguments[-2]):
                yield "repeat", arguments[-2], _wrapped(arguments[-2], "- 1")
            if arguments[-1].text.startswith("{"):
                once = arguments[-2].text.strip() == "1"
                inside = Span(arguments[-1].at + 1, arguments[-1].text[1:-1])
                yield from _strides(tuple(pieces(inside)), once)
    for fields in _fields(s, r"UnaryRepeatParams|BinaryRepeatParams|CopyRepeatParams"):
        yield from _strides(fields, once=False)
    for value in _assigned(s, r"(?:dst|src|src0|src1)(?:Blk|Rep)Stride"):
        yield "stride", value, _wrapped(value, "+ 1")
    for call in calls(s):
        if call.name == "SetVectorMask" and call.arguments:
            last = call.arguments[-1]
            yield "mask register", last, f"({last.text}) >> 1"


def _strides(fields: tuple[Span, ...], once: bool) -> Found:
    kept = fields[: len(fields) // 2] if once else fields  # with one repeat, strides between repeats say nothing
    for piece in kept:
        yield "stride", piece, _wrapped(piece, "+ 1")


def _rounding(s: Span, code: str) -> Found:
    """A mode only where it matters more than a unit in the last place: casts to integers, casts that already round
    one way on purpose, and exact casts, which take no mode."""
    for call in calls(s):
        m = (
            re.search(r"\bCAST_(\w+)$", call.arguments[2].text)
            if call.name == "Cast" and len(call.arguments) > 2
            else None
        )
        if not m or not (m[1] in ("FLOOR", "CEIL", "TRUNC") or _one_way(call, code)):
            continue
        at = call.arguments[2].at + m.start(1)
        for other in _OTHER_ROUNDING.get(m[1], ()):
            yield f"{m[1]} to {other}", Span(at, m[1]), other


def _one_way(call: Call, code: str) -> bool:
    to, from_ = (_element_type(piece.text, code) for piece in call.arguments[:2])
    return "int" in to or (to == "float" and from_ in ("half", "bfloat16_t", "int16_t"))


def _element_type(tensor: str, code: str) -> str:
    """What the file declares the elements of this tensor to be; empty where it does not say, or says two things."""
    cast = re.search(r"ReinterpretCast<(\w+)>\(\)", tensor)
    name = re.match(r"(?:this->)?(\w+)", tensor)
    if cast or not name:
        return cast[1] if cast else ""
    declared = set(re.findall(rf"LocalTensor\s*<\s*(\w+)\s*>\s*&?\s*{name[1]}\b", code))
    return declared.pop() if len(declared) == 1 else ""


def _dtype(s: Span, code: str) -> Found:
    """One concrete type becomes another everywhere in the statement."""
    where = r"\b(ReinterpretCast|AllocTensor|DeQue|Get|LocalTensor|sizeof|SetVectorMask|Duplicate|Cast)"
    for type_ in dict.fromkeys(m[2] for m in re.finditer(rf"{where}\s*[<(]\s*(\w+)\s*[>,)]", s.text)):
        if type_ in _OTHER_TYPE:
            yield f"{type_} to {_OTHER_TYPE[type_]}", s, re.sub(rf"\b{type_}\b", _OTHER_TYPE[type_], s.text)


def _offset(s: Span, code: str) -> Found:
    for call in calls(s):
        if call.name in ("GetBlockIdx", "GetTaskRation"):
            whole = Span(call.at, "GetBlockIdx()") if call.name == "GetBlockIdx" else None
            if whole and s.text[call.at - s.at :].startswith("GetBlockIdx()"):
                yield "block index + 1", whole, "(GetBlockIdx() + 1)"
        elif call.name in ("GetValue", "SetValue") and call.arguments:
            yield "element + 1", call.arguments[0], _wrapped(call.arguments[0], "+ 1")
        elif call.name == "SetGlobalBuffer" and call.arguments and "+" in call.arguments[0].text:
            yield "global buffer + 1", call.arguments[0], _wrapped(call.arguments[0], "+ 1")
        elif call.name in _COPIES:
            for piece in call.arguments[:2]:
                m = re.search(r"\[(.*)\]$", piece.text, re.DOTALL)
                if m and m[1].strip():
                    inside = Span(piece.at + m.start(1), m[1])
                    yield "copy offset + 1", inside, _wrapped(inside, "+ 1")


def _operand(s: Span, code: str) -> Found:
    for call in calls(s):
        first = {"Select": 2}.get(call.name, 1)
        if (call.name in _ORDERED or call.name == "Select") and len(call.arguments) > first + 1:
            a, b = call.arguments[first], call.arguments[first + 1]
            if a.text != b.text:
                between = s.text[a.end - s.at : b.at - s.at]
                both = Span(a.at, s.text[a.at - s.at : b.end - s.at])
                yield f"{call.name} swapped", both, b.text + between + a.text
    for m in re.finditer(r"\bCMPMODE::(\w+)\b", s.text):
        if m[1] in _OTHER_COMPARE:
            yield "comparison flipped", Span(s.at + m.start(1), m[1]), _OTHER_COMPARE[m[1]]


def _alone(s: Span) -> Call | None:
    """The call that is the whole statement, whatever object it is a member of."""
    m = re.match(r"(?:AscendC::|this->)?(?:[\w\[\]]+(?:\.|->))*(?=[A-Za-z_]\w*\s*(?:<[^;(){}]*>)?\s*\()", s.text)
    if m is None:
        return None
    call = next((c for c in calls(s) if c.at == s.at + m.end()), None)
    open_ = s.text.find("(", m.end())
    return call if call and closing(s.text, open_) == len(s.text) - 1 else None


def _dropped(s: Span, code: str) -> Found:
    call = _alone(s)
    if call and call.name in _VECTOR:
        yield ("Cast" if call.name == "Cast" else "computation"), s, ""


def _sync(s: Span, code: str) -> Found:
    call = _alone(s)
    if call and call.name in _SYNC:
        yield call.name, s, ""


def _tile(s: Span, code: str) -> Found:
    for call in calls(s):
        if call.name == "InitBuffer" and len(call.arguments) >= 2:
            last = call.arguments[-1]
            yield "buffer of half the size", last, f"({last.text}) / 2"
    m = re.match(r"(?:this->)?\w*(?:[Tt]ile|ubFactor|[Pp]erLoop|chunk)\w*\s*=(?!=)", s.text)
    if m:
        value = Span(s.at + m.end(), s.text[m.end() :]).stripped()
        yield "tile doubled", value, _wrapped(value, "* 2")


def _bound(s: Span, code: str) -> Found:
    head = re.match(r"(for|if|while)\s*\(", s.text)
    if not head:
        return
    open_ = head.end() - 1
    inside = Span(s.at + open_ + 1, s.text[open_ + 1 : closing(s.text, open_)])
    if head[1] == "for":
        parts = inside.text.split(";")
        m = re.match(r"\s*\w+\s*(?:<=|<|!=)\s*(.+?)\s*$", parts[1], re.DOTALL) if len(parts) == 3 else None
        if m:
            bound = Span(inside.at + len(parts[0]) + 1 + m.start(1), m[1])
            yield "loop bound - 1", bound, _wrapped(bound, "- 1")
            yield "loop bound + 1", bound, _wrapped(bound, "+ 1")
    elif head[1] == "if" and inside.text.strip():
        yield "condition negated", inside, f"!({inside.text})"


def _constant(s: Span, code: str) -> Found:
    for m in re.finditer(r"(?<![\w.])(\d+\.\d*(?:[eE][+-]?\d+)?|\d*\.\d+(?:[eE][+-]?\d+)?)[fF]?(?![\w.])", s.text):
        yield "float constant", Span(s.at + m.start(), m.group()), f"({m.group()} * 1.25f + 0.5f)"
    for m in re.finditer(r"(?<=[=+\-*/%(,] )(?:static_cast<\w+>\()?(\d+)(?=[ );,]|$)", s.text):
        if int(m[1]) >= 2:
            yield "integer constant", Span(s.at + m.start(1), m[1]), str(int(m[1]) + 1)


KINDS: dict[str, Callable[[Span, str], Found]] = {
    "tail": _tail,
    "lanes": _lanes,
    "rounding": _rounding,
    "dtype": _dtype,
    "offset": _offset,
    "operand": _operand,
    "dropped": _dropped,
    "sync": _sync,
    "tile": _tile,
    "bound": _bound,
    "constant": _constant,
}


# --- synchronisation --------------------------------------------------------------------------------------------------
# One wait, flag or barrier that is gone or wrong. PipeBarrier<PIPE_V> offers nothing, nor does a pair of set and wait
# with the scalar unit on one side: the compiler orders V by itself, and the scalar unit with every pipe.

_WITH_SCALAR = re.compile(r"HardEvent::(?:S_\w+|\w+_S)\b|PIPE_S\b")


def _gone(*names: str) -> Callable[[Span, str], Found]:
    def offers(s: Span, code: str) -> Found:
        call = _alone(s)
        if call and call.name in names and "PIPE_V>" not in call.template and s.text.find("PIPE_V)") < 0:
            yield call.name, s, ""

    return offers


def _pair(s: Span, code: str) -> Found:
    """A flag that is set and at once waited for, gone as a whole: what is left has nothing to hang on."""
    first = _alone(s)
    if first is None or first.name not in ("SetFlag", "set_flag"):
        return
    rest = re.match(r"\s*;\s*", code[s.end :])
    if rest is None:
        return
    at = s.end + rest.end()
    second = Span(at, code[at : code.find(";", at)])
    waits = _alone(second)
    if waits and not _WITH_SCALAR.search(s.text) and waits.name in ("WaitFlag", "wait_flag"):
        yield "SetFlag and WaitFlag", Span(s.at, code[s.at : second.end]), ""


_EVENTS = ("MTE2_V", "V_MTE2", "V_MTE3", "MTE3_V", "MTE3_MTE2", "MTE2_MTE3")


def _event(s: Span, code: str) -> Found:
    """An event of other pipes: in a pair both, so that set and wait still meet."""
    for _, both, _ in _pair(s, code):
        for m in re.finditer(r"HardEvent::(\w+)", both.text):
            if m[1] in _EVENTS:
                backwards = "_".join(reversed(m[1].split("_")))
                yield "backwards, both", both, re.sub(rf"HardEvent::{m[1]}\b", f"HardEvent::{backwards}", both.text)
                return
    call = _alone(s)
    if call and call.name in ("SetFlag", "WaitFlag"):
        m = re.search(r"HardEvent::(\w+)", call.template)
        if m and m[1] in _EVENTS:
            other = _EVENTS[(_EVENTS.index(m[1]) + 2) % len(_EVENTS)]
            place = Span(s.at + s.text.find(m.group()) + len("HardEvent::"), m[1])
            yield f"other event, {call.name}", place, other


def _event_id(s: Span, code: str) -> Found:
    call = _alone(s)
    if call and call.name in ("SetFlag", "WaitFlag", "set_flag", "wait_flag") and call.arguments:
        last = call.arguments[-1]
        yield f"id of {call.name}", last, f"static_cast<event_t>((({last.text}) + 1) % 8)"


def _late(s: Span, code: str) -> Found:
    """EnQue in front of the statement before it, which fills the tensor."""
    call = _alone(s)
    if call and call.name == "EnQue":
        end = max(0, code.rfind(";", 0, s.at))
        start = max(code.rfind(c, 0, end) for c in ";{}") + 1
        before = Span(start, code[start:end]).stripped()
        filler = _alone(before)
        names = [re.match(r"\w*", c.arguments[0].text) if c and c.arguments else None for c in (call, filler)]
        same = names[0] and names[1] and names[0][0] == names[1][0]
        same = same and not code[end + 1 : s.at].strip()  # a block that ends between them is more than one statement
        if same and filler and filler.name in _VECTOR | _COPIES:
            yield "EnQue too early", Span(before.at, code[before.at : s.end]), f"{s.text}; {before.text}"


def _one_buffer(s: Span, code: str) -> Found:
    """One buffer for a queue that had two or more, all else as it was."""
    call = _alone(s)
    if call and call.name == "InitBuffer" and len(call.arguments) == 3:
        count = call.arguments[1]
        named = re.search(rf"\bconst(?:expr)?\s[\w\s]*\b{re.escape(count.text)}\s*=\s*(\d+)\s*;", code)
        if int((named[1] if named else count.text) if (named or count.text.isdigit()) else 0) >= 2:
            yield "one buffer", count, "1"


SYNC_KINDS: dict[str, Callable[[Span, str], Found]] = {
    "enque": _gone("EnQue"),
    "late": _late,
    "deque": _gone("DeQue"),
    "free": _gone("FreeTensor"),
    "set": _gone("SetFlag", "set_flag"),
    "wait": _gone("WaitFlag", "wait_flag"),
    "pair": _pair,
    "barrier": _gone("PipeBarrier", "pipe_barrier"),
    "blocks": _gone(
        "SyncAll", "CrossCoreSetFlag", "CrossCoreWaitFlag", "IBSet", "IBWait", "WaitPreBlock", "NotifyNextBlock"
    ),
    "event": _event,
    "id": _event_id,
    "buffers": _one_buffer,
}


@cache
def sites(source: str) -> list[Edit]:
    """Every edit that this file offers, in order."""
    code = blanked(source)
    found: set[Edit] = set()
    for start, end in bodies(code):
        for statement in statements(code, start, end):
            if statement.text and not _NO_START.match(statement.text):
                found.update(_edits(statement, code))
    return sorted(found, key=lambda e: (e.start, e))


def _edits(statement: Span, code: str) -> Iterator[Edit]:
    for kind, offers in (KINDS | SYNC_KINDS).items():
        for what, piece, text in offers(statement, code):
            yield Edit(kind, what, statement.at, piece.at, piece.end, text)
