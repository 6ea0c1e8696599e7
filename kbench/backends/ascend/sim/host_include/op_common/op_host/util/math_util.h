// Whole numbers rounded to multiples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Ops::Base {

// Division by 0 gives the dividend, alignment to 0 gives 0.
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
T FloorDiv(T x, T y) {
    return y == 0 ? x : x / y;
}

template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
T FloorAlign(T x, T align) {
    return align == 0 ? 0 : x / align * align;
}

template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
T CeilDiv(T x, T y) {
    if (y == 0) return x;
    const bool up = x % y != 0 && (x < 0) == (y < 0);
    return x / y + (up ? 1 : 0);
}

// The largest number of the type where the multiple does not fit.
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
T CeilAlign(T x, T align) {
    if (align == 0) return 0;
    const T units = CeilDiv(x, align);
    return units > std::numeric_limits<T>::max() / align ? std::numeric_limits<T>::max() : units * align;
}

// Equal within one epsilon; infinities by their sign, NaN never.
template <typename T, typename = std::enable_if_t<std::is_floating_point_v<T>>>
bool IsFloatEqual(T a, T b) {
    if (std::isinf(a) || std::isinf(b)) return std::isinf(a) && std::isinf(b) && std::signbit(a) == std::signbit(b);
    return std::fabs(a - b) <= std::numeric_limits<T>::epsilon();
}

}  // namespace Ops::Base
