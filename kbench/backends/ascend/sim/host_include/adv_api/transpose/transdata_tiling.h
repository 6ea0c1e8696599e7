// Temporary buffer in bytes of TransData: the largest size that is of use and the smallest that works are the same.
#pragma once

#include <cstdint>

#include "adv_api/utils/types.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

#ifndef ASCC_ENUM_DATAFORMAT
#define ASCC_ENUM_DATAFORMAT
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
#endif

#ifndef ASCC_PARAM_TRANSDATACONFIG
#define ASCC_PARAM_TRANSDATACONFIG
struct TransDataConfig {
    DataFormat srcFormat;
    DataFormat dstFormat;
};
#endif

bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC& platform, const TensorShape& srcShape,
                               const TensorShape& dstShape, const TensorDataType dataType, const TransDataConfig& config,
                               uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
