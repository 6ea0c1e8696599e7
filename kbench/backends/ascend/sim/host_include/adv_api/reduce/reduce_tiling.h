// Temporary buffers of the reductions by pattern, in bytes. Shapes have two axes; rows are padded to 32 bytes.
#pragma once

#include "adv_api/utils/types.h"

namespace AscendC {

#ifndef ASCC_ENUM_REDUCEPATTERN  // the kernel side has it with Normalize
#define ASCC_ENUM_REDUCEPATTERN
enum class ReducePattern : uint32_t {
    AR = 0,
    RA = 1,
    R,
    ARA,
    ARAR,
    ARARA,
    ARARAR,
    ARARARA,
    ARARARAR,
    ARARARARA,
    RAR,
    RARA,
    RARAR,
    RARARA,
    RARARAR,
    RARARARA,
};
#endif

void GetReduceSumMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                               bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceMeanMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                                bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceMaxMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                               bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceMinMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                               bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceProdMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                                bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceAllMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                               bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
void GetReduceAnyMaxMinTmpSize(const TensorShape& srcShape, TensorDataType dataType, ReducePattern pattern,
                               bool isSrcInnerPad, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC
