// Floor: dst = rounding down.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY_COUNTED(Floor)

}  // namespace AscendC
