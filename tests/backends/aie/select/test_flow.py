"""Loops, what counts them, and where accesses go."""

from __future__ import annotations

import pytest

from kbench.backends.aie.sim.select.addresses import Addresses, distinct_objects
from kbench.backends.aie.sim.select.flow import shape_of
from tests.backends.aie.select.ir import read

LOOP = """  br label %b
b:
  %i = phi i32 [ {start}, %0 ], [ %next, %b ]
  %p = getelementptr inbounds i32, ptr %x, i32 %i
  %v = load i32, ptr %p, align 4
  %q = getelementptr inbounds i32, ptr %y, i32 %i
  store i32 %v, ptr %q, align 4
  %next = add nsw i32 %i, {step}
  %c = icmp {predicate} i32 {tested}, {end}
  br i1 %c, label {first}, label {second}
e:
  ret void"""


def loop(
    predicate: str, end: int, step: int = 1, start: int = 0, tested: str = "%next", stays: bool = False
) -> int | None:
    first, second = ("%b", "%e") if stays else ("%e", "%b")
    body = LOOP.format(start=start, step=step, predicate=predicate, tested=tested, end=end, first=first, second=second)
    shape = shape_of(read(body))
    counter = shape.loops[0].counter
    assert counter is not None
    assert counter.step == step
    return counter.trips


@pytest.mark.parametrize(
    ("predicate", "end", "step", "start", "tested", "stays"),
    [
        ("eq", 64, 1, 0, "%next", False), ("eq", 64, 4, 0, "%next", False), ("ne", 60, 3, 0, "%next", True),
        ("ult", 64, 1, 0, "%next", True), ("ult", 61, 4, 0, "%next", True), ("slt", 64, 1, 60, "%next", True),
        ("ule", 10, 1, 0, "%next", True), ("uge", 10, 3, 1, "%next", False), ("ugt", 10, 2, 0, "%next", False),
        ("sgt", 0, -1, 8, "%next", True), ("sge", 0, -2, 9, "%next", True), ("eq", 0, -1, 5, "%next", False),
        ("ult", 7, 1, 0, "%i", True), ("eq", 7, 1, 0, "%i", False), ("sgt", 3, -1, 8, "%i", True),
    ],
)  # fmt: skip
def test_trips_are_those_of_the_program(predicate: str, end: int, step: int, start: int, tested: str, stays: bool):
    compare = {
        "eq": lambda a: a == end, "ne": lambda a: a != end, "ult": lambda a: a < end, "slt": lambda a: a < end,
        "ule": lambda a: a <= end, "uge": lambda a: a >= end, "ugt": lambda a: a > end, "sgt": lambda a: a > end,
        "sge": lambda a: a >= end,
    }[predicate]  # fmt: skip
    i, expected = start, 0
    while True:
        expected += 1
        value = i + step if tested == "%next" else i
        i += step
        if compare(value) != stays:
            break
    assert loop(predicate, end, step, start, tested, stays) == expected


def test_a_bound_that_is_no_constant_counts_without_a_number():
    body = LOOP.format(start=0, step=1, predicate="eq", tested="%next", end="%n", first="%e", second="%b")
    counter = shape_of(read(body)).loops[0].counter
    assert counter is not None
    assert counter.trips is None


def test_a_loop_that_is_unrolled_counts_by_the_last_of_its_copies():
    body = LOOP.format(start=0, step=32, predicate="ult", tested="%odd", end=240, first="%b", second="%e")
    code = read(body.replace("  %c =", "  %odd = or disjoint i32 %i, 16\n  %c ="))
    counter = shape_of(code).loops[0].counter
    assert counter is not None
    assert counter.trips == 8


def test_a_condition_on_data_counts_nothing():
    body = LOOP.format(start=0, step=1, predicate="eq", tested="%v", end=7, first="%e", second="%b")
    assert shape_of(read(body)).loops[0].counter is None


