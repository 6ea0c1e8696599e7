// Sizes of the chip.
#pragma once

#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_common/log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops::Base {

// A context is a gert::TilingContext or a gert::TilingParseContext.
template <typename T>
uint32_t GetAivCoreNum(const T* context) {
    return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
}

template <typename T>
uint32_t GetAicCoreNum(const T* context) {
    return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAic();
}

template <typename T>
uint32_t GetUbSize(const T* context) {
    uint64_t bytes = 0;
    platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreMemSize(platform_ascendc::CoreMemType::UB, bytes);
    return static_cast<uint32_t>(bytes);
}

template <typename T>
uint32_t GetWorkspaceSize(const T* context) {
    return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetLibApiWorkSpaceSize();
}

// In bytes.
template <typename T>
uint32_t GetUbBlockSize(const T*) {
    return 32;
}

template <typename T>
uint32_t GetVRegSize(const T*) {
    return 256;
}

template <typename T>
uint32_t GetCacheLineSize(const T*) {
    return 256;
}

template <typename T>
uint32_t GetSectorCacheLineSize(const T*) {
    return 128;
}

}  // namespace Ops::Base
