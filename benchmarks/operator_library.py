"""How much of a published operator library the Ascend simulator can build: its operators for Atlas A2/A3.

    python benchmarks/operator_library.py CHECKOUT [--under conversion math] [--jobs 2] [--json FILE]

An operator is a folder with `op_host/*_def.cpp` and `op_kernel/NAME.cpp`; sources for other chips (`arch35`,
`*_apt.cpp`) are left out. Its host side is built and asked what it registers, then its kernel is built for the first
registered row of dtypes. Nothing runs: these operators come without cases. The table says what stops the others, by
first missing name. Made for the layout of the ops-math and ops-nn repositories.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from kbench.backends.ascend.interface import GE_TYPES, KERNEL_TYPES
from kbench.backends.ascend.rewrite import rewrite
from kbench.backends.ascend.sim import host, kernel
from kbench.backends.ascend.sim.host_registry import Registry
from kbench.backends.ascend.targets import TARGETS
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, UnsupportedApi
from kbench.core.hostcc.sandbox import Sandbox, sandbox

_TIMEOUT_S = 120.0
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_DEPENDENCIES = re.compile(r"DEPENDENCIES((?:\s+[a-z]\w*)+)")
_TARGET = TARGETS["ascend910b1"]


@dataclass(frozen=True)
class Coverage:
    """What became of one operator: `built`, or the part that stopped it and why."""

    operator: str
    host: str
    kernel: str


def operators(checkout: Path, under: list[str]) -> Iterator[Path]:
    """Folders of operators that have a kernel for Atlas A2/A3."""
    for top in under or ["."]:
        for folder in sorted((checkout / top).rglob("op_kernel")):
            definitions = [p.read_text(errors="replace") for p in folder.parent.glob("op_host/*_def.cpp")]
            ours = any('AddConfig("ascend910' in text for text in definitions)
            if ours and (folder / f"{folder.parent.name}.cpp").is_file():
                yield folder.parent


def candidate(checkout: Path, folder: Path, *, every_chip: bool = False) -> Candidate:
    """The operator's own sources for Atlas A2/A3, and what of others they need: the host sources of the operators that
    its build names as dependencies, and headers, where an installed library has them: `../OTHER/HEADER` beside the
    kernel, `../inc/HEADER` for the library's own, and from the root. `every_chip` also takes the host sources of other
    chips, which some operators' tiling functions call."""
    files: dict[str, str] = {}
    origins: dict[str, Path] = {}

    def take(place: str, path: Path) -> None:
        files[place], origins[place] = path.read_text(errors="replace"), path

    def add(path: Path) -> str:
        """A source; one outside of the operator's folder is compiled through a file of its own that includes it."""
        place = path.relative_to(checkout).as_posix()
        take(place, path)
        if path.suffix == ".cpp" and not place.startswith(f"{home}/"):
            stub = f"{home}/op_host/{place.replace('/', '_')}"
            files[stub] = f'#include "{posixpath.relpath(place, f"{home}/op_host")}"\n'
            origins[stub] = folder / "op_host" / path.name
        return place

    home = folder.relative_to(checkout).as_posix()
    for path in (*folder.glob("op_host/**/*"), *folder.glob("op_kernel/**/*"), *shared_sources(folder)):
        if path.suffix in (".h", ".hpp", ".cpp") and not elsewhere(path, checkout, every_chip):
            add(path)
    waiting = list(files)
    while waiting:
        including = waiting.pop()
        for name in _INCLUDE.findall(files[including]):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(including), name))
            found = None if place in files or name in files else foreign(checkout, folder, origins[including], name)
            if found:
                from_root = found == checkout / name or found.is_relative_to(checkout / "common/inc")
                place = place if name.startswith("..") or not from_root else name
                take(place, found)
                waiting.append(place)
                body = found.with_suffix(".cpp")
                if "op_host" in found.parts and body.is_file() and not elsewhere(body, checkout, every_chip):
                    waiting.append(add(body))  # another operator's functions, which the library links together
    definition = next(p for p in sorted(files) if p.startswith(f"{home}/op_host/") and p.endswith("_def.cpp"))
    return Candidate(files, {"op_host": definition, "op_kernel": f"{home}/op_kernel/{folder.name}.cpp"})


def elsewhere(path: Path, checkout: Path, every_chip: bool) -> bool:
    """Sources for other chips, and those of the graph and aclnn layers."""
    parts = path.relative_to(checkout).parts
    other = path.name.endswith(("_apt.cpp", "_infershape.cpp")) or "op_api" in parts
    of_chip = path.suffix == ".cpp" and ("arch35" in parts or path.name.endswith("_arch35.cpp"))
    return other or (of_chip and not (every_chip and "op_host" in parts))


