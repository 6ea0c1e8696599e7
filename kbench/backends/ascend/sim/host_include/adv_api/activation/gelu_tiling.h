// Gelu, FasterGelu and FasterGeluV2 alike.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

uint32_t GetGeluMaxTmpSize(const ge::Shape& shape, uint32_t type_bytes);
uint32_t GetGeluMinTmpSize(const ge::Shape& shape, uint32_t type_bytes);
void GetGeluMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, uint32_t& max, uint32_t& min);

}  // namespace AscendC
