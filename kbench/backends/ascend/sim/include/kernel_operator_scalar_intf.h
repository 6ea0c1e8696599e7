// Bit operations and conversions of the scalar unit.
#pragma once

#include "kernel_utils.h"

extern "C" {
// A scalar access of global memory that goes past the data cache.
void kbrt_gm_direct(const void* p, uint32_t bytes, bool write);
// Rounds as the mode says; saturates to int32. ScalarCast's float → int32.
int32_t kbrt_scalar_to_int(float value, uint8_t mode);
// float → half, von Neumann rounding.
uint16_t kbrt_scalar_to_half_odd(float value);
}

namespace AscendC {

KB_API int64_t ScalarCountLeadingZero(uint64_t valueIn) {
    return valueIn == 0 ? 64 : __builtin_clzll(valueIn);
}

KB_API int64_t CountLeadingZero(uint64_t valueIn) {
    return ScalarCountLeadingZero(valueIn);
}

template <int countValue>
KB_API int64_t ScalarGetCountOfValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "ScalarGetCountOfValue: expected the bit 0 or 1");
    return __builtin_popcountll(countValue == 1 ? valueIn : ~valueIn);
}

template <int countValue>
KB_API int64_t GetBitCount(uint64_t valueIn) {
    return ScalarGetCountOfValue<countValue>(valueIn);
}

template <int countValue>
KB_API int64_t ScalarGetSFFValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "ScalarGetSFFValue: expected the bit 0 or 1");
    const uint64_t bits = countValue == 1 ? valueIn : ~valueIn;
    return bits == 0 ? -1 : __builtin_ctzll(bits);
}

template <int countValue>
KB_API int64_t GetSFFValue(uint64_t valueIn) {
    return ScalarGetSFFValue<countValue>(valueIn);
}

// Bits below the sign that equal it, less one; -1 for 0 and -1.
KB_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
    return valueIn == 0 || valueIn == -1 ? -1 : __builtin_clrsbll(valueIn);
}

KB_API float ToFloat(const bfloat16_t& value) {
    return static_cast<float>(value);
}

KB_API bfloat16_t ToBfloat16(const float& value) {
    return bfloat16_t(value);
}

template <typename T, typename U, RoundMode roundMode>
KB_API U ScalarCast(T valueIn) {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, bfloat16_t>, "ScalarCast: expected float or bfloat16_t");
    if constexpr (std::is_same_v<U, int32_t>) {
        return kbrt_scalar_to_int(valueIn, static_cast<uint8_t>(roundMode));
    } else if constexpr (std::is_same_v<U, half>) {
        static_assert(roundMode == RoundMode::CAST_ODD, "ScalarCast: float to half expects CAST_ODD");
        return __builtin_bit_cast(half, kbrt_scalar_to_half_odd(valueIn));
    } else {
        return static_cast<U>(valueIn);
    }
}

template <typename T, typename U, RoundMode roundMode>
KB_API U Cast(T valueIn) {
    return ScalarCast<T, U, roundMode>(valueIn);
}

KB_API bfloat16_t Cast(const float& value) {
    return bfloat16_t(value);
}

KB_API float Cast(const bfloat16_t& value) {
    return static_cast<float>(value);
}

template <typename T>
KB_API T ReadGmByPassDCache(__gm__ T* addr) {
    kbrt_gm_direct(addr, sizeof(T), false);
    return *addr;
}

template <typename T>
KB_API void WriteGmByPassDCache(__gm__ T* addr, T value) {
    kbrt_gm_direct(addr, sizeof(T), true);
    *addr = value;
}

}  // namespace AscendC
