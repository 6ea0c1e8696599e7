"""Single faults that can be put into a kernel for an AIE tile: where they can go, and what text they change.

The source is read as `mutations.py` reads it; each statement inside a function offers the edits of sixteen kinds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

try:
    from benchmarks.mutations import Call, Edit, Found, Span, blanked, bodies, closing, pieces, statements
except ImportError:  # run as a script
    from mutations import Call, Edit, Found, Span, blanked, bodies, closing, pieces, statements

_NO_START = re.compile(r"(else|case|default|public|private|protected|using|typedef|static_assert|break|continue)\b|\}")
_OTHER_TYPE = {
    "int8": "int16", "int16": "int8", "int32": "int16", "uint8": "int8", "uint16": "uint8", "uint32": "uint16",
    "int8_t": "int16_t", "int16_t": "int8_t", "int32_t": "int8_t", "uint8_t": "int8_t", "uint16_t": "uint8_t",
    "uint32_t": "uint8_t", "float": "int32_t", "bfloat16": "int32_t",
    "acc32": "accfloat", "acc64": "acc32", "accfloat": "acc32",
}  # fmt: skip
_OTHER_COMPARE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "neq", "neq": "eq"}
_OTHER_SIGN = {"<": ">", ">": "<", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
_OTHER_CALL = {"add": "sub", "sub": "add", "bit_and": "bit_or", "bit_or": "bit_and", "bit_xor": "bit_or",
               "interleave_zip": "interleave_unzip", "interleave_unzip": "interleave_zip",
               "filter_even": "filter_odd", "filter_odd": "filter_even", "shuffle_up": "shuffle_down",
               "shuffle_down": "shuffle_up", "reduce_add": "reduce_max", "reduce_max": "reduce_min",
               "reduce_min": "reduce_max"}  # fmt: skip
_OTHER_ROUNDING = {
    "floor": "ceil", "ceil": "floor", "symmetric_floor": "symmetric_ceil", "symmetric_ceil": "symmetric_floor",
}  # fmt: skip
_ORDERED = frozenset(("sub", "div", "negmul", "select", "saturating_sub", "maxdiff", "transpose", "concat", "lt", "gt"))
_CLAMPS = frozenset(("clamp", "min", "max"))
_HEAD = re.compile(r"(?:\w+(?:\([^()]*\))?\s+)*?\b(for|if|while)\s*\(")
_WORD = r"[A-Za-z_]\w*"
_INTEGER = r"(?:0[xX][0-9a-fA-F]+|\d+)[uU]?"


def calls(span: Span) -> Iterator[Call]:
    """Every call in a statement, nested ones too; a declaration of a template's type is none."""
    for m in re.finditer(r"\b([A-Za-z_]\w*)\s*(<[^;(){}=]*?>)?\s*\(", span.text):
        open_ = m.end() - 1
        inside = Span(span.at + open_ + 1, span.text[open_ + 1 : closing(span.text, open_)])
        yield Call(m[1], span.at + m.start(), m[2] or "", tuple(pieces(inside)))


def _wrapped(piece: Span, change: str) -> str:
    return f"({piece.text}) {change}"


def _part(s: Span, m: re.Match[str], group: int = 0) -> Span:
    return Span(s.at + m.start(group), m[group])


def _for_parts(s: Span) -> list[Span]:
    """The three parts of a loop's head; none where the statement is no such loop."""
    head = _HEAD.match(s.text)
    if not head or head[1] != "for":
        return []
    open_ = head.end() - 1
    at, parts = s.at + open_ + 1, []
    for text in s.text[open_ + 1 : closing(s.text, open_)].split(";"):
        parts.append(Span(at, text).stripped())
        at += len(text) + 1
    return parts if len(parts) == 3 else []


def _condition(s: Span) -> Span | None:
    head = _HEAD.match(s.text)
    if not head or head[1] == "for":
        return None
    open_ = head.end() - 1
    return Span(s.at + open_ + 1, s.text[open_ + 1 : closing(s.text, open_)]).stripped()


