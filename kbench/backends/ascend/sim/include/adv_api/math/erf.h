// Erf: dst = error function.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Erf)

}  // namespace AscendC
