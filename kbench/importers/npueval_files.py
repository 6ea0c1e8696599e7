"""The files of NPUEval: records of its dataset, its solutions, and its results.

A record (a line of `npueval.jsonl`, or the `kernel.json` of a kernel folder) holds one kernel: prompt, body of the
canonical solution, and one vector of inputs, outputs and runtime parameters. A solution file (`NAME.json`) holds the
code that a model gave, a result file (`NAME_wrapper.json`) what became of it on the device.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.errors import ConfigError
from kbench.core.task import DTYPES, Array

#: What the benchmark allows where a record says nothing.
DEFAULT_TOLERANCE = {"atol": 1e-2, "rtol": 1e-2}
RESULT_SUFFIX = "_wrapper.json"

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


def read_dataset(path: Path) -> list[PublishedKernel]:
    """The records of a JSONL file.

    Raises:
        ConfigError: a line that is no record; names file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return [_record(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _record(line: str, where: str) -> PublishedKernel:
    try:
        facts = json.loads(line)
        vectors = facts["test_vectors"]
        (output,) = (_buffer(b) for b in vectors["outputs"])
        tolerance = {**DEFAULT_TOLERANCE, **facts.get("tolerances", {})}
        return PublishedKernel(
            name=str(facts["kernel_name"]),
            prompt=str(facts["prompt"]),
            body=str(facts["canonical_solution"]),
            inputs=dict(_buffer(b) for b in vectors["inputs"]),
            output=output,
            params={name: _number(value) for name, value in map(_buffer, vectors.get("rtps", ()))},
            atol=float(tolerance["atol"]),
            rtol=float(tolerance["rtol"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ConfigError(f"{where}: no record of NPUEval: {type(error).__name__}: {error}") from None


def _buffer(facts: Json) -> tuple[str, Array]:
    """(name, values) of `{name: nested list or number, "dtype": …}`."""
    ((name, values),) = ((k, v) for k, v in facts.items() if k != "dtype")
    dtype = DTYPES[facts["dtype"]]
    wide = np.asarray(values, np.int64 if dtype.kind in "iu" else np.float64)
    array = wide.astype(dtype)
    if dtype.kind in "iu" and not np.array_equal(array, wide):
        raise ValueError(f"{name} holds values that are no {facts['dtype']}")
    return name, array


def _number(array: Array) -> float:
    """A parameter's value as Python has it."""
    return int(array) if array.dtype.kind in "iu" else float(array)


# --- solutions and results --------------------------------------------------------------------------------------------


def solution_code(text: str) -> str | None:
    """The code of a solution file as the benchmark takes it, empty where the model gave none; None for another file.

    It cuts at a comment `// extern "C"` and takes out a `main`.
    """
    try:
        facts = json.loads(text)
    except ValueError:
        return None
    if not isinstance(facts, dict) or "code" not in facts:
        return None
    code = str(facts["code"] or "")
    return _without_main(code).split('// extern "C"')[0]


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


@dataclass(frozen=True)
class DeviceResult:
    """What a result file says of one kernel: cycles are None where there are none."""

    name: str
    passed: bool
    cycles: float | None = None
    vector_cycles: float | None = None
    error: str = ""


def read_results(folder: Path) -> dict[str, DeviceResult]:
    """The result files of a folder, by kernel.

    Raises:
        ConfigError: no result file there, or one that is none.
    """
    files = sorted(folder.glob(f"*{RESULT_SUFFIX}"))
    if not files:
        raise ConfigError(f"{folder} holds no results of NPUEval: expected NAME{RESULT_SUFFIX}")
    found = (_result(file) for file in files)
    return {result.name: result for result in found}


def _result(file: Path) -> DeviceResult:
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))
        verdict = facts["result"]
        if verdict not in ("Pass", "Fail"):
            raise ValueError(f"the result is {verdict!r}, neither Pass nor Fail")
        return DeviceResult(
            name=file.name.removesuffix(RESULT_SUFFIX),
            passed=verdict == "Pass",
            cycles=_finite(facts.get("total_cycles")),
            vector_cycles=_finite(facts.get("vector_cycles")),
            error=str(facts.get("Error", "")),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{file}: no result of NPUEval: {type(error).__name__}: {error}") from None


def _finite(value: Any) -> float | None:
    """A number of cycles; the benchmark writes Infinity where it found none."""
    return float(value) if value is not None and np.isfinite(float(value)) else None


def disagreements(results: Mapping[str, DeviceResult], passed: Mapping[str, Sequence[bool]]) -> Iterable[str]:
    """Where our verdicts (task → each sample's) and the device's differ, in words; only of kernels that both have."""
    for name, result in results.items():
        ours = passed.get(name)
        if ours and any(verdict != result.passed for verdict in ours):
            here = f"{sum(ours)} of {len(ours)} pass here"
            yield f"{name}: {here}, {'passed' if result.passed else 'failed'} on the device" + (
                f" ({result.error.splitlines()[0][:120]})" if result.error else ""
            )
