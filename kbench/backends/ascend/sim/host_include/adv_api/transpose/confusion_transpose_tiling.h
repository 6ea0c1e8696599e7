// Temporary buffer in bytes and tiling data of Transpose; transposeTypeIn is the number of a kernel side's TransposeType.
#pragma once

#include "adv_api/transpose/confusion_transpose_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

void GetTransposeMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, uint32_t transposeTypeIn, uint32_t& maxValue,
                               uint32_t& minValue);
void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, uint32_t transposeTypeIn,
                                        uint32_t& maxValue, uint32_t& minValue);
void GetTransposeTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize, uint32_t transposeTypeIn,
                            optiling::ConfusionTransposeTiling& tiling);
void GetTransposeTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize, uint32_t transposeTypeIn,
                            AscendC::tiling::ConfusionTransposeTiling& tiling);
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize,
                                     uint32_t transposeTypeIn, optiling::ConfusionTransposeTiling& tiling);
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize,
                                     uint32_t transposeTypeIn, AscendC::tiling::ConfusionTransposeTiling& tiling);
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize,
                                         optiling::ConfusionTransposeTiling& tiling);
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, uint32_t stackBufferSize, uint32_t typeSize,
                                         AscendC::tiling::ConfusionTransposeTiling& tiling);

}  // namespace AscendC
