"""The source rewrite touches two constructs and moves nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbench.backends.ascend.rewrite import rewrite


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__inline__ [aicore] void f();", "__inline__          void f();"),
        ("[host, aicore] int g();", "               int g();"),
        ("k<<<blocks, nullptr, stream>>>(x, y);", "                              (x, y);"),
        ("ns::k<half> <<<1,\n0>>>(x);", " " * 17 + "\n    (x);"),
        ("a = b < c; d<<<1>>>(x);", "a = b < c;         (x);"),
        ("// [aicore] k<<<1>>>(x)\nint a;", "// [aicore] k<<<1>>>(x)\nint a;"),
        ('auto s = "<<<1>>> [aicore]";', 'auto s = "<<<1>>> [aicore]";'),
        ('auto s = R"x([aicore])x";', 'auto s = R"x([aicore])x";'),
        ("char c = '\"'; [aicore] int d;", "char c = '\"';          int d;"),
        ("auto f = [aicore_count](int x) { return x; };", "auto f = [aicore_count](int x) { return x; };"),
    ],
)
def test_rewrite(source, expected):
    assert rewrite(source) == expected


_PIECES = ["[aicore]", "<<<a,\nb>>>", "//", "\n", '"', "'", "/*", "*/", "x", " ", "\\"]


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_lines_and_columns_stay(source):
    out = rewrite(source)
    assert len(out) == len(source)
    assert all(new in (old, " ") for old, new in zip(source, out, strict=True))
    assert [i for i, c in enumerate(out) if c == "\n"] == [i for i, c in enumerate(source) if c == "\n"]


@pytest.mark.parametrize("piece", ["a", "/*", '"\\', "x<<<", "a::", 'R"(', "a<", "[ ", "'", "0'"])
def test_hostile_text_costs_no_more_than_its_length(piece):
    # Quadratic time would be hours here; nothing but the end of the test notices.
    assert len(rewrite(piece * (1 << 18))) == len(piece) << 18
