// Hints to the other compiler, which AMD's defines as nothing (llvm-aie, clang/lib/Headers/aiebase_chess.h).
#ifndef KB_AIE_CHESS_H
#define KB_AIE_CHESS_H

#define chess_assert(x) (void)(x)
#define chess_const(x) __builtin_constant_p(x)
#define chess_copy(x) x
#define chess_dont_chain(x) (x)
#define chess_error(x)
#define chess_exit(x)
#define chess_extra_options(x)
#define chess_flatten_loop
#define chess_keep_sw_loop
#define chess_keep_sw_loop2
#define chess_loop_count(x)
#define chess_loop_range(...)
#define chess_manifest(x) (__builtin_constant_p(x) && (x))
#define chess_modulo_scheduling_budget_ratio(x)
#define chess_no_warn_pipelining
#define chess_no_warn_unroll
#define chess_output
#define chess_peel_pipelined_loop(x)
#define chess_pipeline_adjust_preamble(x)
#define chess_pipeline_initiation_interval(x)
#define chess_pipeline_non_leaf_loop_solution(x)
#define chess_prepare_for_pipelining
#define chess_property(x)
#define chess_protect_access
#define chess_require_pipelining(x)
#define chess_separator()
#define chess_separator_scheduler(...)
#define chess_separator_scheduler_local()
#define chess_storage(...)
#define chess_unroll_loop(...)
#define chess_unroll_loop_preamble
#define chess_warning(x)

#endif
