// Printing from a kernel: bounded, into the report.
#pragma once

#include "kernel_tensor.h"

extern "C" {
void kbrt_printf(const char* format, ...);
[[noreturn]] void kbrt_assert(const char* condition, const char* format, ...);
void kbrt_dump(const void* data, uint64_t bytes, kb::Dtype dtype, uint32_t desc, uint32_t size, bool local);
}

namespace AscendC {

template <typename A>
KB_API auto kb_printf_argument(A value) {
    if constexpr (std::is_same_v<A, half> || std::is_same_v<A, bfloat16_t> || std::is_same_v<A, float>) {
        return static_cast<double>(static_cast<float>(value));
    } else {
        return value;
    }
}

template <typename... Args>
KB_API void PRINTF(const char* format, Args... args) {
    kbrt_printf(format, kb_printf_argument(args)...);
}

template <typename... Args>
KB_API void printf(const char* format, Args... args) {
    kbrt_printf(format, kb_printf_argument(args)...);
}

template <typename... Args>
KB_API void KbAssertFailed(const char* condition, const char* format = "", Args... args) {
    kbrt_assert(condition, format, kb_printf_argument(args)...);
}

template <typename T>
KB_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
    kbrt_dump(tensor.view().ptr, tensor.view().bytes, kb::dtype_of<T>(), desc, dumpSize, true);
}

template <typename T>
KB_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
    kbrt_dump(tensor.raw(), kb_element_bytes<T>(dumpSize), kb::dtype_of<T>(), desc, dumpSize, false);
}

// From element countOff on.
template <typename T>
KB_API void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize) {
    DumpTensor(tensor[countOff], index, dumpSize);
}

template <typename T>
KB_API void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize) {
    DumpTensor(tensor[countOff], index, dumpSize);
}

template <typename T>
KB_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo&) {
    DumpTensor(tensor, desc, dumpSize);
}

template <typename T>
KB_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo&) {
    DumpTensor(tensor, desc, dumpSize);
}

}  // namespace AscendC
