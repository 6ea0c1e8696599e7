"""Runs a benchmark's own Python in a sandboxed child and keeps it at hand.

One child for each process and suite, started when first asked, started again when it died. The benchmark's files are
somebody else's code: the child sees the suite folder and the Python installation read-only, one scratch folder, no
network; what it answers is JSON and raw files of which dtype, shape and size are checked before they are read.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.errors import HarnessError, ToolMissing
from kbench.core.hostcc.sandbox import Limits, Mount, sandbox
from kbench.core.task import DTYPES, Array

#: Seconds that one request may take: drawing, or the reference of one case.
TIMEOUT_S = 300.0
_MEMORY_BYTES = 32 << 30
_LIFE_S = 24 * 3600.0
_MOST_BYTES = 1 << 36


class ReferenceError(HarnessError):
    """The benchmark's own Python raised, died or took too long; never the candidate's fault."""


@dataclass
class _Child:
    """A running child: its two pipes, its scratch folder and the thread that waits for its end."""

    requests: Any
    answers: Any
    scratch: tempfile.TemporaryDirectory[str]
    thread: threading.Thread
    end: list[str]
    pid: int

    def close(self) -> None:
        for pipe in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                pipe.close()
        self.thread.join(timeout=5)
        self.scratch.cleanup()


class ReferenceServer:
    """Answers questions about the tasks of one suite folder.

    Args:
        suite: the imported suite folder.
        mode: the sandbox, as `--sandbox`.
        timeout_s: seconds for one request.
    """

    def __init__(self, suite: Path, mode: str = "auto", timeout_s: float = TIMEOUT_S) -> None:
        self.suite = suite.resolve()
        self.mode = mode
        self.timeout_s = timeout_s
        self._child: _Child | None = None
        self._lock = threading.Lock()

    def ask(self, op: str, **request: Any) -> dict[str, Any]:
        """One request, one answer.

        Raises:
            ToolMissing: torch is not installed.
            ReferenceError: the benchmark's Python raised, died or took too long.
        """
        with self._lock:
            child = self._running()
            line = json.dumps({"op": op, "timeout_s": self.timeout_s, **request})
            try:
                child.requests.write(line + "\n")
                child.requests.flush()
                answer = child.answers.readline()
            except OSError:
                answer = ""
            if not answer:
                self._stop()
                raise ReferenceError(f"the benchmark's Python ended during {op!r}: {self._reason(child)}")
        reply = json.loads(answer)
        if "error" in reply:
            raise ReferenceError(str(reply["error"]))
        return dict(reply["ok"])

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._stop()

    def fetch(self, described: Mapping[str, Any]) -> Array:
        """Read the array that an answer describes, and delete its file.

        Raises:
            ReferenceError: dtype, shape, name or size are not what they must be.
        """
        child = self._child
        name, shape = str(described.get("file", "")), described.get("shape")
        dtype = DTYPES.get(str(described.get("dtype")))
        if child is None or dtype is None or not re.fullmatch(r"\d+\.bin", name) or not _is_shape(shape):
            raise ReferenceError(f"the benchmark's Python describes an array as {dict(described)!r}")
        assert isinstance(shape, list)
        nbytes = int(np.prod(shape, dtype=object)) * dtype.itemsize
        path = Path(child.scratch.name) / name
        array = _read(path, nbytes, dtype)
        path.unlink()
        return array.reshape(shape)

    def hand_over(self, array: Array, dtype: str) -> dict[str, Any]:
        """Write an array where the child can read it; its description for a request."""
        with self._lock:
            child = self._running()
        handle, path = tempfile.mkstemp(suffix=".in", dir=child.scratch.name)
        with os.fdopen(handle, "wb") as file:
            np.ascontiguousarray(array).reshape(-1).view(np.uint8).tofile(file)
        return {"dtype": dtype, "shape": list(array.shape), "file": Path(path).name}

    def _running(self) -> _Child:
        if self._child is not None and self._child.pid != os.getpid():
            self._child = None  # inherited by fork: it belongs to the parent
        if self._child is None:
            self._child = self._start()
        return self._child

    def _stop(self) -> None:
        if self._child is not None and self._child.pid == os.getpid():
            self._child.close()
        self._child = None

    def _start(self) -> _Child:
        if importlib.util.find_spec("torch") is None:
            raise ToolMissing("this suite's references need torch: pip install 'kbench[torch]'")
        scratch = tempfile.TemporaryDirectory(prefix="kbench-reference-")
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        end: list[str] = []
        box = sandbox(self.mode)
        packages = _packages()
        mounts = [
            *_python_mounts(packages),
            Mount(self.suite, "/suite"),
            Mount(Path(scratch.name), "/scratch", writable=True),
        ]
        child = f"{Path(__file__).parent}/reference_child.py"
        argv = [sys.executable, "-I", "-B", child, "/suite", "/scratch", *packages]
        limits = Limits(
            wall_s=_LIFE_S, memory_bytes=_MEMORY_BYTES, file_bytes=_MOST_BYTES, output_bytes=1 << 20, processes=64
        )

        def wait() -> None:
            try:
                done = box.run(
                    argv,
                    mounts=mounts,
                    cwd="/scratch",
                    limits=limits,
                    pass_fds=(request_read, answer_write),
                    stage="compile",
                )
                tail = done.stderr.decode(errors="replace").strip().splitlines()[-8:]
                end.append(f"exit status {done.returncode}, signal {done.signal}\n" + "\n".join(tail))
            except HarnessError as error:
                end.append(str(error))
            finally:
                os.close(request_read)
                os.close(answer_write)

        thread = threading.Thread(target=wait, name="kbench-reference", daemon=True)
        thread.start()
        requests, answers = os.fdopen(request_write, "w"), os.fdopen(answer_read)
        return _Child(requests, answers, scratch, thread, end, os.getpid())

    def _reason(self, child: _Child) -> str:
        child.thread.join(timeout=5)
        told = child.end[0] if child.end else "it does not answer"
        return f"no answer within {self.timeout_s:g} s" if "signal 14" in told else told


def _packages() -> list[str]:
    """The folders that the child's packages lie in: not always the installation's own (a user's, another's by .pth)."""
    found = [importlib.util.find_spec(name) for name in ("numpy", "torch")]
    return list(dict.fromkeys(str(Path(spec.origin).parents[1]) for spec in found if spec and spec.origin))


def _python_mounts(packages: Sequence[str]) -> list[Mount]:
    """What a Python process needs to see: its installation and the system's libraries."""
    wanted = [sys.prefix, sys.base_prefix, *packages, "/usr", "/lib", "/lib64", str(Path(__file__).parent)]
    found: list[Path] = []
    for place in map(Path, wanted):
        if place.exists() and not any(place == f or f in place.parents for f in found):
            found.append(place)
    system = ("/dev/urandom", "/sys/devices/system/cpu", "/proc/cpuinfo")  # torch looks at them
    seen = [place for place in map(Path, system) if place.exists()]
    return [*(Mount(p, str(p)) for p in (*found, *seen)), Mount(Path("/dev/null"), "/dev/null", writable=True)]


def _is_shape(shape: Any) -> bool:
    return isinstance(shape, Sequence) and all(isinstance(n, int) and 0 <= n < 2**40 for n in shape)


def _read(path: Path, nbytes: int, dtype: np.dtype[Any]) -> Array:
    """A file of exactly `nbytes`; links and devices are refused, whoever put them there."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ReferenceError(f"the benchmark's Python left no array file: {error}") from None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not os.path.isfile(f"/proc/self/fd/{file.fileno()}") or facts.st_size != nbytes:
            raise ReferenceError(f"the benchmark's Python left {facts.st_size} bytes where {nbytes} belong")
        return np.fromfile(file, dtype=np.uint8).view(dtype) if nbytes else np.empty(0, dtype)
