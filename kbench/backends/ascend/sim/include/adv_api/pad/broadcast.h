// Broadcast of one- and two-dimensional tensors along one axis.
#pragma once

#include "kb_pad.h"
#include "kernel_tensor.h"

namespace AscendC {

struct BroadcastTiling {
    uint32_t oriRank;
    uint32_t rank;
    uint32_t dstSize;
    uint32_t srcSize;
    uint32_t loopNum = 0;
    uint32_t oriSrcShape[9];
    uint32_t oriDstShape[9];
    uint32_t dstShape[9];
    uint32_t dstStride[9];
    uint32_t srcStride[10];
};

#define KB_BROADCAST_CHECKS()                                                                              \
    static_assert(dim == 1 || dim == 2, "Failed to check dim in Broadcast: expected 1 or 2");              \
    static_assert(axis == 0 || axis == 1, "Failed to check axis in Broadcast: expected 0 or 1");             \
    static_assert(SupportType<T, int8_t, uint8_t>() || sizeof(T) == 2 || sizeof(T) == 4,                   \
                  "Failed to check dtype in Broadcast, current api support dtype combination is src and "  \
                  "dst both: int8_t / uint8_t / half / float.")

template <int32_t dim, int32_t axis>
KB_API kb::BroadcastForm KbBroadcastForm(const uint32_t* dst, const uint32_t* src) {
    return {dim, axis, {dst[0], dst[dim - 1]}, {src[0], src[dim - 1]}};
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
KB_API void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim], LocalTensor<uint8_t>& sharedTmpBuffer) {
    KB_BROADCAST_CHECKS();
    kbrt_adv_broadcast(dstLocal.view(), srcLocal.view(), sharedTmpBuffer.view(), KbBroadcastForm<dim, axis>(dstShape, srcShape));
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
KB_API void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim]) {
    KB_BROADCAST_CHECKS();
    kbrt_adv_broadcast(dstLocal.view(), srcLocal.view(), kb::no_tmp(), KbBroadcastForm<dim, axis>(dstShape, srcShape));
}

// The name of earlier versions.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
KB_API void BroadCast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim], LocalTensor<uint8_t>& sharedTmpBuffer) {
    KB_BROADCAST_CHECKS();
    kbrt_adv_broadcast(dstLocal.view(), srcLocal.view(), sharedTmpBuffer.view(), KbBroadcastForm<dim, axis>(dstShape, srcShape));
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
KB_API void BroadCast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim]) {
    KB_BROADCAST_CHECKS();
    kbrt_adv_broadcast(dstLocal.view(), srcLocal.view(), kb::no_tmp(), KbBroadcastForm<dim, axis>(dstShape, srcShape));
}

#undef KB_BROADCAST_CHECKS

// The forms for any number of dimensions exist on later architectures only.
template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr, uint32_t* constSrcShape = nullptr>
KB_API void GetBroadcastTilingInfo(uint32_t, const uint32_t*, const uint32_t*, bool, BroadcastTiling&) {
    static_assert(sizeof(T) == 0, "GetBroadcastTilingInfo is not supported on current device.");
}

template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr, uint32_t* constSrcShape = nullptr,
          bool constSrcInnerPad = false>
KB_API void Broadcast(const LocalTensor<T>&, const LocalTensor<T>&, const uint32_t*, const uint32_t*, BroadcastTiling*) {
    static_assert(sizeof(T) == 0, "Broadcast with a BroadcastTiling is not supported on current device.");
}

}  // namespace AscendC
