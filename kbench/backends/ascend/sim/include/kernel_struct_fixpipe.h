// Parameters of the way out of L0C. Only declared: nothing of it runs.
#pragma once

#include "kernel_utils.h"

// Quantisation on the way. The numbers are not documented and mean nothing here.
enum class QuantMode_t {
    NoQuant = 0,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    QF322B8_PRE,
    VQF322B8_PRE,
    REQ8,
    VREQ8,
    DEQS16,
    VDEQS16,
    REQ4,
    VREQ4,
    QF162B8_PRE,
    VQF162B8_PRE,
    QF162S4_PRE,
    VQF162S4_PRE,
    QF162S16_PRE,
    VQF162S16_PRE,
};

namespace AscendC {

using ::QuantMode_t;

enum class ReluMode { NO_RELU = 0, NORMAL_RELU = 1, SCALAR_RELU = 2, VECTOR_RELU = 3 };
enum class ClipReluMode { NOCLIP_RELU = 0, CLIP_RELU = 1 };
enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
    constexpr FixpipeConfig(CO2Layout layout) : format(layout) {}
    constexpr FixpipeConfig(CO2Layout layout, bool) : format(layout) {}

    CO2Layout format;
};

inline constexpr FixpipeConfig CFG_NZ{CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR{CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR{CO2Layout::COLUMN_MAJOR};

struct FixpipeParamsV220 {
    constexpr FixpipeParamsV220() = default;
    constexpr FixpipeParamsV220(uint16_t nSize_, uint16_t mSize_, uint16_t srcStride_, uint32_t dstStride_,
                                bool reluEn_)
        : nSize(nSize_), mSize(mSize_), srcStride(srcStride_), dstStride(dstStride_), reluEn(reluEn_) {}
    constexpr FixpipeParamsV220(uint16_t nSize_, uint16_t mSize_, uint16_t srcStride_, uint32_t dstStride_,
                                bool reluEn_, QuantMode_t quantPre_, int64_t deqScalar_, uint16_t ndNum_,
                                uint16_t srcNdStride_, uint16_t dstNdStride_, uint8_t unitFlag_)
        : nSize(nSize_), mSize(mSize_), srcStride(srcStride_), dstStride(dstStride_), quantPre(quantPre_),
          deqScalar(static_cast<uint64_t>(deqScalar_)), ndNum(ndNum_), srcNdStride(srcNdStride_),
          dstNdStride(dstNdStride_), reluEn(reluEn_), unitFlag(unitFlag_) {}
    constexpr FixpipeParamsV220(uint16_t nSize_, uint16_t mSize_, uint16_t srcStride_, uint32_t dstStride_,
                                bool reluEn_, QuantMode_t quantPre_, int64_t deqScalar_, uint16_t ndNum_,
                                uint16_t srcNdStride_, uint16_t dstNdStride_, uint8_t unitFlag_, bool isChannelSplit_)
        : nSize(nSize_), mSize(mSize_), srcStride(srcStride_), dstStride(dstStride_), quantPre(quantPre_),
          deqScalar(static_cast<uint64_t>(deqScalar_)), ndNum(ndNum_), srcNdStride(srcNdStride_),
          dstNdStride(dstNdStride_), reluEn(reluEn_), unitFlag(unitFlag_), isChannelSplit(isChannelSplit_) {}

    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

struct DataCopyCO12DstParams {
    constexpr DataCopyCO12DstParams() = default;
    constexpr DataCopyCO12DstParams(uint16_t nSize_, uint16_t mSize_, uint32_t dstStride_, uint16_t srcStride_,
                                    QuantMode_t quantPre_, uint8_t reluPre_, bool channelSplit_, bool nz2ndEn_)
        : nSize(nSize_), mSize(mSize_), dstStride(dstStride_), srcStride(srcStride_), quantPre(quantPre_),
          reluPre(reluPre_), channelSplit(channelSplit_), nz2ndEn(nz2ndEn_) {}

    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = DEFAULT_DATA_COPY_STRIDE;
    uint16_t srcStride = DEFAULT_DATA_COPY_STRIDE;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
};

}  // namespace AscendC
