#pragma once

#include "adv_api/utils/types.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC& platform, const ge::Shape& shape, uint32_t type_bytes,
                           bool reuse_source, uint32_t& max, uint32_t& min);
void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC& platform, uint32_t type_bytes, uint32_t& buffers,
                                 uint32_t& extra);

}  // namespace AscendC
