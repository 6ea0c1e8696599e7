// Temporary buffer of Select with a mask of elements, in bytes. A scalar source has the shape {1}.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

uint32_t GetSelectMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                             const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask);
uint32_t GetSelectMaxTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                             const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask);
void GetSelectMaxMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                            const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask, uint32_t& maxValue,
                            uint32_t& minValue);

// The names of earlier versions.
uint32_t GetSelectWithBytesMaskMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                                          const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask);
uint32_t GetSelectWithBytesMaskMaxTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                                          const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask);
void GetSelectWithBytesMaskMaxMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, uint32_t srcTypeSize,
                                         const TensorShape& maskShape, uint32_t maskTypeSize, bool isReuseMask,
                                         uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
