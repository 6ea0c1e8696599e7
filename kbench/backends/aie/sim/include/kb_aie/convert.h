// Between vectors of other types, between fixed and floating point.
#ifndef KB_AIE_CONVERT_H
#define KB_AIE_CONVERT_H

#include "multiply.h"

namespace aie {

template <VectorOrOp V, class T2 = typename kbaie::element<detail::element_type_t<V>>::next>
KB_INLINE auto unpack(const V &v) {
    if constexpr (requires { requires V::operation == Operation::Sign; })
        return v.parent1().template unpack_sign<T2>(v.parent2());
    else
        return detail::acc_value(v).template unpack<T2>();
}
template <VectorOrOp V, class T2 = typename kbaie::element<detail::element_type_t<V>>::prev>
KB_INLINE auto pack(const V &v) {
    if constexpr (requires { requires V::operation == Operation::Sign; })
        return v.parent1().template pack_sign<T2>(v.parent2());
    else
        return detail::acc_value(v).template pack<T2>();
}

template <class TR, AccumOrOp A>
KB_INLINE auto to_vector(const A &acc, int shift = 0) {
    return detail::acc_value(acc).template to_vector<TR>(shift);
}
template <AccumElemBaseType Tag, VectorOrOp V>
KB_INLINE auto from_vector(const V &v, int shift = 0) {
    using R = accum<Tag, detail::op_traits<detail::value_of_t<V>>::size()>;
    R r;
    if constexpr (requires { requires V::operation == Operation::Sign; })
        r.from_vector_sign(v.parent1(), v.parent2(), shift);
    else
        r.from_vector(detail::acc_value(v), shift);
    return r;
}

// --- fixed point ---

namespace detail {
template <class T>
concept Fixed = kbaie::is_element<T> && kbaie::element<T>::family == kbaie::Family::integer;
template <class T>
concept Narrow = Fixed<T> && kbaie::bits_of<T> >= 8;
}  // namespace detail

// The nearest integer to v · 2^shift, half way towards zero, within TR's range; of bfloat16 into 16 and 32 bits the floor.
template <class TR = int32, unsigned Elems>
    requires(detail::Fixed<TR>)
KB_INLINE auto to_fixed(const vector<float, Elems> &v, int shift = 0) {
    using R = vector<TR, Elems>;
    return KB_CALL(R, to_fixed, (kbaie::kinds_of<R, vector<float, Elems>>()), v.lanes(), shift);
}
template <class TR = int32, unsigned Elems>
    requires(detail::Fixed<TR>)
KB_INLINE auto to_fixed(const vector<bfloat16, Elems> &v, int shift = 0) {
    using R = vector<TR, Elems>;
    return KB_CALL(R, to_fixed, (kbaie::kinds_of<R, vector<bfloat16, Elems>>()), v.lanes(), shift);
}
template <class TR = int32>
    requires(std::is_same_v<TR, int8> || std::is_same_v<TR, int16> || std::is_same_v<TR, int32>)
KB_INLINE TR to_fixed(float a, int shift = 0) {
    return kbaie::from_scalar<TR>(kbaie::to_fixed<int>(kbaie::kinds_of<TR, float>(), a, shift));
}
#if __AIE_ARCH__ == 20
template <class TR = cint32, unsigned Elems>
    requires(std::is_same_v<TR, cint16> || std::is_same_v<TR, cint32>)
KB_INLINE auto to_fixed(const vector<cfloat, Elems> &v, int shift = 0) {
    using R = vector<TR, Elems>;
    return KB_CALL(R, to_fixed, (kbaie::kinds_of<R, vector<cfloat, Elems>>()), v.lanes(), shift);
}
template <class TR = cint32>
    requires(std::is_same_v<TR, cint16> || std::is_same_v<TR, cint32>)
KB_INLINE TR to_fixed(cfloat a, int shift = 0) {
    using P = typename kbaie::element<TR>::part;
    return {to_fixed<P>(a.real, shift), to_fixed<P>(a.imag, shift)};
}
#endif

// v · 2^-shift.
template <class TR = float, VectorOrOp V>
    requires(detail::Fixed<detail::element_type_t<V>> && (std::is_same_v<TR, float> || std::is_same_v<TR, bfloat16>))
KB_INLINE auto to_float(const V &v, int shift = 0) {
    using R = vector<float, detail::op_traits<detail::value_of_t<V>>::size()>;
    const R r = detail::with_operand(v, [shift](const auto &x) KB_LAMBDA {
        return KB_CALL(R, to_float, (kbaie::kinds_of<R, std::decay_t<decltype(x)>>()), x.lanes(), shift);
    });
    if constexpr (std::is_same_v<TR, float>)
        return r;
    else
        return accum<accfloat, R::size()>(r).template to_vector<TR>();
}
template <class TR = float, Accum A>
    requires(std::is_same_v<TR, float> && !A::is_complex() && !A::is_floating_point())
KB_INLINE auto to_float(const A &acc, int shift = 0) {
    using R = vector<float, A::size()>;
    return KB_CALL(R, to_float, (kbaie::kinds_of<R, A>()), acc.lanes(), shift);
}
template <class TR = float>
KB_INLINE TR to_float(int a, int shift = 0) {
    return TR(kbaie::to_float<float>(kbaie::kinds_of<float, int32>(), a, shift));
}
#if __AIE_ARCH__ == 20
template <class TR = cfloat, class T, unsigned Elems>
    requires(std::is_same_v<T, cint16> || std::is_same_v<T, cint32>)
KB_INLINE auto to_float(const vector<T, Elems> &v, int shift = 0) {
    using R = vector<TR, Elems>;
    return KB_CALL(R, to_float, (kbaie::kinds_of<R, vector<T, Elems>>()), v.lanes(), shift);
}
#endif

}  // namespace aie

#endif
