// Acosh: dst = inverse hyperbolic cosine, for sources in [1, 65504].
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Acosh)

}  // namespace AscendC
