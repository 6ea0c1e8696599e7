// GeGLU: dst = src0 * gelu(src1).
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_BINARY(GeGLU, (SupportType<T, half, float>()), "half or float")
KB_ADV_BINARY_WHOLE(GeGLU)

}  // namespace AscendC
