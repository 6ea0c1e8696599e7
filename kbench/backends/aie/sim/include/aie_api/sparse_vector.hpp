// A vector of which at least two of four neighbouring elements are zero. Declared: operations on it are not modelled.
#pragma once

#include "vector.hpp"

namespace aie {

template <class T, unsigned Elems>
class sparse_vector {
    static_assert(ElemBaseType<T>, "this device has no vectors of this element type");

public:
    using value_type = T;
    static constexpr unsigned type_bits() { return kbaie::bits_of<T>; }
    static constexpr unsigned size() { return Elems; }
    static constexpr unsigned sparsity_ratio() { return 2; }
    static constexpr unsigned mask_bits() { return Elems * type_bits() / 8; }
    static constexpr unsigned bits() { return Elems * type_bits() / 2; }
    static constexpr unsigned bytes() { return bits() / 8; }
    static constexpr unsigned memory_bits() { return bits() + mask_bits(); }
    static constexpr unsigned memory_bytes() { return memory_bits() / 8; }
    static constexpr bool is_signed() { return kbaie::element<T>::is_signed; }
    static constexpr bool is_complex() { return kbaie::element<T>::is_complex; }
    static constexpr bool is_floating_point() { return kbaie::element<T>::is_float; }
    static constexpr bool is_integral() { return !is_floating_point(); }
};

template <class T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class sparse_vector_input_buffer_stream {
public:
    using vector_type = sparse_vector<T, Elems>;
    using value_type = vector_type;
    KB_MEMBER constexpr explicit sparse_vector_input_buffer_stream(const T *ptr) : at_(ptr) {}
    KB_MEMBER vector_type pop() {
        kbaie::sparse_load<int>(kbaie::kinds(kbaie::Kind::i32, kbaie::kind_of<T>), int(at_));
        return {};
    }
    KB_MEMBER sparse_vector_input_buffer_stream &operator>>(vector_type &v) {
        v = pop();
        return *this;
    }

private:
    const T *at_;
};

}  // namespace aie
