// Temporary buffer of Broadcast, in bytes: below `minValue` it cannot work, above `maxValue` more is no use.
#pragma once

#include "adv_api/utils/types.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const TensorShape& srcShape,
                               const TensorShape& dstShape, uint32_t typeSize, bool isReuseSource, uint32_t& maxValue,
                               uint32_t& minValue);

}  // namespace AscendC
