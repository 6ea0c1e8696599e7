// Temporary buffer of DropOut, in bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape, uint32_t typeSize, bool isReuseSource);
uint32_t GetDropOutMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, bool isReuseSource);
void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, bool isReuseSource, uint32_t& maxValue,
                             uint32_t& minValue);

}  // namespace AscendC
