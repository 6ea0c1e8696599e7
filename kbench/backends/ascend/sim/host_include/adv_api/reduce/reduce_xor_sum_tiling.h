// Temporary buffer of ReduceXorSum, in bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, bool isReuseSource, uint32_t& maxValue,
                                  uint32_t& minValue);

}  // namespace AscendC
