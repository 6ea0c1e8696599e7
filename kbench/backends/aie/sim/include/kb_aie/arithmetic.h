// Addition and its relatives. Integers wrap; sums of bfloat16 are made in float and rounded as the mode says.
#ifndef KB_AIE_ARITHMETIC_H
#define KB_AIE_ARITHMETIC_H

#include "../aie_api/expr.hpp"
#include "create.h"

namespace aie {

namespace detail {

template <class T>
inline constexpr bool rounds_v = kbaie::is_element<T> && std::is_same_v<typename kbaie::element<T>::part, bfloat16>;

template <class R>
inline constexpr bool nibbles_v = kbaie::is_element<element_type_t<R>> && kbaie::element<element_type_t<R>>::bits == 4;

// 4-bit numbers are added in 8 bits and packed again, which saturates where the mode says so.
template <class X>
KB_INLINE auto in_bytes(const X &x) {
    if constexpr (Vector<X>)
        return kbaie::value(x).unpack();
    else
        return typename kbaie::element<value_of_t<X>>::next(kbaie::value(x));
}

template <class R, class A, class B>
KB_INLINE R sum(const A &a, const B &b) {
    constexpr unsigned k = kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>();
    if constexpr (nibbles_v<R>)
        return sum<decltype(R().unpack())>(in_bytes(a), in_bytes(b)).pack();
    else if constexpr (rounds_v<element_type_t<R>>)
        return KB_CALL(R, radd, k, kbaie::pass(a), kbaie::pass(b));
    else
        return KB_CALL(R, add, k, kbaie::pass(a), kbaie::pass(b));
}
template <class R, class A, class B>
KB_INLINE R difference(const A &a, const B &b) {
    constexpr unsigned k = kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>();
    if constexpr (nibbles_v<R>)
        return difference<decltype(R().unpack())>(in_bytes(a), in_bytes(b)).pack();
    else if constexpr (rounds_v<element_type_t<R>>)
        return KB_CALL(R, rsub, k, kbaie::pass(a), kbaie::pass(b));
    else
        return KB_CALL(R, sub, k, kbaie::pass(a), kbaie::pass(b));
}
template <class R, class A, class B>
KB_INLINE R saturated_sum(const A &a, const B &b) {
    return KB_CALL(R, saturating_add, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a),
                   kbaie::pass(b));
}
template <class R, class A, class B>
KB_INLINE R saturated_difference(const A &a, const B &b) {
    return KB_CALL(R, saturating_sub, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a),
                   kbaie::pass(b));
}

}  // namespace detail

// The forms of an operation on two operands: two vectors, an element and a vector, and of most a vector and an element.
// `limit` says which vectors.
#define KB_TWO_FORMS(name, limit, function)                                   \
    template <class A, class B>                                               \
        requires(detail::SameVector<A, B> && limit<A>)                        \
    KB_INLINE detail::value_of_t<A> name(const A &a, const B &b) {            \
        return function<detail::value_of_t<A>>(a, b);                         \
    }                                                                         \
    template <class E, class V>                                               \
        requires(detail::ElemOf<E, V> && limit<V>)                            \
    KB_INLINE detail::value_of_t<V> name(const E &a, const V &v) {            \
        return function<detail::value_of_t<V>>(a, v);                         \
    }
#define KB_THREE_FORMS(name, limit, function)                                 \
    KB_TWO_FORMS(name, limit, function)                                       \
    template <class V, class E>                                               \
        requires(detail::ElemOf<E, V> && limit<V>)                            \
    KB_INLINE detail::value_of_t<V> name(const V &v, const E &a) {            \
        return function<detail::value_of_t<V>>(v, a);                         \
    }

KB_THREE_FORMS(add, Vector, detail::sum)
KB_THREE_FORMS(sub, Vector, detail::difference)
KB_THREE_FORMS(saturating_add, detail::IntegerVector, detail::saturated_sum)
KB_THREE_FORMS(saturating_sub, detail::IntegerVector, detail::saturated_difference)

// --- absolute value, sign, conjugate ---

