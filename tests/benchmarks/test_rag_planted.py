"""Copies in disguise: the same for the same seed, what they say they are, and withheld."""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import pytest

from benchmarks.rag.measure import KIN, SUITES, folder_name
from benchmarks.rag.planted import KBENCH, KINDS, declared, disguise, halves, joined, solutions, tokens_of
from kbench.generators.rag.corpus import Chunk, Passage
from kbench.generators.rag.guard import Registry
from kbench.task_specs import npueval_suite, npukernelbench_suite

FILES = {
    "aie-scalar": "backends/aie/references/relu6_bfloat16/scalar.cc",
    "aie-vector": "backends/aie/references/softmax_bfloat16/vector.cc",
    "ascend-kernel": "backends/ascend/references/mul_sigmoid/op_kernel/mul_sigmoid.cpp",
    "ascend-host": "backends/ascend/references/gelu/op_host/gelu.cpp",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_copy_is_drawn_by_its_seed_and_withheld(file, kind):
    text = (KBENCH / file).read_text(encoding="utf-8")
    copy = disguise(text, kind, random.Random("seed"))
    assert copy == disguise(text, kind, random.Random("seed"))
    assert copy != text
    known = Registry([]).known("the task", {"known": text})
    verdict = known.verdict(Passage("theirs.cc", "code", copy, (Chunk("f", copy),)))
    assert (verdict.withheld, verdict.solution.split(":")[0]) == ("copy", "known")


def test_names_of_the_file_are_renamed_and_those_of_the_machine_are_not():
    text = (KBENCH / FILES["aie-vector"]).read_text(encoding="utf-8")
    text = joined([token for token in tokens_of(text) if token[0] != "comment"])
    own = declared(tokens_of(text))
    assert {"exponential", "Values", "narrow", "softmax_bfloat16", "largest", "x0", "e0"} <= set(own)
    copy = disguise(text, "renamed", random.Random(1))
    assert not [name for name in own if re.search(rf"\b{name}\b", copy)]
    calls = re.compile(r"\baie :: \w+")
    assert Counter(calls.findall(copy)) == Counter(calls.findall(text)) != Counter()


def test_tasks_are_split_in_halves_by_seed():
    half = halves(20)
    assert half == halves(20) != halves(21)
    assert len(half) == len({(backend, task) for backend, task, _ in solutions()})
    assert abs(Counter(half.values())["tune"] - len(half) / 2) <= 1


def test_kin_are_tasks_with_another_name():
    tasks = {"npueval": npueval_suite().tasks, "npukernelbench": npukernelbench_suite().tasks}
    labels = json.loads(KIN.read_text(encoding="utf-8"))
    for suite in SUITES:
        for task, near in labels[suite].items():
            assert near
            assert task not in near
            assert {task, *near} <= set(tasks[suite])
    assert {folder_name(task) for task in tasks["npukernelbench"]} == {
        task for backend, task, _ in solutions() if backend == "ascend"
    }
