// Atan: dst = arc tangent.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Atan)

}  // namespace AscendC
