from __future__ import annotations

import os
import resource
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kbench.core.errors import ConfigError, HarnessError
from kbench.core.hostcc import sandbox as module
from kbench.core.hostcc.archive import executable
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox, sandbox

HERE = Path(__file__).parent
LIMITS = Limits(wall_s=20, memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def prober() -> Path:
    """A trusted program without the support library's own filter, so that only the sandbox stands in its way."""
    return executable("prober", [HERE / "prober.cpp"])


def probe(box: Sandbox, program: Path, *arguments: str, limits: Limits = LIMITS, **options) -> Finished:
    mounts = [Mount(program, "/prober"), *options.pop("mounts", [])]
    options = {"cwd": "/", "stage": "run"} | options
    return box.run(["/prober", *arguments], mounts=mounts, limits=limits, **options)


def test_output_and_exit_code_come_back(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "print", "hello", "exit", "7")
    assert (done.returncode, done.signal, done.stdout) == (7, 0, b"hello\n")
    assert not done.timed_out


def test_a_signal_is_told(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "crash")
    assert (done.returncode, done.signal) == (-1, 11)


def test_the_environment_is_empty(any_box: Sandbox, prober: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBENCH_SECRET", "swordfish")
    for stage in ("compile", "run"):
        done = probe(
            any_box, prober, "environment", "read", "/proc/self/environ", "read", "/proc/1/environ", stage=stage
        )
        if any_box.mode == "none":  # it can read the machine's files, but its own environment is empty
            assert b"environment: 0" in done.stdout
        else:
            assert b"swordfish" not in done.stdout
            assert b"environment: 0" in done.stdout


def test_files_outside_are_out_of_reach(box: Sandbox, prober: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("swordfish")
    for stage in ("compile", "run"):
        done = probe(box, prober, "read", str(secret), "read", "/etc/passwd", "write", str(secret), stage=stage)
        assert done.stdout.count(b"refused") == 3, done.stdout
    assert secret.read_text() == "swordfish"


def test_a_mount_is_readable_and_writable_only_as_asked(box: Sandbox, prober: Path, tmp_path: Path) -> None:
    for name in ("ro", "rw"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("content")
    mounts = [Mount(tmp_path / "ro", "/ro"), Mount(tmp_path / "rw", "/rw", writable=True)]
    words = ["read", "/ro/file", "write", "/ro/file", "write", "/ro/new", "write", "/rw/new"]
    done = probe(box, prober, *words, mounts=mounts)
    assert done.stdout.splitlines() == [b"content", b"refused", b"refused", b"written"]
    assert (tmp_path / "rw" / "new").read_text() == "written by the prober"
    assert [p.name for p in (tmp_path / "ro").iterdir()] == ["file"]


def test_cwd_is_inside(any_box: Sandbox, prober: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    done = probe(any_box, prober, "read", "file", mounts=[Mount(tmp_path, "/work")], cwd="/work")
    assert done.stdout == b"here\n"


def test_the_network_is_out_of_reach(box: Sandbox, prober: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        for stage in ("compile", "run"):
            done = probe(box, prober, "connect", str(server.getsockname()[1]), stage=stage)
            assert done.stdout == b"refused\n"
        with pytest.raises(TimeoutError):
            server.accept()


def test_no_new_processes(box: Sandbox, prober: Path) -> None:
    for stage in ("compile", "run"):
        done = probe(box, prober, "fork", "thread", stage=stage)
        assert done.stdout.splitlines() == [b"refused", b"refused"]


def test_the_run_stage_starts_no_program(box: Sandbox, prober: Path) -> None:
    done = probe(box, prober, "exec", "/prober", "exec", "/bin/true")
    assert done.stdout.splitlines() == [b"refused", b"refused"]


def test_the_parent_cannot_be_signalled_or_traced(box: Sandbox, prober: Path) -> None:
    done = probe(box, prober, "kill", str(os.getpid()), "trace", str(os.getpid()), "limit", str(os.getpid()))
    assert done.stdout.splitlines() == [b"refused"] * 3


def test_descriptors_arrive_in_order_and_no_others(any_box: Sandbox, prober: Path) -> None:
    first, second, kept = (os.memfd_create(name) for name in ("first", "second", "kept"))
    os.set_inheritable(kept, True)
    try:
        os.write(first, b"one")
        os.write(second, b"two")
        done = probe(any_box, prober, "pread", "4", "pread", "3", "descriptors", pass_fds=(first, second))
    finally:
        for fd in (first, second, kept):
            os.close(fd)
    assert done.stdout.splitlines() == [b"two", b"one", b"descriptors: 0 1 2 3 4"]


def test_time_is_limited(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "print", "begun", "spin", limits=replace(LIMITS, wall_s=0.5))
    assert done.timed_out
    assert done.stdout == b"begun\n"
    done = probe(any_box, prober, "sleep", limits=replace(LIMITS, wall_s=0.5))
    assert done.timed_out


def test_cpu_time_is_limited(fast_box: Sandbox, prober: Path) -> None:
    done = probe(fast_box, prober, "spin", limits=replace(LIMITS, cpu_s=0))
    assert done.timed_out


def test_a_child_that_ignores_signals_ends_too(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "ignore", "spin", limits=replace(LIMITS, wall_s=0.5))
    assert done.timed_out


def test_output_is_cut_off_and_the_parent_stays_small(any_box: Sandbox, prober: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = probe(any_box, prober, "flood", limits=replace(LIMITS, output_bytes=100_000))
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert done.output_overflow
    assert not done.timed_out
    assert len(done.stdout) == 100_000
    assert grown_kb < 64 << 10


def test_memory_is_limited_and_measured(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "touch", "40", limits=replace(LIMITS, memory_bytes=200 << 20))
    assert done.stdout == b"touched\n"
    assert 39 << 20 <= done.max_rss_bytes < 80 << 20  # Linux counts pages in batches of each processor
    done = probe(any_box, prober, "touch", "400", limits=replace(LIMITS, memory_bytes=200 << 20))
    assert done.stdout == b"refused\n"


def test_file_size_is_limited(any_box: Sandbox, prober: Path, tmp_path: Path) -> None:
    limits = replace(LIMITS, file_bytes=10)
    mounts = [Mount(tmp_path, "/rw", writable=True)]
    probe(any_box, prober, "write", "/rw/file", mounts=mounts, limits=limits)
    assert (tmp_path / "file").stat().st_size == 10


def test_standard_input_is_given(any_box: Sandbox, prober: Path) -> None:
    assert probe(any_box, prober, "stdin").stdout == b"\n"
    assert probe(any_box, prober, "stdin", stdin=b"some text").stdout == b"some text\n"


def test_more_processes_where_asked(any_box: Sandbox, prober: Path) -> None:
    done = probe(any_box, prober, "fork", stage="compile", limits=replace(LIMITS, processes=8))
    assert done.stdout == b"forked\n"


def test_a_missing_program_is_our_fault(any_box: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="cannot start the program"):
        any_box.run(["/nothing"], mounts=[Mount(tmp_path, "/x")], cwd="/", limits=LIMITS, stage="run")


def test_auto_says_why_it_is_not_stronger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_bwrap", lambda: Path("/nonexistent/bwrap"))
    sandbox.cache_clear()
    try:
        box = sandbox("auto")
        assert box.mode == "seccomp"
        assert "bwrap" in box.reason
    finally:
        sandbox.cache_clear()


def test_no_sandbox_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Path:
        raise HarnessError("broken on purpose")

    monkeypatch.setattr(module, "_launcher", broken)
    sandbox.cache_clear()
    try:
        with pytest.raises(HarnessError, match=r"no sandbox works here.*broken on purpose"):
            sandbox("auto")
    finally:
        sandbox.cache_clear()


def test_an_unknown_mode_is_named() -> None:
    with pytest.raises(ConfigError, match="bwrap"):
        sandbox("bwrapp")


def test_the_docstring_opens_with_what_it_does_not_stop() -> None:
    assert "does NOT stop" in (sys.modules[module.__name__].__doc__ or "")[:200]
