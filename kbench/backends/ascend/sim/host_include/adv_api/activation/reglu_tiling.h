#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetReGluMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max, uint32_t& min);

}  // namespace AscendC
