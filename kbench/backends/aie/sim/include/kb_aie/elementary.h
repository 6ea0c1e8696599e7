// inv, invsqrt, sqrt, division, and on npu2 tanh and exp2. inv and invsqrt of vectors are approximations that start from the
// number's bits and refine once; those of a float are exact to the last place, on npu2 also element by element of a vector.
#ifndef KB_AIE_ELEMENTARY_H
#define KB_AIE_ELEMENTARY_H

#include "multiply.h"

namespace aie {

namespace detail {
template <class V>
concept RealFloatVector = RealVector<V> && is_floating_point_v<element_type_t<V>>;
}

// Further operands of the operation: how floats are multiplied, and whether it is exact.
#define KB_ELEMENTARY(name)                                                                                     \
    template <detail::RealFloatVector V>                                                                        \
    KB_INLINE detail::value_of_t<V> name(const V &v) {                                                          \
        using R = detail::value_of_t<V>;                                                                        \
        constexpr bool exact = __AIE_ARCH__ == 21 && std::is_same_v<detail::element_type_t<V>, float>;          \
        return KB_CALL(R, name, (kbaie::kinds_of<R, R>()), kbaie::pass(v), detail::emulation, int(exact));      \
    }                                                                                                           \
    template <RealElem E>                                                                                       \
    KB_INLINE auto name(const E &a) {                                                                           \
        using T = detail::value_of_t<E>;                                                                        \
        using R = std::conditional_t<detail::is_floating_point_v<T>, T, float>;                                 \
        constexpr bool exact = std::is_same_v<R, float>;                                                        \
        return kbaie::from_scalar<R>(kbaie::name<kbaie::scalar<R>>(                                             \
            kbaie::kinds_of<R, R>(), kbaie::to_scalar(R(kbaie::value(a))), detail::emulation, int(exact)));     \
    }
KB_ELEMENTARY(inv)
KB_ELEMENTARY(invsqrt)
KB_ELEMENTARY(sqrt)
#undef KB_ELEMENTARY

// a · inv(b), in an accumulator.
template <Vector A, detail::RealFloatVector B>
    requires(detail::value_of_t<A>::size() == detail::value_of_t<B>::size())
KB_INLINE auto div(const A &a, const B &b) {
    return mul(a, inv(b));
}
template <Vector A, RealElem E>
    requires(detail::is_floating_point_v<detail::element_type_t<A>> && detail::is_floating_point_v<detail::value_of_t<E>>)
KB_INLINE auto div(const A &a, const E &b) {
    return mul(a, inv(b));
}
KB_INLINE float div(float a, float b) { return a / b; }

// By complex numbers: on npu1, and not modelled.
#if __AIE_ARCH__ == 20
template <ComplexVector V, class B>
    requires((detail::SameVector<V, B> || detail::ElemOf<B, V>) && detail::is_floating_point_v<detail::element_type_t<V>>)
KB_INLINE auto div(const V &a, const B &b) {
    using R = accum<caccfloat, detail::value_of_t<V>::size()>;
    return KB_CALL(R, complex_div, (kbaie::kinds_of<R, detail::value_of_t<V>, detail::value_of_t<B>>()), kbaie::pass(a),
                   kbaie::pass(b));
}
template <ComplexElem E>
KB_INLINE auto inv(const E &a) {
    using T = detail::value_of_t<E>;
    return kbaie::from_scalar<T>(kbaie::complex_inv<kbaie::scalar<T>>(kbaie::kinds_of<T, T>(), kbaie::pass(a)));
}
#endif

// The unit for non-linear functions came with the second architecture.
#if __AIE_ARCH__ == 21
#define KB_NONLINEAR(name)                                                                        \
    template <class TR = bfloat16, unsigned Elems>                                                \
        requires(std::is_same_v<TR, bfloat16>)                                                    \
    KB_INLINE vector<TR, Elems> name(const vector<float, Elems> &v) {                             \
        using R = vector<TR, Elems>;                                                              \
        return KB_CALL(R, name, (kbaie::kinds_of<R, vector<float, Elems>>()), v.lanes());         \
    }
#else
#define KB_NONLINEAR(name)                                                                        \
    template <class TR = bfloat16, unsigned Elems>                                                \
    vector<TR, Elems> name(const vector<float, Elems> &) {                                        \
        static_assert(kbaie::never<TR>, "aie::" #name " of a vector is npu2's (AIE2P); npu1 does not have it"); \
    }
#endif
KB_NONLINEAR(tanh)
KB_NONLINEAR(exp2)
#undef KB_NONLINEAR

#define KB_FIRST_GENERATION(name)                                                                              \
    template <class T>                                                                                         \
    auto name(const T &) {                                                                                     \
        static_assert(kbaie::never<T>, "aie::" #name " is the first generation's (AIE1); this device does not have it"); \
    }
KB_FIRST_GENERATION(sin)
KB_FIRST_GENERATION(cos)
KB_FIRST_GENERATION(sincos)
KB_FIRST_GENERATION(sincos_complex)
#undef KB_FIRST_GENERATION

}  // namespace aie

#endif
