// TopK: the k largest or smallest of each row, with their indices.
#pragma once

#include "kb_turn.h"
#include "kernel_tensor.h"
#include "kernel_tiling/kernel_tiling.h"

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

// Rows; elements of a row, a multiple of 32; elements that count.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner;
    int32_t n;
};

#define KB_TOPK(tmp)                                                                                                      \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in TopK, current api support dtype combination " \
                  "is src and dst both: half / float.");                                                                  \
    kbrt_adv_topk({dstValueLocal.view(), dstIndexLocal.view(), srcLocal.view(), srcIndexLocal.view(), finishLocal.view(), tmp}, \
                  {topKInfo.outter, topKInfo.inner, topKInfo.n, k, topkMode == TopKMode::TOPK_NSMALL, isInitIndex,        \
                   isHasfinish, isLargest},                                                                               \
                  &tilling)

template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
KB_API void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
                 const LocalTensor<int32_t>& srcIndexLocal, const LocalTensor<bool>& finishLocal, const int32_t k,
                 const TopkTiling& tilling, const TopKInfo& topKInfo, const bool isLargest = true) {
    KB_TOPK(kb::no_tmp());
}

template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
KB_API void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
                 const LocalTensor<int32_t>& srcIndexLocal, const LocalTensor<bool>& finishLocal,
                 const LocalTensor<uint8_t>& tmpLocal, const int32_t k, const TopkTiling& tilling, const TopKInfo& topKInfo,
                 const bool isLargest = true) {
    KB_TOPK(tmpLocal.view());
}

#undef KB_TOPK

}  // namespace AscendC
