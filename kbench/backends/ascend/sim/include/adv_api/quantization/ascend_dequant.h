// AscendDequant: int32_t times a scale, in float, to half, bfloat16_t or float.
#pragma once

#include "kb_quant.h"
#include "kernel_tensor.h"

namespace AscendC {

enum class DeQuantMode : int8_t { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW };

// Rows; elements from one row to the next, a multiple of 32 bytes; elements of a row that are multiplied.
struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};

// Scales of a tensor as floats: of uint64_t the low word counts.
template <typename dstT, typename scaleT, bool isTensor>
KB_API constexpr bool KbDequantTypes() {
    if constexpr (std::is_same_v<scaleT, uint64_t>) {
        return isTensor && std::is_same_v<dstT, half>;
    } else {
        return (std::is_same_v<scaleT, float> || std::is_same_v<scaleT, bfloat16_t>) &&
               (std::is_same_v<dstT, float> || std::is_same_v<dstT, bfloat16_t>);
    }
}

#define KB_DEQUANT(isTensor, scaleView, rows, columns, used, count, scale)                                                \
    static_assert(KbDequantTypes<dstT, scaleT, isTensor>(), "Failed to check dtype in AscendDequant: the combination of "  \
                  "deqScale and dst is not supported.");                                                                  \
    kbrt_adv_dequant(dstTensor.view(), srcTensor.view(), scaleView, KB_DEQUANT_TMP,                                        \
                     {rows, columns, used, count, mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW, scale})

#define KB_DEQUANT_TMP sharedTmpBuffer.view()

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale, 
                          const LocalTensor<uint8_t>& sharedTmpBuffer, DequantParams params) {
    KB_DEQUANT(true, deqScale.view(), params.m, params.n, params.calCount, params.m * params.n, 0.0f);
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const scaleT deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer, DequantParams params) {
    KB_DEQUANT(false, kb::no_tmp(), params.m, params.n, params.calCount, params.m * params.n, static_cast<float>(deqScale));
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale, 
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    const uint32_t n = deqScale.GetSize();
    KB_DEQUANT(true, deqScale.view(), n == 0 ? 0 : srcTensor.GetSize() / n, n, n, calCount, 0.0f);
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale,
                          const LocalTensor<uint8_t>& sharedTmpBuffer) {
    const uint32_t n = deqScale.GetSize();
    KB_DEQUANT(true, deqScale.view(), n == 0 ? 0 : srcTensor.GetSize() / n, n, n, srcTensor.GetSize(), 0.0f);
}

#undef KB_DEQUANT_TMP

#define KB_DEQUANT_TMP kb::no_tmp()

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale, DequantParams params) {
    KB_DEQUANT(true, deqScale.view(), params.m, params.n, params.calCount, params.m * params.n, 0.0f);
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const scaleT deqScale, DequantParams params) {
    KB_DEQUANT(false, kb::no_tmp(), params.m, params.n, params.calCount, params.m * params.n, static_cast<float>(deqScale));
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale, const uint32_t calCount) {
    const uint32_t n = deqScale.GetSize();
    KB_DEQUANT(true, deqScale.view(), n == 0 ? 0 : srcTensor.GetSize() / n, n, n, calCount, 0.0f);
}

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
KB_API void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                          const LocalTensor<scaleT>& deqScale) {
    const uint32_t n = deqScale.GetSize();
    KB_DEQUANT(true, deqScale.view(), n == 0 ? 0 : srcTensor.GetSize() / n, n, n, srcTensor.GetSize(), 0.0f);
}

#undef KB_DEQUANT_TMP

#undef KB_DEQUANT

}  // namespace AscendC
