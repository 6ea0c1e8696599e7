#ifndef FOREACH_ABS_TILING_H
#define FOREACH_ABS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t MAX_TENSORS = 256;

BEGIN_TILING_DATA_DEF(ForeachAbsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tensorNum);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);  // elements of a block, of all tensors one after another
TILING_DATA_FIELD_DEF(uint32_t, tileLength);   // elements that fit the unified buffer at a time
TILING_DATA_FIELD_DEF_ARR(uint32_t, MAX_TENSORS, lengths);  // elements of each tensor
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ForeachAbs, ForeachAbsTilingData)
}  // namespace optiling
#endif  // FOREACH_ABS_TILING_H
