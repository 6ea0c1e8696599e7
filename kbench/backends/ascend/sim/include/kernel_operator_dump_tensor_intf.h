// Printing from a kernel: bounded, into the report.
#pragma once

#include "kernel_tensor.h"

namespace kb {

enum class PrintKind : uint32_t { word, wide, real, text, pointer, other };

// An argument of printf: an integer, a double or an address, by its kind.
struct PrintArgument {
    uint64_t bits;
    PrintKind kind;
};

template <class A>
KB_API PrintArgument print_argument(A value) {
    if constexpr (std::is_same_v<A, half> || std::is_same_v<A, bfloat16_t> || std::is_same_v<A, float> || std::is_same_v<A, double>) {
        return {__builtin_bit_cast(uint64_t, static_cast<double>(value)), PrintKind::real};
    } else if constexpr (std::is_same_v<A, const char*> || std::is_same_v<A, char*>) {
        return {reinterpret_cast<uint64_t>(value), PrintKind::text};
    } else if constexpr (__is_pointer(A)) {
        return {reinterpret_cast<uint64_t>(value), PrintKind::pointer};
    } else if constexpr (__is_integral(A) || __is_enum(A)) {
        return {static_cast<uint64_t>(value), sizeof(A) == 8 ? PrintKind::wide : PrintKind::word};
    } else {
        return {0, PrintKind::other};
    }
}

}  // namespace kb

extern "C" {
void kbrt_printf(const char* format, const kb::PrintArgument* given, uint32_t count);
[[noreturn]] void kbrt_assert(const char* condition, const char* format, const kb::PrintArgument* given, uint32_t count);
void kbrt_dump(const void* data, uint64_t bytes, kb::Dtype dtype, uint32_t desc, uint32_t size, bool local);
}

namespace AscendC {

template <typename... Args>
KB_API void PRINTF(const char* format, Args... args) {
    const kb::PrintArgument given[] = {kb::print_argument(args)..., {}};
    kbrt_printf(format, given, sizeof...(Args));
}

template <typename... Args>
KB_API void printf(const char* format, Args... args) {
    PRINTF(format, args...);
}

template <typename... Args>
KB_API void KbAssertFailed(const char* condition, const char* format = "", Args... args) {
    const kb::PrintArgument given[] = {kb::print_argument(args)..., {}};
    kbrt_assert(condition, format, given, sizeof...(Args));
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
