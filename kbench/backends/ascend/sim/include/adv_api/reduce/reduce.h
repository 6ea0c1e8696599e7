// Reductions of a matrix by pattern: AR reduces each row, RA each column. Rows are padded to 32 bytes.
#pragma once

#include "adv_api/reduce/reduce_common.h"
#include "kb_reduce.h"
#include "kernel_tensor.h"
#include "kernel_operator_vec_reduce_intf.h"

namespace AscendC {

#define KB_REDUCE_CHECKS(Name, types, ...)                                                                            \
    static_assert((SupportType<T, __VA_ARGS__>()), "Failed to check dtype in " #Name ", current api support dtype "   \
                  "combination is src and dst both: " types ".");                                                     \
    static_assert((SupportType<pattern, Pattern::Reduce::AR, Pattern::Reduce::RA>()), "Failed to check pattern in "   \
                  #Name ", it only supports AR / RA.");                                                               \
    const kb::ReduceForm form{number, std::is_same_v<pattern, Pattern::Reduce::AR>, isReuseSource, srcInnerPad, srcShape[0], srcShape[1]}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 0;
    KB_REDUCE_CHECKS(ReduceSum, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 0;
    KB_REDUCE_CHECKS(ReduceSum, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 1;
    KB_REDUCE_CHECKS(ReduceMean, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 1;
    KB_REDUCE_CHECKS(ReduceMean, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 2;
    KB_REDUCE_CHECKS(ReduceMax, "half / float", half, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 2;
    KB_REDUCE_CHECKS(ReduceMax, "half / float", half, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 3;
    KB_REDUCE_CHECKS(ReduceMin, "half / float", half, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceMin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 3;
    KB_REDUCE_CHECKS(ReduceMin, "half / float", half, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceProd(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 4;
    KB_REDUCE_CHECKS(ReduceProd, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceProd(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 4;
    KB_REDUCE_CHECKS(ReduceProd, "float", float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceAll(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 5;
    KB_REDUCE_CHECKS(ReduceAll, "uint8_t / float", uint8_t, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceAll(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 5;
    KB_REDUCE_CHECKS(ReduceAll, "uint8_t / float", uint8_t, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceAny(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 6;
    KB_REDUCE_CHECKS(ReduceAny, "uint8_t / float", uint8_t, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(), form);
}

template <class T, class pattern, bool isReuseSource = false>
KB_API void ReduceAny(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const uint32_t srcShape[], bool srcInnerPad) {
    constexpr uint8_t number = 6;
    KB_REDUCE_CHECKS(ReduceAny, "uint8_t / float", uint8_t, float);
    kbrt_adv_reduce(dstTensor.view(), srcTensor.view(), kb::no_tmp(), form);
}

#undef KB_REDUCE_CHECKS

}  // namespace AscendC
