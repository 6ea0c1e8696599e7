// Temporary buffer of CumSum, in bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, bool isLastAxis, bool isReuseSource,
                            uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
