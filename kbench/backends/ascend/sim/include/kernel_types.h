// Element types of AscendC tensors and the enumerations that vector operations take.
//
// half is the compiler's own 16-bit float, rounded after every operation (excess precision is off). bfloat16_t is storage
// with conversions: A2/A3 have no bfloat16 arithmetic, scalar code goes through float.
#pragma once

#include <stdint.h>

#include "kb_view.h"

using half = _Float16;
using float16_t = half;
using float32_t = float;
using float64_t = double;

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    template <class A, class = decltype(static_cast<float>(A()))>
    KB_API constexpr bfloat16_t(A value) : bits(rounded(static_cast<float>(value))) {}
    KB_API constexpr operator float() const {
        return __builtin_bit_cast(float, static_cast<uint32_t>(static_cast<uint32_t>(bits) << 16));
    }

private:
    // Round to nearest, ties to even; NaN becomes the canonical quiet NaN.
    static KB_API constexpr uint16_t rounded(float value) {
        const uint32_t u = __builtin_bit_cast(uint32_t, value);
        if ((u & 0x7fffffffu) > 0x7f800000u) {
            return 0x7fc0;
        }
        return static_cast<uint16_t>((static_cast<uint64_t>(u) + 0x7fff + ((u >> 16) & 1)) >> 16);
    }
};

// Two signed 4-bit integers share a byte; a tensor of them counts elements, not bytes.
struct int4b_t {
    uint8_t storage;
};

struct complex32 {
    half real;
    half imag;
};

struct complex64 {
    float real;
    float imag;
};

namespace kb {
template <> inline constexpr Dtype dtype_v<half> = Dtype::f16;
template <> inline constexpr Dtype dtype_v<bfloat16_t> = Dtype::bf16;
template <> inline constexpr Dtype dtype_v<int4b_t> = Dtype::i4;
template <> inline constexpr Dtype dtype_v<complex32> = Dtype::c32;
template <> inline constexpr Dtype dtype_v<complex64> = Dtype::c64;
}  // namespace kb

namespace AscendC {
using ::int4b_t;


// CAST_NONE rounds like CAST_RINT where the pair is lossy; CAST_ROUND takes ties away from zero; CAST_ODD is von Neumann's.
enum class RoundMode { CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceMode { REDUCE_MAX = 0, REDUCE_MIN, REDUCE_SUM };
enum class ReduceType { SUM = 0, MAX, MIN };
enum class ReduceOrder { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class GatherMaskMode : uint8_t { DEFAULT = 0, GATHER_MASK };

inline constexpr uint32_t DEFAULT_BLK_NUM = 8;
inline constexpr uint8_t DEFAULT_BLK_STRIDE = 1;
inline constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
inline constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;

// What callers pass for the mask when isSetMask is false: the mask set earlier applies.
inline constexpr uint64_t MASK_PLACEHOLDER = 0;
inline constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

}  // namespace AscendC
