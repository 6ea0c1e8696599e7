// The few compiler intrinsics of the vector unit that kernels call directly, on addresses in UB, and the helpers around
// them. They obey the mask registers; what lies behind an address is checked against UB's end only.
#pragma once

#include "kb_vec.h"
#include "kernel_operator_vec_mask_intf.h"
#include "kernel_operator_vec_transpose_intf.h"
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

namespace kb {

template <class T>
KB_API View raw_view(const T* address) {
    uint8_t* p = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(address));
    return {p, UINT32_MAX, static_cast<uint8_t>(AscendC::TPosition::VECCALC), dtype_of<T>(), 0};
}

template <class T>
KB_API void raw_sum(View dst, const T* src, uint8_t repeat, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
    VecForm form = vec_first<false>(VecOp::WholeReduceSum, 0, repeat);
    form.repeat[0] = dstRepStride;
    form.block[1] = srcBlkStride;
    form.repeat[1] = srcRepStride;
    kbrt_vec_reduce(dst, raw_view(src), form);
}

}  // namespace kb

// One sum a repeat into dst; with `accumulate` (and always without a dst) only into the register that GetAccVal reads.
template <class T>
KB_API void vcadd(T* dst, T* src, uint8_t repeat, uint16_t dstRepStride, uint16_t srcBlkStride, uint16_t srcRepStride,
                  bool accumulate = false) {
    kb::raw_sum(accumulate ? kb::View{} : kb::raw_view(dst), src, repeat, dstRepStride, srcBlkStride, srcRepStride);
}

template <class T>
KB_API void vcadd(decltype(nullptr), T* src, uint8_t repeat, uint16_t dstRepStride, uint16_t srcBlkStride,
                  uint16_t srcRepStride, bool accumulate = true) {
    (void)accumulate;
    kb::raw_sum(kb::View{}, src, repeat, dstRepStride, srcBlkStride, srcRepStride);
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
