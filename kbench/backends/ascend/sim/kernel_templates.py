"""Kernels that are templates: which instances a source asks for, and the entry that takes a key to its instance.

The macros of `tiling/template_argument.h` leave in the object, as text, the parameters that they declare and the
combinations that they select. A key holds each parameter's number in its width, the first parameter in the lowest bits:
the value itself, but for UINT its place among the values declared.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbench.backends.ascend.sim.kernel_names import INCLUDE
from kbench.core.errors import CompileError, UnsupportedApi
from kbench.core.hostcc.symbols import section_bytes
from kbench.core.record import Finding

_INPUT, _OUTPUT = 100_000_000, 900_000_000  # ASCENDC_TPL_INPUT(0), ASCENDC_TPL_OUTPUT(0)
_ND = 2
_KEY_BITS = 64
MAX_INSTANCES = 512
_MAX_CHOICES = 1 << 16
# Numbers of ASCENDC_TPL_AIV_ONLY and the others, and of KERNEL_TYPE_AIV_ONLY and the others (kernel_macros.h).
_KERNEL_TYPES = {0: 0, 1: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 10: 8, 11: 9}

_TEMPLATE = re.compile(
    r"\btemplate\s*+<[^;{}()]*>\s*+(?:(?:inline|static)\s+)*__global__\b[\w\s]*?\bvoid\s+(\w+)\s*\(([^(){};]*)\)"
)
_DIRECT = re.compile(r"\b__global__\b((?:[\w\s]|\(\s*\d[\d\s,]*\))*?)\bvoid\s+(\w+)\s*\(([^(){};]*)\)")
_CORES = re.compile(r"__(?:(vector|cube)|mix__\(\s*(\d)\s*,\s*(\d)\s*\))")
_CORE_TYPES = {"cube": 1, (0, 1): 2, (1, 0): 3, (1, 1): 4, (1, 2): 5}  # KERNEL_TYPE_… of kernel_macros.h
_PARAM = re.compile(r'\{(\w+), "(\w+)", ([^{}]*)\}')
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_, ast.BitXor: operator.xor,
}  # fmt: skip


@dataclass(frozen=True)
class TensorTypes:
    """Numbers (`C_DT_…`) of the types that one build of a kernel serves, in the order of the definition."""

    inputs: Sequence[int] = ()
    outputs: Sequence[int] = ()


@dataclass(frozen=True)
class _Param:
    kind: str  # DTYPE, DATATYPE, FORMAT, UINT, BOOL, SHARED_KERNEL_TYPE; in a combination also what is no parameter
    name: str
    bits: int
    values: tuple[int, ...]

    def number(self, value: int) -> int:
        return self.values.index(value) if self.kind == "UINT" else value


def template_arity(files: Mapping[str, str], entry: str) -> int | None:
    """How many arguments the kernel takes if it is a template; None if it is none."""
    for text in files.values():
        for match in _TEMPLATE.finditer(text):
            if match[1] == entry:
                return match[2].count(",") + 1 if match[2].strip() else 0
    return None


def direct_entry(source: str, name: str, direct: bool) -> str | None:
    """C++ of the entry to a kernel that is written for `<<<…>>>`: any C++ function, whose pointers have any type.

    None where it is written as an operator project's: without `__vector__` and the like, and not `direct`.
    """
    for match in _DIRECT.finditer(source):
        cores = _CORES.search(match[1])
        if match[2] != name or not (cores or direct):
            continue
        count = match[3].count(",") + 1 if match[3].strip() else 0
        taken = ", ".join(f"uint8_t* a{i}" for i in range(count))
        given = ", ".join(f"KbPointer{{a{i}}}" for i in range(count))
        ratio = cores and ((cores[1] or "") if cores[1] else (int(cores[2]), int(cores[3])))
        kind = _CORE_TYPES.get(ratio) if ratio else None
        said = "" if kind is None else f"KB_KERNEL_TYPE(0, 0, {kind});"
        return (
            "struct KbPointer { void* at; template <class T> operator T*() const { return static_cast<T*>(at); } };\n"
            f'extern "C" __attribute__((used)) void KB_ENTRY({taken}) {{ {said} return {name}({given}); }}\n'
        )
    return None


def selects_instances(files: Mapping[str, str]) -> bool:
    """Whether the source lists the instances of its kernel, so that `entry_of` finds them in the object."""
    return any("ASCENDC_TPL_SEL" in text for text in files.values())


def entry_of(object_: Path, files: Mapping[str, str], name: str, arity: int, types: TensorTypes) -> str:
    """C++ of the entry: a function `KB_ENTRY` that calls the instance of the launch's tiling key.

    Args:
        object_: the kernel's source, compiled without an entry.

    Raises:
        CompileError: the lists contradict each other or the rules for them.
        UnsupportedApi: a combination has a tiling structure of its own, and the kernel reads "the" structure.
    """
    sections = section_bytes(object_)
    if "kb_tpl_decl" not in sections or "kb_tpl_sel" not in sections:
        raise _wrong(f"{name}: expected ASCENDC_TPL_ARGS_DECL and ASCENDC_TPL_SEL in the kernel's source")
    declared = _params(_text(sections["kb_tpl_decl"]))
    if sum(p.bits for p in declared) > _KEY_BITS:
        raise _wrong(f"ASCENDC_TPL_ARGS_DECL: expected at most {_KEY_BITS} bits, got {sum(p.bits for p in declared)}")
    instances: dict[int, tuple[str, int | None]] = {}
    for group in re.findall(r"\[([^\[\]]*)\]", _text(sections["kb_tpl_sel"])):
        for key, arguments, core in _instances(_combination(declared, group, files), declared, types):
            if key in instances:
                raise _wrong(f"ASCENDC_TPL_SEL: the tiling key {key} is selected twice")
            instances[key] = (arguments, core)
    if len(instances) > MAX_INSTANCES:
        raise _wrong(f"ASCENDC_TPL_SEL: expected at most {MAX_INSTANCES} instances, got {len(instances)}")
    return _entry(name, arity, instances)


def _entry(name: str, arity: int, instances: Mapping[int, tuple[str, int | None]]) -> str:
    taken = ", ".join(f"uint8_t* a{i}" for i in range(arity))
    given = ", ".join(f"a{i}" for i in range(arity))
    lines = [f'extern "C" __attribute__((used)) void KB_ENTRY({taken}) {{']
    lines += [f"KB_KERNEL_TYPE({key}ull, 1, {core});" for key, (_, core) in instances.items() if core is not None]
    lines.append("switch (kbrt_tiling_key()) {")
    lines += [f"case {key}ull: return {name}<{arguments}>({given});" for key, (arguments, _) in instances.items()]
    lines.append("default: return kbrt_no_instance();\n}\n}\n")
    return "\n".join(lines)


def _text(section: bytes) -> str:
    return section.split(b"\0")[0].decode(errors="replace")


def _params(text: str) -> list[_Param]:
    """Both lists' members; UINT's values without the mode and the counts in front of them."""
    found = []
    for kind, name, rest in _PARAM.findall(text):
        words = [word.strip() for word in rest.split(",") if word.strip()]
        numbers = [_number(kind, name, word) for word in words]
        values = tuple(_listed(name, numbers[1:]) if kind == "UINT" else numbers[1:])
        if len(set(values)) != len(values) or not values:
            raise _wrong(f"ASCENDC_TPL_{kind}: {name}: expected values that differ, got {list(values)}")
        found.append(_Param(kind, name, numbers[0], values))
    return found


def _listed(name: str, given: Sequence[int]) -> list[int]:
    """(RANGE 0, n, n pairs of first and last), (LIST 1, values) or (MIX 2, n, pairs, values)."""
    mode, rest = (given[0], list(given[1:])) if given else (-1, [])
    if mode == 1:
        return rest
    count = rest[0] if rest else 0
    pairs = rest[1 : 1 + 2 * count]
    if mode not in (0, 2) or len(pairs) != 2 * count:
        raise _wrong(
            f"ASCENDC_TPL_UINT: {name}: expected ASCENDC_TPL_UI_RANGE, LIST or MIX and its values, got {given}"
        )
    values: list[int] = []
    for first, last in zip(pairs[::2], pairs[1::2], strict=True):
        values += range(first, min(last, first + 65536) + 1)
    return values + (rest[1 + 2 * count :] if mode == 2 else [])


def _number(kind: str, name: str, word: str) -> int:
    if word in ("true", "false"):
        return int(word == "true")
    if word.startswith("C_"):
        known = _c_types().get(word)
        if known is not None:
            return known
    try:
        return _value(ast.parse(re.sub(r"\b(0x[\da-fA-F]+|\d+)[uUlL]+\b", r"\1", word), mode="eval").body)
    except (SyntaxError, ValueError):
        raise _wrong(f"ASCENDC_TPL_{kind}: {name}: expected a number or a macro of one, got {word}") from None


def _value(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return int(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift) and 0 <= _value(node.right) < _KEY_BITS:
        return _value(node.left) << _value(node.right)
    raise ValueError


def _c_types() -> dict[str, int]:
    """C_DT_… and C_FORMAT_… by name, as the header has them."""
    text = (INCLUDE / "graph" / "c_types.h").read_text()
    return {name: int(value) for name, value in re.findall(r"(C_\w+) = (\d+)", text)}


def _combination(declared: Sequence[_Param], group: str, files: Mapping[str, str]) -> dict[str, _Param]:
    """One ASCENDC_TPL_ARGS_SEL by name: every declared parameter, with values out of the declared ones."""
    chosen = {p.name: p for p in _params(group)}
    known = {p.name: p for p in declared}
    for param in chosen.values():
        if param.kind == "TILING_STRUCT" and any(re.search(r"\bGET_TILING_DATA\s*\(", text) for text in files.values()):
            raise UnsupportedApi("ASCENDC_TPL_TILING_STRUCT_SEL")
        if param.kind in ("TILING_STRUCT", "KERNEL_TYPE", "DETERMINISTIC"):
            continue
        other = known.get(param.name)
        if other is None or other.kind != param.kind:
            raise _wrong(f"ASCENDC_TPL_{param.kind}_SEL: {param.name} is not declared as ASCENDC_TPL_{param.kind}_DECL")
        if more := sorted(set(param.values) - set(other.values)):
            raise _wrong(f"ASCENDC_TPL_{param.kind}_SEL: {param.name}: expected values of its declaration, got {more}")
    if missing := [name for name in known if name not in chosen]:
        raise _wrong(f"ASCENDC_TPL_ARGS_SEL: expected every declared parameter, got none for {missing[0]}")
    return chosen


def _instances(
    chosen: Mapping[str, _Param], declared: Sequence[_Param], types: TensorTypes
) -> Iterator[tuple[int, str, int | None]]:
    """Key, template arguments and kernel type of each. Deterministic ones are for a switch that is off here."""
    flags = {p.kind: p.values[0] for p in chosen.values()}
    if flags.get("DETERMINISTIC"):
        return
    if math.prod(len(chosen[p.name].values) for p in declared) > _MAX_CHOICES:
        raise _wrong(f"ASCENDC_TPL_ARGS_SEL: expected at most {_MAX_CHOICES} choices of values")
    for values in itertools.product(*(chosen[p.name].values for p in declared)):
        key, at, core = 0, 0, flags.get("KERNEL_TYPE")
        if not all(_served(p, v, types) for p, v in zip(declared, values, strict=True)):
            continue
        for param, value in zip(declared, values, strict=True):
            key |= param.number(value) << at
            at += param.bits
            core = value if param.kind == "SHARED_KERNEL_TYPE" else core
        arguments = (
            f"TypeFromId<{v}>::type" if p.kind == "DATATYPE" else str(v) for p, v in zip(declared, values, strict=True)
        )
        yield key, ", ".join(arguments), None if core is None else _KERNEL_TYPES.get(core)


def _served(declared: _Param, value: int, types: TensorTypes) -> bool:
    """Whether a build for these types has an instance of the value: of any, unless the declaration names a tensor."""
    tensor = next((v for v in declared.values if v >= _INPUT), None)
    if tensor is None or declared.kind not in ("DATATYPE", "FORMAT"):
        return value < _INPUT
    if declared.kind == "FORMAT":
        return value == _ND
    of, at = (types.outputs, tensor - _OUTPUT) if tensor >= _OUTPUT else (types.inputs, tensor - _INPUT)
    if at >= len(of):
        raise _wrong(f"ASCENDC_TPL_{declared.kind}_DECL: {declared.name}: there is no tensor {at}")
    return value == of[at]


def _wrong(message: str) -> CompileError:
    finding = Finding(severity="error", message=message)
    return CompileError(message, outcome="compile_error", findings=[finding], component="sim")
