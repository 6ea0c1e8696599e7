// Temporary buffer of AscendDequant, in bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void GetAscendDequantTmpBufferFactorSize(const TensorShape& srcShape, uint32_t& maxLiveNodeCount, uint32_t& extraBuf);

}  // namespace AscendC
