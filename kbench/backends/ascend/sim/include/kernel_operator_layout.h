// Shapes, strides and coordinates as tuples, and layouts made of a shape and strides.
#pragma once

#include <stddef.h>

#include "kb_view.h"
#include "utils/std/tuple.h"

namespace AscendC {

template <typename... Ts>
using Shape = Std::tuple<Ts...>;
template <typename... Ts>
using Stride = Std::tuple<Ts...>;
template <typename... Ts>
using Coord = Std::tuple<Ts...>;

template <typename... Ts>
KB_API constexpr Shape<Ts...> MakeShape(const Ts&... t) {
    return {t...};
}
template <typename... Ts>
KB_API constexpr Stride<Ts...> MakeStride(const Ts&... t) {
    return {t...};
}
template <typename... Ts>
KB_API constexpr Coord<Ts...> MakeCoord(const Ts&... t) {
    return {t...};
}

template <typename T>
inline constexpr bool kb_is_tuple = false;
template <typename... Ts>
inline constexpr bool kb_is_tuple<Std::tuple<Ts...>> = true;

template <typename T, typename U>
struct Layout : private Std::tuple<T, U> {
    static_assert(kb_is_tuple<T> && kb_is_tuple<U>, "Shape or Stride is not tuple!");

    KB_API constexpr Layout(const T& shape = {}, const U& stride = {}) : Std::tuple<T, U>(shape, stride) {}

    KB_API constexpr decltype(auto) layout() { return *this; }
    KB_API constexpr decltype(auto) layout() const { return *this; }

    // All of it, or the axes whose numbers are given.
    template <size_t... I>
    KB_API constexpr decltype(auto) GetShape() const {
        return axes<0, I...>();
    }
    template <size_t... I>
    KB_API constexpr decltype(auto) GetStride() const {
        return axes<1, I...>();
    }

private:
    template <size_t Part, size_t... I>
    KB_API constexpr decltype(auto) axes() const {
        const Std::tuple<T, U>& both = *this;
        if constexpr (sizeof...(I) == 0) {
            return (Std::get<Part>(both));
        } else {
            return Std::make_tuple(Std::get<I>(Std::get<Part>(both))...);
        }
    }
};

template <typename T, typename U>
KB_API constexpr Layout<T, U> MakeLayout(const T& shape, const U& stride) {
    return Layout<T, U>(shape, stride);
}

template <typename T>
struct is_layout {
    static constexpr bool value = false;
};
template <typename T, typename U>
struct is_layout<Layout<T, U>> {
    static constexpr bool value = true;
};
template <typename T>
inline constexpr bool is_layout_v = is_layout<T>::value;

}  // namespace AscendC
