// Temporary buffer of AscendQuant, in bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf);

}  // namespace AscendC
