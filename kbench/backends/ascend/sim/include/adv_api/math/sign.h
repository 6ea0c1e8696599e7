// Sign: dst = -1, 0 or 1.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Sign)

}  // namespace AscendC
