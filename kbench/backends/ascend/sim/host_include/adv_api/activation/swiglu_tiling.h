#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetSwiGLUMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, uint32_t& max, uint32_t& min, bool reuse_source);
void GetSwiGLUTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra);

}  // namespace AscendC
