// Operators on vectors, for kernels that say `using namespace aie::operators`.
#ifndef KB_AIE_OPERATORS_H
#define KB_AIE_OPERATORS_H

#include "bits.h"
#include "compare.h"

namespace aie::operators {

#define KB_OPERATOR(op, function, Limit)                                                                          \
    template <class A, class B>                                                                                   \
        requires(requires(const A &a, const B &b) { function(a, b); } && (Limit<A> || Limit<B>))                  \
    KB_INLINE auto operator op(const A &a, const B &b) {                                                          \
        return function(a, b);                                                                                    \
    }
KB_OPERATOR(+, aie::add, Vector)
KB_OPERATOR(-, aie::sub, Vector)
KB_OPERATOR(&, aie::bit_and, Vector)
KB_OPERATOR(|, aie::bit_or, Vector)
KB_OPERATOR(^, aie::bit_xor, Vector)
KB_OPERATOR(<, aie::lt, Vector)
KB_OPERATOR(<=, aie::le, Vector)
KB_OPERATOR(>, aie::gt, Vector)
KB_OPERATOR(>=, aie::ge, Vector)
KB_OPERATOR(==, aie::eq, Vector)
KB_OPERATOR(!=, aie::neq, Vector)
#undef KB_OPERATOR

template <Vector V>
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
    requires(requires(A &a, const B &b) { a = aie::add(a, b); } && Vector<A>)
KB_INLINE A &operator+=(A &a, const B &b) {
    return a = aie::add(a, b);
}
template <class A, class B>
    requires(requires(A &a, const B &b) { a = aie::sub(a, b); } && Vector<A>)
KB_INLINE A &operator-=(A &a, const B &b) {
    return a = aie::sub(a, b);
}

}  // namespace aie::operators

#endif
