// Round: dst = rounding to the nearest integer, ties to even.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY_COUNTED(Round)

}  // namespace AscendC