def test_nested_loops_know_each_other():
    body = """  br label %o
o:
  %i = phi i32 [ 0, %0 ], [ %i1, %l ]
  br label %b
b:
  %j = phi i32 [ 0, %o ], [ %j1, %b ]
  %at = mul i32 %i, 16
  %sum = add i32 %at, %j
  %p = getelementptr i8, ptr %x, i32 %sum
  %v = load i8, ptr %p, align 1
  %j1 = add i32 %j, 1
  %c = icmp eq i32 %j1, 16
  br i1 %c, label %l, label %b
l:
  %i1 = add i32 %i, 1
  %d = icmp eq i32 %i1, 4
  br i1 %d, label %e, label %o
e:
  ret void"""
    code = read(body)
    shape = shape_of(code)
    outer, inner = shape.loops
    assert (outer.header, inner.header) == ("o", "b")
    assert inner.outer is outer
    assert (outer.innermost, inner.innermost) == (False, True)
    assert outer.blocks == {"o", "b", "l"}
    at = Addresses(code, shape).of("%p", "b")
    assert (at.object, at.offset, at.step, at.moves) == ("%x", 0, 1, True)


def test_addresses_are_steps_and_offsets():
    code = read("""  br label %b
b:
  %i = phi i32 [ 0, %0 ], [ %next, %b ]
  %odd = or disjoint i32 %i, 1
  %p = getelementptr inbounds i16, ptr %x, i32 %odd
  %v = load i16, ptr %p, align 2
  %far = getelementptr inbounds nuw i8, ptr %p, i32 64
  %w = load i16, ptr %far, align 2
  %index = zext i16 %v to i32
  %q = getelementptr inbounds [16 x i32], ptr %y, i32 0, i32 %index
  %u = load i32, ptr %q, align 4
  %next = add i32 %i, 8
  %c = icmp eq i32 %next, 64
  br i1 %c, label %e, label %b
e:
  ret void""")
    addresses = Addresses(code, shape_of(code))
    one, two, three = (addresses.of(p, "b") for p in ("%p", "%far", "%q"))
    assert (one.object, one.offset, one.step) == ("%x", 2, 16)
    assert (two.object, two.offset, two.step) == ("%x", 66, 16)
    assert one.root == two.root
    assert (three.object, three.step, three.index) == ("%y", None, (("%v", 4),))


def test_pointers_that_step_are_based_on_where_they_began():
    code = read("""  br label %b
b:
  %p = phi ptr [ %x, %0 ], [ %next, %b ]
  %v = load i32, ptr %p, align 4
  %next = getelementptr inbounds i8, ptr %p, i32 4
  %end = getelementptr inbounds i8, ptr %x, i32 64
  %c = icmp eq ptr %next, %end
  br i1 %c, label %e, label %b
e:
  ret void""")
    shape = shape_of(code)
    at = Addresses(code, shape).of("%p", "b")
    assert (at.object, at.step) == ("%x", 4)


COPY = """  %v = load i32, ptr %x, align 4{a}
  store i32 %v, ptr %y, align 4{b}
  ret void"""


@pytest.mark.parametrize(
    ("signature", "a", "b", "expected"),
    [
        ("void @k(ptr noalias %x, ptr noalias %y)", "", "", {"%x", "%y"}),
        ("void @k(ptr noalias %x, ptr %y)", "", "", {"%x", "%y"}),
        ("void @k(ptr %x, ptr %y)", "", "", set()),
        ("void @k(ptr %x, ptr %y)", ", !alias.scope !1, !noalias !2", ", !alias.scope !2, !noalias !1", {"%x", "%y"}),
        ("void @k(ptr %x, ptr %y)", ", !alias.scope !1, !noalias !2", ", !alias.scope !1", set()),
    ],
)
def test_what_restrict_promises(signature: str, a: str, b: str, expected: set[str]):
    after = "!1 = !{!3}\n!2 = !{!4}\n!3 = distinct !{!3, !5}\n!4 = distinct !{!4, !5}\n!5 = distinct !{!5}"
    code = read(COPY.format(a=a, b=b), signature=signature, after=after)
    assert distinct_objects(code, Addresses(code, shape_of(code))) == expected
