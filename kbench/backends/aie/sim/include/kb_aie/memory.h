// Loads and stores. They are plain accesses of the language: what they touch and how it is aligned is checked where the
// program is lowered, with the alignment that stands in the access.
#ifndef KB_AIE_MEMORY_H
#define KB_AIE_MEMORY_H

#include "operand.h"

namespace kbaie {

// A vector at an address that is a multiple of Align bytes.
template <class T, unsigned N, unsigned Align>
struct placed {
    typedef typename element<T>::lane type
        __attribute__((vector_size(N * bits_of<T> / 8), aligned(Align), may_alias));
};

template <class T, unsigned N, unsigned Align>
KB_INLINE aie::vector<T, N> load_at(const void *p) {
    return aie::vector<T, N>::from_lanes(*static_cast<const typename placed<T, N, Align>::type *>(p));
}
template <class T, unsigned N, unsigned Align>
KB_INLINE void store_at(void *p, const aie::vector<T, N> &v) {
    *static_cast<typename placed<T, N, Align>::type *>(p) = v.lanes();
}

template <class T, unsigned N>
inline constexpr unsigned full_align = align_of_bytes(N * bits_of<T> / 8);

// The promise of `aligned_elems`, up to what an aligned access has.
template <class T, unsigned N, class Access>
KB_INLINE auto with_alignment(unsigned aligned_elems, Access access) {
    constexpr unsigned full = full_align<T, N>;
    const unsigned bytes = aligned_elems * sizeof(T);
    if (bytes >= full) return access(std::integral_constant<unsigned, full>());
    if (bytes >= 32) return access(std::integral_constant<unsigned, (full < 32 ? full : 32)>());
    if (bytes >= 16) return access(std::integral_constant<unsigned, 16>());
    if (bytes >= 8) return access(std::integral_constant<unsigned, 8>());
    if (bytes >= 4) return access(std::integral_constant<unsigned, 4>());
    if (bytes >= 2) return access(std::integral_constant<unsigned, 2>());
    return access(std::integral_constant<unsigned, 1>());
}

}  // namespace kbaie

