#ifndef SWISH_TILING_H
#define SWISH_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SwishTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);  // elements
TILING_DATA_FIELD_DEF(uint32_t, blockLength);  // elements of a block; the last one has the rest
TILING_DATA_FIELD_DEF(uint32_t, tileLength);  // elements that fit the unified buffer at a time
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Swish, SwishTilingData)
}  // namespace optiling
#endif  // SWISH_TILING_H
