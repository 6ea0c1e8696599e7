// A shape of one element stands for a scalar.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

void GetPowerMaxMinTmpSize(const ge::Shape& base, const ge::Shape& exponent, bool is_int, uint32_t type_bytes,
                           bool reuse_source, uint32_t& max, uint32_t& min);
void GetPowerTmpBufferFactorSize(bool base_is_tensor, bool exponent_is_tensor, bool is_int, uint32_t type_bytes,
                                 uint32_t& buffers, uint32_t& extra);

}  // namespace AscendC
