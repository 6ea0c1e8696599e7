// Cos: dst = cosine, for sources in [-65504, 65504].
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Cos)

}  // namespace AscendC
