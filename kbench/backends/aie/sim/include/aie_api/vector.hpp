// A vector register: N elements of T, element 0 at the lowest address.
#pragma once

#include <tuple>

#include "concepts.hpp"
#include "vector_elem_ref.hpp"

namespace aie {

template <class T, unsigned Elems>
class vector {
    static_assert(ElemBaseType<T>, "this device has no vectors of this element type");
    static constexpr unsigned total_bits = Elems * kbaie::bits_of<T>;
    static_assert((Elems & (Elems - 1)) == 0 && total_bits >= 128,
                  "a vector has a power of two of elements and 128 bits or more");
    static constexpr kbaie::Kind kind = kbaie::kind_of<T>;

public:
    using value_type = T;
    using lanes_type = kbaie::vec_lanes<T, Elems>;
    using native_type = kbaie::native<T, Elems>;
    using storage_t = native_type;

private:
    typename kbaie::vec<T, Elems>::held lanes_;

public:
    static constexpr unsigned size() { return Elems; }
    static constexpr unsigned type_bits() { return kbaie::bits_of<T>; }
    static constexpr unsigned bits() { return total_bits; }
    static constexpr unsigned bytes() { return total_bits / 8; }
    static constexpr bool is_signed() { return kbaie::element<T>::is_signed; }
    static constexpr bool is_complex() { return kbaie::element<T>::is_complex; }
    static constexpr bool is_real() { return !is_complex(); }
    static constexpr bool is_integral() { return !is_floating_point(); }
    static constexpr bool is_floating_point() { return kbaie::element<T>::is_float; }

    // --- construction ---

    KB_MEMBER vector() : lanes_(kbaie::undef<lanes_type>(kbaie::kinds(kind))) {}
    KB_MEMBER explicit vector(lanes_type lanes, std::nullptr_t) : lanes_(lanes) {}
    KB_MEMBER vector(const native_type &v) : lanes_(v.lanes) {}
    template <class... V>
        requires(sizeof...(V) < Elems && (std::is_convertible_v<V, T> && ...))
    KB_MEMBER explicit vector(T first, V... more) : vector() {
        unsigned i = 0;
        set(first, i++);
        (set(T(more), i++), ...);
    }
    KB_MEMBER static vector from_lanes(lanes_type lanes) { return vector(lanes, nullptr); }
    KB_MEMBER lanes_type lanes() const { return lanes_; }
    KB_MEMBER native_type to_native() const { return {lanes_}; }
    KB_MEMBER operator native_type() const { return {lanes_}; }

    // --- elements ---

    KB_MEMBER T get(unsigned idx) const {
        return kbaie::from_scalar<T>(kbaie::elem_get<kbaie::scalar<T>>(kbaie::kinds(kind, kind), lanes_, int(idx)));
    }
    KB_MEMBER void set(T v, unsigned idx) {
        lanes_ = kbaie::elem_set<lanes_type>(kbaie::kinds(kind, kind, kbaie::Kind::i32, kind), lanes_, int(idx),
                                             kbaie::to_scalar(v));
    }
    KB_MEMBER vector &push(T v) {
        lanes_ = kbaie::push<lanes_type>(kbaie::kinds(kind, kind), lanes_, kbaie::to_scalar(v));
        return *this;
    }
    KB_MEMBER constexpr vector_elem_ref<T, Elems> operator[](unsigned idx) { return {*this, idx}; }
    KB_MEMBER constexpr vector_elem_const_ref<T, Elems> operator[](unsigned idx) const { return {*this, idx}; }
    KB_MEMBER constexpr vector_elem_ref<T, Elems> elem_ref(unsigned idx) { return {*this, idx}; }
    KB_MEMBER constexpr vector_elem_const_ref<T, Elems> elem_ref(unsigned idx) const { return {*this, idx}; }
    KB_MEMBER constexpr vector_elem_const_ref<T, Elems> elem_const_ref(unsigned idx) const { return {*this, idx}; }

    // --- parts ---

