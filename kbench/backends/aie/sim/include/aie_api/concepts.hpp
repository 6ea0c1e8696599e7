// What a template parameter of the API may be.
#pragma once

#include "aie_types.hpp"

namespace aie {

enum class Operation { None, Acc_Add, Acc_Sub, Abs, Conj, Transpose, Max, Min, Sign, Zero };
template <class Parent, Operation Op>
struct unary_op;
template <class Parent1, class Parent2, Operation Op>
struct binary_op;

namespace detail {

template <class T>
inline constexpr bool is_vector_v = false;
template <class T, unsigned N>
inline constexpr bool is_vector_v<vector<T, N>> = true;
template <class T, unsigned N, aie_dm_resource R>
inline constexpr bool is_vector_v<vector_ref<T, N, R>> = true;
template <class T, unsigned N, aie_dm_resource R>
inline constexpr bool is_vector_v<unaligned_vector_ref<T, N, R>> = true;

template <class T>
inline constexpr bool is_accum_v = false;
template <class Tag, unsigned N>
inline constexpr bool is_accum_v<accum<Tag, N>> = true;

template <class T>
inline constexpr bool is_mask_v = false;
template <unsigned N>
inline constexpr bool is_mask_v<mask<N>> = true;

template <class T>
inline constexpr bool is_elem_ref_v = false;
template <class T, unsigned N>
inline constexpr bool is_elem_ref_v<vector_elem_ref<T, N>> = true;
template <class T, unsigned N>
inline constexpr bool is_elem_ref_v<vector_elem_const_ref<T, N>> = true;

template <class T>
inline constexpr bool is_op_v = false;
template <class P, Operation Op>
inline constexpr bool is_op_v<unary_op<P, Op>> = true;
template <class P1, class P2, Operation Op>
inline constexpr bool is_op_v<binary_op<P1, P2, Op>> = true;

// The type that an operand's value has: an element, a vector or an accumulator.
template <class T>
struct value_of {
    using type = T;
};
template <class T, unsigned N>
struct value_of<vector_elem_ref<T, N>> {
    using type = T;
};
template <class T, unsigned N>
struct value_of<vector_elem_const_ref<T, N>> {
    using type = T;
};
template <class T, unsigned N, aie_dm_resource R>
struct value_of<vector_ref<T, N, R>> {
    using type = vector<std::remove_cv_t<T>, N>;
};
template <class T, unsigned N, aie_dm_resource R>
struct value_of<unaligned_vector_ref<T, N, R>> {
    using type = vector<std::remove_cv_t<T>, N>;
};
template <class P, Operation Op>
struct value_of<unary_op<P, Op>> {
    using type = typename value_of<P>::type;
};
template <class P1, class P2, Operation Op>
struct value_of<binary_op<P1, P2, Op>> {
    using type = typename value_of<P1>::type;
};
template <class T>
using value_of_t = typename value_of<std::remove_cvref_t<T>>::type;

}  // namespace detail

template <class T>
concept ElemBaseType = kbaie::is_element<T> && !std::is_const_v<T>;
template <class T>
concept DecoratedElemBaseType = kbaie::is_element<std::remove_cv_t<T>>;
template <class T>
concept AccumElemBaseType = kbaie::is_tag<T>;

template <class T>
concept Elem = kbaie::is_element<detail::value_of_t<T>> && !detail::is_op_v<std::remove_cvref_t<T>>;
template <class T>
concept Vector = detail::is_vector_v<std::remove_cvref_t<T>>;
template <class T>
concept Accum = detail::is_accum_v<std::remove_cvref_t<T>>;
template <class T>
concept Mask = detail::is_mask_v<std::remove_cvref_t<T>>;
template <class T>
concept VectorOrOp = detail::is_vector_v<detail::value_of_t<T>>;
template <class T>
concept AccumOrOp = detail::is_accum_v<detail::value_of_t<T>>;
template <class T>
concept ElemOrOp = kbaie::is_element<detail::value_of_t<T>>;

namespace detail {

// The element type of an element, a vector or an accumulator (there the tag).
template <class T>
struct element_type {
    using type = T;
};
template <class T, unsigned N>
struct element_type<vector<T, N>> {
    using type = T;
};
template <class T, unsigned N>
struct element_type<accum<T, N>> {
    using type = T;
};
template <class T>
using element_type_t = typename element_type<value_of_t<T>>::type;

template <class T>
inline constexpr bool is_complex_v = kbaie::element<T>::is_complex;
template <class T>
inline constexpr bool is_floating_point_v = kbaie::element<T>::is_float;
template <class T>
inline constexpr unsigned type_bits_v = kbaie::bits_of<T>;

}  // namespace detail

template <class T>
concept RealVector = Vector<T> && !detail::is_complex_v<detail::element_type_t<T>>;
template <class T>
concept ComplexVector = Vector<T> && detail::is_complex_v<detail::element_type_t<T>>;
template <class T>
concept RealElem = Elem<T> && !detail::is_complex_v<detail::element_type_t<T>>;
template <class T>
concept ComplexElem = Elem<T> && detail::is_complex_v<detail::element_type_t<T>>;

namespace detail {
template <class T>
concept IntegerVector = Vector<T> && !is_floating_point_v<element_type_t<T>>;
template <class T>
concept BitsVector = IntegerVector<T> && !is_complex_v<element_type_t<T>>;
// Both vectors, of one type; an element of the vector's type: the API converts no operand.
template <class A, class B>
concept SameVector = Vector<A> && Vector<B> && std::is_same_v<value_of_t<A>, value_of_t<B>>;
template <class E, class V>
concept ElemOf = Elem<E> && Vector<V> && std::is_same_v<value_of_t<E>, element_type_t<V>>;
}  // namespace detail

}  // namespace aie
