#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetClampMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max,
                           uint32_t& min);
void GetClampTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra);

}  // namespace AscendC
