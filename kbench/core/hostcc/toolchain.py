"""The one compiler: clang 22 and lld from the PyPI package `ziglang`, called directly, never a compiler on PATH."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import platform
from dataclasses import dataclass
from pathlib import Path

from kbench.core.errors import HarnessError, ToolMissing

FREESTANDING = Path(__file__).parent / "freestanding"
CXX_STANDARD = "-std=c++17"


@dataclass(frozen=True)
class Toolchain:
    """`zig` is the program (`zig clang …`, `zig ld.lld …`), `lib` its headers and sources; `identity` (version and
    instruction set) enters every cache key."""

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
    return Toolchain(zig, root / "lib", f"ziglang {version} {host_isa()}")


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


# libc++ without what needs an operating system: its out-of-line parts then come from a handful of its own sources.
_LIBCXX = {
    "_LIBCPP_ABI_VERSION": "1",
    "_LIBCPP_ABI_NAMESPACE": "__1",
    "_LIBCPP_HAS_THREADS": "0",
    "_LIBCPP_HAS_LOCALIZATION": "0",
    "_LIBCPP_HAS_FILESYSTEM": "0",
    "_LIBCPP_HAS_MONOTONIC_CLOCK": "1",
    "_LIBCPP_HAS_MUSL_LIBC": "1",
    "_LIBCPP_HAS_RANDOM_DEVICE": "0",
    "_LIBCPP_HAS_TERMINAL": "0",
    "_LIBCPP_HAS_TIME_ZONE_DATABASE": "0",
    "_LIBCPP_HAS_UNICODE": "0",
    "_LIBCPP_HAS_WIDE_CHARACTERS": "0",
    "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS": "0",
    "_LIBCPP_HARDENING_MODE": "_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT": "_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
    "_LIBCPP_PSTL_BACKEND_SERIAL": "",
    "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS": "",
    "_LIBCPP_HAS_NO_STD_MODULES": "",
}


def standard_headers(libc: str, system: str) -> tuple[str, ...]:
    """The headers of libc++ and musl for one processor (`libc`, `system`: its folders), without an operating system."""
    lib = toolchain().lib
    folders = (
        lib / "libcxx/include",
        lib / "libcxxabi/include",
        lib / "include",
        lib / f"libc/include/{libc}",
        lib / "libc/include/generic-musl",
        lib / f"libc/include/{system}",
        lib / "libc/include/any-linux-any",
    )
    defines = (f"-D{name}={value}" if value else f"-D{name}" for name, value in _LIBCXX.items())
    return (*(part for folder in folders for part in ("-isystem", str(folder))), *defines)


@functools.cache
def target_flags(shims: bool = True) -> tuple[str, ...]:
    """What every compilation has: target, headers and code generation, nothing of which depends on the machine.

    `shims`: our headers (<iostream>, <sstream>, …) stand before libc++'s.

    `-fno-optimize-sibling-calls` and frame pointers keep each caller on the stack, so that the runtime can name the
    candidate's line; half arithmetic rounds after each operation, as on the device.
    """
    cpu = machine()
    headers = "x86" if cpu == "x86_64" else cpu
    isa = host_isa()
    march = f"-march={isa}" if cpu == "x86_64" else "-march=armv8.2-a+fp16"
    first = ("-isystem", str(FREESTANDING / "include")) if shims else ()
    return (
        "--no-default-config", "-target", f"{cpu}-linux-musl", march, "-nostdinc", "-nostdinc++", *first,
        *standard_headers(f"{cpu}-linux-musl", f"{headers}-linux-any"), CXX_STANDARD,
        "-O2", "-fsigned-char", "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none",
        "-fno-pie", "-fno-optimize-sibling-calls", "-fno-omit-frame-pointer", "-fno-stack-protector",
        "-fno-threadsafe-statics", "-ffunction-sections", "-fdata-sections", "-gline-tables-only", "-gdwarf-4",
        "-fno-ident", "-fno-crash-diagnostics", "-fno-color-diagnostics",
    )  # fmt: skip


_MUSL_MATH = (
    "pow", "pow_data", "powf", "powf_data", "exp_data", "__rem_pio2", "__rem_pio2_large", "__sin", "__cos", "__tan",
    "__math_divzero", "__math_invalid", "__math_oflow", "__math_uflow", "__math_xflow", "__math_divzerof",
    "__math_invalidf", "__math_oflowf", "__math_uflowf", "__math_xflowf", "expm1", "expm1f", "sinh", "sinhf", "asinf",
    "asinh", "asinhf", "acosh", "atanh", "atan2", "atan2f", "erf", "erff", "lgamma", "lgamma_r", "lgammaf", "lgammaf_r",
    "signgam", "fma", "fmaf", "ilogb", "ilogbf", "logb", "logbf", "ldexp", "ldexpf", "scalbn", "scalbnf", "scalbln",
    "scalblnf", "nextafter", "nextafterf", "nearbyint", "nearbyintf", "llrint", "llrintf", "llround", "llroundf",
    "remainder", "remainderf", "remquo", "remquof", "__fpclassify", "__fpclassifyf", "__signbit", "__signbitf",
    "__expo2", "__expo2f", "exp2f_data", "__sindf", "__cosdf",
)  # fmt: skip


def support_sources() -> list[tuple[Path, tuple[str, ...]]]:
    """The support library's own sources, each with its flags."""
    ours = ("-fno-exceptions", "-Wall", "-Wextra")
    plain = (*ours, "-ffreestanding", "-fno-builtin")  # else their loops would become calls of themselves
    return [
        (path, plain if path.stem in ("bytes", "heap", "math", "compiler_rt") else ours)
        for path in sorted(FREESTANDING.glob("*.cpp"))
    ]


