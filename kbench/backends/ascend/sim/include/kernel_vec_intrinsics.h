// The compiler's intrinsics of the vector core, which kernels call directly on addresses in UB, and the helpers around them.
#pragma once

#include "kb_raw.h"
#include "kernel_lane_intrinsics.h"
#include "kernel_move_intrinsics.h"
#include "kernel_operator_vec_mask_intf.h"
#include "kernel_operator_vec_transpose_intf.h"
#include "kernel_place_intrinsics.h"
#include "kernel_state_intrinsics.h"
#include "kernel_utils.h"

KB_API void set_mask_count() {
    kbrt_vec_mask_mode(true);
}

KB_API void set_mask_norm() {
    kbrt_vec_mask_mode(false);
}

KB_API void set_vector_mask(uint64_t maskHigh, uint64_t maskLow) {
    kbrt_vec_mask(maskHigh, maskLow);
}

namespace AscendC {

class AscendCUtils {
public:
    template <typename T>
    static KB_API void SetMask(const uint64_t& maskHigh, const uint64_t& maskLow) {
        kbrt_vec_mask(maskHigh, maskLow);
    }

    // The first `length` lanes, or in counter mode `length` elements.
    template <typename T>
    static KB_API void SetMask(int32_t length) {
        kbrt_vec_mask_first(length, 256 / sizeof(T));
    }

    static KB_API void ResetMask() { kbrt_vec_mask(~0ull, ~0ull); }

    // CTRL[48]: 1 keeps infinities, anything else saturates.
    static KB_API void SetOverflow(uint64_t ctrlValue) {
        kbrt_set_ctrl((kbrt_ctrl() & ~(1ull << 48)) | static_cast<uint64_t>(ctrlValue == 1) << 48);
    }

    // Elements that the last GatherMask kept.
    static KB_API int64_t GetRsvdCnt() { return get_rsvd_cnt(); }

    // Elements of a 32-byte block.
    static KB_API int32_t GetC0Count(const int32_t dtypeSize) { return ONE_BLK_SIZE / dtypeSize; }
};

// TransDataTo5HD on sixteen addresses each, as published kernels call it.
template <typename T>
KB_API void TransDataTo5HDImpl(T* const dstList[NCHW_CONV_ADDR_LIST_SIZE], T* const srcList[NCHW_CONV_ADDR_LIST_SIZE],
                               const TransDataTo5HDParams& nchwconvParams) {
    kb::View dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = kb::raw_view(dstList[i]);
        src[i] = kb::raw_view(srcList[i]);
    }
    kb_trans_data<T>(dst, src, nchwconvParams);
}

}  // namespace AscendC
