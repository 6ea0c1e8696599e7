// Elements in another order.
#ifndef KB_AIE_RESHAPE_H
#define KB_AIE_RESHAPE_H

#include <utility>

#include "compare.h"

namespace aie {

template <ElemBaseType DstT, Vector V>
KB_INLINE auto vector_cast(const V &v) {
    return kbaie::value(v).template cast_to<DstT>();
}
// The bits of a vector as an accumulator, and back.
template <AccumElemBaseType DstTag, Vector V>
KB_INLINE auto vector_cast(const V &v) {
    constexpr unsigned bits = kbaie::tag<DstTag>::bits * (kbaie::tag<DstTag>::is_complex ? 2 : 1);
    using result = accum<DstTag, V::bits() / bits>;
    return result::from_lanes((typename result::lanes_type)kbaie::value(v).lanes());
}
template <ElemBaseType DstT, Accum A>
KB_INLINE auto vector_cast(const A &acc) {
    using result = vector<DstT, A::bits() / kbaie::bits_of<DstT>>;
    return result::from_lanes((typename result::lanes_type)acc.lanes());
}

template <Vector V>
KB_INLINE detail::value_of_t<V> reverse(const V &v) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, reverse, (kbaie::kinds_of<R, R>()), kbaie::pass(v));
}

// down: towards element 0. What comes in is undefined, what went out (rotate), the last element (replicate), or the
// neighbouring elements of another vector (fill).
#define KB_SHUFFLE(name)                                                                             \
    template <Vector V>                                                                              \
    KB_INLINE detail::value_of_t<V> name(const V &v, unsigned n) {                                   \
        using R = detail::value_of_t<V>;                                                             \
        return KB_CALL(R, name, (kbaie::kinds_of<R, R>()), kbaie::pass(v), int(n));                  \
    }
KB_SHUFFLE(shuffle_up)
KB_SHUFFLE(shuffle_up_rotate)
KB_SHUFFLE(shuffle_up_replicate)
KB_SHUFFLE(shuffle_down)
KB_SHUFFLE(shuffle_down_rotate)
KB_SHUFFLE(shuffle_down_replicate)
#undef KB_SHUFFLE
#define KB_SHUFFLE_FILL(name)                                                                                    \
    template <Vector V, Vector F>                                                                                \
        requires(detail::SameVector<V, F>)                                                                       \
    KB_INLINE detail::value_of_t<V> name(const V &v, const F &fill, unsigned n) {                                \
        using R = detail::value_of_t<V>;                                                                         \
        return KB_CALL(R, name, (kbaie::kinds_of<R, R, R>()), kbaie::pass(v), kbaie::pass(fill), int(n));        \
    }
KB_SHUFFLE_FILL(shuffle_up_fill)
KB_SHUFFLE_FILL(shuffle_down_fill)
#undef KB_SHUFFLE_FILL

// A matrix of Row rows and Col columns, row by row, becomes its transpose.
template <Vector V>
KB_INLINE detail::value_of_t<V> transpose(const V &v, unsigned Row, unsigned Col) {
    using R = detail::value_of_t<V>;
    return KB_CALL(R, transpose, (kbaie::kinds_of<R, R>()), kbaie::pass(v), int(Row), int(Col));
}

// --- two vectors into two ---

#define KB_INTERLEAVE(name)                                                                                      \
    template <Vector A, Vector B>                                                                                \
        requires(detail::SameVector<A, B>)                                                                       \
    KB_INLINE auto name(const A &v, const B &w, unsigned chunk_size) {                                           \
        using R = detail::value_of_t<A>;                                                                         \
        using Both = vector<typename R::value_type, 2 * R::size()>;                                              \
        const Both both = KB_CALL(Both, name, (kbaie::kinds_of<Both, R, R>()), kbaie::pass(v), kbaie::pass(w), int(chunk_size)); \
        return std::pair<R, R>(both.template extract<R::size()>(0), both.template extract<R::size()>(1));        \
    }
KB_INTERLEAVE(interleave_zip)
KB_INTERLEAVE(interleave_unzip)
KB_INTERLEAVE(interleave_butterfly)
KB_INTERLEAVE(interleave_butterfly_half)
KB_INTERLEAVE(interleave_crossover)
#undef KB_INTERLEAVE

