// Comparison, extremes and selection.
#ifndef KB_AIE_COMPARE_H
#define KB_AIE_COMPARE_H

#include "arithmetic.h"

namespace aie {

namespace detail {
template <class V, class A, class B>
struct comparison {
    using result = mask<value_of_t<V>::size()>;
    static constexpr unsigned kinds = kbaie::kinds_of<result, value_of_t<A>, value_of_t<B>>();
};
#define KB_COMPARISON(op)                                                                                \
    template <class V, class A, class B>                                                                 \
    KB_INLINE auto compare_##op(const A &a, const B &b) {                                                \
        using M = typename comparison<V, A, B>::result;                                                  \
        return KB_CALL(M, op, (comparison<V, A, B>::kinds), kbaie::pass(a), kbaie::pass(b));             \
    }
KB_COMPARISON(lt)
KB_COMPARISON(ge)
KB_COMPARISON(eq)
KB_COMPARISON(neq)
#undef KB_COMPARISON
template <class V, class A, class B>
KB_INLINE auto compare_gt(const A &a, const B &b) {
    return compare_lt<V>(b, a);
}
template <class V, class A, class B>
KB_INLINE auto compare_le(const A &a, const B &b) {
    return compare_ge<V>(b, a);
}

template <class R, class A, class B>
KB_INLINE R larger(const A &a, const B &b) {
    return KB_CALL(R, max, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a), kbaie::pass(b));
}
template <class R, class A, class B>
KB_INLINE R smaller(const A &a, const B &b) {
    return KB_CALL(R, min, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a), kbaie::pass(b));
}
template <class R, class A, class B>
KB_INLINE R excess(const A &a, const B &b) {
    if constexpr (rounds_v<element_type_t<R>>)
        return larger<R>(difference<R>(a, b), zeros<element_type_t<R>, R::size()>());
    else
        return KB_CALL(R, maxdiff, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>>()), kbaie::pass(a),
                       kbaie::pass(b));
}
}  // namespace detail

#define KB_COMPARE_FORMS(name, Limit)                                         \
    template <class A, class B>                                               \
        requires(detail::SameVector<A, B> && Limit<A>)                        \
    KB_INLINE auto name(const A &a, const B &b) {                             \
        return detail::compare_##name<A>(a, b);                               \
    }                                                                         \
    template <class E, class V>                                               \
        requires(detail::ElemOf<E, V> && Limit<V>)                            \
    KB_INLINE auto name(const E &a, const V &v) {                             \
        return detail::compare_##name<V>(a, v);                               \
    }                                                                         \
    template <class V, class E>                                               \
        requires(detail::ElemOf<E, V> && Limit<V>)                            \
    KB_INLINE auto name(const V &v, const E &a) {                             \
        return detail::compare_##name<V>(v, a);                               \
    }
KB_COMPARE_FORMS(lt, RealVector)
KB_COMPARE_FORMS(le, RealVector)
KB_COMPARE_FORMS(gt, RealVector)
KB_COMPARE_FORMS(ge, RealVector)
KB_COMPARE_FORMS(eq, Vector)
KB_COMPARE_FORMS(neq, Vector)
#undef KB_COMPARE_FORMS

template <class A, class B>
    requires(detail::SameVector<A, B> || detail::ElemOf<A, B> || detail::ElemOf<B, A>)
KB_INLINE bool equal(const A &a, const B &b) {
    return neq(a, b).empty();
}
template <class A, class B>
    requires(detail::SameVector<A, B> || detail::ElemOf<A, B> || detail::ElemOf<B, A>)
KB_INLINE bool not_equal(const A &a, const B &b) {
    return !equal(a, b);
}
template <class E, class V>
    requires(detail::ElemOf<E, V>)
KB_INLINE bool contains(const E &a, const V &v) {
    return !eq(a, v).empty();
}

KB_THREE_FORMS(max, RealVector, detail::larger)
KB_THREE_FORMS(min, RealVector, detail::smaller)
KB_THREE_FORMS(maxdiff, RealVector, detail::excess)

