"""The lowering, text by text: no compiler, no machine."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
import wasmtime

from kbench.backends.aie.sim.ir import Types, parse, split, type_at
from kbench.backends.aie.sim.lower import Lowered, lower
from kbench.backends.aie.sim.wasm import exports, read_object, with_exports
from kbench.core.errors import CompileError

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
MACHINE = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine(cpu="mvp", features="+simd128")


def lowered(body: str, before: str = "", signature: str = "void @k(ptr %p, ptr %q, i32 %n)") -> Lowered:
    """A function's body, lowered; LLVM must take the new text, and make an object of it."""
    text = f"{before}\ndefine dso_local {signature} #0 {{\n{body}\n}}\nattributes #0 = {{ nounwind }}\n"
    out = lower(text, "k", ["k.cc"])
    MACHINE.emit_object(llvm.parse_assembly(out.ir))
    return out


def lines(out: Lowered) -> str:
    """The new body without what counts blocks."""
    inner = out.ir.partition("define ")[2].partition("\n}")[0]
    return "\n".join(line for line in inner.split("\n")[1:] if "kb_counts" not in line and "add i64 %kb" not in line)


def test_types_know_their_sizes():
    types = Types({"%s": "{ i8, i64, [3 x i16] }", "%p": "<{ i8, i32 }>"})
    sizes = {"i1": 1, "i24": 4, "bfloat": 2, "<16 x i32>": 64, "[5 x %p]": 25, "%s": 24, "ptr": 4, "<3 x i8>": 4}
    assert {t: types.size(t) for t in sizes} == sizes
    assert types.lanes("<32 x bfloat>") == (32, 16)


def test_text_is_split_where_no_bracket_is_open():
    assert split('<2 x i32> <i32 1, i32 2>, ptr @"a,b", {i8, i8} zeroinitializer') == [
        "<2 x i32> <i32 1, i32 2>",
        'ptr @"a,b"',
        "{i8, i8} zeroinitializer",
    ]
    assert type_at("[2 x { i8, ptr }] zeroinitializer") == ("[2 x { i8, ptr }]", "zeroinitializer")


def test_accesses_are_checked_unless_they_hit_the_own_frame():
    out = lowered("""  %a = alloca [8 x i32], align 16
  %b = getelementptr inbounds i8, ptr %a, i32 28
  store i32 1, ptr %b, align 4
  %c = getelementptr inbounds i8, ptr %a, i32 32
  %x = load i32, ptr %c, align 4
  store <16 x i32> zeroinitializer, ptr %p, align 32
  %y = load volatile i16, ptr getelementptr inbounds (i8, ptr @t, i32 2), align 2
  store volatile i16 2, ptr getelementptr inbounds (i8, ptr @t, i32 4), align 2
  store ptr getelementptr inbounds (i8, ptr @t, i32 6), ptr %q, align 4
  ret void""", before="@t = internal constant [4 x i16] [i16 1, i16 2, i16 3, i16 4], align 2")  # fmt: skip
    checks = [line.strip() for line in lines(out).split("\n") if "check_" in line]
    assert checks == [
        "call void @kbrt_check_stack(i32 0)",
        "call void @kbrt_check_read(ptr %c, i32 4, i32 4, i32 0)",
        "call void @kbrt_check_write(ptr %p, i32 64, i32 32, i32 0)",
        "call void @kbrt_check_read(ptr getelementptr inbounds (i8, ptr @t, i32 2), i32 2, i32 2, i32 0)",
        "call void @kbrt_check_write(ptr getelementptr inbounds (i8, ptr @t, i32 4), i32 2, i32 2, i32 0)",
        "call void @kbrt_check_write(ptr %q, i32 4, i32 4, i32 0)",
    ]
    assert (out.global_bytes, out.global_count) == (8, 1)


def test_operations_pass_operands_in_memory():
    name = "_ZN5kbaie3addIDv16_iJS1_S1_EEET_jDpT0_"
    out = lowered(
        f"  %x = load <16 x i32>, ptr %p, align 32\n"
        f"  %y = tail call noundef <16 x i32> @{name}(i32 noundef 460551, <16 x i32> noundef %x, i32 noundef -1) #1\n"
        "  store <16 x i32> %y, ptr %q, align 32\n  ret void",
        before=f"declare dso_local noundef <16 x i32> @{name}(i32 noundef, <16 x i32> noundef, i32 noundef)",
    )
    assert out.operations == {"add": 0}
    assert "call void @kbrt_add(ptr @kb.desc0, ptr @kb.r, ptr @kb.args2)" in out.ir
    assert "[9 x i32] [i32 460551, i32 0, i32 2, i32 16, i32 32, i32 16, i32 32, i32 1, i32 32]" in out.ir
    assert name not in out.ir


