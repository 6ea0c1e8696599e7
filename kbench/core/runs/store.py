"""The run folder.

    manifest.json    the plan, written before anything starts (manifest.py)
    records.jsonl    one record a line, appended and synced; a torn last line is an attempt that was not recorded
    completions.jsonl  what models answered, one line each, before it is judged; a torn last line counts as not answered
    sessions.jsonl   when a process worked on the run, and for how long
    samples/         prompts, completions, sources and logs, named by the sha256 of the text

One process writes at a time. Killed at any moment, a run loses the attempts in flight and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from kbench.core.errors import ConfigError, StoreError
from kbench.core.record import SCHEMA, Record
from kbench.core.runs.manifest import MANIFEST_SCHEMA, Attempt, Manifest
from kbench.core.taxonomy import is_harness

try:
    import fcntl
except ImportError:  # no advisory locks here: two processes on one run are not caught
    fcntl = None  # type: ignore[assignment]


def sha_of(text: str) -> str:
    """The name of a text in `samples/`; empty for an empty text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest() if text else ""


@dataclass(frozen=True)
class RunFolder:
    """A run on disk, to read."""

    path: Path
    manifest: Manifest

    @classmethod
    def create(cls, path: Path, manifest: Manifest) -> RunFolder:
        """Write the plan into a new folder.

        Raises:
            StoreError: the folder holds something already, or cannot be written.
        """
        if (path / "manifest.json").exists():
            raise StoreError(f"{path} holds a run already: add --resume to go on with it, or give another --out")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise StoreError(f"{path} exists and is not a run folder: give another --out")
        try:
            (path / "samples").mkdir(parents=True)
            (path / "records.jsonl").touch()
            write_whole(path / "manifest.json", manifest.model_dump_json(by_alias=True, indent=1))
        except OSError as error:
            what = error.strerror or str(error)
            raise StoreError(f"cannot make a run folder at {path}: {what}; give another --out") from error
        return cls(path, manifest)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Read the plan of an existing run.

        Raises:
            ConfigError: there is no such folder.
            StoreError: it holds no run, is half written, or a newer kbench wrote it.
        """
        if not path.is_dir():
            raise ConfigError(f"no run folder at {path}")
        source = path / "manifest.json"
        if not source.is_file():
            raise StoreError(f"{path} is no run folder, or half written: it has no manifest.json, so nothing started")
        facts = _parsed(source, source.read_text(encoding="utf-8"))
        _refuse_newer(source, facts, MANIFEST_SCHEMA)
        try:
            return cls(path, Manifest.model_validate(facts))
        except ValidationError as error:
            raise StoreError(f"{source} is not a plan that kbench can read: {error}") from error

    @property
    def records_path(self) -> Path:
        return self.path / "records.jsonl"

    @property
    def completions_path(self) -> Path:
        return self.path / "completions.jsonl"

    def completions(self, wanted: Container[Attempt]) -> dict[Attempt, dict[str, Any]]:
        """What models answered for these attempts, as `completions.facts_of` tells it, texts by their hashes."""
        found: dict[Attempt, dict[str, Any]] = {}
        if not self.completions_path.exists():
            return found
        with self.completions_path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    continue
                facts = _parsed(f"{self.completions_path}:{number}", line)
                attempt = Attempt(**facts.pop("attempt"))
                if attempt in wanted:
                    found[attempt] = facts
        return found

    def torn(self) -> str:
        """The text of a last line that was never finished; empty in a whole file."""
        try:
            with self.records_path.open("rb") as file:
                return _tail(file)[1].decode(errors="replace")
        except FileNotFoundError:
            raise StoreError(f"{self.path} is half written: it has no records.jsonl") from None

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number, text) of every finished record."""
        try:
            with self.records_path.open(encoding="utf-8", errors="surrogatepass") as file:
                for number, line in enumerate(file, 1):
                    if line.endswith("\n"):
                        yield number, line
        except FileNotFoundError:
            raise StoreError(f"{self.path} is half written: it has no records.jsonl") from None

    def records(self, task: str | None = None) -> Iterator[Record]:
        """Every record (of one task), in the order of writing. An attempt that was taken up again has one more, which
        counts."""
        mark = "" if task is None else f'"task":{json.dumps(task, ensure_ascii=False)}'
        for number, line in self.lines():
            if mark not in line:  # far cheaper than to parse a million lines for the few of one task
                continue
            where = f"{self.records_path}:{number}"
            facts = _parsed(where, line)
            _refuse_newer(where, facts, SCHEMA)
            try:
                yield Record.model_validate(facts)
            except ValidationError as error:
                raise StoreError(f"{where} is not a record that kbench can read: {error}") from error

    def recorded(self) -> dict[Attempt, str]:
        """attempt → outcome of what is done."""
        done: dict[Attempt, str] = {}
        for number, line in self.lines():
            facts = _parsed(f"{self.records_path}:{number}", line)
            _refuse_newer(f"{self.records_path}:{number}", facts, SCHEMA)
            attempt = Attempt(facts["task"], facts["cases_key"], facts["sample"], facts["attempt"])
            if attempt not in done or is_harness(done[attempt]):
                done[attempt] = facts["outcome"]
        return done

    def text_path(self, sha: str) -> Path:
        return _sample_path(self.path, sha)

    def text(self, sha: str) -> str:
        """A prompt, completion, source or log by its hash; empty for no hash."""
        if not sha:
            return ""
        try:
            return self.text_path(sha).read_bytes().decode(errors="surrogatepass")
        except FileNotFoundError:
            raise StoreError(f"{self.path} has lost the text {sha[:12]}… that a record names") from None

    def seconds(self) -> float:
        """Wall time that processes worked on this run; one that was killed counts up to its last record."""
        file = self.path / "sessions.jsonl"
        if not file.exists():
            return 0.0
        spent: dict[str, float] = {}
        for line in file.read_bytes().splitlines():
            # A kill tears a note, and the next session's first one is appended to it: later notes make up for both.
            with contextlib.suppress(ValueError, KeyError, TypeError):
                facts = json.loads(line)
                spent[str(facts["session"])] = float(facts["seconds"])
        return sum(spent.values(), 0.0)


