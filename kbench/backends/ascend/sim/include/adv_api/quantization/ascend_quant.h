// AscendQuant: half or float to int8_t, round(x * scale + offset), each step in half.
#pragma once

#include "kb_quant.h"
#include "kernel_tensor.h"

namespace AscendC {

struct AscendQuantConfig {
    KB_API constexpr AscendQuantConfig(const uint32_t calcCount, const uint32_t offsetCount, const uint32_t scaleCount,
                                       const uint32_t workLocalSize)
        : calcCount(calcCount), offsetCount(offsetCount), scaleCount(scaleCount), workLocalSize(workLocalSize) {}
    uint32_t calcCount = 0;
    uint32_t offsetCount = 0;
    uint32_t scaleCount = 0;
    uint32_t workLocalSize = 0;
};

inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};

// A configuration with counts overrides the arguments.
#define KB_QUANT(scaleView, offsetView, count, group, scale, offset)                                                        \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in AscendQuant, current api support dtype "      \
                  "combination is src: half / float, dst: int8_t.");                                                       \
    kbrt_adv_quant(dstTensor.view(), srcTensor.view(), KB_QUANT_TMP, scaleView, offsetView,                                \
                   {config.calcCount != 0 ? config.calcCount : static_cast<uint32_t>(count),                               \
                    config.scaleCount != 0 ? config.scaleCount : static_cast<uint32_t>(group), static_cast<float>(scale),  \
                    static_cast<float>(offset)})

#define KB_QUANT_TMP sharedTmpBuffer.view()

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const float scale, const float offset, const uint32_t calCount) {
    KB_QUANT(kb::no_tmp(), kb::no_tmp(), calCount, calCount, scale, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const float scale, const float offset) {
    const uint32_t calCount = srcTensor.GetSize();
    KB_QUANT(kb::no_tmp(), kb::no_tmp(), calCount, calCount, scale, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const LocalTensor<T>& scaleTensor, const T offset, const uint32_t scaleCount,
                        const uint32_t calCount) {
    KB_QUANT(scaleTensor.view(), kb::no_tmp(), calCount, scaleCount, 0, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const LocalTensor<T>& scaleTensor, const T offset) {
    KB_QUANT(scaleTensor.view(), kb::no_tmp(), srcTensor.GetSize(), scaleTensor.GetSize(), 0, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,
                        const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount) {
    static_cast<void>(offsetCount);
    KB_QUANT(scaleTensor.view(), offsetTensor.view(), calCount, scaleCount, 0, 0);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor) {
    KB_QUANT(scaleTensor.view(), offsetTensor.view(), srcTensor.GetSize(), scaleTensor.GetSize(), 0, 0);
}

#undef KB_QUANT_TMP

#define KB_QUANT_TMP kb::no_tmp()

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const float scale, const float offset, const uint32_t calCount) {
    KB_QUANT(kb::no_tmp(), kb::no_tmp(), calCount, calCount, scale, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const float scale, const float offset) {
    const uint32_t calCount = srcTensor.GetSize();
    KB_QUANT(kb::no_tmp(), kb::no_tmp(), calCount, calCount, scale, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<T>& scaleTensor, const T offset, const uint32_t scaleCount,
                        const uint32_t calCount) {
    KB_QUANT(scaleTensor.view(), kb::no_tmp(), calCount, scaleCount, 0, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<T>& scaleTensor, const T offset) {
    KB_QUANT(scaleTensor.view(), kb::no_tmp(), srcTensor.GetSize(), scaleTensor.GetSize(), 0, offset);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,
                        const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount) {
    static_cast<void>(offsetCount);
    KB_QUANT(scaleTensor.view(), offsetTensor.view(), calCount, scaleCount, 0, 0);
}

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
KB_API void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor) {
    KB_QUANT(scaleTensor.view(), offsetTensor.view(), srcTensor.GetSize(), scaleTensor.GetSize(), 0, 0);
}

#undef KB_QUANT_TMP

#undef KB_QUANT

}  // namespace AscendC
