// Keywords, architecture macros and build constants of AscendC on NPU architecture 2201 (Atlas A2/A3, vector core).
#pragma once

#include <stddef.h>
#include <stdint.h>

#define __NPU_ARCH__ 2201
#define __CCE_AICORE__ 220
#define __DAV_C220__ 1
#ifdef KB_CORE_AIC
#define __DAV_C220_CUBE__ 1
#else
#define __DAV_C220_VEC__ 1
#endif

#define __aicore__
#define __host_aicore__
#define __global__ __attribute__((used))
#ifdef KB_PROGRAM
// A program launches its kernels by address: the section says on which cores.
#define __vector__ __attribute__((section("kb_vector")))
#define __cube__ __attribute__((section("kb_cube")))
#define __mix__(cube, vec) __attribute__((section("kb_mix_" #cube "_" #vec)))
#else
#define __vector__
#define __cube__
#define __mix__(cube, vec)
#endif
#define __schedmode__(mode)
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __forceinline__ inline __attribute__((always_inline))
#define __sync_alias__
#define __check_sync_alias__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)
#define __sync_noalias__
#define __no_simd_vf_fusion__

#define GM_ADDR __gm__ uint8_t*

#ifndef KB_PROGRAM
// kernel.py makes an error of it (E59); where a library's header uses it, the compiler is silent.
__attribute__((deprecated("the device has no dynamic memory"))) void* operator new(size_t);
__attribute__((deprecated("the device has no dynamic memory"))) void* operator new[](size_t);
#endif

// Release builds drop the device's assertions, whatever stands around them.
#define ASSERT(...)
#define ASSERT_MSG(...)
#define ASCENDC_ASSERT(cond, behavior)
#define KERNEL_LOG(level, format, ...)
#ifndef assert
#define assert(...) ((void)0)
#endif

namespace AscendC {

inline constexpr int32_t MIX = 0;
inline constexpr int32_t AIC = 1;
inline constexpr int32_t AIV = 2;

}  // namespace AscendC

#ifdef KB_CORE_AIC
inline constexpr int32_t g_coreType = AscendC::AIC;
#else
inline constexpr int32_t g_coreType = AscendC::AIV;
#endif

#define ASCEND_IS_AIV constexpr(g_coreType == AscendC::AIV)
#define ASCEND_IS_AIC constexpr(g_coreType == AscendC::AIC)
#define ASCEND_IS_NOT_AIV constexpr(g_coreType != AscendC::AIV)
#define ASCEND_IS_NOT_AIC constexpr(g_coreType != AscendC::AIC)

// The kernel's type decides which cores a launch starts. What the macros say lies in a section of the program, by tiling
// key where it is for one, with the name of the function that said it: runtime/boot.cpp reads it.
enum KernelMetaType {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
    KERNEL_TYPE_AICORE,
    KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE,
    KERNEL_TYPE_MIX_VECTOR_CORE,
    KERNEL_TYPE_MAX,
};
struct KbKernelType {
    uint64_t key;
    const char* function;
    uint32_t keyed;
    uint32_t type;
};
#define KB_JOIN_(a, b) a##b
#define KB_JOIN(a, b) KB_JOIN_(a, b)
#define KB_KERNEL_TYPE(key, keyed, type)                                                              \
    static_assert((type) < KERNEL_TYPE_MAX, "an unknown kernel type");                                \
    __attribute__((used, retain, section("kb_kernel_types"))) static const KbKernelType KB_JOIN(      \
        kb_kernel_type_, __COUNTER__) = {static_cast<uint64_t>(key), __func__, keyed, static_cast<uint32_t>(type)}
#define KERNEL_TASK_TYPE_DEFAULT(type) KB_KERNEL_TYPE(0, 0, type)
#define KERNEL_TASK_TYPE(key, type) KB_KERNEL_TYPE(key, 1, type)

#ifndef KB_PROGRAM  // whose host code has enumerators of these names
// Data types and formats by number, as ORIG_DTYPE_* and FORMAT_* carry them; kernels compare them in `#if`.
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_COMPLEX64 16
#define DT_COMPLEX128 17
#define DT_QINT8 18
#define DT_BF16 27
#define DT_INT4 29

#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2
#define FORMAT_NC1HWC0 3
#define FORMAT_FRACTAL_Z 4
#define FORMAT_FRACTAL_NZ 29
#endif