def _literals(s: Span) -> int:
    """Constants with a point: many of them are a series, whose last terms no tolerance tells apart."""
    return len(re.findall(r"\d\.\d*|\.\d", s.text))


def _last_terms(s: Span) -> bool:
    """Whether a term of the statement is smaller than what a float's tolerance tells apart."""
    numbers = re.findall(r"(?<![\w.])(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?", s.text)
    return any(0 < abs(float(n)) < 0.06 for n in numbers)


def _guards(text: str) -> bool:
    """Whether a bound keeps a float from overflow: nothing that a kernel's inputs reach."""
    return any(abs(float(m)) >= 64 for m in re.findall(r"\d+\.\d*(?=f?\b)", text))


# --- what a statement offers -----------------------------------------------------------------------------------------


def _tail(s: Span, code: str) -> Found:
    """The last round of a loop is missing, or the last vector is stored half."""
    parts = _for_parts(s)
    for part in parts[1:2]:
        m = re.match(rf"{_WORD}\s*(<=|<|!=)\s*(.+)$", part.text, re.DOTALL)
        if m:
            step = re.search(r"\+=\s*([^,]+)$", parts[2].text)
            less = f"- ({step[1].strip()})" if step else "- 1"
            yield "loop bound - a step", _part(part, m, 2), _wrapped(_part(part, m, 2), less)
            if m[1] == "<":
                yield "loop bound * 7 / 8", _part(part, m, 2), f"({m[2]}) * 7 / 8"


def _bound(s: Span, code: str) -> Found:
    parts = _for_parts(s)
    if parts:
        m = re.search(r"=\s*([^=,]+)$", parts[0].text)
        if m:
            yield "loop start + 1", _part(parts[0], m, 1), _wrapped(_part(parts[0], m, 1), "+ 1")
        m = re.match(rf"{_WORD}\s*(?:<=|<|!=)\s*(.+)$", parts[1].text, re.DOTALL)
        if m:
            yield "loop bound + 1", _part(parts[1], m, 1), _wrapped(_part(parts[1], m, 1), "+ 1")
    condition = _condition(s)
    if condition and condition.text:
        yield "condition negated", condition, f"!({condition.text})"


def _mask(s: Span, code: str) -> Found:
    """The wrong lanes are chosen: by another comparison, by a selection the other way, or by another bit."""
    for call in calls(s):
        if call.name in _OTHER_COMPARE and len(call.arguments) == 2:
            yield f"{call.name} is {_OTHER_COMPARE[call.name]}", Span(call.at, call.name), _OTHER_COMPARE[call.name]
        if call.name == "select" and len(call.arguments) == 3:
            a, b = call.arguments[:2]
            both = Span(a.at, s.text[a.at - s.at : b.end - s.at])
            yield "select swapped", both, f"{b.text}, {a.text}"
    for m in re.finditer(r"(?<![<>=!\-])(<=|>=|==|!=|<|>)(?![<>=])", _without_templates(s)):
        if not _for_parts(s):
            yield f"{m[1]} is {_OTHER_SIGN[m[1]]}", _part(s, m, 1), _OTHER_SIGN[m[1]]
    for m in re.finditer(r"&\s*(0[xX][0-9a-fA-F]+|\d+)", s.text):
        yield "mask bits", _part(s, m, 1), f"({m[1]} >> 1)"


_BRACKETS = re.compile(r"\w\s*<[^;(){}<>]*(?:<[^;(){}<>]*>[^;(){}<>]*)*>(?=\s*(?:\(|::|\{|[A-Za-z_&*>,]|$))")


def _without_templates(s: Span) -> str:
    """The statement with what stands in the brackets of templates and casts as blanks."""
    return _BRACKETS.sub(lambda m: " " * len(m.group()), s.text)


