"""NPUEval's way of asking, for its own kernels and for any other task and backend."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kbench.backends.aie.interface import interface
from kbench.cli import app
from kbench.core.backend import Interface, Settings
from kbench.core.extraction.extract import extract
from kbench.core.generator import Completion
from kbench.core.suite import SuiteTask
from kbench.importers import load_suite_folder
from kbench.importers.npueval import import_suite
from kbench.importers.npueval_preset import PRESET, ask
from kbench.task_specs import npueval_suite, quick_suite
from tests.importers.npueval_checkout import write_checkout

#: A checkout of AMDResearch/NPUEval: its prompts against ours.
CHECKOUT = os.environ.get("KBENCH_NPUEVAL_CHECKOUT", "")
NPU1 = Settings(target="npu1")


def asked(entry: SuiteTask, cases: int = 1) -> tuple[str, str]:
    """(system, user) for the first cases, on the tile that NPUEval is for."""
    chosen = entry.cases[:cases]
    system, user = ask(entry, chosen, interface(entry, chosen, NPU1), NPU1)
    assert (system.role, user.role) == ("system", "user")
    return system.content, user.content


def test_the_settings() -> None:
    told = PRESET.sampling
    assert (told.seed, told.temperature, told.top_p, told.attempts) == (42, 0.0, 1.0, 10)


def test_the_user_s_message_is_the_file_to_fill_in(tmp_path: Path) -> None:
    """Of an imported kernel: the benchmark's description, an example of its vector, sizes, the empty function."""
    import_suite(write_checkout(tmp_path / "checkout"), tmp_path / "suite")
    _, user = asked(load_suite_folder(tmp_path / "suite").tasks["add_offset_uint8"])
    assert re.fullmatch(
        r"/\*\nWhat it does\.\n>>> add_offset_uint8\(\[(\d+, ){7}\d+\], 2\)\n\[(\d+, ){7}\d+\]\nThis kernel .*:\n"
        r"in_buffer size: 1024\nout_buffer size: 1024\noffset: 2\n\*/\n#include <aie_api/aie.hpp>\n"
        r'#include "aie_kernel_utils.h"\n\nvoid add_offset_uint8\(.*\) \{\n    // Implementation goes here\n\}\n',
        user,
    )


def test_of_our_own_suite_it_says_our_words_and_every_value() -> None:
    entry = npueval_suite().tasks["add_offset_uint8"]
    _, user = asked(entry, cases=9)
    assert user.startswith(f"/*\n{entry.task.summary}\n>>> ")
    assert "\noffset: 2, 128, 255\n*/" in user


def test_the_system_s_message_has_its_rules() -> None:
    system, _ = asked(npueval_suite().tasks["relu_int8"])
    head, *rules = [line for line in system.splitlines() if line]
    assert "npu1" in head
    assert len(rules) == 4
    assert all(rule.startswith("* ") for rule in rules)
    for word in ("C++", "one fenced code block", "relu_int8", "No main"):
        assert word in system


@pytest.mark.parametrize("name", quick_suite().tasks)
def test_any_task_of_any_backend(name: str) -> None:
    """Several files, a host side that is given, another comment: the answer that it asks for is one that is read."""
    entry = quick_suite().tasks[name]
    told = Interface(
        language="Some language",
        entry="kernel",
        files={"op_kernel": "k/kernel.py", "op_host": "h/host.cpp"},
        signature="kernel()",
        scaffold={"k/kernel.py": "def kernel():\n    ..."},
        rules=(),
        limits={},
        host="launched as it is",
    )
    system, user = (message.content for message in ask(entry, entry.cases, told, Settings(target="chip")))
    assert "<file path" in system
    assert f'<file path="k/kernel.py">\n"""\n{entry.task.summary}\n' in user
    assert user.endswith("The host side, which is given:\n\nlaunched as it is\n")
    answer = extract(Completion(text=user), told)
    assert answer.files["k/kernel.py"].startswith(f'"""\n{entry.task.summary}')
    assert answer.roles == told.files


def test_the_command_line_knows_it() -> None:
    run = CliRunner()
    done = run.invoke(app, ["prompt", "Sqrt", "--backend", "ascend", "--preset", "npueval", "--json"])
    assert done.exit_code == 0, done.output
    system, user = json.loads(done.stdout)
    assert system["content"].count("* ") == 4
    assert "This kernel should be optimized" in user["content"]
    assert json.loads(run.invoke(app, ["list", "presets", "--json"]).stdout) == {"presets": ["akgen", "npueval"]}


@pytest.mark.skipif(not CHECKOUT, reason="KBENCH_NPUEVAL_CHECKOUT names no checkout of AMDResearch/NPUEval")
def test_the_benchmark_s_prompts(tmp_path: Path) -> None:
    """All 102 letter for letter but two: a bias with more digits than its type shows, and a `const`."""
    import_suite(Path(CHECKOUT), tmp_path / "suite")
    lines = (tmp_path / "suite/npueval.jsonl").read_text().splitlines()
    prompts = {facts["kernel_name"]: facts["prompt"] for facts in map(json.loads, lines)}
    assert len(prompts) == 102
    tasks = load_suite_folder(tmp_path / "suite").tasks
    other = [name for name, prompt in prompts.items() if asked(tasks[name])[1] != prompt]
    assert other == ["conv1d_k2_s1_bias_relu_bfloat16", "hardsigmoid_int8"]
    assert asked(tasks["hardsigmoid_int8"])[1] == prompts["hardsigmoid_int8"].replace("const ", "")
    bias, shown = str(tasks[other[0]].cases[0].attrs["bias"]), "-1.58594)"
    assert asked(tasks[other[0]])[1].replace(shown, f"{bias})") == prompts[other[0]]
