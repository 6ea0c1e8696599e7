"""The sandboxed server that assembles and runs kernels: one for each mode of the sandbox, while this process lives.

Two walls stand around a running candidate: wasmtime's, and the sandbox's. What would break through the first could
spoil the verdicts of later candidates of the same worker, and nothing else.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kbench.backends.aie.sim.library import operations_code, operations_module
from kbench.core.errors import HarnessError, ToolMissing
from kbench.core.hostcc.sandbox import Child, Limits, Mount, Sandbox

_SERVER = Path(__file__).with_name("server.py")
_ADDRESS_SPACE = 4 << 30
_LIFE_S = 10_000_000
_GRACE_S = 5.0
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")


class Server:
    """Answers requests (see server.py); starts when it is first asked, and again after it had to be ended."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._child: Child | None = None
        self._module = b""
        self._lock = threading.Lock()
        self._owner = os.getpid()
        atexit.register(self.close)

    def assemble(self, ir: str, timeout_s: float) -> tuple[bytes, str] | None:
        """(object file, nothing) or (nothing, what LLVM says) of IR, or None where it takes longer.

        Raises:
            HarnessError: the server ended over it.
        """
        text = ir.encode()
        with self._lock:
            answer = self._ask({"ir": len(text)}, [text], timeout_s)
        return None if answer is None else (answer[1], answer[0]["error"])

    def run(
        self, module: bytes, request: Mapping[str, Any], inputs: Sequence[bytes], timeout_s: float
    ) -> tuple[dict[str, Any], bytes] | None:
        """The answer to a run of a module, or None where it takes longer."""
        with self._lock:
            known = self._child is not None and module == self._module
            parts = [*([] if known else [module]), *inputs]
            answer = self._ask({**request, "module": 0 if known else len(module)}, parts, timeout_s)
            self._module = module if answer is not None else b""
        return answer

    def _ask(
        self, request: Mapping[str, Any], parts: Sequence[bytes], timeout_s: float
    ) -> tuple[dict[str, Any], bytes] | None:
        if self._child is None:
            self._child = self._start()
        line = json.dumps(request).encode() + b"\n"
        try:
            answer = self._child.ask([line, *parts], timeout_s + _GRACE_S)
        except HarnessError:
            self._child = None
            raise
        if answer is None:
            self.close()
            return None
        text, _, data = answer.partition(b"\n")
        return json.loads(text), data

    def _start(self) -> Child:
        packages = [_package("wasmtime"), _package("llvmlite")]
        python = Path(sys.executable).resolve()
        own = [_SERVER, operations_module(), operations_code()]
        folders = [python.parent.parent, Path(sys.base_prefix).resolve(), *packages, *own]
        folders += [Path(p) for p in _SYSTEM if os.path.isdir(p)]
        mounts = [Mount(p, str(p)) for p in dict.fromkeys(folders)]
        limits = Limits(_LIFE_S, _LIFE_S, _ADDRESS_SPACE)
        command = [str(python), "-I", "-S", "-B", str(_SERVER), *map(str, own[1:]), *map(str, packages)]
        self._module = b""
        return self._sandbox.start(command, mounts=mounts, limits=limits)

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None and os.getpid() == self._owner:
            with contextlib.suppress(OSError):
                child.close()


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ToolMissing(f"the simulator needs the PyPI package {name}: pip install {name}")
    return Path(spec.origin).resolve().parent


def server(sandbox: Sandbox) -> Server:
    """The server of this process for a sandbox; a fork has one of its own."""
    return _server(sandbox.mode, os.getpid(), sandbox)


@functools.cache
def _server(mode: str, pid: int, sandbox: Sandbox) -> Server:
    return Server(sandbox)