template <Vector A, Vector B, class... Select>
    requires(detail::SameVector<A, B> && sizeof...(Select) == detail::value_of_t<A>::size())
KB_INLINE auto interleave_custom(const A &v, const B &w, Select... select) {
    using R = detail::value_of_t<A>;
    using Both = vector<typename R::value_type, 2 * R::size()>;
    const Both both = KB_CALL(Both, interleave_custom, (kbaie::kinds_of<Both, R, R>()), kbaie::pass(v), kbaie::pass(w), int(select)...);
    return std::pair<R, R>(both.template extract<R::size()>(0), both.template extract<R::size()>(1));
}

// A pattern that is chosen ahead of its use.
template <class T, unsigned Elems>
class interleave_zip_mode {
public:
    KB_MEMBER explicit constexpr interleave_zip_mode(unsigned chunk_size) noexcept : chunk(chunk_size) {}
    unsigned chunk;
};
template <class T, unsigned Elems>
class interleave_unzip_mode {
public:
    KB_MEMBER explicit constexpr interleave_unzip_mode(unsigned chunk_size) noexcept : chunk(chunk_size) {}
    unsigned chunk;
};
template <Vector A, Vector B, class T, unsigned Elems>
    requires(detail::SameVector<A, B> && std::is_same_v<detail::value_of_t<A>, vector<T, Elems>>)
KB_INLINE auto interleave_zip(const A &v, const B &w, const interleave_zip_mode<T, Elems> &mode) {
    return interleave_zip(v, w, mode.chunk);
}
template <Vector A, Vector B, class T, unsigned Elems>
    requires(detail::SameVector<A, B> && std::is_same_v<detail::value_of_t<A>, vector<T, Elems>>)
KB_INLINE auto interleave_unzip(const A &v, const B &w, const interleave_unzip_mode<T, Elems> &mode) {
    return interleave_unzip(v, w, mode.chunk);
}

// --- one vector into half of it ---

#define KB_FILTER(name)                                                                               \
    template <Vector V>                                                                               \
    KB_INLINE auto name(const V &v, unsigned chunk_size = 1) {                                        \
        using S = detail::value_of_t<V>;                                                              \
        using R = vector<typename S::value_type, S::size() / 2>;                                      \
        return KB_CALL(R, name, (kbaie::kinds_of<R, S>()), kbaie::pass(v), int(chunk_size));          \
    }
KB_FILTER(filter_even)
KB_FILTER(filter_odd)
#undef KB_FILTER

template <class T, unsigned Elems>
class filter_mode {
    KB_MEMBER constexpr filter_mode(bool o, unsigned c) : takes_odd(o), chunk(c) {}

public:
    KB_MEMBER static constexpr filter_mode odd(unsigned chunk_size) noexcept { return {true, chunk_size}; }
    KB_MEMBER static constexpr filter_mode even(unsigned chunk_size) noexcept { return {false, chunk_size}; }
    bool takes_odd;
    unsigned chunk;
};
template <Vector V, class T, unsigned Elems>
    requires(std::is_same_v<detail::value_of_t<V>, vector<T, Elems>>)
KB_INLINE auto filter(const V &v, filter_mode<T, Elems> mode) {
    return mode.takes_odd ? filter_odd(v, mode.chunk) : filter_even(v, mode.chunk);
}

// --- parts of complex numbers ---

template <ComplexVector V>
KB_INLINE auto real(const V &v) {
    using S = detail::value_of_t<V>;
    using R = vector<typename kbaie::element<typename S::value_type>::part, S::size()>;
    return KB_CALL(R, real, (kbaie::kinds_of<R, S>()), kbaie::pass(v));
}
template <ComplexVector V>
KB_INLINE auto imag(const V &v) {
    using S = detail::value_of_t<V>;
    using R = vector<typename kbaie::element<typename S::value_type>::part, S::size()>;
    return KB_CALL(R, imag, (kbaie::kinds_of<R, S>()), kbaie::pass(v));
}
template <ComplexElem E>
KB_INLINE auto real(const E &e) {
    return kbaie::value(e).real;
}
template <ComplexElem E>
KB_INLINE auto imag(const E &e) {
    return kbaie::value(e).imag;
}

}  // namespace aie

#endif
