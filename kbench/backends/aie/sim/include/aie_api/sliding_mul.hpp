// Sliding multiplication: each lane is a sum of products of coefficients with data at steps from the lane's own start.
#pragma once

#include "detail/accumulate.hpp"

namespace kbaie {

// What a pattern may be: steps of 1 or 2, lanes as far apart as points; coefficients 2 apart only where a lane of the
// accumulator has 32 bits. With channels the steps are 1.
constexpr bool slides(int coeff_step, int step_x, int step_y, unsigned channels, unsigned lane_bits) {
    if (channels) return coeff_step == 1 && step_x == 1 && step_y == 1;
    const bool coefficients = coeff_step == 1 || (coeff_step == 2 && lane_bits == 32);
    return coefficients && (step_x == 1 || step_x == 2) && step_y == step_x;
}

// out[l] = sum over points p of coeff[coeff_start + p * CoeffStep] * data[data_start + l * DataStepY + p * DataStepX];
// with channels, lane l is output l / Channels of channel l % Channels. Indices wrap around the registers.
template <unsigned Lanes, unsigned Channels, unsigned Points, int CoeffStep, int DataStepX, int DataStepY,
          class CoeffType, class DataType, class AccumTag>
struct sliding {
    static_assert(is_element<CoeffType> && is_element<DataType>,
                  "aie::sliding_mul: this device has no vectors of these types");
    using tag = tag_or_product<AccumTag, CoeffType, DataType>;
    static_assert(slides(CoeffStep, DataStepX, DataStepY, Channels, kbaie::tag<tag>::bits),
                  "aie::sliding_mul: this device has no such steps");
    using accum_type = aie::accum<tag, Lanes>;
    using coeff_type = CoeffType;
    using data_type = DataType;
    static constexpr unsigned lanes = Lanes, points = Points;

    template <aie::Vector VecCoeff, aie::Vector VecData>
    KB_MEMBER static accum_type mul(const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                                    unsigned data_start) {
        return from(coeff, coeff_start, data, data_start, 0);
    }
    template <aie::Vector VecCoeff, aie::Vector VecData>
    KB_MEMBER static accum_type negmul(const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                                       unsigned data_start) {
        return from(coeff, coeff_start, data, data_start, 1);
    }
    template <aie::Accum Acc, aie::Vector VecCoeff, aie::Vector VecData>
    KB_MEMBER static accum_type mac(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                                    unsigned data_start) {
        check<VecCoeff, VecData>();
        const accum_type start = acc;
        constexpr unsigned k = kinds(kind, kind, kind_of<CoeffType>, kind_of<DataType>);
        if constexpr (cut_in_pieces<CoeffType>)
            return KB_CALL(accum_type, rsliding_mac, k, start.lanes(), pass(coeff), pass(data), int(Points),
                           int(coeff_start), CoeffStep, int(data_start), DataStepX, DataStepY, int(Channels), 0);
        else
            return KB_CALL(accum_type, sliding_mac, k, start.lanes(), pass(coeff), pass(data), int(Points),
                           int(coeff_start), CoeffStep, int(data_start), DataStepX, DataStepY, int(Channels), 0);
    }

private:
    static constexpr Kind kind = kbaie::tag<tag>::kind;