def _stride(s: Span, code: str) -> Found:
    """From one round to the next the kernel goes too far or not far enough."""
    for part in _for_parts(s)[2:]:
        for m in re.finditer(rf"{_WORD}\s*\+=\s*([^,]+)", part.text):
            yield "step doubled", _part(part, m, 1), f"2 * ({m[1].strip()})"
            yield "step + 1", _part(part, m, 1), _wrapped(_part(part, m, 1), "+ 1")
        for m in re.finditer(rf"\+\+\s*({_WORD})|({_WORD})\s*\+\+", part.text):
            yield "step of 2", _part(part, m), f"{m[1] or m[2]} += 2"
    if not _for_parts(s):
        m = re.match(r"(?:p\w*|\w*(?:[Pp]tr|[Ii]n|[Oo]ut|src|dst|it))\s*\+=\s*(.+)$", s.text, re.DOTALL)
        if m:
            yield "pointer step + 1", _part(s, m, 1), _wrapped(_part(s, m, 1), "+ 1")
    for m in re.finditer(rf"\b({_WORD}|{_INTEGER})\s*\*\s*({_WORD}|{_INTEGER})\s*(?=\+\s*{_WORD}\s*[\])])", s.text):
        yield "row length + 1", _part(s, m, 2), f"({m[2]} + 1)"


def _lanes(s: Span, code: str) -> Found:
    for m in re.finditer(r"\b(load_v|load_unaligned_v|broadcast|zeros|vector|accum|extract|grow|mmul|accumulate|mask)"
                         r"\s*<([^;(){}<>]+)>", s.text):  # fmt: skip
        for piece in pieces(_part(s, m, 2)):
            if re.fullmatch(rf"{_INTEGER}|(?!T(?:_|$))[A-Z]\w*|(?:lanes|n|vec\w*|v_\w+|width)", piece.text):
                yield f"half the lanes of {m[1]}", piece, f"({piece.text} / 2)"
                yield f"twice the lanes of {m[1]}", piece, f"({piece.text} * 2)"
    kinds = r"(?:static\s+)?constexpr\s+(?:unsigned|int|auto|size_t|u?int32_t)"
    m = re.match(rf"{kinds}\s+\w*(?:lanes|LANES|[Vv]ec|width)\w*\s*=\s*({_INTEGER})$", s.text)
    if m:
        yield "lanes doubled", _part(s, m, 1), f"(2 * {m[1]})"


def _shifts(template: str, code: str) -> bool:
    """Whether a conversion to these elements shifts: floats don't, and 32 bits go to 32 as they are."""
    return "float" not in template and ("32" not in template or "acc64" in code)


def _shift(s: Span, code: str) -> Found:
    for call in calls(s):
        if call.name == "to_vector" and not _shifts(call.template, code):
            continue
        if call.name in ("to_vector", "srs", "lsrs", "ups", "lups", "from_vector") and call.arguments:
            last = call.arguments[-1]
            yield f"shift of {call.name} + 1", last, _wrapped(last, "+ 1")
        elif call.name == "to_vector":
            close = s.text.index("(", call.at - s.at) + 1
            yield "shift of to_vector is 1", Span(s.at + close, ""), "1"
        elif call.name in ("downshift", "upshift", "logical_downshift", "to_fixed", "to_float", "shuffle_up",
                           "shuffle_down", "shift_bytes") and len(call.arguments) >= 2:  # fmt: skip
            last = call.arguments[-1]
            yield f"shift of {call.name} + 1", last, _wrapped(last, "+ 1")
    for m in re.finditer(rf"(<<|>>)=?\s*({_WORD}|{_INTEGER})", _without_templates(s)):
        yield f"{m[1]} by one more", _part(s, m, 2), f"({m[2]} + 1)"


