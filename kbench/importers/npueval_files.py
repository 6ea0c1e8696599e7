"""The files of NPUEval that go in: records of its dataset, and its solutions.

A record (a line of `npueval.jsonl`, or the `kernel.json` of a kernel folder) holds one kernel: prompt, body of the
canonical solution, and one vector of inputs, outputs and runtime parameters. A solution file (`NAME.json`) holds the
code that a model gave; the source that was compiled of it (`NAME_wrapper.cc`) lies with the results.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.errors import ConfigError
from kbench.core.task import DTYPES, Array

#: What the benchmark allows where a record says nothing.
DEFAULT_TOLERANCE = {"atol": 1e-2, "rtol": 1e-2}
#: What every prompt includes, and so every kernel.
PROMPT_INCLUDES = '#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n'
#: What to do about a record that is none.
_REPAIR = "take dataset/npueval.jsonl or kernel.json as NPUEval's own scripts write them"

Json = dict[str, Any]


@dataclass(frozen=True)
class PublishedKernel:
    """A record of the dataset, its vector as arrays; `output` is the only one, as everywhere in the benchmark."""

    name: str
    prompt: str
    body: str
    inputs: Mapping[str, Array]
    output: tuple[str, Array]
    params: Mapping[str, float]
    atol: float
    rtol: float

    @property
    def source(self) -> str:
        """The canonical solution as a file: the prompt's includes and signature, and then the body.

        The benchmark itself appends the body to the prompt, whose function is closed already.
        """
        return self.prompt.rpartition("{")[0] + "{\n" + self.body.rstrip() + "\n"

    @property
    def description(self) -> str:
        """What the prompt's comment says before its example and its sizes; empty where it says nothing."""
        comment = re.match(r"\s*/\*\n(.*?)\n?\*/", self.prompt, re.DOTALL)
        text = comment[1] if comment else ""
        return re.split(r"^(?:>>> |This kernel should be optimized)", text, maxsplit=1, flags=re.MULTILINE)[0].strip()


def read_dataset(path: Path) -> dict[str, PublishedKernel]:
    """The records of a JSONL file by name, in its order.

    Raises:
        ConfigError: a line that is no record, or a kernel that is there twice; names file and line.
    """
    found: dict[str, PublishedKernel] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        record = parse_record(line, path, number)
        if record.name in found:
            first = lines[record.name]
            raise ConfigError(
                f"{path}:{number}: expected each kernel once, got {record.name!r} as in line {first}; take one out"
            )
        found[record.name], lines[record.name] = record, number
    return found


