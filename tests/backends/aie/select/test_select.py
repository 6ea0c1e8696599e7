"""What instructions and operations become, by their names."""

from __future__ import annotations

import re

import pytest

from kbench.backends.aie.sim.library import INCLUDE, defined
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.select.registers import MATRICES, MULTIPLIES, SLIDES, STRUCTURAL
from kbench.backends.aie.sim.select.table import FLOAT_SPLITS, TILES, instructions_of, rows
from tests.backends.aie.select.ir import kinds, names, op, operations, read, selected

I8, I16, I32, BF16, F32, ACC32, ACCF32 = 3, 5, 7, 11, 12, 17, 19
ADD_I8 = f"{op('add')}(i32 noundef {kinds(I8, I8, I8)}"
VECTOR = f"""  %a = load <64 x i8>, ptr %x, align 32
  %p = getelementptr inbounds i8, ptr %x, i32 64
  %b = load <64 x i8>, ptr %p, align 32
  %r = tail call noundef <64 x i8> {ADD_I8}, <64 x i8> noundef %a, <64 x i8> noundef %b) #3
  store <64 x i8> %r, ptr %y, align 32
  ret void"""


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_every_step_of_the_table_is_in_the_machines(target: str):
    core = machine(target)
    for operation, found in rows(target).items():
        for row in found:
            for step in row.steps:
                if step.name[0] not in "*+" and not (target == "npu1" and step.name in ("vtanh", "vexp2")):
                    assert core.row(step.name), f"{operation}: {step.name}"
            assert row.source, operation


def test_every_operation_of_the_api_becomes_something():
    """What the runtime does not define never runs, so that it needs no row."""
    told = re.findall(r"^KB_(?:CONST|STATE|EFFECT)\((\w+),", (INCLUDE / "kb_aie" / "ops.h").read_text(), re.MULTILINE)
    special = STRUCTURAL | MULTIPLIES | MATRICES | SLIDES | {"sqrt"}
    missing = [
        name
        for name in told
        if f"kbrt_{name}" in defined() and name not in special and not (rows("npu1") | rows("npu2")).get(name)
    ]
    assert len(told) > 90
    assert missing == []


def test_a_vector_takes_as_many_accesses_as_the_device_needs():
    assert names(selected(VECTOR)) == ["vld"] * 4 + ["vadd"] + ["vst"] * 2 + ["ret"]
    assert names(selected(VECTOR.replace("align 32", "align 64"), "npu2")) == ["vld"] * 2 + ["vadd", "vst", "ret"]
    load = operations(selected(VECTOR))[3]
    assert load.memory is not None
    assert (load.memory.offset, load.memory.size, load.memory.distinct) == (96, 32, True)


def test_differences_are_no_sums():
    assert "vsub" in names(selected(VECTOR.replace("3add", "3sub")))


def test_narrowing_is_part_of_the_store_and_widening_of_the_load():
    body = f"""  %a = load <32 x i16>, ptr %x, align 32
  %w = call <32 x i32> {op("ups")}(i32 {kinds(ACC32, I16)}, <32 x i16> %a, i32 0)
  %s = call <32 x i16> {op("srs")}(i32 {kinds(I16, ACC32)}, <32 x i32> %w, i32 4)
  store <32 x i16> %s, ptr %y, align 32
  ret void"""
    assert names(selected(body)) == ["vlda.ups", "vlda.ups", "vst.srs", "vst.srs", "ret"]


def test_a_value_with_two_uses_is_narrowed_by_itself():
    body = f"""  %a = load <16 x float>, ptr %x, align 32
  %s = call <16 x bfloat> {op("srs")}(i32 {kinds(BF16, ACCF32)}, <16 x float> %a, i32 0)
  store <16 x bfloat> %s, ptr %y, align 32
  %p = getelementptr inbounds i8, ptr %y, i32 32
  store <16 x bfloat> %s, ptr %p, align 32
  ret void"""
    assert names(selected(body)).count("vconv.bf16.fp32") == 1
    assert names(selected(body)).count("vst") == 2


def test_sums_of_bfloat_widen_as_they_load_and_narrow_as_they_store():
    body = f"""  %a = load <32 x i16>, ptr %x, align 32
  %p = getelementptr inbounds i8, ptr %x, i32 64
  %b = load <32 x i16>, ptr %p, align 32
  %r = call <32 x i16> {op("radd")}(i32 {kinds(BF16, BF16, BF16)}, <32 x i16> %a, <32 x i16> %b)
  store <32 x i16> %r, ptr %y, align 32
  ret void"""
    assert names(selected(body)) == ["vlda.conv"] * 4 + ["vadd.f"] * 2 + ["vst.conv"] * 2 + ["ret"]