def _rounding(s: Span, code: str) -> Found:
    """Another mode, or none, and other ways to round by hand; between integers only, where it is more than an ulp."""
    for m in re.finditer(r"\brounding_mode::(\w+)", s.text):
        for other in ("floor", "ceil", "symmetric_ceil"):
            if other != m[1]:
                yield f"{m[1]} is {other}", _part(s, m, 1), other
    for call in calls(s):
        if call.name == "to_vector" and _shifts(call.template, code) and call.arguments:
            yield "ceil before it", Span(s.at, ""), "aie::set_rounding(aie::rounding_mode::ceil); "
            yield "floor before it", Span(s.at, ""), "aie::set_rounding(aie::rounding_mode::floor); "
    if _literals(s) > 1:
        return
    for m in re.finditer(r"([+-])\s*(?:\(?float\)?)?\(?(0\.5)f?\b", s.text):
        yield "half is 0", _part(s, m, 2), "0.0"
        yield "half is 0.9", _part(s, m, 2), "0.9"
    for m in re.finditer(rf"\(int(?:32_t|8_t|16_t)?\)\s*\(?({_WORD})\b|\bint(?:32_t|8_t|16_t)?\(({_WORD})\)", s.text):
        group = 1 if m[1] else 2
        yield "up before truncation", _part(s, m, group), f"({m[group]} + 0.999f)"


def _dtype(s: Span, code: str) -> Found:
    """One type becomes another in one place: of a local, a cast, or a template's argument."""
    places = (
        rf"^(?:const\s+|static\s+|constexpr\s+)*({_WORD})\s+{_WORD}\s*=",
        rf"\((?:const\s+)?({_WORD})\)\s*[\w(*]",
        rf"\b(?:static_cast|vector_cast|cast_to|to_vector|to_fixed|unpack|pack|mul|zeros|accum)\s*<\s*({_WORD})\s*[>,]",
        rf"(?<![\w:<])({_WORD})\(\s*[\w\-(*]",
    )
    for pattern in places:
        for m in re.finditer(pattern, s.text):
            other = _OTHER_TYPE.get(m[1])
            if other:
                yield f"{m[1]} is {other}", _part(s, m, 1), other


def _offset(s: Span, code: str) -> Found:
    for m in re.finditer(r"\b\w+\s*\[", s.text):
        open_ = m.end() - 1
        inside = Span(s.at + m.end(), s.text[m.end() : closing(s.text, open_)]).stripped()
        if inside.text and not re.match(rf"(?:u?int\w*|float|bfloat16)\b.*\[{re.escape(inside.text)}\]", s.text):
            yield "index + 1", inside, _wrapped(inside, "+ 1")
    for call in calls(s):
        if call.name in ("load_v", "store_v", "load_unaligned_v", "store_unaligned_v") and call.arguments:
            address = call.arguments[0]
            yield "one element further", address, _wrapped(address, "+ 1")
            m = re.search(r"\+\s*([^+]+)$", address.text)
            if m:
                yield "offset dropped", _part(address, m, 1), "0"


def _operand(s: Span, code: str) -> Found:
    if _last_terms(s) or _guards(s.text):
        return
    for call in calls(s):
        if call.name in _ORDERED and len(call.arguments) >= 2 and call.name != "select":
            a, b = call.arguments[:2]
            if a.text != b.text:
                both = Span(a.at, s.text[a.at - s.at : b.end - s.at])
                yield f"operands of {call.name} swapped", both, f"{b.text}, {a.text}"
    term = rf"(?:{_WORD}(?:\[[^\[\]]+\])?(?:\.\w+)?|\d+\.\d*f?|\d+)"
    for m in re.finditer(rf"(?<![\w.\])*/%]\s)(?<![\w.\]])({term})\s*(-|/|%)\s*({term})(?![\w(\[.])", s.text):
        if m[1] != m[3] and m[1] != "return" and _literals(s) <= 2:
            yield f"operands of {m[2]} swapped", _part(s, m), f"{m[3]} {m[2]} {m[1]}"
    for call in calls(s):
        if call.name in ("mac", "mul", "msc", "add", "sub", "max", "min") and len(call.arguments) >= 2:
            a, b = call.arguments[-2:]
            if a.text != b.text:
                yield f"{call.name} of one operand twice", b, a.text


