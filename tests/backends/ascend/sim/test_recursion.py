"""Recursion at run time: suspected in the text, found in the compiler's code."""

from __future__ import annotations

import pytest

from kbench.backends.ascend.sim.recursion import Recursion, recursion, suspects

SUSPECT = {
    "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }": True,
    "struct R { int f(int n) const { return this->f(n - 1); } };": True,
    "template <class T> int f(T n) { return f<T>(n); }": True,
    "int f(int n) { return g(n); }\nint g(int n) { if (n) { return f(n - 1); } return 0; }": True,
    "struct A { void Start() { inner.Start(); } void Process() { other->Process(); } };": False,
    "struct A : B { void Start() { B::Start(); } };": False,
    "void f() { g(); }\nvoid g() { }": False,
    "void f() { /* f() */ auto text = \"f()\"; // f()\n }": False,
    "void f() { if (x) { } for (;;) { } while (y) { } }": False,
    "#define CALL(f) f()\nvoid g() { CALL(h); }": False,
}  # fmt: skip


@pytest.mark.parametrize("text", SUSPECT)
def test_names_that_call_themselves_are_suspect(text: str) -> None:
    assert suspects([text]) == SUSPECT[text]


def test_files_are_looked_at_together() -> None:
    assert suspects(["void f() { g(); }", "void g() { f(); }"])


@pytest.mark.parametrize(
    "text", ["a(){" * 50_000, "){" * 50_000, "/*" * 50_000, "(" * 50_000 + "){", "int f() { g(); }\n" * 20_000]
)
def test_any_text_takes_little_time(text: str) -> None:
    suspects([text])  # in quadratic time it would not come back


IR = """
define dso_local i32 @_Z1fi(i32 %n) #0 !dbg !5 {
  %r = call noundef i32 @_Z1gi(i32 noundef %n), !dbg !9
  ret i32 %r
}

define internal i32 @_Z1gi(i32 %n) #0 !dbg !6 {
  %r = call i32 @{calls}(i32 %n)
  ret i32 %r
}
!4 = !DIFile(filename: "op/k.cpp", directory: ".")
!5 = distinct !DISubprogram(name: "f", scope: !4, file: !4, line: 3, type: !7, unit: !1)
!6 = distinct !DISubprogram(name: "g", scope: !4, file: !4, line: 7, type: !7, unit: !1)
"""


def test_a_cycle_of_calls_is_found_with_its_place() -> None:
    assert recursion(IR.replace("{calls}", "_Z1fi")) == Recursion("f", "op/k.cpp", 3, ("g",))
    assert recursion(IR.replace("{calls}", "_Z1gi")) == Recursion("g", "op/k.cpp", 7, ())
    assert recursion(IR.replace("{calls}", "_Z1hi")) is None
    assert recursion("") is None