def text_of(path: Path) -> str:
    """The text of a file of the benchmark.

    Raises:
        ConfigError: it cannot be read, or is no UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: expected a file to read, got {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"{path}:{line}: expected text in UTF-8, got byte 0x{error.object[error.start]:02x}"
        ) from None


def parse_record(text: str, path: Path, first_line: int = 1) -> PublishedKernel:
    """The kernel that one JSON object tells.

    Raises:
        ConfigError: it is no record; names file, line, what was expected and what is there.
    """
    facts = json_object(text, path, first_line, "one kernel's record", _REPAIR)
    try:
        return _record(facts)
    except _WrongRecordError as error:
        raise ConfigError(f"{path}:{first_line}: {_named(facts)}{error}; {_REPAIR}") from None


def json_object(text: str, path: Path, first_line: int, what: str, repair: str) -> Json:
    """The JSON object of a text that starts in this line of the file.

    Raises:
        ConfigError: it is none.
    """
    try:
        facts = json.loads(text)
    except json.JSONDecodeError as error:
        line, why = first_line + error.lineno - 1, f"{error.msg}, column {error.colno}"
        raise ConfigError(f"{path}:{line}: expected {what}, a JSON object; got no JSON ({why}); {repair}") from None
    except ValueError as error:  # a number of too many digits
        raise ConfigError(f"{path}:{first_line}: expected {what}, a JSON object; got {error}; {repair}") from None
    if not isinstance(facts, dict):
        raise ConfigError(f"{path}:{first_line}: expected {what}, a JSON object; got {_kind(facts)}; {repair}")
    return facts


class _WrongRecordError(Exception):
    """What a record has instead of what it should have."""


def _named(facts: Json) -> str:
    return f"kernel {facts['kernel_name']!r}: " if isinstance(facts.get("kernel_name"), str) else ""


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _field(facts: Json, key: str, kind: type) -> Any:
    wanted = _kind(kind())
    if key not in facts:
        raise _WrongRecordError(f"expected {key!r}, {wanted}; got only {', '.join(map(repr, facts)) or 'nothing'}")
    if not isinstance(facts[key], kind):
        raise _WrongRecordError(f"expected {key!r} to be {wanted}, got {_kind(facts[key])}")
    return facts[key]


def _record(facts: Json) -> PublishedKernel:
    name, prompt = _field(facts, "kernel_name", str), _field(facts, "prompt", str)
    body = _field(facts, "canonical_solution", str)
    if not name.isidentifier():
        raise _WrongRecordError(f"expected 'kernel_name' to be a C identifier, got {name!r}")
    if not re.search(rf"\b{re.escape(name)}\s*\([^)]*\)\s*\{{", prompt):
        raise _WrongRecordError(f"expected 'prompt' to hold the function {name}(…) {{ … }}, got {prompt[-60:]!r}")
    vectors = _field(facts, "test_vectors", dict)
    outputs = _buffers(vectors, "outputs")
    if len(outputs) != 1:
        raise _WrongRecordError(f"expected one buffer in 'outputs', got {len(outputs)}")
    inputs = _buffers(vectors, "inputs")
    if not inputs:
        raise _WrongRecordError("expected a buffer or more in 'inputs', got none")
    params = _buffers(vectors, "rtps") if vectors.get("rtps") is not None else {}
    ((output, array),) = outputs.items()
    tolerance = _tolerance(facts)
    return PublishedKernel(
        name=name,
        prompt=prompt,
        body=body,
        inputs=inputs,
        output=(output, array),
        params={n: _number(n, value) for n, value in params.items()},
        atol=tolerance["atol"],
        rtol=tolerance["rtol"],
    )


def _tolerance(facts: Json) -> dict[str, float]:
    given = _field(facts, "tolerances", dict) if facts.get("tolerances") is not None else {}
    for name in DEFAULT_TOLERANCE:
        value = given.get(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise _WrongRecordError(f"expected {name!r} in 'tolerances' to be a number from 0 on, got {value!r}")
    return {name: float(given.get(name, default)) for name, default in DEFAULT_TOLERANCE.items()}


def _buffers(vectors: Json, key: str) -> dict[str, Array]:
    """The arrays of a list of `{name: nested list or number, "dtype": …}`, by name."""
    found: dict[str, Array] = {}
    for index, facts in enumerate(_field(vectors, key, list)):
        place = f"{key!r}[{index}]"
        names = [name for name in facts if name != "dtype"] if isinstance(facts, dict) else []
        if len(names) != 1 or "dtype" not in facts:
            got = ", ".join(map(repr, facts)) if isinstance(facts, dict) else _kind(facts)
            raise _WrongRecordError(f"expected {place} to hold one buffer and its 'dtype', got {got}")
        if names[0] in found:
            raise _WrongRecordError(f"expected each buffer of {key!r} once, got {names[0]!r} twice")
        found[names[0]] = _array(names[0], facts[names[0]], facts["dtype"])
    return found


def _array(name: str, values: Any, dtype_name: Any) -> Array:
    if not isinstance(dtype_name, str) or dtype_name not in DTYPES:
        raise _WrongRecordError(f"expected the dtype of {name!r} to be one of {', '.join(DTYPES)}; got {dtype_name!r}")
    dtype = DTYPES[dtype_name]
    try:
        wide = np.asarray(values, np.int64 if dtype.kind in "iu" else np.float64)
        exact = np.asarray(values, np.float64)
    except (ValueError, TypeError, OverflowError) as error:
        raise _WrongRecordError(
            f"expected {name!r} to hold numbers, lists of one length in each dimension: {error}"
        ) from None
    with np.errstate(over="ignore"):
        array = wide.astype(dtype)
    if dtype.kind in "iu" and not (np.array_equal(array, wide) and np.array_equal(exact, wide)):
        wrong = exact.reshape(-1)[(array != exact).reshape(-1)][:1]
        raise _WrongRecordError(
            f"expected {name!r} to hold values of {dtype_name}, got {', '.join(f'{v:g}' for v in wrong)}"
        )
    return array


def _number(name: str, array: Array) -> float:
    """A parameter's value as Python has it."""
    if array.ndim:
        raise _WrongRecordError(f"expected the runtime parameter {name!r} to be a number, got a list")
    return int(array) if array.dtype.kind in "iu" else float(array)


# --- solutions --------------------------------------------------------------------------------------------------------


def solution_code(path: Path) -> str | None:
    """The code of a solution file as the benchmark takes it, empty where the model gave none; None for another file.

    It cuts at a comment `// extern "C"` and takes out a `main`.

    Raises:
        ConfigError: the file is no JSON object, or its code is no text.
    """
    repair = "generate the solution again, or take the file away"
    facts = json_object(text_of(path), path, 1, "a solution of NPUEval", repair)
    if "code" not in facts:
        return None
    if not isinstance(facts["code"], str | None):
        raise ConfigError(f"{path}:1: expected 'code' to be text or null, got {_kind(facts['code'])}; {repair}")
    return _without_main(facts["code"] or "").split('// extern "C"')[0]


def judged_code(path: Path) -> str | None:
    """The kernel of a source that the benchmark compiled (`NAME_wrapper.cc`, beside its result): what stands before the
    wrapper; None where there is no wrapper of this name.

    Raises:
        ConfigError: it cannot be read.
    """
    kernel, mark, tail = text_of(path).rpartition('extern "C"')
    return kernel if mark and re.search(rf"\b{re.escape(path.stem)}\s*\(", tail) else None


def _without_main(code: str) -> str:
    found = re.search(r"int\s+main\s*\([^)]*\)\s*\{", code)
    if found is None:
        return code
    depth = 1
    for i in range(found.end(), len(code)):
        depth += {"{": 1, "}": -1}.get(code[i], 0)
        if depth == 0:
            return code[: found.start()] + code[i + 1 :]
    return code
