"""What may not be shown for a task, and the evidence for it."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest

from kbench.generators.rag.corpus import DOC, Chunk, Passage, split
from kbench.generators.rag.guard import Known, Registry
from tests.generators.rag.corpora import LEAKY, NEGATE, RELU, kernel, passage, solutions

COPY = """
template <typename V, int Count> static void vo(const V *eins, V *zwei)
{ for (int q = 0; q < Count; ++q) { zwei[q] = eins[q] > V(0) ? eins[q] : V(0); } }
"""


def found(text: str, source: str = "mine/kernels.cc", **more: object) -> Passage:
    return Passage(source, "code", text, (Chunk("vo", text),), **more)  # type: ignore[arg-type]


@pytest.fixture
def known() -> Known:
    return Registry(solutions()).known("relu_float32", {})


def test_its_own_solution_is_withheld(known):
    verdict = known.verdict(solutions()[0])
    assert (verdict.withheld, verdict.share) == ("own", 1.0)


def test_the_same_operator_of_another_dtype_is_its_own(known):
    assert known.verdict(passage("relu_int8", NEGATE, "Whatever it holds.")).withheld == "name"
    assert known.verdict(passage("relu_int8", COPY, "Whatever it holds.")).withheld == "copy"


def test_kin_is_shown_with_how_near_it_comes(known):
    verdict = known.verdict(solutions()[1])
    assert verdict.withheld == ""
    assert 0 < verdict.share < 1
    assert verdict.solution == "s/relu_float32/kernel.c"
    assert verdict.surplus > verdict.lacking == 0


def test_a_copy_from_elsewhere_is_withheld(known):
    verdict = known.verdict(found(COPY))
    assert (verdict.withheld, verdict.solution) == ("copy", "s/relu_float32/kernel.c")


def test_a_copy_among_other_functions_is_withheld(known):
    around = kernel("one", "tanhf(in[i]) * 2.0f") + COPY + kernel("two", "sqrtf(in[i]) / in[i]")
    verdict = known.verdict(found(around))
    assert verdict.withheld == "copy"
    assert verdict.solution.startswith("s/relu_float32/kernel.c")


def test_a_copy_in_a_document_is_withheld(known):
    page = f"# Ideas\n\nA kernel:\n\n```cpp\n{COPY}\n```\nand words.\n"
    assert known.verdict(replace(found(page), kind="doc")).withheld == "copy"
    indented = f"Ideas\n=====\n\nDon't do this::\n\n    {COPY.replace(chr(10), chr(10) + '    ')}\nand it's done.\n"
    assert known.verdict(replace(found(indented, "d.rst"), kind="doc")).withheld == "copy"
    words = replace(found("# ReLU\n\nIt keeps what is positive.\n"), kind="doc")
    assert known.verdict(words).withheld == ""


def _each_line(mark: str) -> str:
    return "".join(f"{mark}{line}\n" for line in COPY.strip().split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"{NEGATE}\n{_each_line('// ')}",
        f"{NEGATE}\n/* earlier:\n{COPY}*/\n",
        f"{NEGATE}\n/*\n{_each_line(' * ')} */\n",
        f'{NEGATE}\nconst char *old = R"({COPY})";\n',
        f'{NEGATE}\nconst char *old = R"cc({COPY})cc";\n',
        f"{NEGATE}\nconst char *old =\n" + "".join(f'    "{x}\\n"\n' for x in COPY.strip().split("\n")) + ";\n",
        "#define BODY " + COPY.strip().replace("\n", " \\\n") + "\n",
        COPY.strip().replace(") {", ") \\\n{").replace("; ", "; \\\n"),
    ],
    ids=["comments", "comment", "starred", "raw", "marked_raw", "strings", "macro", "goes_on"],
)
def test_a_copy_beside_the_code_is_withheld(known, text):
    assert known.verdict(found(text)).withheld == "copy"


def test_a_copy_by_names_of_macros_is_withheld():
    solution = (
        "void f(T *x, T *y, int n) { for (int i = 0; i < n; ++i) { Store(y + i, Exp(Load(x + i) * 2, 1)); Sync(); } }"
    )
    renamed = "#define A Store\n#define B N::Exp\n#define C Load\n#define D Sync\n" + (
        solution.replace("Store", "A").replace("Exp", "B").replace("Load", "C").replace("Sync", "D")
    )
    known = Registry(()).known("exp_float32", {"k.cc": solution})
    assert known.verdict(found(renamed)).withheld == "copy"


@pytest.mark.parametrize(
    "text",
    [
        f"# Notes\n\n~~~\n{COPY}~~~\n",
        f"# Notes\n\nAs he said:\n\n> ```cpp\n{_each_line('> ')}> ```\n",
        "# Notes\n\n```\n" + "".join(f"{n:3} | {x}\n" for n, x in enumerate(COPY.strip().split("\n"), 1)) + "```\n",
        f"+++ b/k.cc\n@@ -0,0 +1,3 @@\n{_each_line('+')}",
        f"# Notes\n<pre>{html.escape(COPY)}</pre>\n",
    ],
    ids=["tildes", "quoted", "numbered", "diff", "page"],
)
def test_a_copy_in_a_document_in_any_dress_is_withheld(known, text):
    passages = list(split(text, "mine/notes.md", DOC))
    assert any(known.verdict(p).withheld == "copy" for p in passages)
    shown = "".join(p.text for p in passages if not known.verdict(p).withheld)
    assert "eins" not in shown


def test_comments_about_an_operator_withhold_nothing(known):
    text = "/* Rectifies: y = x where x > 0, or else 0; for (all i) y[i] = max(x[i], 0). */\n" + NEGATE
    assert known.verdict(found(text)).withheld == ""


@pytest.mark.parametrize("source", ["mine/relu.cc", "mine/vec_relu_bf16.cc#3:f"])
def test_a_file_with_the_operators_name_is_withheld(known, source):
    assert known.verdict(found(NEGATE, source)).withheld == "name"


def test_a_function_with_the_operators_name_is_withheld(known):
    text = kernel("bf16_relu", "fmaxf(in[i], 0.0f)")
    assert known.verdict(replace(found(text), chunks=(Chunk("bf16_relu", text),))).withheld == "name"


def test_solutions_that_come_with_the_request_count_too():
    known = Registry([]).known("relu_float32", {"known 0: k.c": RELU})
    assert known.verdict(found(COPY)).withheld == "copy"
    nothing = Registry([]).known("relu_float32", {})
    assert nothing.verdict(found(COPY)).withheld == ""
    assert nothing.texts == {}


def test_a_function_that_other_operators_share_is_no_secret():
    helper = "static float limited(float x) {\n    return x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x * x + x;\n}\n"
    one = passage("sigmoid_float32", helper + kernel("sigmoid", "1.0f / (1.0f + expf(-limited(in[i])))"), "a")
    two = passage("tanh_float32", helper + kernel("tanh", "tanhf(limited(in[i])) - 2.0f"), "b")
    third = passage("mish_float32", helper + kernel("mish", "in[i] * tanhf(logf(limited(in[i])))"), "c")
    alone = Registry([one]).known("sigmoid_float32", {})
    assert alone.verdict(found(two.text)).solution == "s/sigmoid_float32/kernel.c:limited"
    assert alone.verdict(found(two.text)).withheld == "copy"
    assert alone.verdict(two).withheld == ""  # filed as the solution of another task
    together = Registry([one, two, third]).known("sigmoid_float32", {})
    assert together.verdict(found(two.text)).withheld == ""


def test_kin_the_other_way(known):
    leaky = Registry(solutions()).known("leaky_relu_float32", {})
    assert leaky.verdict(solutions()[0]).withheld == ""
    assert leaky.verdict(found(LEAKY.replace("in", "uno"))).withheld == "copy"
