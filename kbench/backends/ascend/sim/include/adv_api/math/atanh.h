// Atanh: dst = inverse hyperbolic tangent, for sizes between 0.001 and 0.99.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Atanh)

}  // namespace AscendC