@pytest.mark.parametrize(("emulation", "products"), [(9, 9), (6, 6), (3, 3), (9 + 16, 9)])
def test_floats_are_multiplied_in_pieces(emulation: int, products: int):
    product = f"{op('rmul')}(i32 {kinds(ACCF32, F32, F32)}"
    body = f"""  %a = load <16 x float>, ptr %x, align 32
  %r = call <16 x float> {product}, <16 x float> %a, <16 x float> %a, i32 0, i32 {emulation})
  store <16 x float> %r, ptr %y, align 32
  ret void"""
    found = names(selected(body))
    assert found.count("vmul.f") + found.count("vmac.f") == products
    assert found.count("vmsc.f") == FLOAT_SPLITS[products]  # the two factors are one value here


def test_shapes_of_matrix_multiplication():
    """Instructions of each shape, as the API's headers call them."""
    known = {("i8", "i8", 4, 8, 8): 1, ("i8", "i8", 8, 8, 8): 2, ("i8", "i8", 4, 16, 4): 2, ("bf16", "bf16", 4, 8, 4):
    1,
             ("bf16", "bf16", 8, 8, 8): 4, ("bf16", "bf16", 8, 1, 8): 4, ("i16", "i16", 4, 4, 8): 2,
             ("i16", "i16", 8, 1, 8): 2, ("i16", "i8", 8, 4, 8): 2, ("i8", "i4", 4, 32, 8): 2}  # fmt: skip
    assert {key: instructions_of("npu1", *key) for key in known} == known
    assert instructions_of("npu2", "i8", "i8", 8, 8, 8) == 1
    assert set(TILES) == {"npu1", "npu2"}


def test_elements_are_broadcast_once_before_the_loop():
    body = f"""  br label %b
b:
  %i = phi i32 [ 0, %0 ], [ %next, %b ]
  %p = getelementptr inbounds i8, ptr %x, i32 %i
  %a = load <64 x i8>, ptr %p, align 32
  %r = call <64 x i8> {op("add")}(i32 {kinds(I8, I8, I8)}, <64 x i8> %a, i32 %n)
  %q = getelementptr inbounds i8, ptr %y, i32 %i
  store <64 x i8> %r, ptr %q, align 32
  %next = add i32 %i, 64
  %c = icmp eq i32 %next, 1024
  br i1 %c, label %e, label %b
e:
  ret void"""
    found = selected(body)
    assert names(found) == ["vbcst"]
    assert names(found, "b") == ["vld", "vld", "vadd", "vst", "vst"]
    (loop,) = found.function.loops
    assert (loop.counted, loop.trips, loop.carried) == (True, 16, ())


def test_accumulators_go_from_trip_to_trip():
    sums = f"{op('mac')}(i32 {kinds(ACC32, ACC32, I16, I16)}"
    body = f"""  br label %b
b:
  %i = phi i32 [ 0, %0 ], [ %next, %b ]
  %s = phi <32 x i32> [ zeroinitializer, %0 ], [ %t, %b ]
  %p = getelementptr inbounds i8, ptr %x, i32 %i
  %a = load <32 x i16>, ptr %p, align 32
  %t = call <32 x i32> {sums}, <32 x i32> %s, <32 x i16> %a, <32 x i16> %a, i32 0)
  %next = add i32 %i, 64
  %c = icmp eq i32 %next, %n
  br i1 %c, label %e, label %b, !llvm.loop !9
e:
  %v = call <32 x i16> {op("srs")}(i32 {kinds(I16, ACC32)}, <32 x i32> %t, i32 4)
  store <32 x i16> %v, ptr %y, align 32
  ret void"""
    found = selected(body)
    assert names(found) == ["vclr"]
    assert names(found, "b") == ["vld", "vld", "vmac"]
    assert operations(found, "b")[2].uses[0] == "%s"
    (loop,) = found.function.loops
    assert loop.carried == (("%s", "%t"),)
    assert (loop.trips, loop.min_trips, loop.software) == (None, 4, False)


