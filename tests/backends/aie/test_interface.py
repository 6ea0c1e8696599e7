"""The kernel interface of an AIE tile, derived from Tasks: signatures, examples, prompts, movement."""

from __future__ import annotations

import dataclasses
import re

import pytest

from kbench.backends.aie.interface import TARGETS, interface, scaffold, signature, wrapper
from kbench.backends.aie.movement import MEMORY_BYTES, movement, sheets
from kbench.core.backend import Settings
from kbench.core.errors import ConfigError
from kbench.core.prompting.prompt import render_prompt
from kbench.core.task import Attr, Case
from kbench.task_specs import npueval_suite, quick_suite

TASKS = npueval_suite().tasks


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


@pytest.mark.parametrize("target", TARGETS)
def test_every_prompt_renders(target: str) -> None:
    settings = Settings(target=target)
    for name, entry in TASKS.items():
        told = interface(entry, entry.cases, settings)
        assert told.files == {"kernel": f"{name}.cc"}
        prompt = render_prompt(entry, entry.cases, told, settings)[1].content
        assert f"void {name}(" in prompt
        assert ("64 bytes" if target == "npu2" else "32 bytes") in prompt


def test_the_scaffold_is_includes_and_the_empty_function() -> None:
    assert scaffold(*of("add_offset_uint8")) == (
        '#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n\n'
        "void add_offset_uint8(uint8_t *in_buffer, uint8_t *out_buffer, uint8_t offset) {\n"
        "    // Implementation goes here\n}\n"
    )


def test_what_a_tile_does_not_take() -> None:
    lists = quick_suite().tasks["ForeachAbs"]
    with pytest.raises(ConfigError, match="x of task ForeachAbs is a list of tensors"):
        movement(lists.task, lists.cases[0])
    task, case = of("abs_int8")
    with pytest.raises(ConfigError, match="n of task abs_int8 is without a dtype"):
        signature(dataclasses.replace(task, attrs=(Attr("n", "list_int", [1]),)), case)
    assert signature(dataclasses.replace(task, attrs=(Attr("n", "int", 1),)), case).endswith(", int32_t n)")
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


def test_movement_is_shown_once_for_each_size() -> None:
    entry = TASKS["conv1d_bfloat16"]
    (sheet,) = sheets(entry.task, entry.cases)
    assert sheet.title == (
        "data movement: tiles of 256 elements; 3080 of 65536 bytes of the tile's memory: 2 of each buffer, "
        "1024 bytes of stack"
    )
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    assert rows[2] == {
        "buffer": "out_buffer", "direction": "out", "port": "0", "dtype": "bfloat16", "elements": "255",
        "bytes": "510", "padding": "1", "moved bytes": "512",
    }  # fmt: skip
    root = quick_suite().tasks["Sqrt"].task
    cases = [Case(name, {"x": (size,)}, {"T": "float32"}) for name, size in (("a", 8), ("b", 9), ("c", 8))]
    assert [s.title.rpartition(" (")[2] for s in sheets(root, cases)] == ["cases a, c)", "cases b)"]


def test_an_interface_needs_every_case_to_fit() -> None:
    root = quick_suite().tasks["Sqrt"]
    cases = [Case(name, {"x": (size,)}, {"T": "float32"}) for name, size in (("fits", 8), ("large", 9000))]
    with pytest.raises(ConfigError, match="case large needs"):
        interface(root, cases, Settings(target="npu1"))
