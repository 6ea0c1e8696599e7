#ifndef MUL_SIGMOID_TILING_H
#define MUL_SIGMOID_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MulSigmoidTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);  // elements
TILING_DATA_FIELD_DEF(uint32_t, blockLength);  // elements of a block; the last one has the rest
TILING_DATA_FIELD_DEF(uint32_t, tileLength);  // elements that fit the unified buffer at a time
TILING_DATA_FIELD_DEF(uint32_t, rowLength);  // elements of x2, which every row of x1 meets
TILING_DATA_FIELD_DEF(float, t1);
TILING_DATA_FIELD_DEF(float, t2);
TILING_DATA_FIELD_DEF(float, t3);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(MulSigmoid, MulSigmoidTilingData)
}  // namespace optiling
#endif  // MUL_SIGMOID_TILING_H
