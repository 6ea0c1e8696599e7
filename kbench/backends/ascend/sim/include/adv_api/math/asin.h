// Asin: dst = arc sine, for sources in [-1, 1].
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Asin)

}  // namespace AscendC
