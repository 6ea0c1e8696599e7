// Host side of GroupNorm, over [N, C, H, W].
#pragma once

#include "adv_api/normalization/groupnorm_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue);
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, optiling::GroupNormTiling& tiling);
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, AscendC::tiling::GroupNormTiling& tiling);

}  // namespace AscendC
