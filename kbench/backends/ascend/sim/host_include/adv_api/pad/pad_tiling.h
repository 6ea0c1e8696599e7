// Temporary buffers in bytes and tiling data of Pad and UnPad. Shapes have two axes; `oriSrcShape` without padding columns.
#pragma once

#include "adv_api/pad/pad_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

void GetPadMaxMinTmpSize(const TensorShape& srcShape, uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, uint32_t stackBufferSize, uint32_t typeSize,
                   optiling::PadTiling& tiling);
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, uint32_t stackBufferSize, uint32_t typeSize,
                   AscendC::tiling::PadTiling& tiling);

void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const TensorShape& srcShape,
                           uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void UnPadTilingFunc(const TensorShape srcShape, uint32_t stackBufferSize, uint32_t typeSize, optiling::UnPadTiling& tiling);
void UnPadTilingFunc(const TensorShape srcShape, uint32_t stackBufferSize, uint32_t typeSize,
                     AscendC::tiling::UnPadTiling& tiling);

}  // namespace AscendC