def shared_sources(folder: Path) -> Iterator[Path]:
    """Host sources of the operators that this one's build adds to its own."""
    build = folder / "op_host/CMakeLists.txt"
    text = build.read_text() if build.is_file() else ""
    for name in {name for found in _DEPENDENCIES.findall(text) for name in found.split()}:
        yield from (p for p in (folder.parent / name).glob("op_host/**/*") if not p.name.endswith("_def.cpp"))


def foreign(checkout: Path, folder: Path, including: Path, name: str) -> Path | None:
    """Where the checkout keeps a header that is not the operator's own."""
    near = (including.parent / name).resolve()
    inside = "/".join(part for part in Path(name).parts if part not in ("..", "inc"))
    common = checkout / "common/inc"
    for path in (near, checkout / name, common / name, common / "op_host" / name, common / "op_kernel" / inside):
        if path.is_file() and path.is_relative_to(checkout):
            return path
    owner = next((part for part in Path(name).parts if (folder.parent / part / "op_kernel").is_dir()), None)
    if owner:
        return next((folder.parent / owner).glob(f"op_kernel/**/{Path(name).name}"), None)
    around = (*folder.glob("op_host/**/*.h"), *shared_sources(folder))
    return next((path for path in around if path.name == name), None)


def reason(error: Exception) -> str:
    """The first thing that does not compile, without its place."""
    if isinstance(error, UnsupportedApi):
        return f"unsupported: {error.name}"
    found = error.findings[0] if isinstance(error, CompileError) and error.findings else None
    return (found.message if found else str(error)).split("\n")[0][:160]


def registered(whole: Candidate, box: Sandbox, workdir: Path) -> tuple[Registry | None, str]:
    """What the host side registers; the definition's alone where its tiling does not build, with the reason."""
    alone = Candidate(
        {whole.roles["op_host"]: whole.files[whole.roles["op_host"]]}, {"op_host": whole.roles["op_host"]}
    )
    why = "built"
    for number, source in enumerate((whole, alone)):
        try:
            return host.build_host(source, _TARGET, box, _TIMEOUT_S, workdir / f"host{number}").registry, why
        except (CompileError, UnsupportedApi) as error:
            why = reason(error) if number == 0 else why
    return None, why


def defines(registry: Registry) -> list[str]:
    """DTYPE_X, ORIG_DTYPE_X and FORMAT_X of the first row whose types a kernel can have."""
    names = [p.name.upper() for p in (*registry.inputs, *registry.outputs)]
    row = next((row for row in registry.rows if all(dtype in KERNEL_TYPES for dtype in row)), ())
    pairs = list(zip(names, row, strict=False))
    kinds = [
        [f"DTYPE_{n}={KERNEL_TYPES[d]}", f"ORIG_DTYPE_{n}={GE_TYPES[d]}", f"FORMAT_{n}=FORMAT_ND"] for n, d in pairs
    ]
    return [define for kind in kinds for define in kind]


def cover(checkout: Path, folder: Path) -> Coverage:
    box, whole = sandbox("auto"), candidate(checkout, folder)
    more = candidate(checkout, folder, every_chip=True)
    with tempfile.TemporaryDirectory(prefix="kbench-") as scratch:
        workdir = Path(scratch)
        registry, host_why = registered(whole, box, workdir)
        if host_why.endswith("never defined"):
            again, why = registered(more, box, workdir / "more")
            registry, host_why = (again, why) if why == "built" else (registry, host_why)
        files = {path: rewrite(text) for path, text in whole.files.items()}
        source = Candidate(files, {"kernel": whole.roles["op_kernel"]})
        try:
            kernel.build_kernel(
                source,
                defines=defines(registry) if registry else (),
                tiling=registry.tiling_json() if registry else None,
                entry=folder.name,
                sandbox=box,
                timeout_s=_TIMEOUT_S,
                workdir=workdir,
            )
        except (CompileError, UnsupportedApi) as error:
            return Coverage(folder.relative_to(checkout).as_posix(), host_why, reason(error))
    return Coverage(folder.relative_to(checkout).as_posix(), host_why, "built")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--under", nargs="*", default=[], help="folders to look in; all by default")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write what became of each operator to this file")
    asked = parser.parse_args()
    checkout = asked.checkout.resolve()
    folders = list(operators(checkout, asked.under))
    found: list[Coverage] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for covered in pool.map(partial(cover, checkout), folders):
            found.append(covered)
            print(f"{covered.operator}: host {covered.host}; kernel {covered.kernel}", file=sys.stderr)
    for part in ("host", "kernel"):
        reasons = Counter(asdict(c)[part] for c in found)
        print(f"\n{part}: {reasons.pop('built', 0)} of {len(found)} built")
        for why, count in reasons.most_common():
            print(f"  {count:4}  {why}")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(c) for c in found], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