def _conversion(s: Span, code: str) -> Found:
    """A conversion is skipped: bits are taken for another type, or a value goes through a narrower one."""
    for m in re.finditer(r"\baie::(?:to_float|to_fixed)\s*<\s*(\w+)\s*>", s.text):
        yield "bits taken as they are", _part(s, m), f"aie::vector_cast<{m[1]}>"
    for m in re.finditer(r"\.(?:unpack|pack)\s*\(\s*\)", s.text):
        yield "conversion dropped", _part(s, m), ""
    bytes_in = re.search(r"\bu?int8(?:_t)?\s*\*", code)
    for m in () if bytes_in else re.finditer(r"\b(?:float|static_cast<float>)\(|\(float\)\s*(?=[\w(])", s.text):
        if m.group().startswith("(float)"):
            yield "through a byte", _part(s, m), "(float)(int8_t)"
        else:
            open_ = m.end() - 1
            inside = Span(s.at + m.end(), s.text[m.end() : closing(s.text, open_)])
            yield "through a byte", inside, f"(int8_t)({inside.text})"
    for m in (
        ()
        if bytes_in
        else re.finditer(r"\b(?:static_cast<(u?int\d+_t)>|(u?int\d+_t))\(|\((u?int\d+_t)\)\s*(?=[\w(])", s.text)
    ):
        kind = m[1] or m[2] or m[3]
        if kind in ("int16_t", "int32_t", "uint16_t", "uint32_t") and not _HEAD.match(s.text):
            narrow = "int8_t" if kind.startswith("int") else "uint8_t"
            if m[3]:
                yield "through a byte", _part(s, m), f"({kind})({narrow})"
            else:
                open_ = m.end() - 1
                inside = Span(s.at + m.end(), s.text[m.end() : closing(s.text, open_)])
                yield "through a byte", inside, f"({narrow})({inside.text})"


def _constant(s: Span, code: str) -> Found:
    for m in re.finditer(r"(?<![\w.])(\d+\.\d*(?:[eE][+-]?\d+)?|\d*\.\d+(?:[eE][+-]?\d+)?)[fF]?(?![\w.])", s.text):
        yield "float constant", _part(s, m), f"({m.group()} * 1.25f + 0.5f)"
    if not _for_parts(s):
        for m in re.finditer(r"(?<=[=+\-*/%(,?:&|] )(\d+)(?=[ );,]|$)", s.text):
            yield "integer constant", _part(s, m), str(int(m[1]) + 1)


def _saturation(s: Span, code: str) -> Found:
    """Nothing keeps a value in its range."""
    if _guards(s.text):
        return
    for call in calls(s):
        if call.name in _CLAMPS and len(call.arguments) >= 2:
            end = s.text.index("(", call.at - s.at)
            start = s.text.rfind(" ", 0, call.at - s.at) if s.text[: call.at - s.at].endswith("::") else call.at - s.at
            qualified = re.search(r"(?:\w+::)*$", s.text[: call.at - s.at])
            start = call.at - s.at - len(qualified.group()) if qualified else start
            whole = Span(s.at + start, s.text[start : closing(s.text, end) + 1])
            yield f"{call.name} dropped", whole, call.arguments[0].text
            yield f"{call.name} gives its bound", whole, call.arguments[1].text
        if call.name in ("saturating_add", "saturating_sub"):
            yield f"{call.name} wraps", Span(call.at, call.name), call.name.removeprefix("saturating_")
        if call.name == "set_sat" or (call.name == "set_saturation" and "saturation_mode::" in s.text):
            yield "saturation stays off", s, ""
    for m in re.finditer(r"\bsaturation_mode::(saturate|symmetric)\b", s.text):
        yield f"{m[1]} is none", _part(s, m, 1), "none"
    m = re.match(rf"(?:if\s*\([^()]*\)\s*)({_WORD})\s*=\s*(-?{_INTEGER}|-?\d+\.\d*f?)$", s.text)
    if m:
        yield "clamp dropped", s, ""
    m = re.search(rf"({_WORD})\s*[<>]=?\s*(-?{_INTEGER}|-?\d+\.\d*f?)\s*\?\s*(-?{_INTEGER}|-?\d+\.\d*f?)\s*:", s.text)
    if m:
        yield "clamp dropped", _part(s, m, 3), m[1]


