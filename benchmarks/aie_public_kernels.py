"""Published vectorised kernels for AMD's NPUs, compiled as they are for their devices, against the committed verdicts.

    python -m benchmarks.aie_public_kernels MLIR_AIE NPUEVAL [--only NAME …] [--update]

The kernels are the files of `aie_kernels/aie2`, `aie_kernels/aie2p` and `aie_kernels/generic` in a checkout of mlir-aie
and those of `rag/kernels` in a checkout of NPUEval; they are read there and never kept. A file compiles where every
function that a wrapper can call becomes one WebAssembly module, or would but for an API that is declared and not
modelled: then the verdict names it. Prints what differs from `aie_public_kernels.json`; the exit status is 1 where
anything does, or where less than nine tenths compile. `--update` writes the verdicts.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kbench.backends.aie.sim.build import INTRINSICS, build_kernel, functions
from kbench.core.errors import CompileError
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import Sandbox, sandbox

LEDGER = Path(__file__).with_name("aie_public_kernels.json")
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
#: Macros that select what a file has, for files that have next to nothing without any: such a file is compiled with
#: each set that is named here. Sets that are left out are not C++ for any compiler: `threshold.cc` in 16 bits names a
#: variable that nobody declares (`max_va`), and the 3x3 convolution of signed activations does not compile either.
_WIDTHS = ("BIT_WIDTH=8", "BIT_WIDTH=16")
_ACTIVATIONS = ("INT8_ACT", "UINT8_ACT")
_MACROS = {
    "addWeighted.cc": _WIDTHS,
    "bitwiseAND.cc": _WIDTHS,
    "bitwiseOR.cc": _WIDTHS,
    "bn_conv2dk1_i8.cc": (
        "SCALAR REGULAR GET PUT_I8_CAS PUT_UI8_CAS PUT_I8_CAS_REPEAT PARTIAL_PUT_I8_CAS PARTIAL_PUT_I8_CAS_WIDTH "
        "PARTIAL_PUT_I8_CAS_WIDTH_NEW BN13_1_INPUT_SPLIT_PARTIAL_PUT_UI8_UI8_CAS_WIDTH_NEW "
        "BN14_1_INPUT_SPLIT_PARTIAL_PUT_UI8_UI8_CAS_WIDTH",
    ),
    "bn_conv2dk1_relu.cc": (
        "INT8_ACT UINT16_ACT REGULAR GET PARTIAL PARTIAL_WIDTH PARTIAL_GET_I8_CAS PARTIAL_GET_I8_CAS_WIDTH "
        "PARTIAL_GET_I8_CAS_WIDTH_NEW POSTL1 POSTL2_PAD CONV_XPOOL_FUSED CONV_XYPOOL_FUSED CONV_XYPOOL_FUSED_LARGE "
        "BN13_1_INPUT_SPLIT_PARTIAL_GET_UI8_UI8_CAS_WIDTH_NEW",
    ),
    "bn_conv2dk1_skip.cc": (
        "SCALAR REGULAR PUT GET BN13_1_INPUT_SPLIT_PARTIAL_GET_UI8_I8_I8_CAS_WIDTH_NEW "
        "BN14_1_INPUT_SPLIT_PARTIAL_GET_UI8_I8_I8_CAS_WIDTH",
    ),
    "bn_conv2dk3_dw.cc": ("SCALAR REGULAR STRIDE2", "SCALAR BN13 BN14 STRIDE1_OUT_SPLIT"),
    "conv2dk1.cc": _ACTIVATIONS,
    "conv2dk14.cc": _ACTIVATIONS,
    "conv2dk1_i8.cc": ("INT8_ACT", "INT8_ACT SCALAR"),
    "conv2dk1_skip.cc": _ACTIVATIONS,
    "conv2dk1_skip_init.cc": _ACTIVATIONS,
    "conv2dk3.cc": ("UINT8_ACT",),
    "passThrough.cc": ("BIT_WIDTH=8", "BIT_WIDTH=16", "BIT_WIDTH=32"),
    "scale.cc": ("BIT_WIDTH=16", "BIT_WIDTH=32"),
    "threshold.cc": ("BIT_WIDTH=8", "BIT_WIDTH=32"),
}
_COMPILE_S = 300.0
_ENOUGH = 0.9


@dataclass(frozen=True)
class Kernel:
    """A file of a checkout, and the device that its folder is for."""

    name: str
    checkout: Path
    path: str
    target: str

    def source(self, called: Sequence[str] = ()) -> Source:
        """The file, what it includes from its checkout, and a main that includes it as AMD's compiler would. `called`:
        functions that one function more refers to, so that all are part of its module."""
        files: dict[str, str] = {}
        waiting = [self.path]
        while waiting:
            place = waiting.pop()
            if place in files or not (self.checkout / place).is_file():
                continue
            files[place] = (self.checkout / place).read_text(errors="replace")
            folder = posixpath.dirname(place)
            waiting += [posixpath.normpath(posixpath.join(folder, n)) for n in _INCLUDE.findall(files[place])]
        lines = [f"#include <{INTRINSICS[self.target]}>", f'#include "{self.path}"']
        lines += [f'extern "C" void called_{i}() __asm__("{name}");' for i, name in enumerate(called)]
        names = ", ".join(f"called_{i}" for i in range(len(called)))
        lines += [f"static void (*const all_called[])() = {{{names}}};", _EVERY] if called else []
        return Source({**files, "main.cc": "\n".join(lines) + "\n"}, "main.cc")


_EVERY = 'extern "C" void every(int i) { all_called[i](); }'


def kernels(mlir_aie: Path, npueval: Path) -> Iterator[Kernel]:
    """Every file of the two corpora, once for each device that it is for."""
    folders = [("aie2", ("npu1",)), ("aie2p", ("npu2",)), ("generic", ("npu1", "npu2"))]
    for folder, targets in folders:
        for path in _sources(mlir_aie / "aie_kernels" / folder):
            place = path.relative_to(mlir_aie).as_posix()
            for target in targets:
                suffix = f" ({target})" if len(targets) > 1 else ""
                yield Kernel(f"mlir-aie/{place.removeprefix('aie_kernels/')}{suffix}", mlir_aie, place, target)
    for path in _sources(npueval / "rag" / "kernels"):
        yield Kernel(f"npueval/{path.name}", npueval, path.relative_to(npueval).as_posix(), "npu1")


def _sources(folder: Path) -> list[Path]:
    found = sorted(p for p in folder.rglob("*") if p.suffix in (".cc", ".cpp"))
    if not found:
        raise SystemExit(f"{folder} has no kernels")
    return found


@dataclass
class Verdict:
    """`compiles`, `not modelled` (it compiles, but some functions need the APIs in `missing`) or `compile error`, whose
    first finding is in `missing`."""

    target: str
    outcome: str
    functions: int = 0
    missing: list[str] = field(default_factory=list)


def judged(kernel: Kernel, box: Sandbox) -> Verdict:
    """The verdict over all sets of macros."""
    found: dict[str, str] = {}
    for macros in _MACROS.get(Path(kernel.path).name, ("",)):
        try:
            found |= _functions(kernel, [f"{m}=1" if "=" not in m else m for m in macros.split()], box)
        except CompileError as e:
            first = next((f"{f.file}:{f.line}: {f.message}" for f in e.findings if f.severity == "error"), str(e))
            return Verdict(kernel.target, "compile error", missing=[" ".join(first.split())[:200]])
    missing = sorted({m for m in found.values() if m})
    return Verdict(kernel.target, "not modelled" if missing else "compiles", len(found), missing)


def _functions(kernel: Kernel, defines: Sequence[str], box: Sandbox) -> dict[str, str]:
    """What the file offers under these macros → what it needs that is not modelled; the rest is one module."""
    with tempfile.TemporaryDirectory() as folder:
        found = functions(
            kernel.source(), kernel.target, defines=defines, sandbox=box, timeout_s=_COMPILE_S, workdir=Path(folder)
        )
        modelled = [name for name, missing in found.items() if not missing]
        if modelled:
            build_kernel(
                kernel.source(modelled), "every", kernel.target, defines=defines, sandbox=box,
                timeout_s=_COMPILE_S, workdir=Path(folder),
            )  # fmt: skip
        return found


def compiled(verdict: dict[str, Any]) -> bool:
    return bool(verdict["outcome"] != "compile error")


def report(ledger: dict[str, dict[str, Any]]) -> None:
    for name, verdict in ledger.items():
        if verdict["missing"]:
            print(f"{name}: {verdict['outcome']}: {', '.join(verdict['missing'])}")
    for corpus in ("mlir-aie", "npueval", ""):
        part = [v for n, v in ledger.items() if n.startswith(corpus)]
        counts = ", ".join(f"{n} {o}" for o, n in sorted(Counter(v["outcome"] for v in part).items()))
        print(f"{corpus or 'both'}: {sum(map(compiled, part))} of {len(part)} files compile ({counts})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mlir_aie", type=Path)
    parser.add_argument("npueval", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names")
    parser.add_argument("--update", action="store_true", help="write the verdicts of those that ran")
    asked = parser.parse_args()
    known = json.loads(LEDGER.read_text()) if LEDGER.is_file() else {}
    box, ran = sandbox(), {}
    for kernel in kernels(asked.mlir_aie, asked.npueval):
        if not asked.only or any(part in kernel.name for part in asked.only):
            ran[kernel.name] = asdict(judged(kernel, box))
            print(f"{kernel.name}: {ran[kernel.name]['outcome']}", file=sys.stderr, flush=True)
    changed = [name for name, verdict in ran.items() if verdict != known.get(name)]
    ledger = dict(sorted({**known, **ran}.items()))
    if asked.update:
        LEDGER.write_text(json.dumps(ledger, indent=1) + "\n")
    report(ran)
    for name in changed:
        print(f"differs from the ledger: {name}: {known.get(name)} → {ran[name]}")
    enough = sum(map(compiled, ran.values())) >= _ENOUGH * len(ran)
    return int(bool(changed and not asked.update) or not enough)


if __name__ == "__main__":
    sys.exit(main())
