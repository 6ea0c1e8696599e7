// Weighted sums of vectors: out[l] = sum over i of coeff[coeff_start + i] * data_i[l].
#pragma once

#include <array>

#include "../accum.hpp"

namespace kbaie {

template <class Tag, class A, class B>
using tag_or_product = std::conditional_t<std::is_same_v<Tag, accauto>, product_tag<A, B>, Tag>;

}  // namespace kbaie

namespace aie {

template <unsigned Lanes, class AccumTag = accauto, Vector VecCoeff, Vector VecData, Vector... NextVecData>
    requires(detail::SameVector<VecData, NextVecData> && ...)
KB_INLINE auto accumulate(const VecCoeff &coeff, unsigned coeff_start, const VecData &data, const NextVecData &...next_data) {
    using C = detail::element_type_t<VecCoeff>;
    using D = detail::element_type_t<VecData>;
    using result = accum<kbaie::tag_or_product<AccumTag, C, D>, Lanes>;
    static_assert(detail::value_of_t<VecData>::size() >= Lanes, "aie::accumulate: the data have as many elements as there are lanes");
    return result::from_lanes(kbaie::accumulate<typename result::lanes_type>(
        kbaie::kinds(kbaie::tag<typename result::value_type>::kind, kbaie::kind_of<C>, kbaie::kind_of<D>, kbaie::kind_of<D>),
        detail::value_of_t<VecCoeff>(coeff).lanes(), detail::value_of_t<VecData>(data).lanes(),
        detail::value_of_t<NextVecData>(next_data).lanes()..., int(coeff_start)));
}

template <unsigned Lanes, Accum Acc, Vector VecCoeff, Vector VecData, Vector... NextVecData>
    requires((detail::SameVector<VecData, NextVecData> && ...) && Acc::size() == Lanes)
KB_INLINE auto accumulate(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                          const NextVecData &...next_data) {
    using C = detail::element_type_t<VecCoeff>;
    using D = detail::element_type_t<VecData>;
    constexpr kbaie::Kind kind = kbaie::tag<typename Acc::value_type>::kind;
    static_assert(detail::value_of_t<VecData>::size() >= Lanes, "aie::accumulate: the data have as many elements as there are lanes");
    return Acc::from_lanes(kbaie::accumulate_mac<typename Acc::lanes_type>(
        kbaie::kinds(kind, kind, kbaie::kind_of<C>, kbaie::kind_of<D>), acc.lanes(), detail::value_of_t<VecCoeff>(coeff).lanes(),
        detail::value_of_t<VecData>(data).lanes(), detail::value_of_t<NextVecData>(next_data).lanes()..., int(coeff_start)));
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
KB_INLINE auto accumulate(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const std::array<VecData, N> &data) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
        return accumulate<Lanes>(acc, coeff, coeff_start, data[I]...);
    }(std::make_index_sequence<N>());
}

}  // namespace aie
