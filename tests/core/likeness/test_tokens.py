"""Where functions begin and end, in dialects that no one parser takes."""

from __future__ import annotations

from kbench.core.likeness.tokens import Source, tokens

KERNEL = """
#include "kernel_operator.h"
#define WIDTH(x) ((x) + 1)

template <typename T, int N = 4>
class Kernel {
public:
    __aicore__ inline Kernel() {}
    __aicore__ inline Kernel(GM_ADDR x) : gm(x), size{3} { Init(); }
    // Brings a tile in.
    // Then waits.
    __aicore__ inline void CopyIn(uint32_t n) const
    {
        if (n > 0) {
            DataCopy(a, b[n], {1, 2});
        }
    }
private:
    GM_ADDR gm;
};

extern "C" __global__ [aicore] void entry(GM_ADDR x) { Kernel<half> op(x); op.CopyIn(2); }
auto tail(int a) -> int { return a; }
int declared(int a);
int table[] = {1, 2};
"""


def test_functions_of_a_kernel():
    source = Source(KERNEL)
    assert [f.name for f in source.functions] == ["Kernel", "Kernel", "CopyIn", "entry", "tail"]
    copy_in = source.functions[2]
    text = source.text_of(copy_in)
    assert text.lstrip().startswith("// Brings a tile in.")
    assert text.endswith("}")
    assert "private" not in text


def test_what_is_the_files_own():
    source = Source(
        KERNEL + "using Value = float; typedef int Whole; struct Pair { }; auto f = [](int x) { return x; };"
    )
    assert {"T", "Kernel", "Value", "Whole", "Pair"} <= source.own_types
    assert {"CopyIn", "entry", "WIDTH", "f"} <= source.own_functions
    assert "declared" not in source.own_functions


def test_tokens_leave_comments_and_directives_out_but_not_what_macros_say():
    text = '#define TWICE(a) \\\n  (a + a)\nint x = 1\'000; // no\n/* no */ const char *s = "a // b \\" c";'
    text += " float e = 1.5e-3f;"
    found = [t.text for t in tokens(text)]
    assert found[:5] == ["(", "a", "+", "a", ")"]
    assert "1'000" in found
    assert '"a // b \\" c"' in found
    assert "1.5e-3f" in found
    assert "no" not in found
    for token in tokens(text):
        assert text[token.start : token.end] == token.text


def test_broken_text_is_read_as_far_as_it_goes():
    for text in ("void f(int x) {", "}}}", "f(", "class", "template <", "/* open", '"open', "#define", "(((", "using"):
        source = Source(text)
        assert source.functions == []
        assert isinstance(source.own_types, frozenset)