// As the name without `sign`, on the operands' bits taken with the sign that is asked for.
#define KB_SIGN_FORMS(name)                                                                                      \
    template <class A, class B>                                                                                  \
        requires((detail::SameVector<A, B> && RealVector<A>) || (detail::ElemOf<A, B> && RealVector<B>) ||       \
                 (detail::ElemOf<B, A> && RealVector<A>))                                                        \
    KB_INLINE auto name(const A &a, const B &b, bool sign) {                                                     \
        using T = detail::element_type_t<A>;                                                                     \
        using S = typename kbaie::signed_of<T>::type;                                                            \
        using U = typename kbaie::unsigned_of<T>::type;                                                          \
        auto with = [&](auto tag) KB_LAMBDA {                                                                    \
            using E = decltype(tag);                                                                             \
            auto view = [](const auto &x) KB_LAMBDA {                                                            \
                if constexpr (Vector<decltype(x)>)                                                               \
                    return kbaie::value(x).template cast_to<E>();                                                \
                else                                                                                             \
                    return E(kbaie::value(x));                                                                   \
            };                                                                                                   \
            return name(view(a), view(b)).template cast_to<T>();                                                 \
        };                                                                                                       \
        return sign ? with(S()) : with(U());                                                                     \
    }
KB_SIGN_FORMS(max)
KB_SIGN_FORMS(min)
KB_SIGN_FORMS(maxdiff)
#undef KB_SIGN_FORMS

// The result, and a mask of the elements that came from the second operand.
template <class A, class B>
    requires(detail::SameVector<A, B> && RealVector<A>)
KB_INLINE auto max_cmp(const A &a, const B &b) {
    return std::make_tuple(max(a, b), lt(a, b));
}
template <class A, class B>
    requires(detail::SameVector<A, B> && RealVector<A>)
KB_INLINE auto min_cmp(const A &a, const B &b) {
    return std::make_tuple(min(a, b), ge(a, b));
}

template <class V, class L, class H>
    requires(RealVector<V> && ((detail::SameVector<V, L> && detail::SameVector<V, H>) ||
                               (detail::ElemOf<L, V> && detail::ElemOf<H, V>)))
KB_INLINE detail::value_of_t<V> clamp(const V &v, const L &lo, const H &hi) {
    return min(max(v, lo), hi);
}

// Where the mask is 0 the first operand's element, where it is 1 the second's.
namespace detail {
template <class R, class A, class B, class M>
KB_INLINE R chosen(const A &a, const B &b, const M &m) {
    static_assert(R::size() == M::size(), "select takes a mask with a bit for each element");
    return KB_CALL(R, select, (kbaie::kinds_of<R, value_of_t<A>, value_of_t<B>, M>()), kbaie::pass(a), kbaie::pass(b),
                   m.lanes());
}
}  // namespace detail

template <class A, class B, Mask M>
    requires(detail::SameVector<A, B>)
KB_INLINE detail::value_of_t<A> select(const A &a, const B &b, const M &m) {
    return detail::chosen<detail::value_of_t<A>>(a, b, m);
}
template <class E, class V, Mask M>
    requires(detail::ElemOf<E, V>)
KB_INLINE detail::value_of_t<V> select(const E &a, const V &v, const M &m) {
    return detail::chosen<detail::value_of_t<V>>(a, v, m);
}
template <class V, class E, Mask M>
    requires(detail::ElemOf<E, V>)
KB_INLINE detail::value_of_t<V> select(const V &v, const E &a, const M &m) {
    return detail::chosen<detail::value_of_t<V>>(v, a, m);
}
template <Elem A, Elem B, Mask M>
    requires(std::is_same_v<detail::value_of_t<A>, detail::value_of_t<B>>)
KB_INLINE auto select(const A &a, const B &b, const M &m) {
    return detail::chosen<vector<detail::value_of_t<A>, M::size()>>(a, b, m);
}

// --- between floating-point elements ---

namespace detail {
template <class A, class B>
concept FloatElems = Elem<A> && Elem<B> && std::is_same_v<value_of_t<A>, value_of_t<B>> &&
                     is_floating_point_v<value_of_t<A>> && !is_complex_v<value_of_t<A>>;
}
#define KB_SCALAR(name, result, expression)                \
    template <class A, class B>                            \
        requires(detail::FloatElems<A, B>)                 \
    KB_INLINE auto name(const A &x, const B &y) {          \
        const detail::value_of_t<A> a = x, b = y;          \
        return result(expression);                         \
    }
KB_SCALAR(lt, bool, a < b)
KB_SCALAR(le, bool, a <= b)
KB_SCALAR(gt, bool, a > b)
KB_SCALAR(ge, bool, a >= b)
KB_SCALAR(eq, bool, a == b)
KB_SCALAR(neq, bool, a != b)
KB_SCALAR(max, detail::value_of_t<A>, a < b ? b : a)
KB_SCALAR(min, detail::value_of_t<A>, b < a ? b : a)
KB_SCALAR(add, detail::value_of_t<A>, a + b)
KB_SCALAR(sub, detail::value_of_t<A>, a - b)
#undef KB_SCALAR

}  // namespace aie

#endif
