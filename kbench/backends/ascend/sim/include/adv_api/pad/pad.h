// Pad: the rows of a matrix to whole blocks; UnPad: back. The tiling data come from PadTilingFunc and UnPadTilingFunc.
#pragma once

#include "kb_pad.h"
#include "kernel_tensor.h"

namespace AscendC {

struct PadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
    int32_t padValue = 0;
};

struct UnPadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
};

#define KB_PAD_CHECK(Name)                                                                                               \
    static_assert((SupportType<T, int16_t, uint16_t, half, int32_t, uint32_t, float>()), "Failed to check dtype in " #Name \
                  ", current api support dtype combination is src and dst both: int16_t / uint16_t / half / int32_t / "  \
                  "uint32_t / float.")

template <typename Tiling>
KB_API kb::PadForm KbPadForm(const PadParams& p, const Tiling& t) {
    return {t.srcHeight, t.srcWidth, t.srcOriWidth, p.leftPad, p.rightPad, p.padValue, t.tmpBuffer2Offset};
}

template <typename T, typename Tiling>
KB_API void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, PadParams& padParams,
                const LocalTensor<uint8_t>& sharedTmpBuffer, Tiling& tiling) {
    KB_PAD_CHECK(Pad);
    kbrt_adv_pad(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), KbPadForm(padParams, tiling));
}

template <typename T, typename Tiling>
KB_API void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, PadParams& padParams, Tiling& tiling) {
    KB_PAD_CHECK(Pad);
    kbrt_adv_pad(dstTensor.view(), srcTensor.view(), kb::no_tmp(), KbPadForm(padParams, tiling));
}

template <typename T, typename Tiling>
KB_API void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, UnPadParams& unPadParams,
                  LocalTensor<uint8_t>&, Tiling& tiling) {
    KB_PAD_CHECK(UnPad);
    kbrt_adv_unpad(dstTensor.view(), srcTensor.view(),
                   {tiling.srcHeight, tiling.srcWidth, 0, unPadParams.leftPad, unPadParams.rightPad, 0, 0});
}

template <typename T, typename Tiling>
KB_API void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, UnPadParams& unPadParams, Tiling& tiling) {
    KB_PAD_CHECK(UnPad);
    kbrt_adv_unpad(dstTensor.view(), srcTensor.view(),
                   {tiling.srcHeight, tiling.srcWidth, 0, unPadParams.leftPad, unPadParams.rightPad, 0, 0});
}

#undef KB_PAD_CHECK

}  // namespace AscendC
