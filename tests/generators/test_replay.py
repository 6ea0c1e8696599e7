"""Replay finds completions by task, case, sample and attempt, and says what it has where it has none."""

from __future__ import annotations

import json

import pytest

from kbench import Candidate, Request
from kbench.core.errors import ConfigError
from kbench.generators.replay import Replay, read_candidate, roles_of


def ask(path, task="Sqrt", **more):
    return Replay(str(path)).generate(Request(messages=(), suite="s", task=task, **more))


def write(path, text="x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def lines(path, *objects):
    path.write_text("".join(json.dumps(o) + "\n" for o in objects))
    return path


def test_jsonl(tmp_path):
    file = lines(
        tmp_path / "c.jsonl",
        {"task": "Sqrt", "sample": 0, "completion": "zero", "finish_reason": "length"},
        {"task": "Sqrt", "sample": 1, "files": {"op_kernel/k.cpp": "text"}, "entry": "sqrt"},
        {"task": "Sqrt", "sample": 1, "attempt": 1, "completion": "repaired"},
        {"task": "Sqrt", "sample": 0, "cases_key": "big", "completion": "for one case"},
        {"task": "Neg", "completion": "for every sample"},
    )
    assert (ask(file).text, ask(file).finish_reason) == ("zero", "length")
    candidate = ask(file, sample=1).candidate
    assert (candidate.files, candidate.roles, candidate.entry) == (
        {"op_kernel/k.cpp": "text"},
        {"op_kernel": "op_kernel/k.cpp"},
        "sqrt",
    )
    assert ask(file, sample=1, attempt=1).text == "repaired"
    assert ask(file, cases_key="big").text == "for one case"
    assert ask(file, cases_key="small").text == "zero"
    assert ask(file, "Neg", sample=99).text == "for every sample"


def test_folder(tmp_path):
    write(tmp_path / "Sqrt" / "0" / "op_kernel" / "k.cpp", "kernel")
    write(tmp_path / "Sqrt" / "0" / "op_host" / "h.cpp", "host")
    write(tmp_path / "Sqrt" / "1.md", "a completion")
    write(tmp_path / "Neg" / "kernel.c", "one for all")
    write(tmp_path / "Gelu.txt", "text for all")
    assert ask(tmp_path).candidate.roles == {"op_kernel": "op_kernel/k.cpp", "op_host": "op_host/h.cpp"}
    assert ask(tmp_path, sample=1).text == "a completion"
    assert ask(tmp_path, "Neg", sample=5).candidate.files == {"kernel.c": "one for all"}
    assert ask(tmp_path, "Gelu", sample=5).text == "text for all"


def test_of_several_sources_the_kernel_is_the_one_named_like_the_task(tmp_path):
    for name in ("aie2/given.cc", "common.h", "bf16_copy.cc"):
        write(tmp_path / "bf16_copy" / name, name)
        write(tmp_path / "other" / "3" / name, name)
    assert ask(tmp_path, "bf16_copy").candidate.roles == {"kernel": "bf16_copy.cc"}
    assert ask(tmp_path, "other", sample=3).candidate.roles == {"kernel": "aie2/given.cc"}
    file = lines(tmp_path / "c.jsonl", {"task": "k", "files": {"a.cc": "", "k.cc": "", "k.h": ""}})
    assert ask(file, "k").candidate.roles == {"kernel": "k.cc"}


def test_what_is_missing_is_said_with_what_there_is(tmp_path):
    file = lines(tmp_path / "c.jsonl", *({"task": "Sqrt", "sample": i, "completion": "x"} for i in (0, 10, 2)))
    with pytest.raises(ConfigError, match=r"no completion of Sqrt, sample 5; it has samples 0, 2, 10 of this task"):
        ask(file, sample=5)
    with pytest.raises(ConfigError, match=r"no completion of Neg, sample 0, case big; it has the tasks Sqrt"):
        ask(file, "Neg", cases_key="big")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "c.jsonl:1: not a completion: JSONDecodeError"),
        ('{"sample": 0}', "c.jsonl:1: not a completion: KeyError: 'task'"),
        ('{"task": "t"}', "c.jsonl:1: not a completion: KeyError: 'completion'"),
        ('{"task": "t", "files": 3}', "c.jsonl:1: not a completion: AttributeError"),
        ("[]", "c.jsonl:1: not a completion: TypeError"),
        ('{"task": "t", "sample": "0", "completion": ""}', "ValueError: sample is '0', not a whole number"),
        ('{"task": "t", "sample": 0, "files": {"a.c": ""}, "roles": [1]}', "c.jsonl:1: not a completion: TypeError"),
        ("\n", "it holds no completion"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, text, message):
    write(tmp_path / "c.jsonl", text)
    with pytest.raises(ConfigError) as caught:
        Replay(str(tmp_path / "c.jsonl"))
    assert message in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "Sqrt").mkdir()
    (tmp_path / "Sqrt" / "k.cpp").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ConfigError, match=r"cannot replay .*k\.cpp"):
        ask(tmp_path)


def test_roles_by_folder():
    files = dict.fromkeys(["op_host/t_tiling.h", "op_host/z.cpp", "op_kernel/a.h", "op_kernel/b.cpp"], "")
    assert roles_of(files) == {
        "op_host": "op_host/z.cpp",
        "op_kernel": "op_kernel/b.cpp",
        "tiling": "op_host/t_tiling.h",
    }
    assert roles_of({"a.h": "", "k.c": ""}) == {"kernel": "k.c"}


def test_a_dataset_is_no_folder_of_completions(tmp_path):
    file = lines(tmp_path / "npueval.jsonl", {"kernel_name": "abs_int8", "prompt": ""})
    with pytest.raises(ConfigError, match=r"jsonl:1: not a completion.*kbench import npueval makes a suite"):
        ask(file)


def test_one_candidate_from_whatever_holds_it(tmp_path):
    kernel = tmp_path / "anything.cc"
    kernel.write_text("void f() {}")
    assert read_candidate(kernel, "Task").candidate == Candidate(
        {"anything.cc": "void f() {}"}, {"kernel": "anything.cc"}
    )
    (tmp_path / "answer.md").write_text("text")
    assert read_candidate(tmp_path / "answer.md", "Task").text == "text"
    project = tmp_path / "project"
    for role in ("op_kernel", "op_host"):
        (project / role).mkdir(parents=True)
        (project / role / "task.cpp").write_text(role)
    found = read_candidate(project, "Task").candidate
    assert found.roles == {"op_kernel": "op_kernel/task.cpp", "op_host": "op_host/task.cpp"}
    write(tmp_path / "plain" / "k.cc", "plain")
    assert read_candidate(tmp_path / "plain", "Task").candidate.roles == {"kernel": "k.cc"}
    many = tmp_path / "many"
    for sample in (0, 1):
        (many / "Task" / str(sample)).mkdir(parents=True)
        (many / "Task" / str(sample) / "k.cc").write_text(f"sample {sample}")
    assert read_candidate(many, "Task", 1).candidate.files == {"k.cc": "sample 1"}
    with pytest.raises(ConfigError, match="no completion of Other"):
        read_candidate(many, "Other")
