// Hints to the compiler about the loop that follows: unrolling it changes no result, the others change nothing here.
#pragma once

#define KB_PRAGMA(text) _Pragma(#text)

#define AIE_LOOP_UNROLL(x) KB_PRAGMA(clang loop unroll_count(x))
#define AIE_LOOP_UNROLL_FULL KB_PRAGMA(clang loop unroll(full))
#define AIE_LOOP_NO_UNROLL KB_PRAGMA(clang loop unroll(disable))
#define AIE_LOOP_MIN_ITERATION_COUNT(x)
#define AIE_LOOP_MAX_ITERATION_COUNT(x)
#define AIE_LOOP_RANGE(a, ...)
#define AIE_LOOP_FLATTEN
#define AIE_PREPARE_FOR_PIPELINING
#define AIE_NO_PREPARE_FOR_PIPELINING
#define AIE_PREPARE_FOR_POSTPIPELINING
#define AIE_MODULO_SCHEDULING_BUDGET_RATIO(x)
#define AIE_TRY_INITIATION_INTERVAL(x)
#define AIE_PEEL_PIPELINED_LOOP(x)
#define AIE_KEEP_FREE_FOR_PIPELINING(x)
#define AIE_KEEP_SW_LOOP
#define AIE_ALLOCATE(x)
#define AIE_NO_HW_LOOP
