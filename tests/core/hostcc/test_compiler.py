from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from kbench.core.errors import CompileError, HarnessError
from kbench.core.hostcc import compiler, linker
from kbench.core.hostcc.compiler import CompileJob, Prelude, Source, compile_object, line_directive
from kbench.core.hostcc.sandbox import Sandbox

API = ("Sqrt", "Rsqrt", "DataCopy", "AllocTensor", "SetFlag")


def compile_text(text: str, box: Sandbox, folder: Path, **options):
    files = options.pop("files", {})
    main = options.pop("main", "op_kernel/k.cpp")
    timeout_s = options.pop("timeout_s", 60)
    job = CompileJob(Source({main: text, **files}, main), options.pop("includes", ()), known_api=API, **options)
    return compile_object(job, box, timeout_s, folder)


def refused(text: str, box: Sandbox, folder: Path, **options) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_text(text, box, folder, **options)
    error = caught.value
    for shown in (str(error), error.log, *map(str, error.findings)):
        assert str(folder) not in shown, "a path of this machine"
        assert "ziglang" not in shown
    return error


def test_a_source_compiles_with_its_own_headers(any_box: Sandbox, tmp_path: Path) -> None:
    files = {"op_kernel/own.h": "inline int three() { return 3; }\n", "common.h": "#define FOUR 4\n"}
    text = '#include "own.h"\n#include "../common.h"\n#include <cstdint>\nint f() { return three() + FOUR; }\n'
    object_, findings = compile_text(text, any_box, tmp_path, files=files)
    assert object_.read_bytes()[:4] == b"\x7fELF"
    assert findings == ()


def test_warnings_come_back_with_lines(fast_box: Sandbox, tmp_path: Path) -> None:
    _, findings = compile_text("int f(int x) {\n  if (x = 3) return 1;\n  return 0;\n}\n", fast_box, tmp_path)
    assert [(f.severity, f.file, f.line, f.rule) for f in findings] == [
        ("warning", "op_kernel/k.cpp", 2, "-Wparentheses")
    ]


def test_a_syntax_error_names_file_and_line(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused("int f() {\n  return 3\n}\n", fast_box, tmp_path)
    assert error.outcome == "compile_error"
    assert "op_kernel/k.cpp:2: error: expected ';'" in str(error)
    assert error.findings[0].line == 2


def test_an_error_within_a_header_is_put_where_it_was_asked_for(fast_box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    header = 'template <class T> void Copy(T) { static_assert(sizeof(T) == 2, "Copy: wants half"); }\n'
    (tmp_path / "inc" / "device.h").write_text(header)
    text = '#include "device.h"\nvoid f() {\n\n  Copy(1.0f);\n}\n'
    error = refused(text, fast_box, tmp_path, includes=(tmp_path / "inc",))
    assert error.outcome == "compile_error"
    assert (error.findings[0].file, error.findings[0].line) == ("op_kernel/k.cpp", 4)
    assert "Copy: wants half" in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "namespace AscendC {}\nvoid f() { AscendC::Sqroot(1); }\n",
            "k.cpp:2: error: no API named 'AscendC::Sqroot'; did you mean 'Sqrt'?",
        ),
        ("void f() {\n  DataCopyy(1);\n}\n", "k.cpp:2: error: no API named 'DataCopyy'; did you mean 'DataCopy'?"),
        (
            "namespace AscendC { struct Queue {}; }\nvoid f(AscendC::Queue q) { q.Alloctensor(); }\n",
            "no API named 'AscendC::Queue::Alloctensor'; did you mean 'AllocTensor'?",
        ),
        ("namespace AscendC {}\nAscendC::Nonsense x;\n", "no API named 'AscendC::Nonsense'"),
    ],
)
def test_an_unknown_api_gets_the_nearest_name(fast_box: Sandbox, tmp_path: Path, text: str, words: str) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "unknown_api"
    assert words in str(error)


@pytest.mark.parametrize("text", ["Note that this answer is complete\n", "Output the kernel below:\nint x;\n"])
def test_prose_gets_no_suggestion(fast_box: Sandbox, tmp_path: Path, text: str) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "compile_error"
    assert "did you mean" not in str(error)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('int a;\n#line 5 "other.cpp"\nint b = c;\n', 2),
        ('# 33 "other.cpp" 2\n', 1),
        ("#\\\nline 4\n", 1),
        ("%: line 4\n", 1),
        ("/* a */ #line 4\n", 1),
        ('auto r = R"x(\n#line 3\n)x";\n#line 9\n', 4),
        ("int a = 1'000;\n#line 4 // '\n", 2),
    ],
)
def test_a_line_directive_forges_no_place(fast_box: Sandbox, tmp_path: Path, text: str, line: int) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "compile_error"
    assert (error.findings[0].file, error.findings[0].line) == ("op_kernel/k.cpp", line)
    assert "line directive" in str(error)


def test_what_only_looks_like_a_line_directive_compiles() -> None:
    for text in (
        "/*\n# 1. Introduction\n*/",
        "// # 1\n",
        'const char* s = "#line 1";\n',
        "#define A \\\n  1\n",
        "#lines\n",
    ):
        assert line_directive(text) == 0


def test_an_unknown_variable_is_no_api(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused("int f() { return tile_lenght; }\n", fast_box, tmp_path)
    assert error.outcome == "compile_error"


@pytest.mark.parametrize(
    "line",
    [
        '#include "/etc/passwd"',
        '#include "../../etc/passwd"',
        '#include "../outside.h"\n#include "../../outside.h"',
        "#include </etc/passwd>",
        'const unsigned char d[] = {\n#embed "/etc/passwd"\n};',
        '#define HIDDEN "/etc/passwd"\n#include HIDDEN',
        '#import "/etc/hostname"',
    ],
)
def test_files_outside_are_not_included(any_box: Sandbox, tmp_path: Path, line: str) -> None:
    (tmp_path / "outside.h").write_text("int secret = 42;\n")
    error = refused(f"int before;\n{line}\n", any_box, tmp_path, main="k.cpp")
    assert error.outcome == "forbidden_include"
    assert "root:" not in error.log


def test_a_missing_header_is_no_crime(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused("\n#include <no_such_header.h>\n", fast_box, tmp_path)
    assert error.outcome == "missing_include"
    assert "op_kernel/k.cpp:2: error: no file 'no_such_header.h' to include" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        'void f() {\n  asm volatile("syscall");\n}\n',
        '__asm__(".globl x");\n',
        "void f() { __asm { nop } }\n",
        'register int x asm("rax");\n__attribute__((naked)) void g() { asm("ret"); }\n',
    ],
)
def test_inline_assembly_is_refused(fast_box: Sandbox, tmp_path: Path, text: str) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "inline_assembly", str(error)


@pytest.mark.parametrize(
    "text",
    [
        "template <int N> struct B { static constexpr int v = B<N + 1>::v; };\nint x = B<0>::v;\n",
        "constexpr int loop() { int i = 0; while (true) ++i; return i; }\nconstexpr int x = loop();\n",
        "constexpr int deep(int n) { return deep(n + 1) + 1; }\nconstexpr int x = deep(0);\n",
        "int x = " + "(" * 2000 + "1" + ")" * 2000 + ";\n",
    ],
)
def test_bombs_end_with_a_line(fast_box: Sandbox, tmp_path: Path, text: str) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "template_limit", str(error)
    assert error.findings[0].file == "op_kernel/k.cpp"


def test_a_template_that_doubles_runs_out_of_time_or_memory(box: Sandbox, tmp_path: Path) -> None:
    text = "template <class...> struct P {};\n"
    text += "template <class L, int N> struct T { enum { v = T<P<L, int>, N - 1>::v + T<P<L, char>, N - 1>::v }; };\n"
    text += "template <class L> struct T<L, 0> { enum { v = 1 }; };\nint never = T<int, 60>::v;\n"
    error = refused(text, box, tmp_path, timeout_s=2)
    assert error.outcome in ("compile_timeout", "compile_memory", "template_limit")


