// Ceil: dst = rounding up.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY_COUNTED(Ceil)

}  // namespace AscendC
