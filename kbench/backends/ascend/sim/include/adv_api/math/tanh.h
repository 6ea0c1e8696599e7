// Tanh: dst = hyperbolic tangent.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Tanh)

}  // namespace AscendC
