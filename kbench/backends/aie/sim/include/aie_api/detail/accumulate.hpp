// Weighted sums of vectors: out[l] = sum over i of coeff[coeff_start + i] * data_i[l].
#pragma once

#include <array>

#include "../../kb_aie/operand.h"

namespace kbaie {

template <class Tag, class A, class B>
using tag_or_product = std::conditional_t<std::is_same_v<Tag, accauto>, product_tag<A, B>, Tag>;

// Limits of a weighted sum.
template <class Coeff, class Data, unsigned Lanes>
constexpr bool weighs() {
    static_assert(Coeff::bits() <= 512, "aie::accumulate: coefficients are a vector of 512 bits at most");
    static_assert(Data::size() == Lanes, "aie::accumulate: the data have as many elements as there are lanes");
    return true;
}

// Floats of 32 bits are multiplied in pieces that the rounding mode cuts: those operations read it.
template <class T>
inline constexpr bool cut_in_pieces = std::is_same_v<typename element<T>::part, float>;

}  // namespace kbaie

namespace aie {

template <unsigned Lanes, class AccumTag = accauto, Vector VecCoeff, Vector VecData, Vector... NextVecData>
    requires(detail::SameVector<VecData, NextVecData> && ...)
KB_INLINE auto accumulate(const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                          const NextVecData &...next_data) {
    using C = detail::value_of_t<VecCoeff>;
    using D = detail::value_of_t<VecData>;
    using R = accum<kbaie::tag_or_product<AccumTag, typename C::value_type, typename D::value_type>, Lanes>;
    static_assert(kbaie::weighs<C, D, Lanes>());
    constexpr unsigned k = kbaie::kinds_of<R, C, D, D>();
    if constexpr (kbaie::cut_in_pieces<typename C::value_type>)
        return KB_CALL(R, raccumulate, k, kbaie::pass(coeff), kbaie::pass(data), kbaie::pass(next_data)...,
                       int(coeff_start));
    else
        return KB_CALL(R, accumulate, k, kbaie::pass(coeff), kbaie::pass(data), kbaie::pass(next_data)...,
                       int(coeff_start));
}

template <unsigned Lanes, Accum Acc, Vector VecCoeff, Vector VecData, Vector... NextVecData>
    requires((detail::SameVector<VecData, NextVecData> && ...) && Acc::size() == Lanes)
KB_INLINE Acc accumulate(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                         const NextVecData &...next_data) {
    using C = detail::value_of_t<VecCoeff>;
    using D = detail::value_of_t<VecData>;
    static_assert(kbaie::weighs<C, D, Lanes>());
    constexpr unsigned k = kbaie::kinds_of<Acc, Acc, C, D>();
    if constexpr (kbaie::cut_in_pieces<typename C::value_type>)
        return KB_CALL(Acc, raccumulate_mac, k, acc.lanes(), kbaie::pass(coeff), kbaie::pass(data),
                       kbaie::pass(next_data)..., int(coeff_start));
    else
        return KB_CALL(Acc, accumulate_mac, k, acc.lanes(), kbaie::pass(coeff), kbaie::pass(data),
                       kbaie::pass(next_data)..., int(coeff_start));
}

// The data in an array.
template <unsigned Lanes, class AccumTag = accauto, Vector VecCoeff, Vector VecData, size_t N>
    requires(N >= 1)
KB_INLINE auto accumulate(const VecCoeff &coeff, unsigned coeff_start, const std::array<VecData, N> &data) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
        return accumulate<Lanes, AccumTag>(coeff, coeff_start, data[I]...);
    }(std::make_index_sequence<N>());
}
template <unsigned Lanes, Accum Acc, Vector VecCoeff, Vector VecData, size_t N>
    requires(N >= 1 && Acc::size() == Lanes)
KB_INLINE auto accumulate(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start,
                          const std::array<VecData, N> &data) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
        return accumulate<Lanes>(acc, coeff, coeff_start, data[I]...);
    }(std::make_index_sequence<N>());
}

}  // namespace aie
