// AscendAntiQuant: int8_t or int4b_t to half or bfloat16_t, scale * (x + offset); half in half, bfloat16_t in float.
#pragma once

#include "kb_quant.h"
#include "kernel_tensor.h"

namespace AscendC {

struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0};
    uint32_t offsetWidth{0};
    uint32_t scaleHeight{0};
    uint32_t scaleWidth{0};
};

template <typename T>
KB_API uint32_t KbScaleSize(uint32_t given, const LocalTensor<T>& scale, int dim) {
    if (given != 0) {
        return given;
    }
    const ShapeInfo shape = scale.GetShapeInfo();
    return dim < shape.shapeDim ? shape.shape[dim] : 0;
}

#define KB_ANTIQUANT_CHECKS()                                                                                            \
    static_assert((SupportType<InputDataType, int8_t, int4b_t>()) && (SupportType<OutputDataType, half, bfloat16_t>()),   \
                  "Failed to check dtype in AscendAntiQuant, current api support dtype combination is src: int8_t / "    \
                  "int4b_t, dst: half / bfloat16_t.")

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& offset, const LocalTensor<OutputDataType>& scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), offset.view(), scale.view(), sharedTmpBuffer.view(),
                       {k, KbScaleSize(shapeInfo.scaleHeight, scale, 0), KbScaleSize(shapeInfo.scaleWidth, scale, 1), isTranspose, true, 0.0f, 0.0f});
}

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), kb::no_tmp(), scale.view(), sharedTmpBuffer.view(),
                       {k, KbScaleSize(shapeInfo.scaleHeight, scale, 0), KbScaleSize(shapeInfo.scaleWidth, scale, 1), isTranspose, false, 0.0f, 0.0f});
}

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const OutputDataType offset, const OutputDataType scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), kb::no_tmp(), kb::no_tmp(), sharedTmpBuffer.view(),
                       {k, 1, 1, isTranspose, true, static_cast<float>(scale), static_cast<float>(offset)});
}

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const OutputDataType scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), kb::no_tmp(), kb::no_tmp(), sharedTmpBuffer.view(),
                       {k, 1, 1, isTranspose, false, static_cast<float>(scale), 0.0f});
}

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& offset, const LocalTensor<OutputDataType>& scale,
                            const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), offset.view(), scale.view(), kb::no_tmp(),
                       {k, KbScaleSize(shapeInfo.scaleHeight, scale, 0), KbScaleSize(shapeInfo.scaleWidth, scale, 1), isTranspose, true, 0.0f, 0.0f});
}

template <typename InputDataType, typename OutputDataType, bool isTranspose>
KB_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                            const OutputDataType offset, const OutputDataType scale,
                            const uint32_t k, const AntiQuantShapeInfo& = {}) {
    KB_ANTIQUANT_CHECKS();
    kbrt_adv_antiquant(dst.view(), src.view(), kb::no_tmp(), kb::no_tmp(), kb::no_tmp(),
                       {k, 1, 1, isTranspose, true, static_cast<float>(scale), static_cast<float>(offset)});
}

#undef KB_ANTIQUANT_CHECKS

}  // namespace AscendC
