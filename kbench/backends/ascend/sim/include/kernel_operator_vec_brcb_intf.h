// Brcb: every repeat reads eight elements, each of which fills one 32-byte block of dst.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_brcb.h"
#include "kernel_tensor.h"

namespace AscendC {

template <typename T>
KB_API void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t repeatTime,
                 const BrcbRepeatParams& repeatParams) {
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),
                  "Failed to check dtype in Brcb, current api support dtype combination is src and dst both: half / "
                  "bfloat16_t / int16_t / uint16_t / int32_t / uint32_t / float.");
    kb::VecForm form = kb::vec_first<false>(kb::VecOp::Brcb, 0, repeatTime);
    form.block[0] = repeatParams.dstBlkStride;
    form.repeat[0] = repeatParams.dstRepStride;
    kbrt_vec_brcb(kb::view(dst), kb::view(src0), form);
}

}  // namespace AscendC
