// Iterators over vectors in memory: forward, circular, by a pattern of offsets, unaligned.
#pragma once

#include <stddef.h>

#include <iterator>
#include <tuple>

#include "../kb_aie/memory.h"

namespace kbaie {

inline constexpr size_t dynamic = size_t(-1);

// Steps of a pointer to T that a vector of N elements makes: two elements of 4 bits share a byte.
template <class T, unsigned N>
inline constexpr ptrdiff_t pointer_steps = bits_of<std::remove_cv_t<T>> == 4 ? N / 2 : N;

// The vector that lies at a pointer, with the constness of the pointer.
template <class T, unsigned N>
using vector_at = std::conditional_t<std::is_const_v<T>, const aie::vector<std::remove_cv_t<T>, N>,
                                     aie::vector<std::remove_cv_t<T>, N>>;

// What `*it` is: an element, or the vector that begins there (Elems of them).
template <class T, unsigned Elems>
struct target {
    using type = vector_at<T, Elems>;
    static constexpr ptrdiff_t steps = pointer_steps<T, Elems>;
};
template <class T>
struct target<T, 0> {
    using type = T;
    static constexpr ptrdiff_t steps = 1;
};

// What all iterators share, written once: it provides `kb_step(n)`.
template <class It, class T, unsigned Elems>
class cursor {
public:
    using target_type = typename target<T, Elems>::type;
    using value_type = std::remove_const_t<target_type>;
    using reference = target_type &;
    using pointer = target_type *;
    using difference_type = ptrdiff_t;

    KB_MEMBER constexpr It &operator++() {
        self().kb_step(1);
        return self();
    }
    KB_MEMBER constexpr It operator++(int) {
        It before = self();
        self().kb_step(1);
        return before;
    }
    KB_MEMBER reference operator*() const { return *(pointer)at_; }
    KB_MEMBER pointer operator->() const { return (pointer)at_; }
    KB_MEMBER friend constexpr bool operator==(const It &a, const It &b) { return a.at_ == b.at_; }

protected:
    KB_MEMBER constexpr explicit cursor(T *at) : at_(at) {}
    KB_MEMBER constexpr It &self() { return static_cast<It &>(*this); }
    static constexpr ptrdiff_t steps = target<T, Elems>::steps;
    T *at_;
};

// The same for those that also go back and by several steps.
template <class It, class T, unsigned Elems>
class random_cursor : public cursor<It, T, Elems> {
public:
    KB_MEMBER constexpr It &operator--() {
        this->self().kb_step(-1);
        return this->self();
    }
    KB_MEMBER constexpr It operator--(int) {
        It before = this->self();
        this->self().kb_step(-1);
        return before;
    }
    KB_MEMBER constexpr It &operator+=(ptrdiff_t n) {
        this->self().kb_step(n);
        return this->self();
    }
    KB_MEMBER constexpr It &operator-=(ptrdiff_t n) {
        this->self().kb_step(-n);
        return this->self();
    }
    KB_MEMBER constexpr It operator+(ptrdiff_t n) const { return moved(n); }
    KB_MEMBER constexpr It operator-(ptrdiff_t n) const { return moved(-n); }
    KB_MEMBER typename cursor<It, T, Elems>::reference operator[](ptrdiff_t n) const { return *moved(n); }

protected:
    using cursor<It, T, Elems>::cursor;
    KB_MEMBER constexpr It moved(ptrdiff_t n) const {
        It it = static_cast<const It &>(*this);
        it.kb_step(n);
        return it;
    }
};

template <size_t Size>
struct extent {
    KB_MEMBER constexpr explicit extent(size_t = Size) {}
    KB_MEMBER constexpr ptrdiff_t size() const { return ptrdiff_t(Size); }
};
template <>
struct extent<dynamic> {
    size_t size_;
    KB_MEMBER constexpr explicit extent(size_t n) : size_(n) {}
    KB_MEMBER constexpr ptrdiff_t size() const { return ptrdiff_t(size_); }
};

// An array that begins again after its end; its size is in elements.
template <class T, size_t Size>
class ring : extent<Size> {
public:
    KB_MEMBER constexpr explicit ring(T *base, size_t n = Size) : extent<Size>(n), base_(base) {}
    KB_MEMBER constexpr T *moved(T *at, ptrdiff_t by) const {
        const ptrdiff_t end = bits_in_pointer();
        ptrdiff_t offset = at - base_ + by;
        if (offset >= end) offset -= end;
        if (offset < 0) offset += end;
        return base_ + offset;
    }

private:
    KB_MEMBER constexpr ptrdiff_t bits_in_pointer() const {
        if constexpr (is_element<std::remove_cv_t<T>>) {
            if constexpr (bits_of<std::remove_cv_t<T>> == 4) return this->size() / 2;
        }
        return this->size();
    }
    T *base_;
};

}  // namespace kbaie