@pytest.mark.parametrize(
    "line",
    [
        "%r = fadd bfloat %a, 0xR3FC0",
        "%r = fneg bfloat %a",
        "%r = select i1 true, bfloat %a, bfloat 0xR0000",
        "%r = fptrunc float 1.0 to bfloat",
        "%r = sitofp i32 %n to bfloat",
        "%r = call nnan bfloat @llvm.fabs.bf16(bfloat %a)",
        "%r = call bfloat @llvm.maxnum.bf16(bfloat %a, bfloat 0xR7F80)",
        "%r = bitcast i16 7 to bfloat",
    ],
)
def test_bfloat_becomes_sixteen_bits(line):
    declared = "declare bfloat @llvm.fabs.bf16(bfloat)\ndeclare bfloat @llvm.maxnum.bf16(bfloat, bfloat)"
    out = lowered(
        f"  %a = load bfloat, ptr %p, align 2\n  {line}\n  store bfloat %r, ptr %q, align 2\n  ret void", declared
    )
    assert "bfloat" not in out.ir
    rounds = not any(word in line for word in ("fneg", "select", "bitcast"))
    assert ("@kbrt_round_bf16(" in lines(out)) == rounds


def test_bfloat_is_compared_and_converted_as_float():
    out = lowered("""  %a = load <4 x bfloat>, ptr %p, align 2
  %f = fpext <4 x bfloat> %a to <4 x float>
  %b = extractelement <4 x bfloat> %a, i32 1
  %c = fcmp olt bfloat %b, 0xR4000
  %i = fptosi bfloat %b to i32
  %t = fptrunc <4 x float> %f to <4 x bfloat>
  store <4 x bfloat> %t, ptr %q, align 2
  ret void""")
    assert "bfloat" not in out.ir
    assert "fcmp olt float" in out.ir
    assert lines(out).count("@kbrt_round_bf16(") == 4


def test_division_never_traps():
    out = lowered("  %a = sdiv i32 %n, %n\n  %b = urem i8 7, 3\n  %c = srem i32 -5, %n\n  ret void")
    assert lines(out).count("@kbrt_check_div(") == 2
    assert "urem i8 7, 3" in out.ir


def test_only_what_the_entry_needs_is_kept():
    out = lowered(
        "  call void @used()\n  ret void",
        before="@g = internal global i32 0\n@h = internal global i32 0\n"
        "define dso_local void @used() {\n  store i32 1, ptr @g, align 4\n  ret void\n}\n"
        "define linkonce_odr void @spare() comdat {\n  store i32 1, ptr @h, align 4\n  ret void\n}",
    )
    assert set(out.functions) == {"k", "used"}
    assert "@h" not in out.ir


def test_nothing_of_the_kernel_lies_at_address_0():
    out = lowered("  store i32 1, ptr @g, align 4\n  ret void", before="@g = internal global i32 5, align 4")
    symbols = read_object(MACHINE.emit_object(llvm.parse_assembly(out.ir)))
    assert symbols.data["kb_null"] == 0
    assert symbols.data["g"] >= 1024
    assert symbols.imports == ["kbrt_check_write"]


@pytest.mark.parametrize(
    ("text", "outcome", "words"),
    [
        ("  %x = load half, ptr %p, align 2\n  ret void", "compile_error", "_Float16"),
        ("  %x = load i32, ptr addrspace(256) null, align 4\n  ret void", "compile_error", "address space"),
        ("  call void @llvm.x86.sse2.pause()\n  ret void", "compile_error", "another processor"),
        ("  call void @kbrt_fail(i32 1)\n  ret void", "forbidden_symbol", "belongs to the simulator"),
    ],
)
def test_what_the_device_lacks_is_refused(text, outcome, words):
    declared = "declare void @llvm.x86.sse2.pause()" + ("\ndeclare void @kbrt_fail(i32)" if "kbrt" in text else "")
    with pytest.raises(CompileError, match=words) as caught:
        lowered(text, declared)
    assert caught.value.outcome == outcome


def test_places_are_the_candidates_own_through_what_was_inlined():
    text = """define void @k(ptr %p) !dbg !3 {
  store i32 1, ptr %p, align 4, !dbg !6
  store i32 2, ptr %p, align 4, !dbg !7
  ret void
}
!1 = !DIFile(filename: "./k.cc", directory: ".")
!2 = !DIFile(filename: "/headers/aie.hpp", directory: ".")
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3)
!4 = distinct !DISubprogram(name: "store_v", scope: !2, file: !2, line: 70)
!5 = !DILexicalBlock(scope: !4, file: !2, line: 71)
!6 = !DILocation(line: 72, column: 1, scope: !5, inlinedAt: !7)
!7 = !DILocation(line: 4, column: 9, scope: !3)
"""
    out = lower(text, "k", ["k.cc"])
    assert out.places == [("", 0), ("k.cc", 3), ("k.cc", 4)]
    assert out.blocks == [2]
    assert parse(text).functions["k"].body[0].startswith("  store i32 1")


def test_functions_are_exported_by_their_place_in_the_object():
    out = lowered("  call void @g(ptr %p)\n  ret void", before="declare void @g(ptr)")
    data = MACHINE.emit_object(llvm.parse_assembly(out.ir))
    symbols = read_object(data)
    assert exports(data) == []
    made = with_exports(data, [("k", symbols.functions["k"])])
    assert exports(made) == ["k"]
    wasmtime.Module.validate(wasmtime.Engine(), made)
    with pytest.raises(ValueError, match="not a WebAssembly module"):
        exports(b"\x7fELF and more")
