"""The runtime: operations, checks and the C library's mathematics, compiled to one WebAssembly module."""

from __future__ import annotations

import functools
import importlib.metadata
import subprocess
from collections.abc import Sequence
from pathlib import Path

from kbench.backends.aie.sim.wasm import exports
from kbench.core.errors import HarnessError
from kbench.core.hostcc.archive import library
from kbench.core.hostcc.cache import Cache, content_key, default_cache
from kbench.core.hostcc.toolchain import FREESTANDING, musl_flags, musl_math, standard_headers, toolchain

HERE = Path(__file__).parent
INCLUDE, RUNTIME = HERE / "include", HERE / "runtime"
#: Below are the kernel's own data, above the runtime's, then the stack, then buffers.
KERNEL_DATA_BYTES = 256 << 10
STACK_BYTES = 64 << 10
MEMORY_BYTES = 1 << 20
NUMBERS = ("-ffp-contract=off", "-fsigned-char")
_LINK_S = 60.0

_LINK = (
    "--no-entry", "--whole-archive", "--export-all", "--threads=1", f"--global-base={KERNEL_DATA_BYTES}", "-z",
    f"stack-size={STACK_BYTES}", f"--initial-memory={MEMORY_BYTES}", f"--max-memory={MEMORY_BYTES}",
)  # fmt: skip


def _flags() -> tuple[str, ...]:
    return (
        "--no-default-config", "-target", "wasm32-unknown-unknown", "-msimd128", "-mbulk-memory",
        "-mnontrapping-fptoint", "-mno-reference-types", "-mno-multivalue", "-nostdinc", "-nostdinc++",
        *standard_headers("x86-linux-musl", "x86-linux-any"), "-std=c++20", "-O2", *NUMBERS, "-ffreestanding",
        "-fno-builtin", "-fno-rtti", "-fno-stack-protector", "-ffunction-sections", "-fdata-sections",
        "-fvisibility=hidden", "-fno-ident",
    )  # fmt: skip


def libraries() -> tuple[Path, ...]:
    """The archives that the module is made of."""
    return _libraries(default_cache())


@functools.cache
def _libraries(cache: Cache) -> tuple[Path, ...]:
    sources = sorted(RUNTIME.glob("*.cpp"))
    operations = library("kbaie", sources, [INCLUDE, RUNTIME], target=_flags())
    mathematics = library("kbaiemath", [FREESTANDING / "math.cpp"], [], target=_flags())
    portable = [path for path in musl_math() if not path.stem.startswith("fma")]  # those two ask for the processor
    musl = library("kbaiemusl", portable, [], flags=musl_flags("generic"), target=_flags())
    return (operations, mathematics, musl)


@functools.cache
def operations_module() -> Path:
    """The module, each of its functions exported: what kernels import from, and what tests call."""
    archives = libraries()

    def make(folder: Path) -> None:
        _link(folder / "operations.wasm", archives)

    return default_cache().build(content_key("operations", *archives, repr(_LINK)), make) / "operations.wasm"


@functools.cache
def defined() -> frozenset[str]:
    """The symbols that the runtime offers."""
    return frozenset(exports(operations_module().read_bytes()))


@functools.cache
def operations_code() -> Path:
    """The module compiled for this processor; a server that cannot use it compiles the module itself."""
    import wasmtime

    from kbench.backends.aie.sim.server import configured

    module = operations_module()

    def make(folder: Path) -> None:
        compiled = wasmtime.Module(wasmtime.Engine(configured(wasmtime)), module.read_bytes())
        (folder / "operations.cwasm").write_bytes(compiled.serialize())

    versions = importlib.metadata.version("wasmtime"), toolchain().identity
    key = content_key("operations code", module, HERE / "server.py", *versions)
    return default_cache().build(key, make) / "operations.cwasm"


def _link(out: Path, inputs: Sequence[Path]) -> None:
    command = [str(toolchain().zig), "wasm-ld", *_LINK, "-o", str(out), *map(str, inputs)]
    try:
        done = subprocess.run(
            command, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=_LINK_S
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        raise HarnessError(f"the linker fails: {e}") from e
    if done.returncode:
        raise HarnessError(f"the linker fails: {done.stderr.strip()[-2000:]}")
