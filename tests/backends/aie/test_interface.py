"""The kernel interface of an AIE tile, derived from Tasks: signatures, examples, prompts, movement."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from pathlib import Path

import pytest

from kbench.backends.aie.interface import TARGETS, example, interface, scaffold, signature, wrapper
from kbench.backends.aie.movement import MEMORY_BYTES, movement
from kbench.core.backend import Settings
from kbench.core.errors import ConfigError
from kbench.core.prompt import render_prompt
from kbench.core.task import Attr, Case
from kbench.importers import load_suite_folder
from kbench.importers.npueval import import_suite
from kbench.task_specs import npueval_suite, quick_suite
from tests.importers.npueval_checkout import write_checkout

TASKS = npueval_suite().tasks
#: A checkout of AMDResearch/NPUEval: its prompts against ours.
CHECKOUT = os.environ.get("KBENCH_NPUEVAL_CHECKOUT", "")


def of(name: str) -> tuple:
    entry = TASKS[name]
    return entry.task, entry.cases[0]


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("abs_int8", "int8_t *in_buffer, int8_t *out_buffer"),
        ("cast_bfloat16_to_float32", "bfloat16 *in_buffer, float *out_buffer"),
        (
            "conv1d_bias_relu_bfloat16",
            "bfloat16 *in_buffer, bfloat16 *kernel, bfloat16 *out_buffer, bfloat16 bias, uint32_t stride",
        ),
    ],
)
def test_signature(name: str, declared: str) -> None:
    assert signature(*of(name)) == f"void {name}({declared})"


def test_the_wrapper_sets_the_state_and_marks_the_time() -> None:
    text = wrapper(*of("add_offset_int8"))
    assert text.startswith(
        'extern "C" void add_offset_int8_wrapper(int8_t *in_buffer, int8_t *out_buffer, int8_t offset)'
    )
    assert re.search(
        r"positive_inf.*event0\(\);\s+add_offset_int8\(in_buffer, out_buffer, offset\);\s+event1", text, re.S
    )


def test_an_example_is_a_call_on_the_front_and_its_result() -> None:
    call, result = example(*of("negate_int8")).splitlines()
    numbers = json.loads(call.removeprefix(">>> negate_int8(").removesuffix(")"))
    assert len(numbers) == 8
    assert json.loads(result) == [-n if n > -128 else n for n in numbers]
    call, result = example(*of("matmul_16x16_int8")).splitlines()
    a, b = json.loads("[" + call.removeprefix(">>> matmul_16x16_int8(").removesuffix(")") + "]")
    assert json.loads(result)[1][2] == max(-128, min(127, sum(x * row[2] for x, row in zip(a[1], b, strict=True))))
    assert example(*of("vectormatrix_mult_int32")) == ""  # its parts do not belong together


@pytest.mark.parametrize("target", TARGETS)
def test_every_prompt_renders(target: str) -> None:
    settings = Settings(target=target)
    for name, entry in TASKS.items():
        told = interface(entry, entry.cases, settings)
        assert told.files == {"kernel": f"{name}.cc"}
        prompt = render_prompt(entry, entry.cases, told, settings)[1].content
        assert f"void {name}(" in prompt
        assert ("64 bytes" if target == "npu2" else "32 bytes") in prompt


def test_the_scaffold_tells_sizes_and_all_values_of_parameters() -> None:
    entry = TASKS["add_offset_uint8"]
    assert "in_buffer size: 1024\nout_buffer size: 1024\noffset: 2, 128, 255\n*/\n#include" in scaffold(
        entry.task, entry.cases
    )


def test_what_a_tile_does_not_take() -> None:
    lists = quick_suite().tasks["ForeachAbs"]
    with pytest.raises(ConfigError, match="x of task ForeachAbs is a list of tensors"):
        movement(lists.task, lists.cases[0])
    task, case = of("abs_int8")
    with pytest.raises(ConfigError, match="n of task abs_int8 is without a dtype"):
        signature(dataclasses.replace(task, attrs=(Attr("n", "int", 1),)), case)
    with pytest.raises(ConfigError, match="npu9"):
        interface(TASKS["abs_int8"], TASKS["abs_int8"].cases, Settings(target="npu9"))


# --- movement ---------------------------------------------------------------------------------------------------------


def test_buffers_ports_and_padding() -> None:
    found = movement(*of("conv1d_bfloat16"))
    assert [(b.name, b.direction, b.port, b.elements, b.padding) for b in found.buffers] == [
        ("in_buffer", "in", 0, 256, 0),
        ("kernel", "in", 1, 2, 0),
        ("out_buffer", "out", 0, 255, 1),
    ]
    assert found.tile_elements == 256
    assert found.memory_bytes == 1024 + 2 * (512 + 4 + 512)


def test_seventeen_outputs_are_padded_and_every_task_fits() -> None:
    padded = {}
    for name, entry in TASKS.items():
        for case in entry.cases:
            found = movement(entry.task, case)
            assert found.memory_bytes <= MEMORY_BYTES // 4
            padded[name] = [b.padding for b in found.buffers if b.padding]
    assert sum(bool(p) for p in padded.values()) == 17
    assert padded["reduce_add_relu_int8"] == [3]


def test_too_much_for_a_tile() -> None:
    entry = quick_suite().tasks["Equal"]
    with pytest.raises(ConfigError, match=r"task Equal, case big needs \d+ bytes, two of each buffer and the stack"):
        movement(entry.task, Case("big", {"x1": (16384,), "x2": (16384,)}, {"T": "int32"}))


# --- against the benchmark's own prompts ------------------------------------------------------------------------------


def test_the_structure_of_the_prompt_is_the_benchmark_s(tmp_path: Path) -> None:
    """The example of an imported suite is of the published vector, as there."""
    import_suite(write_checkout(tmp_path / "checkout"), tmp_path / "suite")
    entry = load_suite_folder(tmp_path / "suite").tasks["add_offset_uint8"]
    text = scaffold(entry.task, entry.cases[:1])
    assert re.fullmatch(
        r"/\*\nThe sum .*\n>>> add_offset_uint8\(\[(\d+, ){7}\d+\], 2\)\n\[(\d+, ){7}\d+\]\nThis kernel .*:\n"
        r"in_buffer size: 1024\nout_buffer size: 1024\noffset: 2\n\*/\n#include <aie_api/aie.hpp>\n"
        r'#include "aie_kernel_utils.h"\n\nvoid add_offset_uint8\(.*\) \{\n    // Implementation goes here\n\}\n',
        text,
    )


@pytest.mark.skipif(not CHECKOUT, reason="KBENCH_NPUEVAL_CHECKOUT names no checkout of AMDResearch/NPUEval")
def test_the_benchmark_s_prompts(tmp_path: Path) -> None:
    """Signatures and sizes of all 102, and all examples but three, where the bias is written with fewer digits."""
    import_suite(Path(CHECKOUT), tmp_path / "suite")
    lines = (tmp_path / "suite/npueval.jsonl").read_text().splitlines()
    prompts = {facts["kernel_name"]: facts["prompt"] for facts in map(json.loads, lines)}
    assert len(prompts) == 102
    other = []
    for name, entry in load_suite_folder(tmp_path / "suite").tasks.items():
        if name not in prompts:
            continue
        ours, theirs = scaffold(entry.task, entry.cases[:1]), prompts[name].replace("const ", "")
        tail = "This kernel should be optimized"
        assert ours[ours.index(tail) :] == theirs[theirs.index(tail) :], name
        _, _, example_there = theirs.partition(">>> ")
        _, _, example_here = ours.partition(">>> ")
        assert bool(example_there) == bool(example_here), name
        if example_here.split(tail)[0] != example_there.split(tail)[0]:
            other.append(name)
    assert other == [
        "conv1d_bias_relu_bfloat16",
        "conv1d_k4_s1_bias_relu_bfloat16",
        "conv2d_k4_s2_bias_relu_bfloat16",
    ]