def new_run_path(runs: Path, manifest: Manifest) -> Path:
    """Where a new run lies when no folder is named: its name begins with the time, so that the latest is the last."""
    return runs / f"{manifest.run}-{manifest.suite}-{manifest.backend}"


def latest_run_path(runs: Path) -> Path | None:
    """The run below `runs` that was planned last; None where there is none."""
    return max((file.parent for file in runs.glob("*/manifest.json")), default=None)


class RunWriter:
    """The one process that adds records to a run. Holds the lock; use as a context manager.

    Raises:
        StoreError: another process holds the run, or the disk does not take the record. What was written stays whole.
    """

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._known: set[str] = set()
        self._keeping = threading.Lock()
        self._repaired_completions = False
        with _told(run.path):
            # Unbuffered: what a full disk refused must not come out later, when the file is closed.
            self._records = open(run.records_path, "r+b", buffering=0)  # noqa: SIM115
            (run.path / "samples").mkdir(exist_ok=True)
        try:
            self._lock()
            self.repaired = self._repair()
        except BaseException:
            self._records.close()
            raise

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._records.close()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._records, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"another kbench process is working on {self.run.path}") from None

    def _repair(self) -> str:
        """Cut a torn last line off; returns its text."""
        whole, torn = _tail(self._records)
        if torn:
            self._records.truncate(whole)
        self._records.seek(0, os.SEEK_END)
        return torn.decode(errors="replace")

    def append(self, record: Record, texts: Mapping[str, str]) -> None:
        """Keep the texts, then the record: a record never names a text that is not there."""
        line = record.model_dump_json(by_alias=True).encode(errors="surrogatepass") + b"\n"
        start = self._records.tell()
        with _told(self.run.path):
            with self._keeping:
                for sha, text in texts.items():
                    self._keep(sha, text)
            try:
                self._write(line)
            except OSError:
                self._undo(start)
                raise

    def keep_completion(self, attempt: Attempt, facts: Mapping[str, Any], texts: Mapping[str, str]) -> None:
        """Keep what a model answered, before anyone judges it. May be called from several threads.

        Raises:
            StoreError: the disk does not take it.
        """
        line = json.dumps({"attempt": attempt._asdict(), **facts}, ensure_ascii=False).encode(errors="replace") + b"\n"
        with self._keeping, _told(self.run.path):
            for sha, text in texts.items():
                self._keep(sha, text)
            with self.run.completions_path.open("ab", buffering=0) as file:
                if not self._repaired_completions:
                    file.truncate(_tail_of(self.run.completions_path))
                    self._repaired_completions = True
                start = file.seek(0, os.SEEK_END)
                try:
                    _write_synced(file, line)
                except OSError:
                    with contextlib.suppress(OSError):
                        file.truncate(start)
                    raise

    def _write(self, line: bytes) -> None:
        _write_synced(self._records, line)

    def _undo(self, start: int) -> None:
        """Take back half a line, where the disk lets us; a torn line is repaired on resume anyway."""
        with contextlib.suppress(OSError):
            self._records.truncate(start)
            self._records.seek(start)

    def _keep(self, sha: str, text: str) -> None:
        if sha in self._known:
            return
        path = _sample_path(self.run.path, sha)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text, sync=False)
        self._known.add(sha)

    def session(self, facts: Mapping[str, Any]) -> None:
        """Note when and how long this process worked; a later note of the same session replaces the earlier."""
        with _told(self.run.path), (self.run.path / "sessions.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")


def _sample_path(run: Path, sha: str) -> Path:
    return run / "samples" / sha[:2] / f"{sha[2:]}.txt"


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write into one sentence that says what to do."""
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error)
        raise StoreError(
            f"cannot write to {path}: {what}. What was recorded before is whole; when there is room again, "
            f"go on with: kbench run --resume --out {path}"
        ) from error


def _write_synced(file: Any, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def _tail_of(path: Path) -> int:
    """Where the last whole line of a file ends."""
    with path.open("rb") as file:
        return _tail(file)[0]


def write_whole(path: Path, text: str, *, sync: bool = True) -> None:
    """The file appears with all of its text or not at all."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode(errors="surrogatepass"))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _tail(file: IO[bytes]) -> tuple[int, bytes]:
    """(bytes up to and including the last line end, what follows it)."""
    end = file.seek(0, os.SEEK_END)
    start, tail = end, b""
    while start > 0:
        step = min(1 << 16, start)
        start -= step
        file.seek(start)
        tail = file.read(step) + tail
        cut = tail.rfind(b"\n")
        if cut >= 0:
            return start + cut + 1, tail[cut + 1 :]
    return 0, tail


def _parsed(where: object, text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except ValueError as error:
        raise StoreError(f"{where} is damaged, not JSON: {error}") from error
    if not isinstance(facts, dict):
        raise StoreError(f"{where} is damaged: expected an object, got {type(facts).__name__}")
    return facts


def _refuse_newer(where: object, facts: Mapping[str, Any], known: int) -> None:
    schema = facts.get("schema")
    if not isinstance(schema, int):
        raise StoreError(f"{where} has no schema number, so kbench did not write it")
    if schema > known:
        raise StoreError(f"{where} has schema {schema}; this kbench reads up to {known}: pip install -U kbench")
