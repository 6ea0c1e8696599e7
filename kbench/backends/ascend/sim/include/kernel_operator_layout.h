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

template <typename T>
KB_API constexpr T kb_extent(T one) {
    return one;
}
template <typename... Ts>
KB_API constexpr auto kb_extent(const Std::tuple<Ts...>& shape) {
    return std::apply([](const auto&... part) { return (kb_extent(part) * ... * 1); }, shape);
}

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

// The place of a coordinate: the sum of its components by their strides. A component that stands for several axes is taken
// apart first, the axis that changes fastest first; the last axis takes what is left.
template <size_t axis = 0, typename C, typename S, typename D>
KB_API constexpr auto kb_place(const C& coord, const S& shape, const D& stride) {
    if constexpr (!kb_is_tuple<S>) {
        return coord * stride;
    } else if constexpr (kb_is_tuple<C>) {
        static_assert(Std::tuple_size<C>::value == Std::tuple_size<S>::value, "Shape and Coord Mismatched Ranks");
        static_assert(Std::tuple_size<D>::value == Std::tuple_size<S>::value, "Stride and Coord Mismatched Ranks");
        const auto mine = kb_place(Std::get<axis>(coord), Std::get<axis>(shape), Std::get<axis>(stride));
        if constexpr (axis + 1 == Std::tuple_size<S>::value) {
            return mine;
        } else {
            return mine + kb_place<axis + 1>(coord, shape, stride);
        }
    } else if constexpr (axis + 1 == Std::tuple_size<S>::value) {
        return kb_place(coord, Std::get<axis>(shape), Std::get<axis>(stride));
    } else {
        const auto extent = kb_extent(Std::get<axis>(shape));
        return kb_place(coord % extent, Std::get<axis>(shape), Std::get<axis>(stride)) +
               kb_place<axis + 1>(coord / extent, shape, stride);
    }
}

template <typename CoordType, typename ShapeType, typename StrideType>
KB_API constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape, const StrideType& stride) {
    return kb_place(coord, shape, stride);
}
template <typename CoordType, typename ShapeType, typename StrideType>
KB_API constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
    return kb_place(coord, layout.GetShape(), layout.GetStride());
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
