// Cache control. Memory is coherent here: these are counted and do nothing else.
#pragma once

#include "kernel_tensor.h"

extern "C" {
void kbrt_cache(const void* address);
}

namespace AscendC {

template <typename T, CacheLine entireType, DcciDst dcciDst>
KB_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    kbrt_cache(dst.raw());
}

template <typename T, CacheLine entireType, DcciDst dcciDst>
KB_API void DataCacheCleanAndInvalid(const LocalTensor<T>& dst) {
    kbrt_cache(dst.view().ptr);
}

template <typename T, CacheLine entireType>
KB_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    kbrt_cache(dst.raw());
}

template <typename T>
KB_API void DataCachePreload(const GlobalTensor<uint64_t>& src, const T) {
    kbrt_cache(src.raw());
}

KB_API void ICachePreLoad(const int64_t) {}

KB_API int64_t GetICachePreloadStatus() {
    return 0;
}

}  // namespace AscendC
