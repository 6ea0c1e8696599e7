// Sinh: dst = hyperbolic sine.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Sinh)

}  // namespace AscendC