    template <class VecCoeff, class VecData>
    static constexpr void check() {
        using coeff_vector = aie::detail::value_of_t<VecCoeff>;
        using data_vector = aie::detail::value_of_t<VecData>;
        static_assert(std::is_same_v<typename coeff_vector::value_type, CoeffType> &&
                          std::is_same_v<typename data_vector::value_type, DataType>,
                      "aie::sliding_mul: the vectors have the types of the operation");
        static_assert(coeff_vector::bits() <= 512, "aie::sliding_mul: coefficients are a vector of 512 bits at most");
        static_assert(data_vector::bits() <= 1024, "aie::sliding_mul: data are a vector of 1024 bits at most");
    }
    template <class VecCoeff, class VecData>
    KB_MEMBER static accum_type from(const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                                     unsigned data_start, int minus) {
        check<VecCoeff, VecData>();
        constexpr unsigned k = kinds(kind, kind_of<CoeffType>, kind_of<DataType>, kind_of<DataType>);
        if constexpr (cut_in_pieces<CoeffType>)
            return KB_CALL(accum_type, rsliding_mul, k, pass(coeff), pass(data), int(Points), int(coeff_start),
                           CoeffStep, int(data_start), DataStepX, DataStepY, int(Channels), minus);
        else
            return KB_CALL(accum_type, sliding_mul, k, pass(coeff), pass(data), int(Points), int(coeff_start),
                           CoeffStep, int(data_start), DataStepX, DataStepY, int(Channels), minus);
    }
};

// With channels, 8-bit types accumulate in 32 bits and others in 64.
template <class Tag, class C, class D>
using channel_tag = std::conditional_t<std::is_same_v<Tag, accauto>,
                                       std::conditional_t<bits_of<C> == 8 && bits_of<D> == 8, acc32, acc64>, Tag>;

}  // namespace kbaie

