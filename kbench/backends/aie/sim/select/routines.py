"""Routines that the compiler calls: what one call takes, from the first bundle of the routine to the end of its return.

Nobody has published these. They are estimates: division from what compiler-rt's routine does
(`builtins/aie2/aie2_div.h`: 32 steps of a bit each); the others from our own plain routines, compiled for a 32-bit
integer machine without a high half of products, their instructions counted, branches charged with delay slots. Real
ones may differ by 40 % and more.
"""

from __future__ import annotations

from kbench.backends.aie.sim.schedule.program import Call

_CYCLES = {
    # 32-bit integer division and remainder: 32 steps, sign handling.
    "__udivsi3": 39, "__umodsi3": 41, "__divsi3": 46, "__modsi3": 48,
    # 64-bit integers
    "__muldi3": 29, "__udivdi3": 240, "__umoddi3": 245, "__divdi3": 255, "__moddi3": 260, "__ashldi3": 10,
    "__lshrdi3": 10, "__ashrdi3": 10,
    # floats of 32 bits
    "__mulsf3": 124, "__divsf3": 394, "__cmpsf2": 34, "__floatsisf": 30, "__floatunsisf": 28, "__fixsfsi": 30,
    "__fixunssfsi": 30, "__floatdisf": 70, "__fixsfdi": 60,
    # floats of 64 bits
    "__adddf3": 250, "__subdf3": 255, "__muldf3": 420, "__divdf3": 1200, "__cmpdf2": 50, "__extendsfdf2": 30,
    "__truncdfsf2": 50, "__floatsidf": 40, "__fixdfsi": 40,
    # the C library's mathematics: 15 to 30 operations as long as a product
    "sqrtf": 1500, "expf": 2000, "exp2f": 1900, "expm1f": 2400, "logf": 2200, "log2f": 2200, "log10f": 2300,
    "log1pf": 2400, "sinf": 2500, "cosf": 2500, "tanf": 3500, "asinf": 2800, "acosf": 2800, "atanf": 2600,
    "atan2f": 3200, "sinhf": 3500, "coshf": 3500, "tanhf": 3500, "erff": 4000, "powf": 4500, "cbrtf": 2400,
    "hypotf": 2200, "fmodf": 800, "remainderf": 900, "floorf": 36, "ceilf": 36, "truncf": 30, "roundf": 44,
    "rintf": 44, "nearbyintf": 44, "lrintf": 60, "lroundf": 60, "fmaxf": 80, "fminf": 80, "fmaf": 300, "ldexpf": 60,
    "frexpf": 40, "scalbnf": 60, "copysignf": 6, "fabsf": 4, "memcmp": 60,
}  # fmt: skip
_UNKNOWN, _DOUBLE_FACTOR = 200, 3


def routine(name: str) -> Call:
    """A call of a routine by its name in the library."""
    cycles = _CYCLES.get(name)
    if cycles is None and f"{name}f" in _CYCLES:
        cycles = _CYCLES[f"{name}f"] * _DOUBLE_FACTOR
    return Call(name, _UNKNOWN if cycles is None else cycles)


def is_known(name: str) -> bool:
    return name in _CYCLES or f"{name}f" in _CYCLES


#: Of a loop of words: what it takes besides its trips, the trips' cycles (a load's latency is hidden by unrolling), and
#: how many bytes a size that is not known is taken to be.
_AROUND_MOVE, _WORD_CYCLES, _UNKNOWN_BYTES = 24, 2, 64


def block_move(name: str, size: int | None) -> Call:
    """`memcpy`, `memmove` or `memset` of so many bytes, a word at a time."""
    words = -(-(_UNKNOWN_BYTES if size is None else size) // 4)
    return Call(name, _AROUND_MOVE + words * (1 if name == "memset" else _WORD_CYCLES))