    template <unsigned Out>
    KB_MEMBER vector<T, Out> extract(unsigned idx) const {
        static_assert(Out <= Elems, "extract takes a part of the vector; grow makes it larger");
        return vector<T, Out>::from_lanes(
            kbaie::extract<typename vector<T, Out>::lanes_type>(kbaie::kinds(kind, kind), lanes_, int(idx)));
    }
    template <unsigned In>
    KB_MEMBER vector &insert(unsigned idx, const vector<T, In> &v) {
        static_assert(In <= Elems, "insert replaces a part of the vector");
        lanes_ = kbaie::insert<lanes_type>(kbaie::kinds(kind, kind, kbaie::Kind::i32, kind), lanes_, int(idx), v.lanes());
        return *this;
    }
    template <unsigned In>
    KB_MEMBER vector &insert(unsigned idx, const kbaie::native<T, In> &v) {
        return insert(idx, vector<T, In>(v));
    }
    template <unsigned Out>
    KB_MEMBER vector<T, Out> grow(unsigned idx = 0) const {
        static_assert(Out >= Elems, "grow makes a larger vector; extract takes a part");
        vector<T, Out> r;
        r.insert(idx, *this);
        return r;
    }
    template <unsigned Out>
    KB_MEMBER vector<T, Out> grow_replicate() const {
        static_assert(Out >= Elems, "grow_replicate makes a larger vector");
        return vector<T, Out>::from_lanes(
            kbaie::replicate<typename vector<T, Out>::lanes_type>(kbaie::kinds(kind, kind), lanes_));
    }
    template <unsigned Out>
    KB_MEMBER vector<T, Out> grow_extract(unsigned idx) const {
        if constexpr (Out > Elems)
            return grow<Out>();
        else
            return extract<Out>(idx);
    }
    template <unsigned Out>
    KB_MEMBER auto split() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(extract<Out>(I)...);
        }(std::make_index_sequence<Elems / Out>());
    }
    template <class... Sub>
    KB_MEMBER vector &upd_all(const Sub &...subs) {
        static_assert((detail::value_of_t<Sub>::size() + ...) == Elems, "upd_all sets every element");
        unsigned i = 0;
        (insert(i++, detail::value_of_t<Sub>(subs)), ...);
        return *this;
    }

    // --- conversion ---

    // The same bits as elements of another type.
    template <class U>
    KB_MEMBER auto cast_to() const {
        using result = vector<U, total_bits / kbaie::bits_of<U>>;
        return result::from_lanes((typename result::lanes_type)lanes_);
    }
    template <class U = typename kbaie::element<T>::next>
    KB_MEMBER vector<U, Elems> unpack() const {
        static_assert(kbaie::element<U>::family == kbaie::element<T>::family && !is_floating_point() &&
                          kbaie::bits_of<U> > kbaie::bits_of<T>,
                      "unpack widens integers");
        return vector<U, Elems>::from_lanes(
            kbaie::unpack<typename vector<U, Elems>::lanes_type>(kbaie::kinds(kbaie::kind_of<U>, kind), lanes_));
    }
    // The lanes' bits with or without a sign, whatever T says.
    template <class U = typename kbaie::element<T>::next>
    KB_MEMBER vector<U, Elems> unpack_sign(bool v_sign) const {
        using S = typename kbaie::signed_of<T>::type;
        using N = typename kbaie::unsigned_of<T>::type;
        return v_sign ? cast_to<S>().template unpack<U>() : cast_to<N>().template unpack<U>();
    }
    template <class U = typename kbaie::element<T>::prev>
    KB_MEMBER vector<U, Elems> pack() const {
        static_assert(kbaie::element<U>::family == kbaie::element<T>::family && !is_floating_point() &&
                          kbaie::bits_of<U> < kbaie::bits_of<T>,
                      "pack narrows integers");
        return vector<U, Elems>::from_lanes(
            kbaie::pack<typename vector<U, Elems>::lanes_type>(kbaie::kinds(kbaie::kind_of<U>, kind), lanes_));
    }
    template <class U = typename kbaie::element<T>::prev>
    KB_MEMBER vector<U, Elems> pack_sign(bool v_sign) const {
        using S = typename kbaie::signed_of<T>::type;
        using N = typename kbaie::unsigned_of<T>::type;
        return v_sign ? cast_to<S>().template pack<typename kbaie::signed_of<U>::type>().template cast_to<U>()
                      : cast_to<N>().template pack<typename kbaie::unsigned_of<U>::type>().template cast_to<U>();
    }

    // --- memory ---

    template <aie_dm_resource Resource = aie_dm_resource::none>
    KB_MEMBER void load(const T *ptr);
    template <aie_dm_resource Resource = aie_dm_resource::none>
    KB_MEMBER void store(T *ptr) const;
    template <aie_dm_resource Resource = aie_dm_resource::none>
    KB_MEMBER void load_unaligned(const T *ptr, unsigned aligned_elems = 1);
    template <aie_dm_resource Resource = aie_dm_resource::none>
    KB_MEMBER void store_unaligned(T *ptr, unsigned aligned_elems = 1) const;
};

template <class T, unsigned N>
vector(kbaie::native<T, N>) -> vector<T, N>;

}  // namespace aie
