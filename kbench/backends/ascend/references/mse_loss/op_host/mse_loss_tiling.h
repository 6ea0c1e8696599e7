#ifndef MSE_LOSS_TILING_H
#define MSE_LOSS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MseLossTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);  // elements
TILING_DATA_FIELD_DEF(uint32_t, blockLength);  // elements of a block; the last one has the rest
TILING_DATA_FIELD_DEF(uint32_t, tileLength);  // elements that fit the unified buffer at a time
TILING_DATA_FIELD_DEF(float, scale);  // of the sum: 1 / totalLength for the mean
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(MseLoss, MseLossTilingData)
}  // namespace optiling
#endif  // MSE_LOSS_TILING_H
