// An element of a vector as an operand and as a target of assignment.
#pragma once

#include "concepts.hpp"

namespace aie {

template <class T, unsigned N>
class vector_elem_const_ref {
public:
    using vector_type = vector<T, N>;
    using parent_type = vector_type;
    using value_type = T;

    KB_MEMBER constexpr vector_elem_const_ref(const vector_type &v, unsigned idx) : parent(v), offset(idx) {}
    KB_MEMBER constexpr vector_elem_const_ref(const vector_elem_ref<T, N> &ref) : parent(ref.parent), offset(ref.offset) {}
    KB_MEMBER T get() const { return parent.get(offset); }
    KB_MEMBER operator T() const { return get(); }

    const vector_type &parent;
    unsigned offset;
};

template <class T, unsigned N>
class vector_elem_ref {
public:
    using vector_type = vector<T, N>;
    using parent_type = vector_type;
    using value_type = T;

    KB_MEMBER constexpr vector_elem_ref(vector_type &v, unsigned idx) : parent(v), offset(idx) {}
    KB_MEMBER T get() const { return parent.get(offset); }
    KB_MEMBER operator T() const { return get(); }
    KB_MEMBER vector_elem_ref &operator=(const T &v) {
        parent.set(v, offset);
        return *this;
    }
    KB_MEMBER vector_elem_ref &operator=(const vector_elem_ref &v) { return *this = v.get(); }
    KB_MEMBER vector_elem_ref &operator=(const vector_elem_const_ref<T, N> &v) { return *this = v.get(); }

    vector_type &parent;
    unsigned offset;
};

namespace detail {
template <class T>
KB_INLINE auto elem_value(const T &x) {
    if constexpr (is_elem_ref_v<T>)
        return x.get();
    else
        return x;
}
}  // namespace detail

// Between element references, and between one and a number, the element counts.
#define KB_ELEM_REF_OP(op)                                                                 \
    template <class A, class B>                                                            \
        requires(detail::is_elem_ref_v<A> || detail::is_elem_ref_v<B>)                     \
    KB_INLINE auto operator op(const A &a, const B &b)->decltype(detail::elem_value(a) op detail::elem_value(b)) { \
        return detail::elem_value(a) op detail::elem_value(b);                             \
    }
KB_ELEM_REF_OP(+)
KB_ELEM_REF_OP(-)
KB_ELEM_REF_OP(*)
KB_ELEM_REF_OP(/)
KB_ELEM_REF_OP(&)
KB_ELEM_REF_OP(|)
KB_ELEM_REF_OP(^)
KB_ELEM_REF_OP(<<)
KB_ELEM_REF_OP(>>)
KB_ELEM_REF_OP(==)
KB_ELEM_REF_OP(!=)
KB_ELEM_REF_OP(<)
KB_ELEM_REF_OP(<=)
KB_ELEM_REF_OP(>)
KB_ELEM_REF_OP(>=)
#undef KB_ELEM_REF_OP

template <class T>
    requires(detail::is_elem_ref_v<T>)
KB_INLINE auto operator~(const T &x) {
    return ~x.get();
}

}  // namespace aie
