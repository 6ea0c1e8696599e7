"""Hostile kernels for one AIE tile, as `attacks` has them for the other simulator.

`before` stands before the kernel function, `body` at its start.
"""

from __future__ import annotations

from tests.hostile.attacks import INCLUDE, SPIN, SYMBOL, Attack, _c

#: Those that end before anything of this device is involved.
COMPILER = (
    "endless constexpr",
    "template bomb",
    "include of a file outside",
    "include of a secret",
    "include through a macro",
    "include upwards",
    "embed of a file outside",
    "read of another sample",
    "file read",
    "network",
    "environment",
    "fork bomb",
    "inline assembly",
    "global assembly",
    "early constructor",
)

TILE = [
    Attack("null", ("out_of_bounds",), body="*(volatile int *)nullptr = 1;", says="increment.cc:"),
    Attack("hang", ("timeout",), body=SPIN, says="increment.cc:"),
    Attack(
        "endless recursion",
        ("stack_overflow",),
        before="int deep(int n) { volatile int room[8]; room[n & 7] = n; return n < 0 ? 0 : deep(n + 1) + room[0]; }\n",
        body="volatile int d = deep(0);",
    ),
    Attack("endless constructor", ("timeout",), before="struct Early { Early() { " + SPIN + " } } early;\n"),
    Attack("memory outside", ("out_of_bounds",), body="for (char *p = (char *)y;; p += 4096) *p = 1;"),
    Attack(
        "everything read",
        ("out_of_bounds",),
        body="volatile unsigned at = 0; int sum = 0; for (int *p = (int *)at; p < x; ++p) sum += *p; y[0] = sum;",
    ),
    Attack(
        "code in data",
        ("crash",),
        before="const unsigned char code[] = {0x0f, 0x05, 0xc3};\n",
        body="((void (*)())code)();",
    ),
    Attack("another function's table entry", ("crash",), body="for (unsigned i = 0;; ++i) ((int (*)(double))i)(1.0);"),
    Attack(
        "heap",
        SYMBOL,
        before=_c("void *malloc(unsigned);"),
        body="while (true) *(volatile char *)malloc(1 << 20) = 1;",
        says="calls malloc",
    ),
    Attack(
        "memory grown",
        SYMBOL,
        before="#include <stdlib.h>\n",
        body="while (true) *(volatile char *)realloc(0, 1 << 20) = 1;",
    ),
    Attack("wasm instruction", ("compile_error",), body="__builtin_wasm_memory_grow(0, 100);"),
    Attack(
        "processor instruction",
        ("compile_error",),
        before="typedef short v8 __attribute__((vector_size(16)));\n",
        body="v8 a = *(v8 *)x; *(v8 *)y = __builtin_ia32_pmulhw128(a, a);",
    ),
    Attack("the runtime's poison", SYMBOL, before=_c("unsigned kbrt_poison;"), body="kbrt_poison = 0;"),
    Attack(
        "the runtime's buffers",
        SYMBOL,
        before='extern "C" { extern unsigned kbrt_buffers[48]; }\n',
        body="kbrt_buffers[5] = 1;",
        says="kbrt_buffers",
    ),
    Attack(
        "the runtime's check", SYMBOL, before=_c("void kbrt_check_write(unsigned a, unsigned n, unsigned b, int c) {}")
    ),
    Attack("the counters", SYMBOL, before="long long kb_counts[4];\n", body="kb_counts[0] = 1;"),
    Attack(
        "an operation without its header",
        SYMBOL,
        before="namespace kbaie { template <class R, class... A> R fail(unsigned kinds, A... a); }\n",
        body="kbaie::fail<void>(0u, 8);",
    ),
    Attack("the wrapper", ("compile_error",), before=_c("void increment_wrapper(int *x, int *y, int n) { *y = 1; }")),
    Attack(
        "the stack pointer", SYMBOL, before='extern "C" { extern int __stack_pointer; }\n', body="__stack_pointer = 0;"
    ),
    Attack("the memory", SYMBOL, before='extern "C" { extern int memory; }\n', body="memory = 0;"),
    Attack(
        "huge program",
        ("link_error", "source_limit", "compile_timeout", "compile_memory"),
        before="template <int N> void grow(volatile int *y) {\n"
        "  y[N & 63] += N; y[N * 7 & 63] ^= N; y[N * 5 & 63] -= N; y[N * 3 & 63] += 7;\n"
        "  if constexpr (N > 0) grow<N - 1>(y); }\n",
        body="grow<800>(y);",
    ),
    Attack("another address space", ("compile_error",), body="*(__attribute__((address_space(256))) int *)64 = 1;"),
    Attack("line directive", ("compile_error",), before='#line 1 "/etc/passwd"\n'),
]

__all__ = ["COMPILER", "INCLUDE", "TILE"]
