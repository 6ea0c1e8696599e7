// Running sums of a matrix along its last or its first axis.
#pragma once

#include "kb_pad.h"
#include "kernel_tensor.h"

namespace AscendC {

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };

struct CumSumConfig {
    bool isLastAxis{true};
    bool isReuseSource{false};
    bool outputLastRow{false};
    CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};

// Rows, and columns: a multiple of 32 bytes.
struct CumSumInfo {
    uint32_t outter{0};
    uint32_t inner{0};
};

inline constexpr CumSumConfig defaultCumSumConfig = {true, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};

#define KB_CUMSUM_CHECK()                                                                                           \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in CumSum, current api support dtype "    \
                  "combination is src and dst both: half / float.");                                                \
    static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,                                 \
                  "Failed to check algorithm in CumSum: only CUMSUM_ALGORITHM_LINEBYLINE is supported.")

template <typename T, const CumSumConfig& config = defaultCumSumConfig>
KB_API void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
                   LocalTensor<uint8_t>& sharedTmpBuffer, const CumSumInfo& cumSumInfo) {
    KB_CUMSUM_CHECK();
    kbrt_adv_cumsum(dstTensor.view(), lastRowTensor.view(), srcTensor.view(), sharedTmpBuffer.view(),
                    {cumSumInfo.outter, cumSumInfo.inner, config.isLastAxis, config.outputLastRow});
}

template <typename T, const CumSumConfig& config = defaultCumSumConfig>
KB_API void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
                   const CumSumInfo& cumSumInfo) {
    KB_CUMSUM_CHECK();
    kbrt_adv_cumsum(dstTensor.view(), lastRowTensor.view(), srcTensor.view(), kb::no_tmp(),
                    {cumSumInfo.outter, cumSumInfo.inner, config.isLastAxis, config.outputLastRow});
}

#undef KB_CUMSUM_CHECK

}  // namespace AscendC
