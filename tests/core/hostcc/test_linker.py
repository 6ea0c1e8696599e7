from __future__ import annotations

from pathlib import Path

import pytest

from kbench.core.errors import CompileError
from kbench.core.hostcc.lines import line_of
from kbench.core.hostcc.linker import support_symbol
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.symbols import read_symbols

from .programs import build, run

ENTRY = 'extern "C" void candidate(int, char**) '


def allowed(name: str) -> bool:
    return name == "kbrt_count" or support_symbol(name)


def refused(text: str, box: Sandbox, folder: Path) -> CompileError:
    with pytest.raises(CompileError) as caught:
        build(text, box, folder, allowed=allowed)
    assert str(folder) not in str(caught.value) + caught.value.log
    return caught.value


def test_what_is_allowed_links_and_runs(fast_box: Sandbox, tmp_path: Path) -> None:
    program = build(
        'extern "C" void kbrt_count();\n' + ENTRY + "{ kbrt_count(); }\n", fast_box, tmp_path, allowed=allowed
    )
    assert run(program, fast_box).report == [{"counted": 1}]


def test_the_system_is_named_with_the_line(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused('extern "C" int fork();\n' + ENTRY + "{\n  fork();\n}\n", fast_box, tmp_path)
    assert error.outcome == "forbidden_symbol"
    words = "candidate.cpp:3: error: calls fork: host code may call only the C++ library and the device API"
    assert str(error) == words
    with pytest.raises(CompileError) as caught:
        build('extern "C" int fork();\n' + ENTRY + "{\n  fork();\n}\n", fast_box, tmp_path, allowed=lambda name: False)
    assert str(caught.value) == "candidate.cpp:3: error: calls fork: kernels may call only the device API"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "namespace kbfs { void exit(int) noexcept; }\n" + ENTRY + "{ kbfs::exit(0); }\n",
            "calls kbfs::exit(int), which is",
        ),
        ('extern "C" void kbrt_secret();\n' + ENTRY + "{ kbrt_secret(); }\n", "calls kbrt_secret, which is internal"),
        ('extern "C" long kbrt_counter;\n' + ENTRY + "{ kbrt_counter = 7; }\n", "kbrt_counter"),
        ("int nowhere(float);\n" + ENTRY + "{ nowhere(1); }\n", "uses nowhere(float), which is neither defined"),
        ('int hidden() __asm__("execve");\n' + ENTRY + "{ hidden(); }\n", "calls execve: host code may"),
    ],
)
def test_what_is_not_allowed_is_told_in_words(fast_box: Sandbox, tmp_path: Path, text: str, words: str) -> None:
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "forbidden_symbol"
    assert words in str(error)


@pytest.mark.parametrize(
    "definition",
    [
        'extern "C" void kbrt_count() {}',
        'extern "C" long kbrt_counter = 3;',
        'extern "C" __attribute__((weak)) void kbrt_count() {}',
        'extern "C" void _start() {}',
        'extern "C" void* malloc(unsigned long) { return 0; }',
        'extern "C" void fs_before(int, char**) {}',
        "namespace kbfs { void lock_down() noexcept {} }",
        "void operator delete(void*) noexcept {}",
    ],
)
def test_names_of_the_runtime_are_not_redefined(fast_box: Sandbox, tmp_path: Path, definition: str) -> None:
    error = refused(f"{definition}\n{ENTRY}{{}}\n", fast_box, tmp_path)
    assert error.outcome == "forbidden_symbol"
    assert "belongs to the simulator's runtime" in str(error)


def test_an_indirect_function_is_refused(fast_box: Sandbox, tmp_path: Path) -> None:
    text = 'extern "C" void real() {}\nextern "C" void* choose() { return (void*)real; }\n'
    text += 'extern "C" void chosen() __attribute__((ifunc("choose")));\n' + ENTRY + "{ chosen(); }\n"
    error = refused(text, fast_box, tmp_path)
    assert error.outcome == "forbidden_symbol"
    assert "chosen" in str(error)


def test_a_missing_entry_is_a_link_error(fast_box: Sandbox, tmp_path: Path) -> None:
    error = refused("int other;\n", fast_box, tmp_path)
    assert error.outcome == "link_error"
    assert "candidate" in str(error)


def test_a_pragma_links_no_file(fast_box: Sandbox, tmp_path: Path) -> None:
    program = build(f'#pragma comment(lib, "/etc/passwd")\n{ENTRY}{{}}\n', fast_box, tmp_path)
    assert run(program, fast_box).outcome == "returned"


def test_symbols_of_an_object(fast_box: Sandbox, tmp_path: Path) -> None:
    program = build(ENTRY + "{}\n", fast_box, tmp_path)
    assert "_start" in read_symbols(program).strong
    (tmp_path / "no").write_text("no ELF file")
    with pytest.raises(ValueError, match="ELF"):
        read_symbols(tmp_path / "no")


def test_addresses_become_the_candidates_lines(fast_box: Sandbox, tmp_path: Path) -> None:
    text = f"#include <cstdio>\n{ENTRY}{{\n  volatile int* nowhere = nullptr;\n\n  *nowhere = 1;\n}}\n"
    program = build(text, fast_box, tmp_path)
    pc = next(line["pc"] for line in run(program, fast_box).report if "pc" in line)
    assert line_of(program, pc) == ("candidate.cpp", 5)
    assert line_of(program, 0x10) is None
    start = _address(program, "_start")
    assert line_of(program, start) is None, "the runtime has no lines for candidates"


def _address(program: Path, name: str) -> int:
    from elftools.elf.elffile import ELFFile

    with program.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return int(table.get_symbol_by_name(name)[0]["st_value"])
