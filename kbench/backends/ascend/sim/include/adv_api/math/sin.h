// Sin: dst = sine, for sources in [-65504, 65504].
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Sin)

}  // namespace AscendC
