#ifndef L2_NORMALIZE_TILING_H
#define L2_NORMALIZE_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(L2NormalizeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, blockLength);  // elements of a block
TILING_DATA_FIELD_DEF(uint32_t, tileLength);  // elements of a tile, of which a block has a whole number
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(L2Normalize, L2NormalizeTilingData)
}  // namespace optiling
#endif  // L2_NORMALIZE_TILING_H
