// Host side of DeepNorm, over [B, S, H]. False where the shape or the space does not fit.
#pragma once

#include "adv_api/normalization/deepnorm_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                              const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue);
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferSize,
                           const uint32_t typeSize, const bool isReuseSource, const bool isBasicBlock,
                           optiling::DeepNormTiling& tiling);
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferSize,
                           const uint32_t typeSize, const bool isReuseSource, const bool isBasicBlock,
                           AscendC::tiling::DeepNormTiling& tiling);

}  // namespace AscendC
