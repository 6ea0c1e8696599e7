// GatherMask: the elements of src0 that a pattern keeps, one after the other.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_gather.h"
#include "kernel_tensor.h"

namespace AscendC {

inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::DEFAULT;

KB_API kb::VecForm kb_gather_mask_form(const GatherMaskParams& p) {
    kb::VecForm form = kb::vec_first<false>(kb::VecOp::GatherMask, 0, p.repeatTimes);
    form.block[1] = p.src0BlockStride;
    form.repeat[1] = p.src0RepeatStride;
    form.repeat[2] = p.src1RepeatStride;
    return form;
}

template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
KB_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
                       const bool reduceMode, const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                       uint64_t& rsvdCnt) {
    static_assert((sizeof(T) == 2 && std::is_same_v<U, uint16_t>) || (sizeof(T) == 4 && std::is_same_v<U, uint32_t>),
                  "Failed to check dtype in GatherMask, current api support dtype combination is src and dst both: half / "
                  "bfloat16_t / int16_t / uint16_t with pattern uint16_t; float / int32_t / uint32_t with pattern uint32_t.");
    rsvdCnt = kbrt_vec_gather_mask(kb::view(dst), kb::view(src0), kb::view(src1Pattern), 0, reduceMode, mask,
                                   kb_gather_mask_form(gatherMaskParams));
}

template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
KB_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                       const bool reduceMode, const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                       uint64_t& rsvdCnt) {
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),
                  "Failed to check dtype in GatherMask, current api support dtype combination is src and dst both: half / "
                  "bfloat16_t / int16_t / uint16_t / float / int32_t / uint32_t.");
    rsvdCnt = kbrt_vec_gather_mask(kb::view(dst), kb::view(src0), {}, src1Pattern, reduceMode, mask,
                                   kb_gather_mask_form(gatherMaskParams));
}

}  // namespace AscendC
