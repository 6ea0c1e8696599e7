// Frac: dst = what Trunc cuts off.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Frac)

}  // namespace AscendC