def _accumulate(s: Span, code: str) -> Found:
    """What was summed up so far is lost."""
    if _last_terms(s):
        return
    for call in calls(s):
        if call.name in ("mac", "msc") and len(call.arguments) == 3:
            first = call.arguments[0]
            both = Span(call.at, s.text[call.at - s.at : call.arguments[1].at - s.at])
            if "<" not in both.text[: first.at - call.at]:
                yield f"{call.name} is mul", both, "mul("
        elif call.name == "mac" and len(call.arguments) == 2:
            yield "mac is mul", Span(call.at, "mac"), "mul"
    m = re.match(rf"(?:{_WORD}(?:\[[^\[\]]*\])?)\s*(\+=|\*=|\|=)(?!=)", s.text)
    if m and not re.match(r"(?:p\w*|\w*(?:[Pp]tr))\s*\+=", s.text):
        yield f"{m[1]} is =", _part(s, m, 1), "="
    m = re.match(rf"({_WORD})\s*=\s*aie::(?:add|max|min)\(\s*\1\s*,\s*", s.text)
    if m:
        inside = s.text[m.end() : closing(s.text, s.text.index("(", m.start()))]
        yield "the sum is its last term", s, f"{m[1]} = {inside}"


def _operator(s: Span, code: str) -> Found:
    if _last_terms(s):
        return
    for call in calls(s):
        if call.name in _OTHER_CALL:
            yield f"{call.name} is {_OTHER_CALL[call.name]}", Span(call.at, call.name), _OTHER_CALL[call.name]
        if call.name in ("max", "min") and len(call.arguments) == 2:
            yield "max and min", Span(call.at, call.name), "min" if call.name == "max" else "max"
    term = r"[\w\])]"
    for m in re.finditer(rf"(?<={term}) ([-+*]) (?=[\w(])", s.text):
        if not _for_parts(s) and _literals(s) <= 2:
            other = {"+": "-", "-": "+", "*": "+"}[m[1]]
            yield f"{m[1]} is {other}", _part(s, m, 1), other


def _dropped(s: Span, code: str) -> Found:
    """A store, a call or an assignment is left out."""
    m = re.match(rf"(?:{_WORD}|\*{_WORD})(?:\[.*?\]|\.\w+|->\w+)*\s*(?:[-+*|&^]|<<|>>)?=(?!=)", s.text)
    if m and not _for_parts(s) and not _guards(s.text):
        yield "assignment", s, ""
    m = re.match(
        rf"(?:aie::)?(store_v|store_unaligned_v|memcpy)\s*\(|{_WORD}(?:\.|->)(mac|mul|push|insert)\s*\(", s.text
    )
    if m:
        yield m[1] or m[2], s, ""


KINDS: dict[str, Callable[[Span, str], Found]] = {
    "tail": _tail,
    "mask": _mask,
    "stride": _stride,
    "lanes": _lanes,
    "shift": _shift,
    "rounding": _rounding,
    "dtype": _dtype,
    "offset": _offset,
    "operand": _operand,
    "conversion": _conversion,
    "bound": _bound,
    "constant": _constant,
    "saturation": _saturation,
    "accumulate": _accumulate,
    "operator": _operator,
    "dropped": _dropped,
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
    for kind, offers in KINDS.items():
        for what, piece, text in offers(statement, code):
            if piece.text != text:
                yield Edit(kind, what, statement.at, piece.at, piece.end, text)
