#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetLogMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max,
                         uint32_t& min);
void GetLogTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra);
void GetLog2MaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max,
                          uint32_t& min);
void GetLog2TmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra);
void GetLog10MaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max,
                           uint32_t& min);
void GetLog10TmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra);

}  // namespace AscendC
