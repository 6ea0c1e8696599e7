"""Answers with completions that lie on disk already. Also the test double for every generator.

`path` is one of:

- **a run folder** of kbench: the completions (or source files) of its records;
- **a JSONL file**, one object a line: `{"task": "Sqrt", "sample": 0, "completion": "…"}`, with `"files": {path: text}`
  instead of `completion` where source files are at hand, and optional `cases_key` (static shapes), `attempt`,
  `finish_reason`, `roles`, `entry`;
- **a folder**: `TASK/SAMPLE/…` holds the source files of one sample, `TASK/SAMPLE.md` (or `.txt`) its completion;
  `TASK/…` with the files at once, `TASK.md` or `TASK.txt` serve every sample of the task;
- **a folder of NPUEval's solutions**: `TASK.json` holds the kernel as `code`;
- **a folder of NPUEval's results**: `TASK_wrapper.cc` is what was compiled.

A line or folder without `cases_key` serves every case of its task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError
from kbench.core.generator import Completion, Generator, Request
from kbench.importers.npueval_files import judged_code, solution_code
from kbench.importers.npueval_results import RESULT_SUFFIX

if TYPE_CHECKING:
    from kbench.core.record import Record
    from kbench.core.runs.store import RunFolder

#: task, cases_key ("*" serves every case), sample (None serves every sample), attempt.
_Key = tuple[str, str, int | None, int]
#: Reads one completion when it is asked for: a million of them are not kept in memory.
_Read = Callable[[], Completion]
_TEXTS = (".md", ".txt")
_WRAPPER = "_wrapper.cc"
#: Which role a file has, from its folder, where the candidate does not say so itself.
_ROLE_FOLDERS = {"op_kernel": "op_kernel", "op_host": "op_host"}


class Replay(Generator):
    """Looks completions up by task, case, sample and attempt.

    Raises ConfigError where `path` holds nothing that could be replayed, or nothing for what is asked.
    """

    name = "replay"
    free = True

    def __init__(self, path: str = "") -> None:
        if not path:
            raise ConfigError(
                "the replay generator needs a path: --replay PATH (a folder, a JSONL file or a run folder)"
            )
        self.path = Path(path)
        if not self.path.exists():
            raise ConfigError(f"nothing to replay at {self.path}: no such file or folder")
        self._known = dict(_load(self.path))
        if not self._known:
            raise ConfigError(f"nothing to replay in {self.path}: it holds no completion{_held(self.path)}")

    def generate(self, request: Request) -> Completion:
        for cases_key in (request.cases_key, "*"):
            for sample in (request.sample, None):
                read = self._known.get((request.task, cases_key, sample, request.attempt))
                if read is not None:
                    return read()
        raise ConfigError(self._missing(request))

    def _missing(self, request: Request) -> str:
        wanted = f"{request.task}, sample {request.sample}"
        if request.cases_key != "*":
            wanted += f", case {request.cases_key}"
        held = sorted({str(k[2]) for k in self._known if k[0] == request.task and k[2] is not None}, key=int)
        if held:
            return f"{self.path} has no completion of {wanted}; it has samples {', '.join(held)} of this task"
        tasks = sorted({k[0] for k in self._known})
        listed = ", ".join(tasks[:20]) + (f", … ({len(tasks)} in all)" if len(tasks) > 20 else "")
        return f"{self.path} has no completion of {wanted}; it has the tasks {listed}"


def read_candidate(path: Path, task: str, sample: int = 0) -> Completion:
    """One candidate for a task: a completion (`.md`, `.txt`), a kernel's source, a folder of a candidate's files, or
    whatever `Replay` finds this task in.

    Raises:
        ConfigError: there is nothing at the path, or nothing for this task.
    """
    if path.is_file() and path.suffix not in (*_TEXTS, ".jsonl", ".json"):
        files = {path.name: _read(path)}
        return Completion(candidate=Candidate(files, roles_of(files, task)))
    if path.is_file() and path.suffix in _TEXTS:
        return _from_text(path)
    if path.is_dir() and _is_candidate(path):
        return _from_files(path, task)
    request = Request(messages=(), suite="", task=task, cases_key="*", sample=sample, attempt=0, seed=0)
    return Replay(str(path)).generate(request)


def _is_candidate(folder: Path) -> bool:
    """Whether a folder holds the files of one candidate: folders of roles, or nothing but sources."""
    if any((folder / role).is_dir() for role in _ROLE_FOLDERS):
        return True
    files = [entry for entry in folder.iterdir() if entry.is_file()]
    texts = any(f.suffix in (*_TEXTS, ".json", ".jsonl") or f.name.endswith(_WRAPPER) for f in files)
    return bool(files) and not texts


def _held(path: Path) -> str:
    """What lies there instead, and what it is good for."""
    if not path.is_dir():
        return ""
    if any(path.glob(f"*{RESULT_SUFFIX}")):
        return f" but results of NPUEval (NAME{RESULT_SUFFIX}): kbench compare RUN {path} sets them against a run"
    names = ", ".join(sorted(entry.name for entry in path.iterdir())[:6])
    forms = "TASK/SAMPLE/…, TASK.md, or TASK.json or TASK_wrapper.cc of NPUEval"
    return f"; expected {forms}; got {names or 'an empty folder'}"


def _load(path: Path) -> Iterator[tuple[_Key, _Read]]:
    if path.is_file():
        yield from _from_jsonl(path)
    elif (path / "records.jsonl").is_file():
        yield from _from_run(path)
    else:
        yield from _from_folder(path)


def _from_jsonl(path: Path) -> Iterator[tuple[_Key, _Read]]:
    offset = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            start, offset = offset, offset + len(line)
            if not line.strip():
                continue
            facts: Mapping[str, Any] = {}
            try:
                facts = _parsed(line)
                key = _key(facts)
                _completion(facts)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ConfigError(f"{path}:{number}: not a completion: {_told(error)}; {_form(facts)}") from error
            yield key, partial(_from_line, path, start)


#: What a line should be.
_FORM = 'expected {"task": NAME, "sample": 0, "completion": TEXT}, or "files": {PATH: TEXT} instead of the completion'


def _form(facts: Any) -> str:
    """What a line should be, and where this one belongs."""
    if isinstance(facts, dict) and "kernel_name" in facts:
        return f"{_FORM}; this is a dataset of NPUEval: kbench import npueval makes a suite of it"
    return _FORM


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _from_line(path: Path, start: int) -> Completion:
    with path.open("rb") as file:
        file.seek(start)
        return _completion(_parsed(file.readline()))


def _key(facts: Mapping[str, Any]) -> _Key:
    task = str(facts["task"])
    sample, attempt = facts.get("sample"), facts.get("attempt", 0)
    for name, value in (("sample", sample), ("attempt", attempt)):
        if type(value) is not int and (name, value) != ("sample", None):  # text would match no request, without a word
            raise ValueError(f"{name} is {value!r}, not a whole number")
    return task, str(facts.get("cases_key", "*")), sample, attempt


def _parsed(line: bytes) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(line.decode("utf-8-sig"))
    return facts


def _completion(facts: Mapping[str, Any]) -> Completion:
    if "files" in facts:
        files = {str(name): str(text) for name, text in facts["files"].items()}
        roles = dict(facts.get("roles") or roles_of(files, str(facts.get("task", ""))))
        candidate = Candidate(files, roles, facts.get("entry", ""))
        return Completion(candidate=candidate)
    return Completion(text=str(facts["completion"]), finish_reason=str(facts.get("finish_reason", "stop")))


def _from_run(path: Path) -> Iterator[tuple[_Key, _Read]]:
    from kbench.core.runs.store import RunFolder

    run = RunFolder.open(path)
    for record in run.records():
        key = (record.task, record.cases_key, record.sample, record.attempt)
        if record.completion_sha or record.source_sha or record.reasoning_sha:
            yield key, partial(_from_samples, run, _Kept.of(record))


class _Kept(NamedTuple):
    """What a record says of its completion: texts by their hashes."""

    completion: str
    source: str
    reasoning: str
    finish_reason: str
    model: str

    @classmethod
    def of(cls, record: Record) -> _Kept:
        reason = record.finish_reason or "stop"
        return cls(record.completion_sha, record.source_sha, record.reasoning_sha, reason, record.model)


def from_record(run: RunFolder, record: Record) -> Completion:
    """What a run keeps of an answer: its text, or else the source files."""
    return _from_samples(run, _Kept.of(record))


def _from_samples(run: RunFolder, kept: _Kept) -> Completion:
    if not kept.completion and not kept.reasoning and kept.source:
        return _completion(json.loads(run.text(kept.source)))
    text, reasoning = run.text(kept.completion), run.text(kept.reasoning)
    return Completion(text=text, finish_reason=kept.finish_reason, reasoning=reasoning, model=kept.model)


def _from_folder(path: Path) -> Iterator[tuple[_Key, _Read]]:
    for entry in sorted(path.iterdir()):
        if entry.is_file() and entry.suffix in _TEXTS:
            yield (entry.stem, "*", None, 0), partial(_from_text, entry)
        elif entry.is_file() and entry.suffix == ".json" and solution_code(entry) is not None:
            yield (entry.stem, "*", None, 0), partial(_from_solution, entry)
        elif entry.is_file() and entry.name.endswith(_WRAPPER) and judged_code(entry) is not None:
            yield (entry.name.removesuffix(_WRAPPER), "*", None, 0), partial(_from_judged, entry)
        elif entry.is_dir():
            yield from _from_task_folder(entry)


def _from_task_folder(folder: Path) -> Iterator[tuple[_Key, _Read]]:
    samples = [e for e in folder.iterdir() if e.stem.isdigit() and (e.is_dir() or e.suffix in _TEXTS)]
    for entry in sorted(samples):
        yield (folder.name, "*", int(entry.stem), 0), partial(_from_entry, entry, folder.name)
    if not samples and any(e.is_file() for e in folder.rglob("*")):
        yield (folder.name, "*", None, 0), partial(_from_entry, folder, folder.name)


def _from_text(file: Path) -> Completion:
    return Completion(text=_read(file))


def _from_solution(file: Path) -> Completion:
    """A file of source, or a completion that is empty where the model gave no code."""
    return _from_code(file.stem, solution_code(file) or "")


def _from_judged(file: Path) -> Completion:
    return _from_code(file.name.removesuffix(_WRAPPER), judged_code(file) or "")


def _from_code(task: str, code: str) -> Completion:
    if not code.strip():
        return Completion(text="")
    return Completion(candidate=Candidate({f"{task}.cc": code}, {"kernel": f"{task}.cc"}, task))


def _from_entry(entry: Path, task: str) -> Completion:
    return _from_files(entry, task) if entry.is_dir() else _from_text(entry)


def _from_files(folder: Path, task: str) -> Completion:
    files = {str(f.relative_to(folder)): _read(f) for f in sorted(folder.rglob("*")) if f.is_file()}
    return Completion(candidate=Candidate(files, roles_of(files, task)))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot replay {path}: {error}") from error


def roles_of(files: Mapping[str, str], task: str = "") -> dict[str, str]:
    """Roles by folder (`op_kernel/…`, `op_host/…`), sources before headers; else the `kernel` is the file that is named
    like the task, or the first.

    `tiling` is the header in `op_host` whose name says so.
    """
    roles: dict[str, str] = {}
    for path in sorted(files, key=lambda p: (p.endswith((".h", ".hpp")), p)):
        role = _ROLE_FOLDERS.get(path.split("/", 1)[0])
        if role == "op_host" and path.endswith((".h", ".hpp")) and "tiling" in path:
            roles.setdefault("tiling", path)
        elif role:
            roles.setdefault(role, path)
    if not roles and files:
        roles["kernel"] = min(files, key=lambda p: (p.endswith((".h", ".hpp")), PurePosixPath(p).stem != task, p))
    return roles