def test_memory_of_the_compiler_is_limited(fast_box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_MEMORY", 400 << 20)
    text = "template <class T, T... N> struct S {};\nS<int, 1> one;\n__make_integer_seq<S, int, 100000000> many;\n"
    error = refused(text, fast_box, tmp_path, timeout_s=60)
    assert error.outcome == "compile_memory", str(error) + error.log[:300]


@pytest.mark.parametrize(
    ("name", "outcome", "says"),
    [
        ("../x.h", "forbidden_include", "not a relative path"),
        ("/x.h", "forbidden_include", "not a relative path"),
        ("a\0.h", "forbidden_include", "not a relative path"),
        ("a" * 300 + ".h", "source_limit", "240 bytes"),
        ("a/" * 1500 + "x.h", "source_limit", "240 bytes"),
        ("\ud800.h", "compile_error", "not Unicode"),
        ("", "compile_error", "folder"),
        ("op_kernel", "compile_error", "folder"),
        ("op_kernel/k.cpp/x.h", "compile_error", "'op_kernel/k.cpp' is also a folder"),
    ],
)
def test_file_names_that_no_disk_takes_are_the_candidates_fault(
    name: str, outcome: str, says: str, fast_box: Sandbox, tmp_path: Path
) -> None:
    error = refused("int x;", fast_box, tmp_path, files={name: ""})
    assert error.outcome == outcome
    assert says in str(error)
    assert len(str(error)) < 200


def test_a_call_that_fits_no_overload_says_why(fast_box: Sandbox, tmp_path: Path) -> None:
    text = "template <class T> void Copy(T, T); void Copy(int);\nvoid f() { Copy(1, 1.0f); }\n"
    error = refused(text, fast_box, tmp_path)
    assert "no matching function for call to 'Copy'" in str(error)
    assert "conflicting types for parameter 'T' ('int' vs. 'float')" in str(error)
    assert "requires" not in str(error)
    assert error.findings[0].line == 2


def test_the_source_has_a_limit(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused("//" + "x" * (compiler.SOURCE_BYTES + 1), fast_box, tmp_path)
    assert error.outcome == "source_limit"


@pytest.mark.parametrize("name", ["/abs.cpp", "../up.cpp", "a/../../up.cpp"])
def test_a_file_name_stays_inside(fast_box: Sandbox, tmp_path: Path, name: str) -> None:
    error = refused("int x;\n", fast_box, tmp_path, files={name: "int y;\n"})
    assert error.outcome == "forbidden_include"
    assert not (tmp_path / "up.cpp").exists()


@pytest.mark.parametrize("name", ["-fgnu-inline-asm", "-o.cpp", "a b;c.cpp", "_x.cpp", "-.c"])
def test_a_file_name_is_never_an_option(fast_box: Sandbox, tmp_path: Path, name: str) -> None:
    text = 'void f() {\n  __asm__("nop");\n}\n'
    error = refused(text, fast_box, tmp_path, main=name)
    assert error.outcome == "inline_assembly"
    assert str(error).startswith(f"{name}:2: error:")


@pytest.mark.parametrize("folder", ["", "sub/"])
def test_a_file_name_is_never_a_list_of_options(fast_box: Sandbox, tmp_path: Path, folder: str) -> None:
    files = {"options": "-fgnu-inline-asm", f"{folder}options": "-fgnu-inline-asm"}
    error = refused("int x;\n", fast_box, tmp_path, main=f"{folder}@options", files=files)
    assert "begins with '@'" in str(error)


def test_a_prelude_is_precompiled_and_defines_may_be_added(any_box: Sandbox, tmp_path: Path) -> None:
    prelude = Prelude("#include <utility>\nusing Type = unsigned short;\n", includes=(), flags=())
    text = "#ifndef DTYPE\n#error no DTYPE\n#endif\nstd::pair<DTYPE, Type> f(Type n) { return {DTYPE(n), n}; }\n"
    for dtype in ("float", "int"):
        object_, _ = compile_text(text, any_box, tmp_path, prelude=prelude, defines=(f"DTYPE={dtype}",))
        assert object_.exists()
    error = refused("Type x = nothing;\n", any_box, tmp_path, prelude=prelude, defines=("DTYPE=int",))
    assert "k.cpp:1: error: use of undeclared identifier 'nothing'" in str(error)


def test_words_in_the_log_make_nothing_our_fault(fast_box: Sandbox, tmp_path: Path) -> None:
    prelude = Prelude("using Type = int;\n", includes=())
    for words in ("file 'x.h' has been modified since the precompiled header", "No space left", "out of memory"):
        error = refused(f"#error {words}\n", fast_box, tmp_path, prelude=prelude)
        assert error.outcome == "compile_error"


def test_headers_that_are_installed_again_are_the_same_headers(fast_box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    header = tmp_path / "inc" / "device.h"
    prelude = Prelude('#include "device.h"\n', includes=(tmp_path / "inc",))
    for time in (1_000_000_000, 1_100_000_000):
        header.unlink(missing_ok=True)
        header.write_text("#pragma once\nenum Status { GOOD };\n")
        os.utime(header, (time, time))
        text = '#include "device.h"\nStatus x = GOOD;\n'
        compile_text(text, fast_box, tmp_path, prelude=prelude, includes=prelude.includes)


def test_headers_that_change_meanwhile_are_our_fault(fast_box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    header = tmp_path / "inc" / "device.h"
    header.write_text("int before;\n")
    prelude = Prelude('#include "device.h"\n', includes=(tmp_path / "inc",))
    compile_text("int x;\n", fast_box, tmp_path, prelude=prelude, includes=prelude.includes)
    header.write_text("int before; int after;\n")
    with pytest.raises(HarnessError, match="changed while kbench runs"):
        compile_text("int y;\n", fast_box, tmp_path, prelude=prelude, includes=prelude.includes)


def test_a_full_disk_is_our_fault(fast_box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linker.shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(HarnessError, match="is full"):
        compile_text("no code\n", fast_box, tmp_path)


def test_a_workdir_that_cannot_be_written_is_our_fault(fast_box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HarnessError, match="cannot write below"):
        compile_text("int x;\n", fast_box, tmp_path / "file" / "work")


def test_the_compiler_sees_no_environment(fast_box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "leak.h").write_text("int leaked;\n")
    for name in ("CPATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"):
        monkeypatch.setenv(name, str(tmp_path / "inc"))
    assert refused("#include <leak.h>\n", fast_box, tmp_path).outcome == "missing_include"


def test_the_same_source_gives_the_same_object(fast_box: Sandbox, tmp_path: Path) -> None:
    text = "#include <utility>\nstd::pair<const char*, int> f() { return {__FILE__, __LINE__}; }\n"
    first, _ = compile_text(text, fast_box, tmp_path / "a")
    second, _ = compile_text(text, fast_box, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path).encode() not in first.read_bytes()


def test_c_is_c(fast_box: Sandbox, tmp_path: Path) -> None:
    object_, _ = compile_text("int new(int class) { return class; }\n", fast_box, tmp_path, main="k.c")
    assert object_.exists()
