// Products into accumulators. Which element types go together, and into how many bits, is the device's.
#ifndef KB_AIE_MULTIPLY_H
#define KB_AIE_MULTIPLY_H

#include "arithmetic.h"

namespace aie {

namespace detail {

// The element types that a multiplier takes together.
template <class A, class B>
constexpr bool multiplies() {
    using a = kbaie::element<A>;
    using b = kbaie::element<B>;
    using pa = kbaie::element<typename a::part>;
    using pb = kbaie::element<typename b::part>;
    if constexpr (a::is_float || b::is_float)
        return a::is_float && b::is_float && pa::kind == pb::kind;
    else if constexpr (a::is_complex || b::is_complex)
        return pa::bits >= 16 && pb::bits >= 16;
    else if constexpr (b::bits == 4)
        return a::bits <= 8;
    else if constexpr (b::bits == 8)
        return a::bits <= 16;
    else if constexpr (b::bits == 16)
        return a::bits >= 8;
    else
        return a::bits >= 16;
}

// The accumulators that a product of these goes to: 4- and 8-bit ones have 32 bits, wider ones 64, products of 16 bits
// either; 16x8 as well.
template <class Tag, class A, class B>
constexpr bool multiplies_into() {
    using t = kbaie::tag<Tag>;
    constexpr unsigned a = kbaie::bits_of<typename kbaie::element<A>::part>,
                       b = kbaie::bits_of<typename kbaie::element<B>::part>;
    constexpr bool complex = kbaie::element<A>::is_complex || kbaie::element<B>::is_complex;
    if constexpr (t::is_float != kbaie::element<A>::is_float || t::is_complex != complex)
        return false;
    else if constexpr (t::is_float || complex)
        return true;
    else
        return t::bits == 32 ? a + b <= 32 : a >= 16 || b >= 16;
}

template <class A, class B>
concept MulOperands = (VectorOrOp<A> || VectorOrOp<B>) && (VectorOrOp<A> || ElemOrOp<A>) &&
                      (VectorOrOp<B> || ElemOrOp<B>) && multiplies<element_type_t<A>, element_type_t<B>>() &&
                      (!VectorOrOp<A> || !VectorOrOp<B> || op_traits<value_of_t<A>>::size() == op_traits<value_of_t<B>>::size());
template <class Acc, class A, class B>
concept MacOperands = AccumOrOp<Acc> && MulOperands<A, B> &&
                      multiplies_into<element_type_t<Acc>, element_type_t<A>, element_type_t<B>>();

template <class A, class B>
constexpr unsigned product_size() {
    if constexpr (VectorOrOp<A>)
        return op_traits<value_of_t<A>>::size();
    else
        return op_traits<value_of_t<B>>::size();
}

// The multiplier negates imaginary parts itself: bit 0 stands for the first factor's, bit 1 for the second's.
template <class A, class B>
constexpr int conjugated() {
    constexpr bool a = requires { requires A::operation == Operation::Conj; };
    constexpr bool b = requires { requires B::operation == Operation::Conj; };
    return a + 2 * b;
}

// Calls f with the operand's value, an op_sign's with the element type that it asks for; op_conj's as it is.
template <class X, class F>
KB_INLINE auto with_operand(const X &x, F f) {
    if constexpr (requires { requires X::operation == Operation::Sign; }) {
        using T = element_type_t<X>;
        using S = typename kbaie::signed_of<T>::type;
        using U = typename kbaie::unsigned_of<T>::type;
        auto parent = kbaie::value(x.parent1());
        if constexpr (is_vector_v<decltype(parent)>)
            return x.parent2() ? f(parent.template cast_to<S>()) : f(parent.template cast_to<U>());
        else
            return x.parent2() ? f(S(parent)) : f(U(parent));
    } else if constexpr (conjugated<X, X>()) {
        return f(acc_value(x.parent1()));
    } else if constexpr (is_op_v<X>) {
        return f(x());
    } else {
        return f(kbaie::value(x));
    }
}

// Floats of 32 bits are multiplied in pieces that the rounding mode cuts: those operations read it. The compiler's macros
// choose fewer products, and a cut by floor.
#if __AIE_ARCH__ == 20 && defined(AIE2_FP32_EMULATION_ACCURACY_LOW)
inline constexpr int float_products = 3;
#elif __AIE_ARCH__ == 20 && defined(AIE2_FP32_EMULATION_ACCURACY_FAST)
inline constexpr int float_products = 6;
#else
inline constexpr int float_products = 9;
#endif
#if __AIE_ARCH__ == 20 && defined(AIE2_FP32_EMULATION_SET_RND_MODE)
inline constexpr int emulation = float_products + 16;
#else
inline constexpr int emulation = float_products;
#endif
template <class A>
inline constexpr bool in_pieces = std::is_same_v<typename kbaie::element<element_type_t<A>>::part, float>;

#define KB_PRODUCT(function, op)                                                                                 \
    template <class R, class A, class B>                                                                         \
    KB_INLINE R function(const A &x, const B &y) {                                                               \
        return with_operand(x, [&y](const auto &a) KB_LAMBDA {                                                   \
            return with_operand(y, [&a](const auto &b) KB_LAMBDA {                                               \
                constexpr unsigned k = kbaie::kinds_of<R, std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>(); \
                constexpr int conj = conjugated<A, B>();                                                         \
                if constexpr (in_pieces<decltype(a)>)                                                            \
                    return KB_CALL(R, r##op, k, kbaie::pass(a), kbaie::pass(b), conj, emulation);                \
                else                                                                                             \
                    return KB_CALL(R, op, k, kbaie::pass(a), kbaie::pass(b), conj);                              \
            });                                                                                                  \
        });                                                                                                      \
    }
KB_PRODUCT(product, mul)
KB_PRODUCT(negated_product, negmul)
#undef KB_PRODUCT

#define KB_ACCUMULATION(function, op)                                                                            \
    template <class R, class A, class B>                                                                         \
    KB_INLINE R function(const R &acc, const A &x, const B &y) {                                                 \
        return with_operand(x, [&acc, &y](const auto &a) KB_LAMBDA {                                             \
            return with_operand(y, [&acc, &a](const auto &b) KB_LAMBDA {                                         \
                constexpr unsigned k =                                                                           \
                    kbaie::kinds_of<R, R, std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>();               \
                constexpr int conj = conjugated<A, B>();                                                         \
                if constexpr (in_pieces<decltype(a)>)                                                            \
                    return KB_CALL(R, r##op, k, acc.lanes(), kbaie::pass(a), kbaie::pass(b), conj, emulation);   \
                else                                                                                             \
                    return KB_CALL(R, op, k, acc.lanes(), kbaie::pass(a), kbaie::pass(b), conj);                 \
            });                                                                                                  \
        });                                                                                                      \
    }
KB_ACCUMULATION(accumulated, mac)
KB_ACCUMULATION(reduced, msc)
#undef KB_ACCUMULATION

template <class A, class B>
concept FloatScalars = Elem<A> && Elem<B> && std::is_same_v<value_of_t<A>, value_of_t<B>> &&
                       is_floating_point_v<value_of_t<A>> && !is_complex_v<value_of_t<A>>;

template <class Tag, class A, class B>
using product_accum = accum<Tag, product_size<A, B>()>;

}  // namespace detail

template <class Parent, Operation Op>
KB_INLINE auto unary_op<Parent, Op>::operator()() const {
    if constexpr (detail::is_op_v<Parent>)
        return unary_op<decltype(parent_()), Op>(parent_())();
    else if constexpr (Op == Operation::Abs)
        return aie::abs(parent_);
    else if constexpr (Op == Operation::Conj)
        return aie::conj(parent_);
    else if constexpr (Op == Operation::Acc_Sub)
        return aie::neg(parent_);
    else
        return kbaie::value(parent_);
}

template <class Parent1, class Parent2, Operation Op>
KB_INLINE auto binary_op<Parent1, Parent2, Op>::operator()() const {
    if constexpr (detail::is_op_v<Parent1>) {
        return binary_op<decltype(parent1_()), Parent2, Op>(parent1_(), parent2_)();
    } else if constexpr (Op == Operation::Max || Op == Operation::Min) {
        using R = detail::value_of_t<Parent1>;
        const R b = detail::acc_value(parent2_);
        if constexpr (Op == Operation::Max)
            return KB_CALL(R, max, (kbaie::kinds_of<R, R, R>()), kbaie::pass(parent1_), kbaie::pass(b));
        else
            return KB_CALL(R, min, (kbaie::kinds_of<R, R, R>()), kbaie::pass(parent1_), kbaie::pass(b));
    } else if constexpr (Op == Operation::Zero) {
        using R = detail::value_of_t<Parent1>;
        return parent2_ ? zeros<typename R::value_type, R::size()>() : R(parent1_);
    } else {
        return kbaie::value(parent1_);
    }
}

template <AccumElemBaseType Tag, class A, class B>
    requires(detail::MulOperands<A, B> && detail::multiplies_into<Tag, detail::element_type_t<A>, detail::element_type_t<B>>())
KB_INLINE auto mul(const A &a, const B &b) {
    return detail::product<detail::product_accum<Tag, A, B>>(a, b);
}
template <class A, class B>
    requires(detail::MulOperands<A, B>)
KB_INLINE auto mul(const A &a, const B &b) {
    return mul<kbaie::product_tag<detail::element_type_t<A>, detail::element_type_t<B>>>(a, b);
}
template <AccumElemBaseType Tag, class A, class B>
    requires(detail::MulOperands<A, B> && detail::multiplies_into<Tag, detail::element_type_t<A>, detail::element_type_t<B>>())
KB_INLINE auto negmul(const A &a, const B &b) {
    return detail::negated_product<detail::product_accum<Tag, A, B>>(a, b);
}
template <class A, class B>
    requires(detail::MulOperands<A, B>)
KB_INLINE auto negmul(const A &a, const B &b) {
    return negmul<kbaie::product_tag<detail::element_type_t<A>, detail::element_type_t<B>>>(a, b);
}

template <class Acc, class A, class B>
    requires(detail::MacOperands<Acc, A, B>)
KB_INLINE detail::value_of_t<Acc> mac(const Acc &acc, const A &a, const B &b) {
    static_assert(detail::value_of_t<Acc>::size() == detail::product_size<A, B>(), "mac takes as many lanes as elements");
    if constexpr (requires { requires Acc::operation == Operation::Zero; })
        return acc.parent2() ? detail::product<detail::value_of_t<Acc>>(a, b)
                             : detail::accumulated<detail::value_of_t<Acc>>(acc.parent1(), a, b);
    else
        return detail::accumulated<detail::value_of_t<Acc>>(detail::acc_value(acc), a, b);
}
template <class Acc, class A, class B>
    requires(detail::MacOperands<Acc, A, B>)
KB_INLINE detail::value_of_t<Acc> msc(const Acc &acc, const A &a, const B &b) {
    static_assert(detail::value_of_t<Acc>::size() == detail::product_size<A, B>(), "msc takes as many lanes as elements");
    if constexpr (requires { requires Acc::operation == Operation::Zero; })
        return acc.parent2() ? detail::negated_product<detail::value_of_t<Acc>>(a, b)
                             : detail::reduced<detail::value_of_t<Acc>>(acc.parent1(), a, b);
    else
        return detail::reduced<detail::value_of_t<Acc>>(detail::acc_value(acc), a, b);
}

template <AccumElemBaseType Tag, Vector V>
KB_INLINE auto mul_square(const V &v) {
    return mul<Tag>(v, v);
}
template <Vector V>
KB_INLINE auto mul_square(const V &v) {
    return mul(v, v);
}
template <AccumOrOp Acc, Vector V>
KB_INLINE auto mac_square(const Acc &acc, const V &v) {
    return mac(acc, v, v);
}
template <AccumOrOp Acc, Vector V>
KB_INLINE auto msc_square(const Acc &acc, const V &v) {
    return msc(acc, v, v);
}

// |v|² = v · conj(v), whose imaginary part is 0.
template <class TR = int32, ComplexVector V>
    requires(detail::IntegerVector<V> && (std::is_same_v<TR, int32> || std::is_same_v<TR, int16>))
KB_INLINE auto abs_square(const V &v, int shift = 0) {
    using T = detail::element_type_t<V>;
    using C = std::conditional_t<std::is_same_v<TR, int32>, cint32, cint16>;
    const auto x = kbaie::value(v);
    const auto squares = mul<cacc64>(x, op_conj(x)).template to_vector<C>(shift);
    using R = vector<TR, detail::value_of_t<V>::size()>;
    static_assert(kbaie::element<T>::is_complex);
    return KB_CALL(R, real, (kbaie::kinds_of<R, std::decay_t<decltype(squares)>>()), squares.lanes());
}
#if __AIE_ARCH__ == 20
template <unsigned Elems>
KB_INLINE auto abs_square(const vector<cfloat, Elems> &v) {
    const auto squares = mul(v, op_conj(v)).template to_vector<cfloat>();
    using R = vector<float, Elems>;
    return KB_CALL(R, real, (kbaie::kinds_of<R, vector<cfloat, Elems>>()), squares.lanes());
}
#endif
template <ComplexElem E>
KB_INLINE auto abs_square(const E &a) {
    const detail::value_of_t<E> x = a;
    return decltype(x.real)(x.real * x.real + x.imag * x.imag);
}

// --- between floating-point elements ---

template <class A, class B>
    requires(detail::FloatScalars<A, B>)
KB_INLINE float mul(const A &a, const B &b) {
    return float(kbaie::value(a)) * float(kbaie::value(b));
}
template <class A, class B>
    requires(detail::FloatScalars<A, B>)
KB_INLINE float mac(float c, const A &a, const B &b) {
    return c + mul(a, b);
}
template <class A, class B>
    requires(detail::FloatScalars<A, B>)
KB_INLINE float msc(float c, const A &a, const B &b) {
    return c - mul(a, b);
}

}  // namespace aie

#endif
