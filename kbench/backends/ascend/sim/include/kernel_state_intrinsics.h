// The compiler's intrinsics for registers, caches, atomics and synchronisation between cores, and its bit operations.
#pragma once

#include "kernel_operator_block_sync_intf.h"
#include "kernel_operator_cache_intf.h"
#include "kernel_operator_common_intf.h"
#include "kernel_operator_scalar_intf.h"
#include "kernel_operator_sys_var_intf.h"

extern "C" {
// As two steps: the operation, and the type that turns it on.
void kbrt_raw_atomic_op(uint8_t op);
void kbrt_raw_atomic_type(kb::Dtype dtype);
}

// ---- control register and atomics -----------------------------------------------------------------------------------

KB_API int64_t get_ctrl() {
    return static_cast<int64_t>(kbrt_ctrl());
}

KB_API void set_ctrl(uint64_t value) {
    kbrt_set_ctrl(value);
}

KB_API uint64_t sbitset0(uint64_t value, int64_t bit) {
    return value & ~(1ull << bit);
}

KB_API uint64_t sbitset1(uint64_t value, int64_t bit) {
    return value | 1ull << bit;
}

KB_API void set_atomic_none() {
    kbrt_set_store_atomic(0);
}

KB_API void set_atomic_add() {
    kbrt_raw_atomic_op(1);
}

KB_API void set_atomic_max() {
    kbrt_raw_atomic_op(2);
}

KB_API void set_atomic_min() {
    kbrt_raw_atomic_op(3);
}

KB_API void set_atomic_f32() {
    kbrt_raw_atomic_type(kb::Dtype::f32);
}

KB_API void set_atomic_f16() {
    kbrt_raw_atomic_type(kb::Dtype::f16);
}

KB_API void set_atomic_bf16() {
    kbrt_raw_atomic_type(kb::Dtype::bf16);
}

KB_API void set_atomic_s32() {
    kbrt_raw_atomic_type(kb::Dtype::i32);
}

KB_API void set_atomic_s16() {
    kbrt_raw_atomic_type(kb::Dtype::i16);
}

KB_API void set_atomic_s8() {
    kbrt_raw_atomic_type(kb::Dtype::i8);
}

KB_API int64_t get_st_atomic_cfg() {
    return static_cast<int64_t>(kbrt_store_atomic());
}

KB_API void set_st_atomic_cfg(uint64_t config) {
    kbrt_set_store_atomic(config);
}

// ---- between cores --------------------------------------------------------------------------------------------------

// `config`: 1, the mode in bits 4 and 5, the flag in bits 8 to 11.
KB_API void ffts_cross_core_sync(pipe_t pipe, uint64_t config) {
    kbrt_cross_core_set(static_cast<uint8_t>(config >> 4 & 3), pipe, static_cast<uint16_t>(config >> 8 & 15));
}

KB_API void wait_flag_dev(int64_t flagId) {
    kbrt_cross_core_wait(static_cast<uint16_t>(flagId));
}

// The launch sets the address of the flags; a kernel's own call repeats it.
KB_API void set_ffts_base_addr(uint64_t) {}

// ---- caches ---------------------------------------------------------------------------------------------------------

enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };

KB_API void dcci(const void* dst, cache_line_t lines, dcci_dst_t = CACHELINE_ALL) {
    kbrt_cache(dst, lines == ENTIRE_DATA_CACHE);
}

KB_API void dsb(mem_dsb_t) {
    kbrt_pipe_barrier(PIPE_S);
}

KB_API void dc_preload(__gm__ uint64_t* address, int64_t) {
    kbrt_cache(address, 2);
}

KB_API void preload(const void*, int64_t) {}

// ---- the scalar unit ------------------------------------------------------------------------------------------------

KB_API int64_t bcnt0(uint64_t value) {
    return AscendC::ScalarGetCountOfValue<0>(value);
}

KB_API int64_t bcnt1(uint64_t value) {
    return AscendC::ScalarGetCountOfValue<1>(value);
}

KB_API int64_t clz(uint64_t value) {
    return AscendC::ScalarCountLeadingZero(value);
}

KB_API int64_t sff0(uint64_t value) {
    return AscendC::ScalarGetSFFValue<0>(value);
}

KB_API int64_t sff1(uint64_t value) {
    return AscendC::ScalarGetSFFValue<1>(value);
}

KB_API int64_t sflbits(int64_t value) {
    return AscendC::CountBitsCntSameAsSignBit(value);
}

KB_API int64_t get_pc() {
    return kbrt_program_counter();
}

KB_API int64_t get_sys_cnt() {
    return kbrt_system_cycle();
}

// The architecture's number in bits 32 to 43.
KB_API int64_t get_arch_ver() {
    uint32_t version = 0;
    AscendC::GetArchVersion(version);
    return static_cast<int64_t>(version) << 32;
}

[[noreturn]] KB_API void trap() {
    kbrt_trap();
}
