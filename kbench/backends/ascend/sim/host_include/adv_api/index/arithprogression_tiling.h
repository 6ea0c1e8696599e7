// Arange needs no temporary buffer.
#pragma once

#include <cstdint>

namespace AscendC {

void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue);
void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
