// Bytes of temporary buffer that Select with a mask of bytes needs, for the kernel side and the host side alike.
#pragma once

#include "pad_sizes.h"

namespace kb::sizes {

inline constexpr uint32_t kSelectLeast = 1024;
inline constexpr uint32_t kSelectPiece = 4096;  // elements of a piece in the smallest buffer
inline constexpr uint32_t kSelectReserved = 512;

// Bytes of a copy of the mask cut to the source's last axis.
constexpr uint32_t select_mask_copy(uint32_t elements, uint32_t mask_bytes) {
    return round_up(elements * mask_bytes, kBlock);
}

constexpr uint32_t select_work(uint32_t elements) {
    const uint32_t bytes = round_up(elements, kBlock) * 2 + kSelectReserved;
    return bytes > kSelectLeast ? bytes : kSelectLeast;
}

constexpr Range drop_out(uint32_t elements) {
    const uint32_t most = 2 * elements * 4;
    return {most > 2 * kRepeat ? most : 2 * kRepeat, 2 * kRepeat};
}

}  // namespace kb::sizes
