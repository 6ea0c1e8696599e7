// What crosses the line between the thin headers, compiled with the candidate, and the runtime, compiled once: plain
// values only, so that every wrapper passes its operands in registers.
#pragma once

#include <stdint.h>

#define KB_API __attribute__((always_inline, nodebug)) inline

namespace kb {

enum class Dtype : uint8_t {
    none, f16, bf16, f32, i8, u8, i16, u16, i32, u32, i64, u64, f64, i4, b8, c32, c64,
};

// Specialised for every element type: the plain ones below, half, bfloat16_t, int4b_t and complex in kernel_types.h.
template <class T>
inline constexpr Dtype dtype_v = Dtype::none;

template <> inline constexpr Dtype dtype_v<float> = Dtype::f32;
template <> inline constexpr Dtype dtype_v<double> = Dtype::f64;
template <> inline constexpr Dtype dtype_v<bool> = Dtype::b8;
template <> inline constexpr Dtype dtype_v<char> = Dtype::i8;
template <> inline constexpr Dtype dtype_v<int8_t> = Dtype::i8;
template <> inline constexpr Dtype dtype_v<uint8_t> = Dtype::u8;
template <> inline constexpr Dtype dtype_v<int16_t> = Dtype::i16;
template <> inline constexpr Dtype dtype_v<uint16_t> = Dtype::u16;
template <> inline constexpr Dtype dtype_v<int32_t> = Dtype::i32;
template <> inline constexpr Dtype dtype_v<uint32_t> = Dtype::u32;
template <> inline constexpr Dtype dtype_v<int64_t> = Dtype::i64;
template <> inline constexpr Dtype dtype_v<uint64_t> = Dtype::u64;
template <> inline constexpr Dtype dtype_v<long long> = Dtype::i64;
template <> inline constexpr Dtype dtype_v<unsigned long long> = Dtype::u64;

template <class T>
constexpr Dtype dtype_of() {
    return dtype_v<T>;
}

// A tensor as the runtime sees it. Sixteen bytes: two registers.
struct View {
    uint8_t* ptr;      // host address of the first element
    uint32_t bytes;    // from ptr to the end of the tensor
    uint8_t position;  // AscendC::TPosition
    Dtype dtype;
    uint16_t buffer;   // of a queue: its number plus one; else 0
};

}  // namespace kb

// The candidate reached a documented name that is not modelled.
extern "C" [[noreturn]] void kbrt_unsupported(const char* name);
// The same for one of the cube side: a kernel whose code still calls this after optimisation needs cube cores.
extern "C" [[noreturn]] void kbrt_cube(const char* name);