def toolchain_sources() -> list[tuple[Path, tuple[str, ...]]]:
    """Those parts of libc++, libc++abi, libunwind and musl (all within the ziglang package) that need no operating
    system and complete the support library, each with its flags."""
    lib = toolchain().lib
    cxx = (
        "-std=c++23", "-w", "-DNDEBUG", f"-I{lib}/libcxx/src", f"-I{lib}/libcxx/libc", f"-I{lib}/libcxxabi/src",
        "-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI", "-D_LIBCXXABI_BUILDING_LIBRARY",
        "-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
        "-DLIBCXXABI_NON_DEMANGLING_TERMINATE",
    )  # fmt: skip
    unwind = (
        "-w", "-DNDEBUG", f"-I{lib}/libunwind/include", "-D_LIBUNWIND_HAS_NO_THREADS", "-D_LIBUNWIND_USE_DLADDR=0",
    )  # fmt: skip
    return [
        (lib / "libcxx/src/algorithm.cpp", (*cxx, "-O1")),  # std::sort of 14 types: the longest first
        (FREESTANDING / "toolchain" / "libcxx.cpp", cxx),
        (FREESTANDING / "toolchain" / "libcxxabi.cpp", cxx),
        (lib / "libcxx/src/error_category.cpp", cxx),
        (lib / "libunwind/src/libunwind.cpp", (*unwind, "-fno-exceptions", "-fno-rtti")),
        (lib / "libunwind/src/UnwindLevel1.c", (*unwind, "-std=c99", "-fexceptions")),
        *((lib / f"libunwind/src/UnwindRegisters{n}.S", unwind) for n in ("Save", "Restore")),
        *((path, musl_flags(machine())) for path in musl_math()),
    ]


def musl_math() -> list[Path]:
    """Those parts of <math.h> that musl gives; freestanding/math.cpp has the others."""
    return [toolchain().lib / f"libc/musl/src/math/{name}.c" for name in _MUSL_MATH]


def musl_flags(cpu: str) -> tuple[str, ...]:
    """How musl's own C files are compiled."""
    musl = toolchain().lib / "libc/musl"
    return (
        "-std=c99", "-w", "-ffreestanding", "-U__FP_FAST_FMA", "-U__FP_FAST_FMAF",  # the same bits with and without FMA
        f"-I{musl}/src/internal", f"-I{musl}/src/include", f"-I{musl}/arch/{cpu}", f"-I{musl}/arch/generic",
    )  # fmt: skip
