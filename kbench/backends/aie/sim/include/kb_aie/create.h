// Vectors and accumulators from scalars and from parts.
#ifndef KB_AIE_CREATE_H
#define KB_AIE_CREATE_H

#include "operand.h"

namespace aie {

template <Elem E, unsigned Elems = native_vector_length_v<detail::value_of_t<E>>>
KB_INLINE vector<detail::value_of_t<E>, Elems> broadcast(E a) {
    using R = vector<detail::value_of_t<E>, Elems>;
    return KB_CALL(R, broadcast, (kbaie::kinds_of<R, detail::value_of_t<E>>()), kbaie::pass(a));
}

template <ElemBaseType T, unsigned Elems = native_vector_length_v<T>>
KB_INLINE vector<T, Elems> zeros() {
    return vector<T, Elems>::from_lanes(typename vector<T, Elems>::lanes_type{});
}
template <AccumElemBaseType Tag, unsigned Elems = native_vector_length_v<Tag>>
KB_INLINE accum<Tag, Elems> zeros() {
    return accum<Tag, Elems>::from_lanes(typename accum<Tag, Elems>::lanes_type{});
}
template <ElemBaseType T>
KB_INLINE constexpr T zero() {
    return T(0);
}

template <Vector V, Vector... More>
    requires(detail::SameVector<V, More> && ...)
KB_INLINE auto concat(const V &v, const More &...more) {
    using T = detail::element_type_t<V>;
    using R = vector<T, detail::value_of_t<V>::size() * (1 + sizeof...(More))>;
    return KB_CALL(R, concat, (kbaie::kinds_of<R, detail::value_of_t<V>>()), kbaie::pass(v), kbaie::pass(more)...);
}
template <Accum A, Accum... More>
    requires(std::is_same_v<A, More> && ...)
KB_INLINE auto concat(const A &a, const More &...more) {
    using R = accum<typename A::value_type, A::size() * (1 + sizeof...(More))>;
    return KB_CALL(R, concat, (kbaie::kinds_of<R, A>()), kbaie::pass(a), kbaie::pass(more)...);
}

}  // namespace aie

#endif
