// Trunc: dst = rounding towards zero.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Trunc)

}  // namespace AscendC
