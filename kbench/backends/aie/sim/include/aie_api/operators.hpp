// Operators on vectors and accumulators, for kernels that say `using namespace aie::operators`.
#pragma once

#include "aie.hpp"

namespace aie::operators {

template <class A, class B>
concept RegisterOperands = Vector<A> || Vector<B> || AccumOrOp<A> || AccumOrOp<B>;

#define KB_OPERATOR(op, function)                                                                                 \
    template <class A, class B>                                                                                   \
        requires(RegisterOperands<A, B> && requires(const A &a, const B &b) { function(a, b); })                  \
    KB_INLINE auto operator op(const A &a, const B &b) {                                                          \
        return function(a, b);                                                                                    \
    }
KB_OPERATOR(+, aie::add)
KB_OPERATOR(-, aie::sub)
KB_OPERATOR(&, aie::bit_and)
KB_OPERATOR(|, aie::bit_or)
KB_OPERATOR(^, aie::bit_xor)
KB_OPERATOR(<, aie::lt)
KB_OPERATOR(<=, aie::le)
KB_OPERATOR(>, aie::gt)
KB_OPERATOR(>=, aie::ge)
KB_OPERATOR(==, aie::eq)
KB_OPERATOR(!=, aie::neq)
#undef KB_OPERATOR

template <class V>
    requires(Vector<V> || Accum<V>)
KB_INLINE auto operator-(const V &v) {
    return aie::neg(v);
}
template <detail::BitsVector V>
KB_INLINE auto operator~(const V &v) {
    return aie::bit_not(v);
}
template <detail::IntegerVector V>
KB_INLINE auto operator<<(const V &v, unsigned shift) {
    return aie::upshift(v, shift);
}
template <detail::IntegerVector V>
KB_INLINE auto operator>>(const V &v, unsigned shift) {
    return aie::downshift(v, shift);
}
template <class A, class B>
    requires((Vector<A> || Accum<A>) && requires(A &a, const B &b) { a = aie::add(a, b); })
KB_INLINE A &operator+=(A &a, const B &b) {
    return a = aie::add(a, b);
}
template <class A, class B>
    requires((Vector<A> || Accum<A>) && requires(A &a, const B &b) { a = aie::sub(a, b); })
KB_INLINE A &operator-=(A &a, const B &b) {
    return a = aie::sub(a, b);
}

}  // namespace aie::operators
