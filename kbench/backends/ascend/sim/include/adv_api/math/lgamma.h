// Lgamma: dst = the logarithm of the gamma function's size.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY_COUNTED(Lgamma)

}  // namespace AscendC
