// Fmod: dst = src0 - trunc(src0 / src1) * src1, each step rounded to float.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_BINARY(Fmod, (SupportType<T, half, float>()), "half or float")
KB_ADV_BINARY_WHOLE(Fmod)

}  // namespace AscendC