def test_soft_float_and_division_are_calls():
    body = """  %a = load float, ptr %x, align 4
  %m = fmul float %a, 3.0
  %d = fdiv float %m, %a
  %c = fcmp olt float %d, %a
  %u = udiv i32 %n, 7
  %s = select i1 %c, i32 %u, i32 %n
  store i32 %s, ptr %y, align 4
  ret void"""
    calls = [o.call.name for o in operations(selected(body)) if o.call is not None]
    assert calls == ["__mulsf3", "__divsf3", "__cmpsf2", "__udivsi3"]


def test_sums_of_bfloat_numbers_run_on_the_vector_unit():
    body = """  %a = load bfloat, ptr %x, align 2
  %w = fpext bfloat %a to float
  %t = fadd float %w, %w
  %r = fptrunc float %t to bfloat
  store bfloat %r, ptr %y, align 2
  ret void"""
    found = names(selected(body))
    assert found.count("vadd.f") == 1
    assert found.count("vconv.bf16.fp32") == 1
    assert found[-2:] == ["st.s16", "ret"]
    assert not [o for o in operations(selected(body)) if o.call is not None]


def test_comparisons_of_bfloat_numbers_insert_twice_and_compare_once():
    body = """  %a = load bfloat, ptr %x, align 2
  %c = fcmp ogt bfloat %a, 0xR3F80
  %r = zext i1 %c to i32
  store i32 %r, ptr %y, align 4
  ret void"""
    found = names(selected(body))
    assert (found.count("vinsert"), found.count("vlt"), found.count("vge")) == (2, 1, 0)


def test_narrow_numbers_load_and_store_in_one_operation():
    body = """  %a = load i8, ptr %x, align 1
  %w = sext i8 %a to i32
  %s = add i32 %w, %n
  %t = trunc i32 %s to i8
  store i8 %t, ptr %y, align 1
  ret void"""
    assert names(selected(body)) == ["lda.s8", "add", "st.s8", "ret"]


def test_an_index_that_data_give_is_scaled_and_moved_to_the_pointers_file():
    body = """  %i = load i32, ptr %x, align 4
  br label %b
b:
  %j = phi i32 [ %i, %0 ], [ %v, %b ]
  %p = getelementptr inbounds i32, ptr %y, i32 %j
  %v = load i32, ptr %p, align 4
  %c = icmp eq i32 %v, 0
  br i1 %c, label %e, label %b
e:
  ret void"""
    assert names(selected(body), "b") == ["ashl", "mov.dj", "lda", "eqz", "jz"]


def test_parts_of_vectors_are_registers_of_their_own():
    body = f"""  %a = load <64 x i8>, ptr %x, align 32
  %l = call <32 x i8> {op("extract")}(i32 {kinds(I8, I8)}, <64 x i8> %a, i32 0)
  %h = call <32 x i8> {op("extract")}(i32 {kinds(I8, I8)}, <64 x i8> %a, i32 1)
  %r = call <64 x i8> {op("concat")}(i32 {kinds(I8, I8)}, <32 x i8> %h, <32 x i8> %l)
  store <64 x i8> %r, ptr %y, align 32
  ret void"""
    found = operations(selected(body))
    assert [o.name for o in found] == ["vld", "vld", "vst", "vst", "ret"]
    assert [o.uses[0] for o in found if o.name == "vst"] == ["%a.1", "%a.0"]


def test_the_bits_of_an_accumulator_are_moved_to_a_vector():
    body = f"""  %a = load <16 x i16>, ptr %x, align 32
  %w = call <16 x i32> {op("ups")}(i32 {kinds(ACC32, I16)}, <16 x i16> %a, i32 0)
  %b = bitcast <16 x i32> %w to <16 x i32>
  %r = call <16 x i32> {op("add")}(i32 {kinds(I32, I32, I32)}, <16 x i32> %b, <16 x i32> %b)
  store <16 x i32> %r, ptr %y, align 32
  ret void"""
    assert names(selected(body)) == ["vlda.ups", "vmov.from.bm", "vadd", "vst", "vst", "ret"]


def test_blocks_of_numbers_stream_through_the_load_units():
    body = f"""  %i = ptrtoint ptr %x to i32
  %a = call <72 x i8> {op("bfp16_load")}(i32 {kinds(23, I32)}, i32 %i, i32 8)
  %o = ptrtoint ptr %y to i32
  call void {op("bfp16_store")}(i32 {kinds(0, I32, 23)}, i32 %o, <72 x i8> %a, i32 8)
  ret void"""
    assert names(selected(body, "npu2")) == ["vld.pop", "vst.push", "ret"]


