// Tiling keys from template parameters, the kernel's side: what the macros list is left in the object as text, and
// kernel_templates.py makes of it an instance of the kernel for each key.
#pragma once

#include "kernel_utils.h"

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11
#define ASCENDC_TPL_MAX 12

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

#define ASCENDC_TPL_INPUT_BIAS 100000000
#define ASCENDC_TPL_OUTPUT_BIAS 900000000
#define ASCENDC_TPL_INPUT(x) (ASCENDC_TPL_INPUT_BIAS + (x))
#define ASCENDC_TPL_OUTPUT(x) (ASCENDC_TPL_OUTPUT_BIAS + (x))

#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

#define ASCENDC_TPL_DTYPE_DECL(x, ...) {DTYPE, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) {DATATYPE, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_FORMAT_DECL(x, ...) {FORMAT, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_UINT_DECL(x, bw, ...) {UINT, #x, bw, __VA_ARGS__}
#define ASCENDC_TPL_BOOL_DECL(x, ...) {BOOL, #x, 1, __VA_ARGS__}
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) {SHARED_KERNEL_TYPE, #x, 8, __VA_ARGS__}

#define ASCENDC_TPL_DTYPE_SEL(x, ...) {DTYPE, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_DATATYPE_SEL(x, ...) {DATATYPE, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_FORMAT_SEL(x, ...) {FORMAT, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_UINT_SEL(x, ...) {UINT, #x, 0, __VA_ARGS__}
#define ASCENDC_TPL_BOOL_SEL(x, ...) {BOOL, #x, 1, __VA_ARGS__}
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(x, ...) {SHARED_KERNEL_TYPE, #x, 8, __VA_ARGS__}
#define ASCENDC_TPL_TILING_STRUCT_SEL(x, ...) {TILING_STRUCT, #x, 0, 0}
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) {KERNEL_TYPE, "kernel_type", 0, __VA_ARGS__}
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) {DETERMINISTIC, "deterministic", 0, __VA_ARGS__}

#define KB_TPL_TEXT_(part, ...) \
    __attribute__((used, retain, section(part))) static const char KB_JOIN(kb_tpl_text_, __COUNTER__)[] = #__VA_ARGS__
#define KB_TPL_TEXT(part, ...) KB_TPL_TEXT_(part, __VA_ARGS__)
#define ASCENDC_TPL_ARGS_DECL(x, ...) KB_TPL_TEXT("kb_tpl_decl", __VA_ARGS__)
#define ASCENDC_TPL_ARGS_SEL(...) [__VA_ARGS__]
#define ASCENDC_TPL_SEL(...) KB_TPL_TEXT("kb_tpl_sel", __VA_ARGS__)

// Types by the number of their C_DT_ name: what a DATATYPE parameter of the kernel template receives.
template <int dataTypeId>
struct TypeFromId {
    using type = void;
};
#define KB_TPL_TYPE(id, T)  \
    template <>             \
    struct TypeFromId<id> { \
        using type = T;     \
    }
KB_TPL_TYPE(0, float);
KB_TPL_TYPE(1, half);
KB_TPL_TYPE(2, int8_t);
KB_TPL_TYPE(3, int32_t);
KB_TPL_TYPE(4, uint8_t);
KB_TPL_TYPE(6, int16_t);
KB_TPL_TYPE(7, uint16_t);
KB_TPL_TYPE(8, uint32_t);
KB_TPL_TYPE(9, int64_t);
KB_TPL_TYPE(10, uint64_t);
KB_TPL_TYPE(11, double);
KB_TPL_TYPE(12, bool);
KB_TPL_TYPE(27, bfloat16_t);
KB_TPL_TYPE(29, AscendC::int4b_t);
#undef KB_TPL_TYPE

extern "C" void kbrt_no_instance();
