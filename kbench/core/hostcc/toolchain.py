"""The one compiler: clang 22 and lld from the PyPI package `ziglang`, called directly, never a compiler on PATH."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import platform
from dataclasses import dataclass
from pathlib import Path

from kbench.core.errors import HarnessError, ToolMissing

FREESTANDING = Path(__file__).parent / "freestanding"


@dataclass(frozen=True)
class Toolchain:
    """`zig` is the program (`zig clang …`, `zig ld.lld …`), `lib` its headers, `identity` what enters cache keys."""

    zig: Path
    lib: Path
    identity: str

    @property
    def root(self) -> Path:
        return self.zig.parent


@functools.cache
def toolchain() -> Toolchain:
    """Finds ziglang. Raises ToolMissing with the line that installs it."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise ToolMissing("the compiler (PyPI package ziglang) is not installed: pip install 'ziglang==0.17.1'")
    root = Path(spec.origin).resolve().parent
    zig = root / "zig"
    if not zig.is_file():
        raise ToolMissing(f"ziglang is installed without its program {zig}: pip install --force-reinstall ziglang")
    version = importlib.metadata.version("ziglang")
    return Toolchain(zig, root / "lib", f"ziglang {version} {host_isa()} {_headers_hash(FREESTANDING)}")


def machine() -> str:
    """`x86_64` or `aarch64`: what executables are built for. Raises HarnessError on other processors."""
    name = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if name not in ("x86_64", "aarch64"):
        raise HarnessError(f"the simulators run on x86-64 and aarch64, not on {name}")
    return name


@functools.cache
def host_isa() -> str:
    """What the code is compiled for: `x86-64-v3` where the processor has all of it, else `x86-64-v2`, or `aarch64`.

    The three give the same bits: contraction is off and half goes through the same rounding in each.
    """
    if machine() == "aarch64":
        return "aarch64"
    wanted = {"avx2", "f16c", "fma", "bmi1", "bmi2", "movbe"}
    try:
        flags = next(
            line.partition(":")[2].split()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("flags")
        )
    except (OSError, StopIteration):
        return "x86-64-v2"
    return "x86-64-v3" if wanted <= set(flags) else "x86-64-v2"


def _headers_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.h")) + sorted(p for p in (folder / "include").rglob("*") if p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