namespace aie {

inline constexpr size_t dynamic_extent = kbaie::dynamic;

// --- along memory ----------------------------------------------------------------------------------------------------

template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class vector_iterator : public kbaie::random_cursor<vector_iterator<T, Elems, Resource>, T, Elems> {
public:
    using iterator_category = std::random_access_iterator_tag;
    KB_MEMBER constexpr vector_iterator(T *ptr) : vector_iterator::random_cursor(ptr) {}
    KB_MEMBER constexpr void kb_step(ptrdiff_t n) { this->at_ += n * this->steps; }
};
template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
using const_vector_iterator = vector_iterator<const T, Elems, Resource>;

// The promise that nothing else reaches the memory steers the compiler's schedule, not results.
template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class restrict_vector_iterator : public kbaie::random_cursor<restrict_vector_iterator<T, Elems, Resource>, T, Elems> {
public:
    using iterator_category = std::random_access_iterator_tag;
    KB_MEMBER constexpr restrict_vector_iterator(T *ptr) : restrict_vector_iterator::random_cursor(ptr) {}
    KB_MEMBER constexpr void kb_step(ptrdiff_t n) { this->at_ += n * this->steps; }
};
template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
using const_restrict_vector_iterator = restrict_vector_iterator<const T, Elems, Resource>;

template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class unaligned_vector_iterator : public kbaie::cursor<unaligned_vector_iterator<T, Elems, Resource>, T, Elems> {
public:
    using iterator_category = std::forward_iterator_tag;
    KB_MEMBER constexpr unaligned_vector_iterator(T *ptr) : unaligned_vector_iterator::cursor(ptr) {}
    KB_MEMBER constexpr void kb_step(ptrdiff_t n) { this->at_ += n * this->steps; }
    KB_MEMBER unaligned_vector_ref<T, Elems, Resource> operator*() const { return {this->at_}; }
};
template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
using const_unaligned_vector_iterator = unaligned_vector_iterator<const T, Elems, Resource>;

// --- circular --------------------------------------------------------------------------------------------------------

#define KB_CIRCULAR(name, parameters, arguments, base, elems, category)                                              \
    template <typename T, parameters size_t Size = dynamic_extent, aie_dm_resource Resource = aie_dm_resource::none> \
    class name : public kbaie::base<name<T, arguments Size, Resource>, T, elems> {                                   \
    public:                                                                                                          \
        using iterator_category = std::category;                                                                     \
        KB_MEMBER constexpr name(T *base_, size_t n = Size) : name::base(base_), ring_(base_, n) {}                  \
        KB_MEMBER constexpr name(T *ptr, T *base_, size_t n = Size) : name::base(ptr), ring_(base_, n) {}            \
        KB_MEMBER constexpr void kb_step(ptrdiff_t n) { this->at_ = ring_.moved(this->at_, n * this->steps); }          \
                                                                                                                     \
    private:                                                                                                         \
        kbaie::ring<T, Size> ring_;                                                                                  \
    };
#define KB_NONE
#define KB_ELEMS unsigned Elems,
#define KB_ELEM Elems,
KB_CIRCULAR(circular_iterator, KB_NONE, KB_NONE, cursor, 0, forward_iterator_tag)
KB_CIRCULAR(random_circular_iterator, KB_NONE, KB_NONE, random_cursor, 0, random_access_iterator_tag)
KB_CIRCULAR(vector_circular_iterator, KB_ELEMS, KB_ELEM, cursor, Elems, forward_iterator_tag)
KB_CIRCULAR(vector_random_circular_iterator, KB_ELEMS, KB_ELEM, random_cursor, Elems, random_access_iterator_tag)
#undef KB_ELEM
#undef KB_ELEMS
#undef KB_NONE
#undef KB_CIRCULAR

template <typename T, size_t Size = dynamic_extent, aie_dm_resource Resource = aie_dm_resource::none>
using const_circular_iterator = circular_iterator<const T, Size, Resource>;
template <typename T, size_t Size, aie_dm_resource Resource = aie_dm_resource::none>
using const_random_circular_iterator = random_circular_iterator<const T, Size, Resource>;
template <typename T, unsigned Elems, size_t Size = dynamic_extent, aie_dm_resource Resource = aie_dm_resource::none>
using const_vector_circular_iterator = vector_circular_iterator<const T, Elems, Size, Resource>;
template <typename T, unsigned Elems, size_t Size, aie_dm_resource Resource = aie_dm_resource::none>
using const_vector_random_circular_iterator = vector_random_circular_iterator<const T, Elems, Size, Resource>;

// --- by a pattern ----------------------------------------------------------------------------------------------------

// Each increment goes by the next of the offsets, which begin again after the last.
template <typename T, unsigned Steps>
class pattern_iterator : public kbaie::cursor<pattern_iterator<T, Steps>, T, 0> {
    static_assert(Steps != 0, "aie::pattern_iterator: at least one offset");

public:
    using iterator_category = std::forward_iterator_tag;
    template <typename... Offsets>
    KB_MEMBER constexpr pattern_iterator(T *ptr, Offsets... offsets)
        : pattern_iterator::cursor(ptr), offsets_{ptrdiff_t(offsets)...}, next_(0) {
        static_assert(sizeof...(Offsets) == Steps, "aie::pattern_iterator: as many offsets as steps");
    }
    KB_MEMBER constexpr void kb_step(ptrdiff_t) {
        this->at_ += offsets_[next_];
        next_ = next_ + 1 == Steps ? 0 : next_ + 1;
    }

private:
    ptrdiff_t offsets_[Steps];
    unsigned next_;
};
template <typename T, unsigned Steps>
using const_pattern_iterator = pattern_iterator<const T, Steps>;

// --- functions -------------------------------------------------------------------------------------------------------

template <aie_dm_resource Resource = aie_dm_resource::none, typename T>
KB_INLINE constexpr T *begin(T *base, size_t) {
    return base;
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T>
KB_INLINE constexpr const T *cbegin(const T *base, size_t) {
    return base;
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T, unsigned N>
KB_INLINE constexpr T *begin(T (&base)[N]) {
    return base;
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T>
KB_INLINE constexpr T *end(T *base, size_t n) {
    return base + n;
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T>
KB_INLINE constexpr const T *cend(const T *base, size_t n) {
    return base + n;
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T, unsigned N>
KB_INLINE constexpr T *end(T (&base)[N]) {
    return base + N;
}

#define KB_BEGIN_VECTOR(name, cname, iterator)                                              \
    template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T> \
        requires(kbaie::is_element<std::remove_cv_t<T>>)                                    \
    KB_INLINE constexpr iterator<T, Elems, Resource> name(T *base) {                        \
        return {base};                                                                      \
    }                                                                                       \
    template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T> \
        requires(kbaie::is_element<std::remove_cv_t<T>>)                                    \
    KB_INLINE constexpr iterator<const T, Elems, Resource> cname(const T *base) {           \
        return {base};                                                                      \
    }
KB_BEGIN_VECTOR(begin_vector, cbegin_vector, vector_iterator)
KB_BEGIN_VECTOR(begin_restrict_vector, cbegin_restrict_vector, restrict_vector_iterator)
KB_BEGIN_VECTOR(begin_unaligned_vector, cbegin_unaligned_vector, unaligned_vector_iterator)
#undef KB_BEGIN_VECTOR

template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename... Types>
KB_INLINE constexpr auto begin_vectors(Types *...ptrs) {
    return std::make_tuple(begin_vector<Elems, Resource>(ptrs)...);
}
template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename... Types>
KB_INLINE constexpr auto cbegin_vectors(const Types *...ptrs) {
    return std::make_tuple(cbegin_vector<Elems, Resource>(ptrs)...);
}

// The size is an argument, a template argument, or the array's own.
#define KB_BEGIN_CIRCULAR(name, iterator, elements, T_)                                   \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename T>               \
    KB_INLINE constexpr iterator<T_, dynamic_extent, Resource> name(T_ *base, size_t n) { \
        return {base, n};                                                                 \
    }                                                                                     \
    template <size_t Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T> \
    KB_INLINE constexpr iterator<T_, Elems, Resource> name(T_ *base) {                    \
        return {base};                                                                    \
    }                                                                                     \
    template <aie_dm_resource Resource = aie_dm_resource::none, typename T, size_t Elems> \
    KB_INLINE constexpr iterator<T_, Elems, Resource> name(T_(&base)[Elems]) {            \
        return {base};                                                                    \
    }
KB_BEGIN_CIRCULAR(begin_circular, circular_iterator, , T)
KB_BEGIN_CIRCULAR(cbegin_circular, circular_iterator, , const T)
KB_BEGIN_CIRCULAR(begin_random_circular, random_circular_iterator, , T)
KB_BEGIN_CIRCULAR(cbegin_random_circular, random_circular_iterator, , const T)
#undef KB_BEGIN_CIRCULAR

#define KB_BEGIN_VECTOR_CIRCULAR(name, iterator, T_)                                                     \
    template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T>              \
    KB_INLINE constexpr iterator<T_, Elems, dynamic_extent, Resource> name(T_ *base, size_t n) {         \
        return {base, n};                                                                                \
    }                                                                                                    \
    template <unsigned Elems, size_t Size, aie_dm_resource Resource = aie_dm_resource::none, typename T> \
    KB_INLINE constexpr iterator<T_, Elems, Size, Resource> name(T_ *base) {                             \
        return {base};                                                                                   \
    }                                                                                                    \
    template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T, size_t Size> \
    KB_INLINE constexpr iterator<T_, Elems, Size, Resource> name(T_(&base)[Size]) {                      \
        return {base};                                                                                   \
    }
KB_BEGIN_VECTOR_CIRCULAR(begin_vector_circular, vector_circular_iterator, T)
KB_BEGIN_VECTOR_CIRCULAR(cbegin_vector_circular, vector_circular_iterator, const T)
KB_BEGIN_VECTOR_CIRCULAR(begin_vector_random_circular, vector_random_circular_iterator, T)
KB_BEGIN_VECTOR_CIRCULAR(cbegin_vector_random_circular, vector_random_circular_iterator, const T)
#undef KB_BEGIN_VECTOR_CIRCULAR

template <unsigned Steps, typename T, typename... Offsets>
KB_INLINE constexpr pattern_iterator<T, Steps> begin_pattern(T *base, Offsets... offsets) {
    return {base, offsets...};
}
template <unsigned Steps, typename T, typename... Offsets>
KB_INLINE constexpr pattern_iterator<const T, Steps> cbegin_pattern(const T *base, Offsets... offsets) {
    return {base, offsets...};
}

}  // namespace aie

#include "detail/buffer_stream.hpp"
#include "detail/tensor.hpp"
