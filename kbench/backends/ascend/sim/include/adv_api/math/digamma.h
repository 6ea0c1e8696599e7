// Digamma: dst = the logarithmic derivative of the gamma function.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY_COUNTED(Digamma)

}  // namespace AscendC
