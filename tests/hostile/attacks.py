"""Hostile candidates: what each tries, and the class of failure that it must end in.

A kernel attack is `before` (put before the kernel function) and `body` (put at its start) of a kernel that is otherwise
right; a host attack the same for the tiling function. `{port}`, `{secret}`, `{sibling}` and `{victim}` become a
listening port of the test, a file with a secret, another sample's source, and a file that must stay as it is.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    name: str
    outcomes: tuple[str, ...]
    before: str = ""
    body: str = ""
    host: bool = False
    says: str = ""  # what the message must hold
    timeout_s: float = 60.0  # of the stage that the attack tries to hold up


def _c(declaration: str) -> str:
    return f'extern "C" {declaration}\n'


SYMBOL = ("forbidden_symbol",)
INCLUDE = ("forbidden_include",)
SPIN = "for (volatile int i = 0;; i = i + 1) {}"
HEAP = "while (true) { char* c = new char[1 << 20]; *(volatile char*)c = 1; }"
CODE = "unsigned char code[] = {0x0f, 0x05, 0xc3};"
DEEP = (
    "static int deep(int n) { volatile char room[512]; room[n & 511] = 1; int (*volatile again)(int) = &deep; "
    "return n < 0 ? 0 : again(n + 1) + room[0]; }\n"
)

KERNEL = [
    Attack("crash", ("crash",), body="*(volatile int*)nullptr = 1;", says="vector_add.cpp:"),
    Attack("division", ("crash",), body="volatile int zero = 0; volatile int bad = 7 / zero;"),
    Attack("hang", ("timeout",), body=SPIN, timeout_s=1.5),
    Attack(
        "endless constexpr",
        ("template_limit",),
        before="constexpr int spin() { int i = 0; while (true) ++i; return i; }\nconstexpr int spun = spin();\n",
    ),
    Attack(
        "endless compile",
        ("compile_timeout",),
        before="template <class...> struct P {};\n"
        "template <class L, int N> struct T { enum { v = T<P<L, int>, N - 1>::v + T<P<L, char>, N - 1>::v }; };\n"
        "template <class L> struct T<L, 0> { enum { v = 1 }; };\nint never = T<int, 60>::v;\n",
        timeout_s=4,
    ),
    Attack(
        "template bomb",
        ("template_limit",),
        before="template <int N> struct Bomb { static constexpr int v = Bomb<N + 1>::v; };\nint boom = Bomb<0>::v;\n",
        says="vector_add.cpp:",
    ),
    Attack(
        "compiler memory",
        ("compile_memory", "compile_timeout"),
        before="template <class T, T... N> struct S {};\nS<int, 1> one;\n__make_integer_seq<S, int, 500000000> many;\n",
        timeout_s=40,
    ),
    Attack("fork bomb", SYMBOL, before=_c("int fork();"), body="while (true) fork();", says="calls fork"),
    Attack("print without end", ("timeout",), body='while (true) AscendC::printf("%s", "0123456789\\n");', timeout_s=2),
    Attack("heap without end", ("compile_error",), body=HEAP, says="dynamic memory"),
    Attack(
        "heap of C without end",
        ("memory_limit", *SYMBOL),
        before=_c("void* malloc(unsigned long);"),
        body="while (true) *static_cast<volatile char*>(malloc(1 << 20)) = 1;",
    ),
    Attack("stack overflow", ("stack_overflow",), before=DEEP, body="volatile int d = deep(0);"),
    Attack("include of a file outside", INCLUDE, before='#include "/etc/passwd"\n', says="/etc/passwd"),
    Attack("include of a secret", INCLUDE, before='#include "{secret}"\n'),
    Attack("include through a macro", INCLUDE, before='#define WHERE "{secret}"\n#include WHERE\n'),
    Attack("include upwards", INCLUDE, before='#include "../../../../../../../../etc/passwd"\n'),
    Attack("embed of a file outside", INCLUDE, before='const char data[] = {\n#embed "{secret}"\n};\n'),
    Attack("read of another sample", INCLUDE, before='#include "{sibling}"\n'),
    Attack(
        "file read",
        SYMBOL,
        before=_c("int open(const char*, int, ...);"),
        body='open("/etc/passwd", 0);',
        says="calls open",
    ),
    Attack(
        "write outside",
        SYMBOL,
        before=_c("void* fopen(const char*, const char*);"),
        body='fopen("{victim}", "w");',
        says="calls fopen",
    ),
    Attack(
        "network",
        SYMBOL,
        before=_c("int socket(int, int, int);") + _c("int connect(int, const void*, int);"),
        body="short a[8] = {2, (short)__builtin_bswap16({port}), 0x7f, 0x100}; connect(socket(2, 1, 0), a, 16);",
        says="socket",
    ),
    Attack("environment", SYMBOL, before=_c("char* getenv(const char*);"), body='getenv("KBENCH_CANARY");'),
    Attack("inline assembly", ("inline_assembly",), body='asm volatile("syscall");', says="vector_add.cpp:"),
    Attack("global assembly", ("inline_assembly",), before='__asm__(".incbin \\"/etc/passwd\\"");\n'),
    Attack("machine code in data", ("crash",), before=f"const {CODE}\n", body="((void (*)())code)();"),
    Attack("machine code on the stack", ("crash", "out_of_bounds"), body=f"volatile {CODE} ((void (*)())code)();"),
    Attack(
        "runtime's end",
        SYMBOL,
        before="namespace kbfs { void exit(int) noexcept; }\n",
        body="kbfs::exit(0);",
        says="kbfs::exit",
    ),
    Attack(
        "runtime's report",
        SYMBOL,
        before="namespace kbfs { bool write_all(int, const void*, unsigned long) noexcept; }\n",
        body='kbfs::write_all(4, "{}", 2);',
        says="write_all",
    ),
    Attack(
        "runtime's machine",
        SYMBOL,
        before="namespace kb { extern void* machine; }\n",
        body="kb::machine = nullptr;",
        says="machine",
    ),
    Attack("runtime redefined", SYMBOL, before=_c("int fs_main(int, char**) { return 0; }")),
    Attack("library redefined", SYMBOL, before=_c("void* memcpy(void* a, const void*, unsigned long) { return a; }")),
    Attack(
        "counters overwritten",
        ("tampered",),
        before="static long mine;\n",
        # What looks like an address in the program's data is followed; where the size of UB lies behind it, so do the
        # counters.
        body="for (auto* p = (unsigned long*)((unsigned long)&mine & ~4095ul) - 40 * 512;\n"
        "     p < (unsigned long*)&mine; ++p)\n"
        "  if ((*p >> 40 == 0x7f || *p >> 40 == 0x7e) && *p >> 32 != 0x7fff && *p % 8 == 0) {\n"
        "    auto* block = (volatile unsigned long*)*p;\n"
        "    for (int i = 4; i < 10; ++i)\n"
        "      if (block[i] == 196608)\n"
        "        for (int k = i + 13; k < i + 30; ++k)\n"
        "          if (block[k] != 0) block[k] += 1; }",
    ),
    Attack(
        "early constructor",
        SYMBOL,
        before=_c("int execve(const char*, void*, void*);")
        + 'struct Early { Early() { execve("/bin/sh", nullptr, nullptr); } } early;\n',
        says="calls execve",
    ),
]

HOST = [
    Attack("host crash", ("crash",), body="*(volatile int*)nullptr = 1;", host=True),
    Attack("host hang", ("timeout",), body=SPIN, host=True, timeout_s=1.5),
    Attack("host memory", ("memory_limit",), body=HEAP, host=True),
    Attack(
        "host prints without end",
        ("output_limit",),
        before="#include <iostream>\n",
        body='while (true) std::cout << "0123456789abcdef" << std::endl;',
        host=True,
    ),
    Attack(
        "host prints 4 GiB",
        ("output_limit",),
        before="#include <cstdio>\n",
        body='for (long i = 0; i < (1l << 28); ++i) std::printf("0123456789abcde\\n");',
        host=True,
    ),
    Attack(
        "host reads a file",
        ("compile_error",),
        before="#include <fstream>\n",
        body='std::ifstream f("/etc/passwd");',
        host=True,
        says="no files",
    ),
    Attack(
        "host opens a file",
        SYMBOL,
        before="#include <cstdio>\n",
        body='fopen("{victim}", "w");',
        host=True,
        says="calls fopen",
    ),
    Attack(
        "host runs a shell",
        SYMBOL,
        before="#include <cstdlib>\n",
        body='system("touch {victim}");',
        host=True,
        says="calls system",
    ),
    Attack(
        "host sees the environment",
        ("tiling_failed",),
        before="#include <cstdlib>\n",
        body='if (getenv("KBENCH_CANARY") == nullptr) return ge::GRAPH_FAILED;',
        host=True,
    ),
    Attack(
        "host throws",
        ("crash",),
        before="#include <stdexcept>\n",
        body='throw std::runtime_error("no luck");',
        host=True,
        says="no luck",
    ),
    Attack("host includes a secret", INCLUDE, before='#include "{secret}"\n', host=True),
    Attack("host assembly", ("inline_assembly",), body='asm("syscall");', host=True),
    Attack("host stack overflow", ("stack_overflow",), before=DEEP, body="volatile int d = deep(0);", host=True),
]
