// Control of the scalar unit's data cache.
#pragma once

#include "kernel_tensor.h"

extern "C" {
// `what`: 0 cleans and invalidates the line of 64 bytes at `address`, 1 the whole cache, 2 loads a line.
void kbrt_cache(const void* address, uint8_t what);
}

namespace AscendC {

template <typename T, CacheLine entireType, DcciDst dcciDst>
KB_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    kbrt_cache(dst.raw(), entireType == CacheLine::ENTIRE_DATA_CACHE);
}

template <typename T, CacheLine entireType, DcciDst dcciDst>
KB_API void DataCacheCleanAndInvalid(const LocalTensor<T>& dst) {
    kbrt_cache(dst.view().ptr, entireType == CacheLine::ENTIRE_DATA_CACHE);
}

template <typename T, CacheLine entireType>
KB_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    kbrt_cache(dst.raw(), entireType == CacheLine::ENTIRE_DATA_CACHE);
}

template <typename T>
KB_API void DataCachePreload(const GlobalTensor<uint64_t>& src, const T) {
    kbrt_cache(src.raw(), 2);
}

KB_API void ICachePreLoad(const int64_t) {}

KB_API int64_t GetICachePreloadStatus() {
    return 0;
}

}  // namespace AscendC
