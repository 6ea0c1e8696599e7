// Host side of RmsNorm, over [B, S, H]. False where the shape or the space does not fit.
#pragma once

#include "adv_api/normalization/rmsnorm_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue,
                             const bool isBasicBlock = false);
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize,
                          const uint32_t typeSize, optiling::RmsNormTiling& tiling, const bool isBasicBlock = false);
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize,
                          const uint32_t typeSize, AscendC::tiling::RmsNormTiling& tiling, const bool isBasicBlock = false);

}  // namespace AscendC
