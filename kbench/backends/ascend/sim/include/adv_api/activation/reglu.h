// ReGlu: dst = src0 * max(src1, 0).
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_BINARY(ReGlu, (SupportType<T, half, bfloat16_t, float>()), "half, bfloat16_t or float")

}  // namespace AscendC
