"""A made-up checkout in the layout of NPUEval: four small kernels, one without a record, written for these tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

#: kernel → (folder, C parameters, body without its braces).
SOURCES = {
    "abs_int8": (
        "abs_int8",
        "int8_t *in_buffer, int8_t *out_buffer",
        "for (int i = 0; i < 1024; i++) { out_buffer[i] = in_buffer[i] < 0 ? -in_buffer[i] : in_buffer[i]; }",
    ),
    "add_offset_uint8": (
        "addoffset_uint8",
        "uint8_t *in_buffer, uint8_t *out_buffer, uint8_t offset",
        "for (int i = 0; i < 1024; i++) { out_buffer[i] = in_buffer[i] + offset; }",
    ),
    "dotproduct_bias_relu_bfloat16": (
        "dotproduct_bias_relu_bfloat16",
        "bfloat16 *in0, bfloat16 *in1, bfloat16 *out, bfloat16 bias, uint32_t vector_size",
        "float s = bias; for (uint32_t i = 0; i < vector_size; i++) { s += float(in0[i]) * float(in1[i]); }\n"
        "    *out = s > 0 ? s : 0;",
    ),
    "reducemin_bfloat16": (
        "reducemin_bfloat16",
        "bfloat16 *in_buffer, bfloat16 *out_buffer",
        "*out_buffer = in_buffer[0];\n"
        "    for (int i = 1; i < 64; i++) { if (in_buffer[i] < *out_buffer) { *out_buffer = in_buffer[i]; } }",
    ),
    "softplus_bfloat16": ("softplus_bfloat16", "bfloat16 *input, bfloat16 *output", "*output = *input;"),
}

PROMPT = """/*
What it does.
*/
#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void {name}({params}) {{
    // Implementation goes here
}}
"""


def bf16(values: Any) -> np.ndarray:
    return np.asarray(values).astype(ml_dtypes.bfloat16)


def records() -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(0)
    x8, u8 = rng.integers(-128, 128, 1024, dtype=np.int8), rng.integers(0, 255, 1024, dtype=np.uint8)
    a, b, c = bf16(rng.standard_normal(64)), bf16(rng.standard_normal(64)), bf16(rng.standard_normal(64))
    dot = float(bf16(a.astype(np.float64) @ b.astype(np.float64)))
    return {
        "abs_int8": record("abs_int8", {"in_buffer": x8}, ("out_buffer", np.abs(x8))),
        "add_offset_uint8": record(
            "add_offset_uint8", {"in_buffer": u8}, ("out_buffer", u8 + np.uint8(2)), {"offset": (2, "uint8")}
        ),
        "dotproduct_bias_relu_bfloat16": record(
            "dotproduct_bias_relu_bfloat16",
            {"in0": a, "in1": b},
            ("out", bf16([max(dot + 9.5, 0)])),
            {"bias": (9.5, "bfloat16"), "vector_size": (64, "uint32")},
        ),
        "reducemin_bfloat16": record("reducemin_bfloat16", {"in_buffer": c}, ("out_buffer", c.min())),
    }


def record(
    name: str,
    inputs: dict[str, np.ndarray],
    output: tuple[str, Any],
    params: dict[str, tuple[float, str]] | None = None,
) -> dict[str, Any]:
    """A line of the dataset."""
    _, parameters, body = SOURCES.get(name, (name, "", ""))
    vectors: dict[str, Any] = {
        "inputs": [{n: v.tolist(), "dtype": str(v.dtype)} for n, v in inputs.items()],
        "outputs": [{output[0]: np.asarray(output[1]).tolist(), "dtype": str(np.asarray(output[1]).dtype)}],
    }
    if params:
        vectors["rtps"] = [{n: v, "dtype": dtype} for n, (v, dtype) in params.items()]
    return {
        "kernel_name": name,
        "prompt": PROMPT.format(name=name, params=parameters),
        "canonical_solution": f"{body}\n}}",
        "program_code": "",
        "test_vectors": vectors,
    }


def write_checkout(root: Path, *, with_records: bool = False) -> Path:
    """Write the checkout below `root`, each record also beside its kernel where asked for; its path."""
    lines = records()
    dataset = root / "dataset"
    for name, (folder, parameters, body) in SOURCES.items():
        place = dataset / "kernels" / folder
        place.mkdir(parents=True)
        (place / "canonical_scalar.cc").write_text(
            f"#include <cstdint>\n\nvoid {name}({parameters}) {{\n    {body}\n}}\n"
        )
        (place / "generate.py").write_text("raise SystemExit('nobody runs this')\n")
        if with_records and name in lines:
            (place / "kernel.json").write_text(json.dumps(lines[name]))
    (dataset / "npueval.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines.values()))
    return root
