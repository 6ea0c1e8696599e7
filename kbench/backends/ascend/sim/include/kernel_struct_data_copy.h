// Parameters of copies.
#pragma once

#include "kernel_utils.h"

enum class pad_t { PAD_NONE = 0, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8 };

namespace AscendC {

using ::pad_t;

enum class BlockMode : uint8_t {
    BLOCK_MODE_NORMAL = 0,
    BLOCK_MODE_MATRIX,
    BLOCK_MODE_VECTOR,
    BLOCK_MODE_SMALL_CHANNEL,
    BLOCK_MODE_DEPTHWISE,
};

// DataCopy: blocks of `blockLen` DataBlocks, gaps in DataBlocks. DataCopyPad: `blockLen` and the GM gap in bytes.
struct DataCopyParams {
    constexpr DataCopyParams() : srcGap(DEFAULT_DATA_COPY_STRIDE), dstGap(DEFAULT_DATA_COPY_STRIDE) {}
    constexpr DataCopyParams(uint16_t count, uint16_t len, uint16_t src_gap, uint16_t dst_gap)
        : blockCount(count), blockLen(len), srcGap(src_gap), dstGap(dst_gap) {}

    uint16_t blockCount = DEFAULT_DATA_COPY_NBURST;
    uint16_t blockLen = 0;
    union {
        uint16_t srcGap;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap;
        uint16_t dstStride;
    };
};

// DataCopyPad: `blockLen` in bytes; the GM side's stride in bytes, the local side's in DataBlocks.
struct DataCopyExtParams {
    constexpr DataCopyExtParams() = default;
    constexpr DataCopyExtParams(uint16_t count, uint32_t len, uint32_t src_stride, uint32_t dst_stride, uint32_t reserved)
        : blockCount(count), blockLen(len), srcStride(src_stride), dstStride(dst_stride), rsv(reserved) {}

    uint16_t blockCount = DEFAULT_DATA_COPY_NBURST;
    uint32_t blockLen = 0;
    uint32_t srcStride = DEFAULT_DATA_COPY_STRIDE;
    uint32_t dstStride = DEFAULT_DATA_COPY_STRIDE;
    uint32_t rsv = 0;
};

// Paddings count elements; the value is raw bits.
struct DataCopyPadParams {
    constexpr DataCopyPadParams() = default;
    constexpr DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    using TYPE = T;

    constexpr DataCopyPadExtParams() : paddingValue(static_cast<T>(0)) {}
    constexpr DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue;
};

// Copy: strides between DataBlocks of a repeat and between repeats, in DataBlocks.
struct CopyRepeatParams {
    constexpr CopyRepeatParams() = default;
    constexpr CopyRepeatParams(uint16_t dst_stride, uint16_t src_stride, uint16_t dst_repeat, uint16_t src_repeat)
        : dstStride(dst_stride), srcStride(src_stride), dstRepeatSize(dst_repeat), srcRepeatSize(src_repeat) {}

    uint16_t dstStride = DEFAULT_BLK_STRIDE;
    uint16_t srcStride = DEFAULT_BLK_STRIDE;
    uint16_t dstRepeatSize = DEFAULT_REPEAT_STRIDE;
    uint16_t srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};

// One dimension of a strided slice: elements [startIndex, endIndex], bursts of `burstLen` DataBlocks, gaps of `stride`.
struct SliceInfo {
    constexpr SliceInfo() = default;
    constexpr SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t burst, uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(gap), burstLen(burst), shapeValue(shape) {}

    uint32_t startIndex = 0;
    uint32_t endIndex = ONE_BLK_SIZE - 1;
    uint32_t stride = 0;
    uint32_t burstLen = ONE_BLK_SIZE;
    uint32_t shapeValue = 0;
};

// ND to NZ: `ndNum` matrices of nValue × dValue elements. Source strides and dstNzMatrixStride count elements, the other two
// 32-byte blocks.
struct Nd2NzParams {
    constexpr Nd2NzParams() = default;
    constexpr Nd2NzParams(uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t src_matrix, uint16_t src_row,
                          uint16_t dst_group, uint16_t dst_row, uint16_t dst_matrix)
        : ndNum(matrices), nValue(rows), dValue(columns), srcNdMatrixStride(src_matrix), srcDValue(src_row),
          dstNzC0Stride(dst_group), dstNzNStride(dst_row), dstNzMatrixStride(dst_matrix) {}

    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
};

// NZ to ND. srcNdMatrixStride counts 256 elements, srcNStride 16, the destination's strides single ones.
struct Nz2NdParamsFull {
    constexpr Nz2NdParamsFull() = default;
    constexpr Nz2NdParamsFull(uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t src_matrix, uint16_t src_group,
                              uint16_t dst_row, uint16_t dst_matrix)
        : ndNum(matrices), nValue(rows), dValue(columns), srcNdMatrixStride(src_matrix), srcNStride(src_group),
          dstDStride(dst_row), dstNdMatrixStride(dst_matrix) {}

    uint16_t ndNum = 1;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 1;
    uint16_t srcNStride = 0;
    uint16_t dstDStride = 0;
    uint16_t dstNdMatrixStride = 1;
};

// What other chips do on the way; on A2/A3 every field keeps its default.
struct DataCopyEnhancedParams {
    constexpr DataCopyEnhancedParams() = default;
    constexpr DataCopyEnhancedParams(BlockMode block_mode, DeqScale scale, uint64_t value, uint8_t store_mode, bool relu,
                                     pad_t pad_mode, uint64_t pad_value)
        : blockMode(block_mode), deqScale(scale), deqValue(value), sidStoreMode(store_mode), isRelu(relu), padMode(pad_mode),
          padValue(pad_value) {}

    BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
    DeqScale deqScale = DeqScale::DEQ_NONE;
    uint64_t deqValue = 0;
    uint8_t sidStoreMode = 0;
    bool isRelu = false;
    pad_t padMode = pad_t::PAD_NONE;
    uint64_t padValue = 0;
    uint64_t deqTensorAddr = 0;
};

}  // namespace AscendC
