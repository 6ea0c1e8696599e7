// Bits and shifts. All shifts go through an accumulator, so they round and saturate as the modes say.
#ifndef KB_AIE_BITS_H
#define KB_AIE_BITS_H

#include "arithmetic.h"

namespace aie {

namespace detail {
#define KB_BITS(op)                                                                                        \
    template <class R, class A, class B>                                                                   \
    KB_INLINE R combined_##op(const A &a, const B &b) {                                                    \
        return KB_CALL(R, op, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a),        \
                       kbaie::pass(b));                                                                    \
    }
KB_BITS(bit_and)
KB_BITS(bit_or)
KB_BITS(bit_xor)
#undef KB_BITS
}  // namespace detail

KB_TWO_FORMS(bit_and, detail::BitsVector, detail::combined_bit_and)
KB_TWO_FORMS(bit_or, detail::BitsVector, detail::combined_bit_or)
KB_TWO_FORMS(bit_xor, detail::BitsVector, detail::combined_bit_xor)

template <detail::BitsVector V>
KB_INLINE detail::value_of_t<V> bit_not(const V &v) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, bit_not, (kbaie::kinds_of<R, R>()), kbaie::pass(v));
}

namespace detail {
template <class V>
KB_INLINE V through_accum(const V &v, int up, int down) {
    using T = element_type_t<V>;
    using A = accum<kbaie::product_tag<T, T>, V::size()>;
    return KB_CALL(V, srs, (kbaie::kinds_of<V, A>()), A(v, up).lanes(), down);
}
}  // namespace detail

template <detail::IntegerVector V>
KB_INLINE detail::value_of_t<V> upshift(const V &v, unsigned shift) {
    return detail::through_accum(kbaie::value(v), int(shift), 0);
}
template <detail::IntegerVector V>
KB_INLINE detail::value_of_t<V> downshift(const V &v, unsigned shift) {
    return detail::through_accum(kbaie::value(v), 0, int(shift));
}
template <detail::BitsVector V>
KB_INLINE detail::value_of_t<V> logical_downshift(const V &v, unsigned shift) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, logical_downshift, (kbaie::kinds_of<R, R>()), kbaie::pass(v), int(shift));
}

}  // namespace aie

#endif
