// The mask register and its mode: what operations with isSetMask = false, and those in counter mode, obey.
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

// Counter mode: the mask is the total number of elements, repeatTime is ignored.
KB_API void SetMaskCount() {
    kbrt_vec_mask_mode(true);
}

KB_API void SetMaskNorm() {
    kbrt_vec_mask_mode(false);
}

// One bit a lane, or in counter mode the number of elements in the low word.
template <typename T, MaskMode mode = MaskMode::NORMAL>
KB_API void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
    kbrt_vec_mask(maskHigh, maskLow);
}

// The first `len` lanes, or in counter mode `len` elements.
template <typename T, MaskMode mode = MaskMode::NORMAL>
KB_API void SetVectorMask(int32_t len) {
    if constexpr (mode == MaskMode::COUNTER) {
        kbrt_vec_mask(0, static_cast<uint64_t>(static_cast<uint32_t>(len)));
    } else {
        kbrt_vec_mask_first(len, 256 / sizeof(T));
    }
}

KB_API void ResetMask() {
    kbrt_vec_mask(~0ull, ~0ull);
}

}  // namespace AscendC
