// Whole numbers rounded to multiples, for kernels of the operator library; a divisor is never 0.
#pragma once

#include <type_traits>

#include "kernel_types.h"

namespace Ops::Base {

template <typename T>
KB_API constexpr T FloorDiv(T a, T b) {
    return a / b;
}

template <typename T>
KB_API constexpr T FloorAlign(T a, T b) {
    return a / b * b;
}

// Types of up to two bytes are rounded in uint32_t, others in uint64_t.
template <typename T>
KB_API constexpr T CeilDiv(T a, T b) {
    using Wide = std::conditional_t<sizeof(T) <= sizeof(uint16_t), uint32_t, uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) + static_cast<Wide>(b) - 1) / static_cast<Wide>(b));
}

template <typename T>
KB_API constexpr T CeilAlign(T a, T b) {
    return CeilDiv(a, b) * b;
}

}  // namespace Ops::Base
