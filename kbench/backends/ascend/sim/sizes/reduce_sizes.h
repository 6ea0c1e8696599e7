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

// ---- reductions of a matrix by pattern ------------------------------------------------------------------------------

enum class Reduce : uint8_t { Sum, Mean, Max, Min, Prod, All, Any };

// rows × columns, reduced along the columns (AR) or along the rows (RA).
struct ReduceShape {
    uint32_t rows, columns;
    bool along_columns;
    bool reuse;  // the source may be overwritten
};

// The largest power of two that is at most n; half of it where n is one itself.
constexpr uint32_t half_power(uint32_t n) {
    uint32_t power = 1;
    while (2 * power <= n) {
        power *= 2;
    }
    return power == n && n > 1 ? power / 2 : power;
}

constexpr uint32_t reduce_rows_bytes(const ReduceShape& s, uint32_t type_bytes) {
    return s.reuse ? 0 : half_power(s.rows) * round_up(s.columns * type_bytes, kBlock);
}

// Along the columns: sums keep half a row each.
constexpr uint32_t reduce_sum_bytes(const ReduceShape& s) {
    uint32_t half = half_power(s.columns);
    if (s.rows == 1 && half * 2 == s.columns) {
        half = s.columns;
    }
    return s.reuse || s.columns <= 64 ? 0 : s.rows * half * 4;
}

// Extremes keep a block or a repeat for each row.
constexpr uint32_t reduce_extreme_bytes(const ReduceShape& s, uint32_t type_bytes) {
    const uint32_t bytes = s.columns * type_bytes;
    return s.reuse || bytes <= kBlock ? 0 : s.rows * (bytes < kRepeat ? kBlock : kRepeat);
}

constexpr uint32_t reduce_prod_bytes(const ReduceShape& s) {
    uint32_t half = half_power(s.columns);
    if (s.rows == 1 && half * 2 == s.columns) {
        half = s.columns;
    }
    return s.reuse ? kRepeat : (half > 8 ? half : 8) * 4 + s.rows * kBlock + kRepeat;
}

// Bytes are reduced as halves.
constexpr uint32_t reduce_bytes_bytes(const ReduceShape& s) {
    return 2 * round_up(s.columns, kBlock) + s.rows * kBlock;
}

constexpr uint32_t reduce(Reduce op, const ReduceShape& s, uint32_t type_bytes) {
    if (!s.along_columns) {
        return reduce_rows_bytes(s, type_bytes);
    }
    switch (op) {
        case Reduce::Sum:
        case Reduce::Mean: return reduce_sum_bytes(s);
        case Reduce::Prod: return reduce_prod_bytes(s);
        default: return type_bytes == 1 ? reduce_bytes_bytes(s) : reduce_extreme_bytes(s, type_bytes);
    }
}

constexpr uint32_t xor_sum(uint32_t n, bool reuse) {
    return (reuse ? 2 : 3) * (2 * n > kRepeat ? 2 * n : kRepeat);
}

}  // namespace kb::sizes
