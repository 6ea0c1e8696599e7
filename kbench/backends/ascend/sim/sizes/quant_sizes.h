// Bytes of temporary buffer that the quantising operations need, for the kernel side and the host side alike.
#pragma once

#include "pad_sizes.h"

namespace kb::sizes {

inline constexpr uint32_t kQuantLeast = 2 * kRepeat;
inline constexpr uint32_t kAntiQuantLeast = 1024;

constexpr Range quant(uint32_t n) {
    const uint32_t most = 2 * n > kQuantLeast ? 2 * n : kQuantLeast;
    return {round_up(most, kBlock), kQuantLeast};
}

// A row of floats and one of scales, and a repeat that nobody may own.
constexpr Range dequant(uint32_t rows, uint32_t columns) {
    const uint32_t scales = columns + kBlock / 4;
    return {(kRepeat / 4 + rows * columns + scales) * 4, (kRepeat / 4 + columns + scales) * 4};
}

// src is K × N, or N × K where it is transposed; `scales` is 1 where one scale serves the whole tensor.
struct AntiQuant {
    uint32_t elements;
    uint32_t scales;
    uint32_t rows;  // of src
    bool transposed;
    bool to_half;
};

constexpr Range anti_quant(const AntiQuant& q) {
    if (q.to_half) {
        return {0, 0};
    }
    if (q.scales == 1) {
        return {q.elements * 4, kAntiQuantLeast};
    }
    const uint32_t bytes = q.transposed ? 80 * q.scales * 4 : q.scales * 2 * 4 + 64 * q.rows * 4;
    return {bytes, bytes};
}

}  // namespace kb::sizes
