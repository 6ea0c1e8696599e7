// Temporary buffer of Mean over rows of n elements, in bytes.
#pragma once

#include <cstdint>

namespace AscendC {

void GetMeanMaxMinTmpSize(uint32_t n, uint32_t srcTypeSize, uint32_t accTypeSize, bool isReuseSource, uint32_t& maxSize,
                          uint32_t& minSize);
void GetMeanTmpBufferFactorSize(uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuffer);

}  // namespace AscendC
