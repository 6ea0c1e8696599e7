// How the API's operands become those of an operation: vectors, accumulators and masks as lanes, elements as scalars.
#ifndef KB_AIE_OPERAND_H
#define KB_AIE_OPERAND_H

#include "../aie_api/accum.hpp"
#include "../aie_api/mask.hpp"

namespace kbaie {

template <class T>
struct operand_kind {
    static constexpr Kind kind = element<T>::kind;
};
template <class T, unsigned N>
struct operand_kind<aie::vector<T, N>> {
    static constexpr Kind kind = element<T>::kind;
};
template <class Tag, unsigned N>
struct operand_kind<aie::accum<Tag, N>> {
    static constexpr Kind kind = tag<Tag>::kind;
};
template <unsigned N>
struct operand_kind<aie::mask<N>> {
    static constexpr Kind kind = Kind::mask;
};
template <>
struct operand_kind<void> {
    static constexpr Kind kind = Kind::none;
};
template <class T>
inline constexpr Kind kind_in = operand_kind<aie::detail::value_of_t<T>>::kind;

// A vector where a vector's reference may stand, an element where an element's may.
template <class T>
KB_INLINE aie::detail::value_of_t<T> value(const T &x) {
    return x;
}

template <class T>
KB_INLINE auto pass(const T &x) {
    const aie::detail::value_of_t<T> v = x;
    if constexpr (is_element<aie::detail::value_of_t<T>>)
        return to_scalar(v);
    else
        return v.lanes();
}

// Bits of the kinds word for up to three operands; constants of an operation have no kind of their own.
template <class R, class A = void, class B = void, class C = void>
constexpr unsigned kinds_of() {
    return kinds(operand_kind<R>::kind, operand_kind<A>::kind, operand_kind<B>::kind, operand_kind<C>::kind);
}

// The operation `op` of these operands, as an R.
#define KB_CALL(R, op, kinds, ...) (R::from_lanes(::kbaie::op<typename R::lanes_type>(kinds, __VA_ARGS__)))

}  // namespace kbaie

#endif
