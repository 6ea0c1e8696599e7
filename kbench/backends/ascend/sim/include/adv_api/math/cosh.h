// Cosh: dst = hyperbolic cosine.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Cosh)

}  // namespace AscendC
