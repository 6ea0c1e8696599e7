// Bytes of temporary buffer that sums and means along rows need, for the kernel side and the host side alike.
#pragma once

#include "pad_sizes.h"

namespace kb::sizes {

constexpr uint32_t repeats_of(uint32_t n, uint32_t type_bytes) {
    return (n + kRepeat / type_bytes - 1) / (kRepeat / type_bytes);
}

// Sum over n elements: one partial sum a repeat.
constexpr uint32_t sum(uint32_t n, uint32_t type_bytes) {
    return round_up(repeats_of(n, type_bytes) * type_bytes, kBlock);
}

// Mean over n elements, the sum kept in `work_bytes` wide elements. The documented size has one byte a partial sum;
// what the operation writes is mean_used().
constexpr uint32_t mean(uint32_t n, uint32_t type_bytes, uint32_t work_bytes) {
    const uint32_t sums = round_up(repeats_of(n, work_bytes), kBlock);
    return type_bytes == work_bytes ? sums : sums + round_up(n * type_bytes, kBlock) / type_bytes * work_bytes;
}

constexpr uint32_t mean_used(uint32_t n, uint32_t type_bytes, uint32_t work_bytes) {
    const uint32_t sums = repeats_of(n, work_bytes) * work_bytes;
    if (type_bytes == work_bytes) {
        return repeats_of(n, work_bytes) == 1 ? 0 : sums;
    }
    return sums + round_up(n * type_bytes, kBlock) / type_bytes * work_bytes;
}

}  // namespace kb::sizes