template <Vector V>
KB_INLINE detail::value_of_t<V> neg(const V &v) {
    using R = detail::value_of_t<V>;
    if constexpr (detail::nibbles_v<R> && R::is_signed())
        return neg(kbaie::value(v).unpack()).pack();
    else if constexpr (R::is_signed())
        return KB_CALL(R, neg, (kbaie::kinds_of<R, R>()), kbaie::pass(v));
    else
        return v;  // documented: unsigned values stay
}
template <Accum A>
KB_INLINE A neg(const A &acc) {
    return KB_CALL(A, neg, (kbaie::kinds_of<A, A>()), acc.lanes());
}
template <Elem E>
KB_INLINE detail::value_of_t<E> neg(const E &a) {
    if constexpr (std::is_unsigned_v<detail::value_of_t<E>>)
        return a;
    else
        return detail::value_of_t<E>(-kbaie::value(a));
}

template <RealVector V>
KB_INLINE detail::value_of_t<V> abs(const V &v) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, abs, (kbaie::kinds_of<R, R>()), kbaie::pass(v));
}
template <RealElem E>
KB_INLINE detail::value_of_t<E> abs(const E &a) {
    using T = detail::value_of_t<E>;
    const T x = a;
    if constexpr (std::is_same_v<T, bfloat16>)
        return __builtin_bit_cast(bfloat16, uint16_t(__builtin_bit_cast(uint16_t, x) & 0x7FFF));
    else if constexpr (std::is_same_v<T, float>)
        return __builtin_fabsf(x);
    else
        return x < T(0) ? T(0 - unsigned(x)) : x;
}

template <ComplexVector V>
KB_INLINE detail::value_of_t<V> conj(const V &v) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, conj, (kbaie::kinds_of<R, R>()), kbaie::pass(v));
}
template <ComplexElem E>
KB_INLINE detail::value_of_t<E> conj(const E &a) {
    const detail::value_of_t<E> x = a;
    return {x.real, decltype(x.imag)(-x.imag)};
}

// --- accumulators ---

namespace detail {
template <class T>
KB_INLINE auto acc_value(const T &x) {
    if constexpr (is_op_v<T>)
        return x();
    else
        return value_of_t<T>(x);
}
}  // namespace detail

template <AccumOrOp A, AccumOrOp B>
    requires(std::is_same_v<detail::value_of_t<A>, detail::value_of_t<B>>)
KB_INLINE detail::value_of_t<A> add(const A &a, const B &b) {
    return detail::sum<detail::value_of_t<A>>(detail::acc_value(a), detail::acc_value(b));
}
template <AccumOrOp A, Vector V>
    requires(A::size() == detail::value_of_t<V>::size())
KB_INLINE detail::value_of_t<A> add(const A &a, const V &v) {
    using R = detail::value_of_t<A>;
    return detail::sum<R>(detail::acc_value(a), R(kbaie::value(v)));
}
template <AccumOrOp A, Elem E>
KB_INLINE detail::value_of_t<A> add(const A &a, const E &e) {
    using R = detail::value_of_t<A>;
    return detail::sum<R>(detail::acc_value(a), R(broadcast<detail::value_of_t<E>, R::size()>(e)));
}
template <AccumOrOp A, AccumOrOp B>
    requires(std::is_same_v<detail::value_of_t<A>, detail::value_of_t<B>>)
KB_INLINE detail::value_of_t<A> sub(const A &a, const B &b) {
    return detail::difference<detail::value_of_t<A>>(detail::acc_value(a), detail::acc_value(b));
}
template <AccumOrOp A, Vector V>
    requires(A::size() == detail::value_of_t<V>::size())
KB_INLINE detail::value_of_t<A> sub(const A &a, const V &v) {
    using R = detail::value_of_t<A>;
    return detail::difference<R>(detail::acc_value(a), R(kbaie::value(v)));
}
template <AccumOrOp A, Elem E>
KB_INLINE detail::value_of_t<A> sub(const A &a, const E &e) {
    using R = detail::value_of_t<A>;
    return detail::difference<R>(detail::acc_value(a), R(broadcast<detail::value_of_t<E>, R::size()>(e)));
}

}  // namespace aie

#endif
