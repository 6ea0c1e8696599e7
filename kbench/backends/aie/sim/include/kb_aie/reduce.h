// One element from all of a vector's.
#ifndef KB_AIE_REDUCE_H
#define KB_AIE_REDUCE_H

#include "compare.h"
#include "multiply.h"

namespace aie {

#define KB_REDUCE(op, v, ...)                                                                              \
    (kbaie::from_scalar<detail::element_type_t<decltype(v)>>(                                         \
        kbaie::op<kbaie::scalar<detail::element_type_t<decltype(v)>>>(                                \
            (kbaie::kinds_of<detail::element_type_t<decltype(v)>, detail::value_of_t<decltype(v)>>()), kbaie::pass(v) __VA_OPT__(, ) __VA_ARGS__)))

template <Vector V>
KB_INLINE detail::element_type_t<V> reduce_add(const V &v) {
    if constexpr (detail::rounds_v<detail::element_type_t<V>>)
        return KB_REDUCE(rreduce_add, v);
    else
        return KB_REDUCE(reduce_add, v);
}
template <RealVector V>
KB_INLINE detail::element_type_t<V> reduce_max(const V &v) {
    return KB_REDUCE(reduce_max, v);
}
template <RealVector V>
KB_INLINE detail::element_type_t<V> reduce_min(const V &v) {
    return KB_REDUCE(reduce_min, v);
}
template <AccumElemBaseType Tag, Vector V>
KB_INLINE detail::element_type_t<V> reduce_mul(const V &v) {
    static_assert(detail::multiplies_into<Tag, detail::element_type_t<V>, detail::element_type_t<V>>(),
                  "products of these elements do not go into this accumulator");
    return KB_REDUCE(reduce_mul, v, detail::emulation);
}
template <Vector V>
KB_INLINE detail::element_type_t<V> reduce_mul(const V &v) {
    return KB_REDUCE(reduce_mul, v, detail::emulation);
}

// Element i is the sum of the i-th vector; the rest is undefined.
template <Vector V, Vector... More>
    requires(detail::SameVector<V, More> && ...)
KB_INLINE detail::value_of_t<V> reduce_add_v(const V &v, const More &...more) {
    using R = detail::value_of_t<V>;
    static_assert(sizeof...(More) < 4, "reduce_add_v takes at most four vectors");
    constexpr unsigned kinds = kbaie::kinds_of<R, R, R, R>();
    if constexpr (detail::rounds_v<detail::element_type_t<V>>)
        return KB_CALL(R, rreduce_add_v, kinds, kbaie::pass(v), kbaie::pass(more)...);
    else
        return KB_CALL(R, reduce_add_v, kinds, kbaie::pass(v), kbaie::pass(more)...);
}

template <Vector V>
[[deprecated("use reduce_add")]] KB_INLINE auto add_reduce(const V &v) {
    return reduce_add(v);
}
template <RealVector V>
[[deprecated("use reduce_max")]] KB_INLINE auto max_reduce(const V &v) {
    return reduce_max(v);
}
template <RealVector V>
[[deprecated("use reduce_min")]] KB_INLINE auto min_reduce(const V &v) {
    return reduce_min(v);
}
template <Vector V>
[[deprecated("use reduce_mul")]] KB_INLINE auto mul_reduce(const V &v) {
    return reduce_mul(v);
}
template <Vector V, Vector... More>
[[deprecated("use reduce_add_v")]] KB_INLINE auto add_reduce_v(const V &v, const More &...more) {
    return reduce_add_v(v, more...);
}
#undef KB_REDUCE

}  // namespace aie

#endif
