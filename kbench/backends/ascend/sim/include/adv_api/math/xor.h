// Xor: dst = src0 ^ src1, bit by bit.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_BINARY(Xor, (SupportType<T, int16_t, uint16_t>()), "int16_t or uint16_t")
KB_ADV_BINARY_WHOLE(Xor)

}  // namespace AscendC