namespace aie {

template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE vector<std::remove_cv_t<T>, Elems> load_v(const T *ptr) {
    using E = std::remove_cv_t<T>;
    return kbaie::load_at<E, Elems, kbaie::full_align<E, Elems>>(ptr);
}
template <aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE auto load_v(const T *ptr) {
    return load_v<native_vector_length_v<std::remove_cv_t<T>>, Resource>(ptr);
}

template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE vector<std::remove_cv_t<T>, Elems> load_unaligned_v(const T *ptr, unsigned aligned_elems = 1) {
    using E = std::remove_cv_t<T>;
    return kbaie::with_alignment<E, Elems>(
        aligned_elems, [ptr](auto align) KB_LAMBDA { return kbaie::load_at<E, Elems, align>(ptr); });
}
template <aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE auto load_unaligned_v(const T *ptr, unsigned aligned_elems = 1) {
    return load_unaligned_v<native_vector_length_v<std::remove_cv_t<T>>, Resource>(ptr, aligned_elems);
}

// From the nearest address below that is a multiple of `bytes`.
template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE vector<std::remove_cv_t<T>, Elems> load_floor_bytes_v(const T *ptr, size_t bytes) {
    using E = std::remove_cv_t<T>;
    return load_unaligned_v<Elems, Resource>(
        static_cast<const E *>(__builtin_align_down(static_cast<const void *>(ptr), bytes)), bytes / sizeof(E));
}
template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, DecoratedElemBaseType T>
KB_INLINE vector<std::remove_cv_t<T>, Elems> load_floor_v(const T *ptr, unsigned n = Elems) {
    return load_floor_bytes_v<Elems, Resource>(ptr, n * kbaie::bits_of<std::remove_cv_t<T>> / 8);
}

template <aie_dm_resource Resource = aie_dm_resource::none, ElemBaseType T, unsigned Elems>
KB_INLINE T *store_v(T *ptr, const vector<T, Elems> &v) {
    kbaie::store_at<T, Elems, kbaie::full_align<T, Elems>>(ptr, v);
    return ptr;
}
template <aie_dm_resource Resource = aie_dm_resource::none, ElemBaseType T, unsigned Elems>
KB_INLINE T *store_unaligned_v(T *ptr, const vector<T, Elems> &v, unsigned aligned_elems = 1) {
    kbaie::with_alignment<T, Elems>(aligned_elems,
                                    [&](auto align) KB_LAMBDA { kbaie::store_at<T, Elems, align>(ptr, v); });
    return ptr;
}
template <aie_dm_resource Resource = aie_dm_resource::none, ElemBaseType T, unsigned Elems>
KB_INLINE T *store_floor_bytes_v(T *ptr, const vector<T, Elems> &v, size_t bytes) {
    store_unaligned_v(static_cast<T *>(__builtin_align_down(static_cast<void *>(ptr), bytes)), v, bytes / sizeof(T));
    return ptr;
}
template <aie_dm_resource Resource = aie_dm_resource::none, ElemBaseType T, unsigned Elems>
KB_INLINE T *store_floor_v(T *ptr, const vector<T, Elems> &v, unsigned n = Elems) {
    return store_floor_bytes_v(ptr, v, n * kbaie::bits_of<T> / 8);
}

template <class T, unsigned Elems>
template <aie_dm_resource Resource>
KB_INLINE void vector<T, Elems>::load(const T *ptr) {
    *this = load_v<Elems, Resource>(ptr);
}
template <class T, unsigned Elems>
template <aie_dm_resource Resource>
KB_INLINE void vector<T, Elems>::store(T *ptr) const {
    store_v<Resource>(ptr, *this);
}
template <class T, unsigned Elems>
template <aie_dm_resource Resource>
KB_INLINE void vector<T, Elems>::load_unaligned(const T *ptr, unsigned aligned_elems) {
    *this = load_unaligned_v<Elems, Resource>(ptr, aligned_elems);
}
template <class T, unsigned Elems>
template <aie_dm_resource Resource>
KB_INLINE void vector<T, Elems>::store_unaligned(T *ptr, unsigned aligned_elems) const {
    store_unaligned_v<Resource>(ptr, *this, aligned_elems);
}

// A vector in memory: what an iterator gives. It reads as a vector and takes one.
template <class T, unsigned Elems, aie_dm_resource Resource>
class vector_ref {
public:
    using elem_type = T;
    using vector_type = vector<std::remove_cv_t<T>, Elems>;
    using value_type = std::remove_cv_t<T>;
    static constexpr unsigned size() { return Elems; }

    KB_MEMBER constexpr vector_ref(T *ptr) : ptr_(ptr) {}
    KB_MEMBER operator vector_type() const { return load_v<Elems, Resource>(ptr_); }
    KB_MEMBER const vector_ref &operator=(const vector_type &v) const
        requires(!std::is_const_v<T>)
    {
        store_v<Resource>(ptr_, v);
        return *this;
    }
    KB_MEMBER const vector_ref &operator=(const vector_ref &v) const
        requires(!std::is_const_v<T>)
    {
        return *this = vector_type(v);
    }

private:
    T *ptr_;
};

template <class T, unsigned Elems, aie_dm_resource Resource>
class unaligned_vector_ref {
public:
    using elem_type = T;
    using vector_type = vector<std::remove_cv_t<T>, Elems>;
    using value_type = std::remove_cv_t<T>;
    static constexpr unsigned size() { return Elems; }

    KB_MEMBER constexpr unaligned_vector_ref(T *ptr, unsigned aligned_elems = 1) : ptr_(ptr), aligned_(aligned_elems) {}
    KB_MEMBER operator vector_type() const { return load_unaligned_v<Elems, Resource>(ptr_, aligned_); }
    KB_MEMBER const unaligned_vector_ref &operator=(const vector_type &v) const
        requires(!std::is_const_v<T>)
    {
        store_unaligned_v<Resource>(ptr_, v, aligned_);
        return *this;
    }

private:
    T *ptr_;
    unsigned aligned_;
};

}  // namespace aie

#endif