def test_unaligned_accesses_cost_more():
    body = """  %a = load <32 x i8>, ptr %x, align 1
  store <32 x i8> %a, ptr %y, align 1
  ret void"""
    assert names(selected(body)) == ["vld", "vld", "vshift.align", *["vld", "vshift", "vsel"] * 2, "vst", "vst", "ret"]


def test_blocks_are_laid_out_along_the_loops():
    body = """  br label %b
e:
  ret void
b:
  %i = phi i32 [ 0, %0 ], [ %next, %b ]
  %next = add i32 %i, 1
  %p = getelementptr i8, ptr %y, i32 %i
  store i8 1, ptr %p, align 1
  %c = icmp eq i32 %next, 8
  br i1 %c, label %e, label %b"""
    found = selected(body)
    assert [block.label for block in found.function.blocks] == ["", "b", "e"]
    assert "j" not in names(found)


def test_a_loop_that_is_entered_from_a_branch_gets_a_block_before_it():
    body = """  %z = icmp eq i32 %n, 0
  br i1 %z, label %e, label %b
b:
  %i = phi i32 [ 0, %0 ], [ %next, %b ]
  %p = getelementptr i8, ptr %y, i32 %i
  store i8 1, ptr %p, align 1
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, %n
  br i1 %c, label %e, label %b
e:
  ret void"""
    found = selected(body)
    assert [block.label for block in found.function.blocks] == ["", "before b", "b", "e"]
    assert found.function.blocks[0].successors == ("e", "before b")
    assert found.counts({"": 1, "b": 12, "e": 1}) == {"": 1, "b": 12, "e": 1, "before b": 1}
    assert found.counts({"": 1, "b": 0, "e": 1})["before b"] == 0


def test_the_reader_takes_what_clang_prints():
    code = read("""  %a = getelementptr inbounds nuw [4 x i32], ptr %x, i32 0, i32 %n
  %b = load volatile i32, ptr %a, align 4, !tbaa !1
  %c = tail call noundef i32 @llvm.smax.i32(i32 %b, i32 noundef 3) #4
  switch i32 %c, label %d [
    i32 0, label %e
    i32 7, label %d
  ]
d:                                                ; preds = %0
  br label %e
e:
  %f = phi i32 [ 1, %0 ], [ %c, %d ]
  store volatile i32 %f, ptr %y, align 4
  ret void""", after='!1 = !{!2, !2, i64 0}\n!2 = !{!"int", !3, i64 0}\n!3 = !{!"omnipotent char"}')  # fmt: skip
    entry = code.blocks[""]
    assert entry.successors == ("d", "e")
    load = code.definitions["%b"]
    assert (load.volatile, load.group, load.align, load.operands) == (True, "int", 4, ("%a",))
    assert code.definitions["%c"].what == "llvm.smax.i32"
    assert code.definitions["%c"].operands == ("%b", "3")
    assert code.definitions["%f"].targets == ("", "d"), "the entry has no label of its own"
    assert [p.noalias for p in code.parameters] == [True, True, False]


def test_a_value_that_outlives_its_loop_is_copied():
    body = """  br label %h
h:
  %v = phi i32 [ 0, %0 ], [ %w, %l ]
  %p = getelementptr i32, ptr %x, i32 %v
  %w = load i32, ptr %p, align 4
  %c = icmp eq i32 %w, 7
  br i1 %c, label %e, label %l
l:
  store volatile i32 %w, ptr %y, align 4
  %d = icmp eq i32 %w, 9
  br i1 %d, label %e, label %h
e:
  %r = phi i32 [ %v, %h ], [ 0, %l ]
  store i32 %v, ptr %y, align 4
  ret void"""
    found = selected(body)
    assert "mov" in names(found, "l")
    assert [loop.carried for loop in found.function.loops] == [()]


def test_blocks_of_a_loop_stand_in_an_order_in_which_they_run():
    body = """  br label %h
h:
  %i = phi i32 [ 0, %0 ], [ %n1, %m ]
  %c = icmp eq i32 %i, 3
  br i1 %c, label %m, label %a
a:
  store volatile i32 %i, ptr %y, align 4
  br label %m
m:
  %n1 = add i32 %i, 1
  %d = icmp eq i32 %n1, 9
  br i1 %d, label %e, label %h
e:
  ret void"""
    assert [block.label for block in selected(body).function.blocks] == ["", "h", "a", "m", "e"]
