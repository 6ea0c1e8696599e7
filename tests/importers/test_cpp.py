"""The C++ interpreter: the language, apart from any library."""

from __future__ import annotations

from typing import Any

import pytest

from kbench.importers.cpp import CppError, Host, Interpreter, read_program


def run(text: str, name: str, *arguments: Any, host: Host | None = None) -> Any:
    return Interpreter(read_program(text), host or Host()).call(name, arguments)


def test_arithmetic_is_that_of_the_language() -> None:
    text = "int f(int64_t a, int64_t b) { int64_t q = a / b; int64_t r = a % b; return q * 100 + r; }"
    assert run(text, "f", -7, 2) == -301
    assert run("double f(int n) { return static_cast<double>(n) / 4; }", "f", 3) == 0.75


def test_loops_vectors_and_conditions() -> None:
    text = """
    // a comment with { braces
    std::vector<int64_t> f(std::vector<int64_t> v, int64_t dim = -1) {
        int64_t actual = dim < 0 ? dim + v.size() : dim;
        std::vector<int64_t> out(v.begin(), v.end());
        for (int i = 0; i < v.size(); i++) { if (i == actual) { out[i] *= 2; } else out[out.size() - i - 1] += 0; }
        for (const auto &x : v) out.push_back(x);
        out.back() /= 3;
        while (out.size() > 5) { out.pop_back(); }
        return out;
    }"""
    assert run(text, "f", [3, 4]) == [3, 8, 3, 1]
    assert run(text, "f", [3, 4], 0) == [6, 4, 3, 1]


def test_switch_falls_through_and_breaks() -> None:
    text = """int f(int x) { int r = 0; switch (x) { case 1: case 2: r = 12; break; case 3: return 3; default: r = 9; }
              return r; }"""
    assert [run(text, "f", x) for x in (1, 2, 3, 4)] == [12, 12, 3, 9]


def test_comparison_is_no_template() -> None:
    text = "bool f(int a, std::vector<int> v) { return a < v.size() && v.size() > (a); }"
    assert run(text, "f", 1, [1, 2]) is True


def test_functions_call_each_other_and_see_constants_of_the_file() -> None:
    text = """
    namespace inner { static const int64_t BASE = 40;
    std::map<int64_t, std::string> names = {{1, "one"}, {2, "two"}};
    int64_t twice(int64_t x) { return 2 * x; } }
    std::string f(int k) { return names.at(twice(1)); }
    int64_t g() { auto add = [&](int64_t x) { return x + BASE; }; return add(twice(1)); }
    """
    assert run(text, "f", 0) == "two"
    assert run(text, "g") == 42


def test_code_that_nobody_calls_may_be_anything() -> None:
    odd = "template <class T> struct S { T v[4]; };\nauto odd() { return S<int>{}->*x <=> co_await y; }\n"
    text = odd + "int f() { return 1; }"
    assert run(text, "f") == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('if (x > 1) { throw std::runtime_error("too big"); } return 0;', "line 2: it throws: too big"),
        ("return missing;", "line 2: 'missing' is not known"),
        ("return a.method();", "line 2"),
        ("for (;;) { x = 1; }", "steps"),
        ("return x +;", "not understood"),
        ("int64_t z = 1 / 0; return z;", "ZeroDivisionError"),
    ],
)
def test_what_goes_wrong_is_told_with_its_line(body: str, told: str) -> None:
    class Errors(Host):
        def call(self, name: str, arguments: list[Any]) -> Any:
            return arguments[0]

    with pytest.raises(CppError, match=told):
        run(f"int f(int x) {{ int a = 1;\n{body} }}", "f", 2, host=Errors())


def test_too_many_arguments() -> None:
    with pytest.raises(CppError, match="takes 1 arguments, got 2"):
        run("int f(int x) { return x; }", "f", 1, 2)
