"""Whatever the text: it is read, a copy of itself is one, and layout and comments change nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kbench.core.likeness.likeness import likeness, prints
from kbench.core.likeness.tokens import Source, tokens

CODE = (
    "void f(", "template <typename T>", "class K {", "}", "{", ")", "(", "[", "]", "<", ">", ";", ",", "float x",
    "T *p", "= a < b ? c : d;", "for (int i = 0; i < 8; ++i)", "aie::add(x, y)", "(float)", "static_cast<int>(",
    "'c'", "0x1Fu", "1e-3f", "::", "->", ".", "using X = Y;",
)  # fmt: skip
REST = ("#define M(x) x + 1\n", "// words\n", "/* open", "*/", '"text', '"', 'R"(raw)"', "\\\n", "é")
SOURCES = st.lists(st.sampled_from(CODE + REST), max_size=40).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(SOURCES | st.text(max_size=200))
def test_any_text_is_read(text):
    found = tokens(text)
    for token in found:
        assert text[token.start : token.end].replace("\\\n", "  ") == token.text.replace("\\\n", "  ")
    source = Source(text)
    last = -1
    for function in source.functions:
        assert last < function.first <= function.last < len(found)
        assert source.text_of(function) in text
        last = function.last
    assert all(found[i].text in "({[" and found[j].text in ")}]" and i < j for i, j in source.mates.items())
    whole = prints(text).whole
    assert likeness(whole, whole).share == (1 if whole.runs else 0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(CODE), min_size=4, max_size=30), st.data())
def test_layout_and_comments_change_nothing(pieces, data):
    gaps = st.sampled_from([" ", "  ", "\n", "\t", " /* a < b; */ ", " // x = y;\n"])
    other = "".join(piece + data.draw(gaps) for piece in pieces)
    assert prints(other) == prints(" ".join(pieces))
