// Temporary buffer in bytes and tiling data of TopK. False, and nothing is set, for a shape or type that it cannot take.
#pragma once

#include "adv_api/sort/topk_tilingdata.h"
#include "adv_api/utils/types.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

#ifndef KB_TOPK_CONFIG  // one file may include both sides
#define KB_TOPK_CONFIG
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };

struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET;
    bool sorted = true;
};
#endif

bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, int32_t inner, int32_t outter,
                          bool isReuseSource, bool isInitIndex, enum TopKMode mode, bool isLargest, uint32_t dataTypeSize,
                          uint32_t& maxValue, uint32_t& minValue);
// With a configuration: on other architectures only.
bool GetTopKMaxMinTmpSize(int32_t inner, int32_t outter, int32_t k, bool isReuseSource, bool isInitIndex, enum TopKMode mode,
                          bool isLargest, TensorDataType dataType, const TopKConfig& config, uint32_t& maxValue,
                          uint32_t& minValue);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, int32_t inner, int32_t outter, int32_t k,
                    uint32_t dataTypeSize, bool isInitIndex, enum TopKMode mode, bool isLargest,
                    optiling::TopkTiling& topKTiling);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, int32_t inner, int32_t outter, int32_t k,
                    uint32_t dataTypeSize, bool isInitIndex, enum TopKMode mode, bool isLargest,
                    AscendC::tiling::TopkTiling& topKTiling);

}  // namespace AscendC
