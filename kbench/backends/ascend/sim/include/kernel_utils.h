// Enumerations, limits and small helpers that every other header uses.
#pragma once

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "kb_view.h"
#include "kernel_macros.h"
#include "kernel_types.h"

enum pipe_t {
    PIPE_S = 0,
    PIPE_V,
    PIPE_M,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_ALL,
    PIPE_MTE4 = 7,
    PIPE_MTE5 = 8,
    PIPE_V2 = 9,
    PIPE_FIX = 10,
};

enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

enum class CacheMode { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };

namespace AscendC {

using ::CacheMode;
using TEventID = int8_t;
using TTagType = int32_t;

enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
    C2PIPE2GM,
    C2PIPE2LOCAL,
    MAX,
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class DeqScale { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class PaddingMode : uint8_t { Normal = 0, Compact };
#ifndef ASCC_ENUM_DATAFORMAT
#define ASCC_ENUM_DATAFORMAT
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
#endif

enum class TBufState : uint8_t { FREE = 0, OCCUPIED, ENQUE, DEQUE };

// Units of a vector instruction: 32-byte DataBlocks, eight of them a repeat.
inline constexpr int32_t ONE_BLK_SIZE = 32;
inline constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
inline constexpr uint8_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
inline constexpr int32_t MAX_REPEAT_TIMES = 255;
inline constexpr int32_t MIN_REPEAT_TIMES = 0;
inline constexpr int32_t DEFAULT_DATA_COPY_NBURST = 1;
inline constexpr int32_t DEFAULT_DATA_COPY_STRIDE = 0;
inline constexpr int32_t ONE_BLK_HALF_NUM = 16;
inline constexpr int32_t ONE_BLK_FLOAT_NUM = 8;
inline constexpr int32_t ONE_BYTE_BIT_SIZE = 8;
inline constexpr int32_t VECTOR_REG_WIDTH = 256;
inline constexpr int32_t BRCB_BROADCAST_NUMBER = 8;
inline constexpr int32_t BLOCK_CUBE = 16;
inline constexpr int32_t CUBE_MAX_SIZE = 256;
inline constexpr int32_t BYTE_PER_FRACTAL = 512;
inline constexpr int32_t K_MAX_DIM = 8;
inline constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
inline constexpr uint64_t FULL_MASK = 0xffffffffffffffff;

template <typename T>
using PrimT = T;

template <typename A, typename B>
struct IsSameType {
    static constexpr bool value = std::is_same_v<A, B>;
};

template <bool condition, typename A, typename B>
struct Conditional {
    using type = std::conditional_t<condition, A, B>;
};

template <typename T, typename... Options>
constexpr bool SupportType() {
    return (std::is_same_v<T, Options> || ...);
}

constexpr uint32_t AlignUp(uint32_t value, uint32_t unit) {
    return unit == 0 ? 0 : (value + unit - 1) / unit * unit;
}

constexpr uint32_t DivCeil(uint32_t value, uint32_t unit) {
    return unit == 0 ? 0 : (value + unit - 1) / unit;
}

constexpr uint32_t CeilDivision(uint32_t value, uint32_t unit) {
    return DivCeil(value, unit);
}

}  // namespace AscendC

// Kernels open it before they name anything in it; what it holds is not modelled.
namespace matmul {}

// Scalar functions of the device's C. A plain global would collide with a kernel or a standard header of that name, so
// they are constrained templates that a using-directive makes visible.
namespace kb_scalar {

template <typename T, typename = std::enable_if_t<std::is_floating_point_v<T>>>
KB_API T sqrt(T x) {
    if constexpr (sizeof(T) == 8) {
        return __builtin_sqrt(x);
    } else {
        return __builtin_sqrtf(x);
    }
}

template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
KB_API constexpr T abs(T x) {
    return x < T(0) ? static_cast<T>(-x) : x;
}

template <typename A, typename B, typename = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
KB_API constexpr std::common_type_t<A, B> min(A a, B b) {
    using C = std::common_type_t<A, B>;
    return static_cast<C>(b) < static_cast<C>(a) ? static_cast<C>(b) : static_cast<C>(a);
}

template <typename A, typename B, typename = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
KB_API constexpr std::common_type_t<A, B> max(A a, B b) {
    using C = std::common_type_t<A, B>;
    return static_cast<C>(a) < static_cast<C>(b) ? static_cast<C>(b) : static_cast<C>(a);
}

// Branch hints are functions here: macros of these names would reach into standard headers.
KB_API constexpr bool likely(bool condition) {
    return condition;
}

KB_API constexpr bool unlikely(bool condition) {
    return condition;
}

}  // namespace kb_scalar

using namespace kb_scalar;
