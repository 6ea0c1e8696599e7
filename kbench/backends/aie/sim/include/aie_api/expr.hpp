// Operations that wait for the multiplication, addition or matrix product that takes them.
#pragma once

#include "accum.hpp"
#include "../kb_aie/operand.h"

namespace aie {

namespace detail {
template <class T>
struct op_traits {
    using result_type = T;
    using value_type = T;
    static constexpr unsigned size() { return 1; }
    static constexpr unsigned type_bits() { return kbaie::bits_of<T>; }
};
template <class T, unsigned N>
struct op_traits<vector<T, N>> {
    using result_type = vector<T, N>;
    using value_type = T;
    static constexpr unsigned size() { return N; }
    static constexpr unsigned type_bits() { return kbaie::bits_of<T>; }
};
template <class Tag, unsigned N>
struct op_traits<accum<Tag, N>> {
    using result_type = accum<Tag, N>;
    using value_type = Tag;
    static constexpr unsigned size() { return N; }
    static constexpr unsigned type_bits() { return accum<Tag, N>::value_bits(); }
};

template <Operation Op>
struct op_kind {
    static constexpr Operation operation = Op;
    template <class... Ops>
    static constexpr bool is_operation(Ops... ops) {
        return Op != Operation::None && ((Op == ops) || ...);
    }
    template <class... Ops>
    static constexpr bool is_operation_not(Ops... ops) {
        return Op != Operation::None && ((Op != ops) && ...);
    }
    static constexpr bool is_operation_none() { return Op == Operation::None; }
};
}  // namespace detail

template <class Parent, Operation Op>
struct unary_op : detail::op_traits<detail::value_of_t<Parent>>, detail::op_kind<Op> {
    using parent1_type = Parent;
    KB_MEMBER constexpr unary_op(const Parent &p) : parent_(p) {}
    KB_MEMBER Parent parent1() const { return parent_; }
    KB_MEMBER auto operator()() const;

private:
    Parent parent_;
};

template <class Parent1, class Parent2, Operation Op>
struct binary_op : detail::op_traits<detail::value_of_t<Parent1>>, detail::op_kind<Op> {
    using parent1_type = Parent1;
    using parent2_type = Parent2;
    KB_MEMBER constexpr binary_op(const Parent1 &p1, const Parent2 &p2) : parent1_(p1), parent2_(p2) {}
    KB_MEMBER Parent1 parent1() const { return parent1_; }
    KB_MEMBER Parent2 parent2() const { return parent2_; }
    KB_MEMBER auto operator()() const;

private:
    Parent1 parent1_;
    Parent2 parent2_;
};

template <Accum Acc>
KB_INLINE constexpr unary_op<Acc, Operation::Acc_Add> op_add(const Acc &acc) {
    return {acc};
}
template <Accum Acc>
KB_INLINE constexpr unary_op<Acc, Operation::Acc_Sub> op_sub(const Acc &acc) {
    return {acc};
}
template <class T>
    requires(Vector<T> || Elem<T> || Accum<T>)
KB_INLINE constexpr unary_op<T, Operation::None> op_none(const T &e) {
    return {e};
}
template <class T>
    requires((VectorOrOp<T> || ElemOrOp<T>) && !kbaie::element<detail::element_type_t<T>>::is_complex)
KB_INLINE constexpr unary_op<T, Operation::Abs> op_abs(const T &e) {
    return {e};
}
template <class T>
    requires((VectorOrOp<T> || ElemOrOp<T>) && kbaie::element<detail::element_type_t<T>>::is_complex)
KB_INLINE constexpr unary_op<T, Operation::Conj> op_conj(const T &e) {
    return {e};
}
template <class T>
    requires((VectorOrOp<T> || ElemOrOp<T>) &&
             kbaie::element<detail::element_type_t<T>>::family == kbaie::Family::integer)
KB_INLINE constexpr binary_op<T, bool, Operation::Sign> op_sign(const T &e, bool is_signed) {
    return {e, is_signed};
}
template <Accum Acc>
KB_INLINE constexpr binary_op<Acc, bool, Operation::Zero> op_zero(const Acc &acc, bool to_zero) {
    return {acc, to_zero};
}
template <VectorOrOp A, VectorOrOp B>
KB_INLINE constexpr binary_op<A, B, Operation::Min> op_min(const A &a, const B &b) {
    return {a, b};
}
template <VectorOrOp A, VectorOrOp B>
KB_INLINE constexpr binary_op<A, B, Operation::Max> op_max(const A &a, const B &b) {
    return {a, b};
}

}  // namespace aie
