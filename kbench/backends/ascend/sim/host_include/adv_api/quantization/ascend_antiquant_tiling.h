// Temporary buffer of AscendAntiQuant, in bytes. srcShape is {K, N}, transposed {N, K}.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
                                      TensorDataType inputDataType, TensorDataType outputDataType);
uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
                                      TensorDataType inputDataType, TensorDataType outputDataType);
void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
                                     TensorDataType inputDataType, TensorDataType outputDataType, uint32_t& maxValue,
                                     uint32_t& minValue);
void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
                                           TensorDataType inputDataType, TensorDataType outputDataType,
                                           uint32_t& maxLiveNodeCount, uint32_t& extraBuf);

}  // namespace AscendC
