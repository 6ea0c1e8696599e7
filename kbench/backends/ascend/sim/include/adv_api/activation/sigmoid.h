// Sigmoid: dst = 1 / (1 + e^-src).
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Sigmoid)

}  // namespace AscendC
