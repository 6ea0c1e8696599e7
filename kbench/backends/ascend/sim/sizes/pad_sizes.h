// Bytes of temporary buffer that the padding operations need, for the kernel side and the host side alike.
#pragma once

#include <stdint.h>

namespace kb::sizes {

inline constexpr uint32_t kBlock = 32;
inline constexpr uint32_t kRepeat = 256;

template <class T>
constexpr T round_up(T value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

struct Range {
    uint32_t max;
    uint32_t min;
};

// Rows and columns of a broadcast's result; one dimension counts as one row.
struct Broadcast {
    uint32_t src_elements;
    uint32_t rows, columns;
    bool last;  // along the columns, else along the rows
};

// Elements of one byte are computed as halves: source and result need a place each.
constexpr uint32_t broadcast_cast_bytes(const Broadcast& b, uint32_t type_bytes) {
    constexpr uint32_t kHalves = kBlock / 2;
    return type_bytes == 1 ? 2 * (round_up(b.src_elements, kHalves) + round_up(b.rows * b.columns, kHalves)) : 0;
}

constexpr Range broadcast(const Broadcast& b, uint32_t type_bytes) {
    const uint32_t cast = broadcast_cast_bytes(b, type_bytes);
    const uint32_t size = type_bytes == 1 ? 2 : type_bytes;
    const uint32_t per_block = kBlock / size;
    if (b.src_elements == b.rows * b.columns || b.src_elements == 1) {
        const uint32_t bytes = type_bytes == 1 ? cast + kBlock : 0;
        return {bytes, bytes};
    }
    if (!b.last) {
        return {cast + kBlock, cast + kBlock};
    }
    // One block for each of the rows worked on at a time, and, where rows end inside a block, a padded copy of them.
    const uint32_t most = round_up(b.rows, 8) * kBlock;
    const uint32_t least = per_block * kBlock;
    const uint32_t padded = b.columns % per_block == 0 ? 0 : round_up(b.columns, per_block) * size;
    return {most + b.rows * padded + cast, least + per_block * padded + cast};
}

// Two buffers of sixteen blocks for each 16 elements that are worked on at a time; none for rows of whole blocks.
constexpr Range pad(uint32_t elements) {
    return {round_up(elements, 16) * kBlock * 2, 16 * kBlock * 2};
}

// Running sums of a matrix: along the columns, sixteen rows at a time are transposed and back.
constexpr Range running_sum(uint32_t rows, uint32_t columns, uint32_t type_bytes, bool along_columns) {
    if (!along_columns) {
        const uint32_t bytes = type_bytes == 2 ? rows * columns * 4 : 0;
        return {bytes, bytes};
    }
    const uint32_t each = columns * (2 * type_bytes + (type_bytes == 2 ? 2 : 0));
    return {round_up(rows, 16) * each, 16 * each};
}

}  // namespace kb::sizes
