// Temporary buffers of sorting, in bytes.
#pragma once

#include "adv_api/sort/topk_tiling.h"

namespace AscendC {

enum class SortType { RADIX_SORT, MERGE_SORT };

struct SortConfig {
    SortType type = SortType::RADIX_SORT;
    bool isDescend = false;
    bool hasSrcIndex = false;
    bool hasDstIndex = false;
};

uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, uint32_t elemCount, uint32_t dataTypeSize);
uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, uint32_t elemCount, uint32_t dataTypeSize);
// With a configuration: on other architectures only; both sizes stay as they were.
void GetSortMaxMinTmpSize(const TensorShape& srcShape, TensorDataType valueType, TensorDataType indexType, bool isReuseSource,
                          const SortConfig& config, uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