namespace aie {

template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, class CoeffType, class DataType,
          class AccumTag = accauto>
struct sliding_mul_ops
    : kbaie::sliding<Lanes, 0, Points, CoeffStep, DataStepX, DataStepY, CoeffType, DataType, AccumTag> {};

template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_x_ops = sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, 1, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepY, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_y_ops = sliding_mul_ops<Lanes, Points, CoeffStep, 1, DataStepY, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepXY, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_xy_ops =
    sliding_mul_ops<Lanes, Points, CoeffStep, DataStepXY, DataStepXY, CoeffType, DataType, AccumTag>;

template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep, int DataStepX, int DataStepY,
          class CoeffType, class DataType, class AccumTag = accauto>
struct sliding_mul_ch_ops : kbaie::sliding<Outputs * Channels, Channels, Points, CoeffStep, DataStepX, DataStepY,
                                           CoeffType, DataType, kbaie::channel_tag<AccumTag, CoeffType, DataType>> {};

template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep, int DataStepX, class CoeffType,
          class DataType, class AccumTag = accauto>
using sliding_mul_ch_x_ops =
    sliding_mul_ch_ops<Outputs, Channels, Points, CoeffStep, DataStepX, 1, CoeffType, DataType, AccumTag>;
template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep, int DataStepY, class CoeffType,
          class DataType, class AccumTag = accauto>
using sliding_mul_ch_y_ops =
    sliding_mul_ch_ops<Outputs, Channels, Points, CoeffStep, 1, DataStepY, CoeffType, DataType, AccumTag>;
template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep, int DataStep, class CoeffType,
          class DataType, class AccumTag = accauto>
using sliding_mul_ch_xy_ops =
    sliding_mul_ch_ops<Outputs, Channels, Points, CoeffStep, DataStep, DataStep, CoeffType, DataType, AccumTag>;

template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX,
          class AccumTag = accauto, Vector VecCoeff, Vector VecData>
KB_INLINE auto sliding_mul(const VecCoeff &coeff, unsigned coeff_start, const VecData &data, unsigned data_start) {
    return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, detail::element_type_t<VecCoeff>,
                           detail::element_type_t<VecData>, AccumTag>::mul(coeff, coeff_start, data, data_start);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, Accum Acc,
          Vector VecCoeff, Vector VecData>
KB_INLINE auto sliding_mac(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                           unsigned data_start) {
    return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, detail::element_type_t<VecCoeff>,
                           detail::element_type_t<VecData>, typename Acc::value_type>::mac(acc, coeff, coeff_start,
                                                                                           data, data_start);
}
template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep = 1, int DataStepX = 1,
          int DataStepY = DataStepX, class AccumTag = accauto, Vector VecCoeff, Vector VecData>
KB_INLINE auto sliding_mul_ch(const VecCoeff &coeff, unsigned coeff_start, const VecData &data, unsigned data_start) {
    return sliding_mul_ch_ops<Outputs, Channels, Points, CoeffStep, DataStepX, DataStepY,
                              detail::element_type_t<VecCoeff>, detail::element_type_t<VecData>,
                              AccumTag>::mul(coeff, coeff_start, data, data_start);
}
template <unsigned Outputs, unsigned Channels, unsigned Points, int CoeffStep = 1, int DataStepX = 1,
          int DataStepY = DataStepX, Accum Acc, Vector VecCoeff, Vector VecData>
KB_INLINE auto sliding_mac_ch(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,
                              unsigned data_start) {
    return sliding_mul_ch_ops<Outputs, Channels, Points, CoeffStep, DataStepX, DataStepY,
                              detail::element_type_t<VecCoeff>, detail::element_type_t<VecData>,
                              typename Acc::value_type>::mac(acc, coeff, coeff_start, data, data_start);
}

// Patterns with symmetric coefficients, which both devices emulate: declared, not modelled.
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, class CoeffType, class DataType,
          class AccumTag = accauto>
struct sliding_mul_sym_ops {
    using accum_type = accum<kbaie::tag_or_product<AccumTag, CoeffType, DataType>, Lanes>;
#define KB_SYMMETRIC(name)                                                                                   \
    template <class... A>                                                                                    \
    KB_MEMBER static accum_type name(const A &...) {                                                         \
        return accum_type::from_lanes(kbaie::sliding_mul_sym<typename accum_type::lanes_type>(kbaie::kinds(   \
            kbaie::tag<typename accum_type::value_type>::kind)));                                            \
    }
    KB_SYMMETRIC(mul_sym)
    KB_SYMMETRIC(mac_sym)
    KB_SYMMETRIC(mul_antisym)
    KB_SYMMETRIC(mac_antisym)
#undef KB_SYMMETRIC
};
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_sym_x_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepX, 1, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepY, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_sym_y_ops = sliding_mul_sym_ops<Lanes, Points, CoeffStep, 1, DataStepY, CoeffType, DataType, AccumTag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepXY, class CoeffType, class DataType,
          class AccumTag = accauto>
using sliding_mul_sym_xy_ops =
    sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepXY, DataStepXY, CoeffType, DataType, AccumTag>;

#define KB_SYMMETRIC(name, member)                                                                              \
    template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, \
              class AccumTag = accauto, Vector VecCoeff, Vector VecData, class... More>                         \
    KB_INLINE auto name(const VecCoeff &coeff, unsigned coeff_start, const VecData &data, const More &...) {    \
        return sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, detail::element_type_t<VecCoeff>, \
                                   detail::element_type_t<VecData>, AccumTag>::member(coeff, coeff_start, data); \
    }
KB_SYMMETRIC(sliding_mul_sym, mul_sym)
KB_SYMMETRIC(sliding_mul_antisym, mul_antisym)
#undef KB_SYMMETRIC
#define KB_SYMMETRIC(name, member)                                                                              \
    template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = DataStepX, \
              Accum Acc, Vector VecCoeff, Vector VecData, class... More>                                        \
    KB_INLINE auto name(const Acc &acc, const VecCoeff &coeff, unsigned coeff_start, const VecData &data,       \
                        const More &...) {                                                                      \
        return sliding_mul_sym_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, detail::element_type_t<VecCoeff>, \
                                   detail::element_type_t<VecData>, typename Acc::value_type>::member(acc, coeff, \
                                                                                                     coeff_start, data); \
    }
KB_SYMMETRIC(sliding_mac_sym, mac_sym)
KB_SYMMETRIC(sliding_mac_antisym, mac_antisym)
#undef KB_SYMMETRIC

}  // namespace aie
