// Temporary buffer of Sum over rows of n elements, in bytes.
#pragma once

#include <cstdint>

namespace AscendC {

void GetSumMaxMinTmpSize(uint32_t n, uint32_t typeSize, bool isReuseSource, uint32_t& maxSize, uint32_t& minSize);

}  // namespace AscendC
