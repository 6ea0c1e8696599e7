// Tensor descriptors, and streams that walk a buffer along them.
//
// A walk is a sequence of levels of up to three dimensions, the outermost first: a level that is not the last yields
// the streams of the next one. Within a level the last dimension moves fastest; the first one has no end.
#pragma once

#include <array>

#include "../vector.hpp"

namespace aie {

struct tensor_dim {
    unsigned num;
    int step;
    constexpr tensor_dim() = default;
    KB_MEMBER constexpr explicit tensor_dim(unsigned num, int step) : num(num), step(step) {}
};

// Increments: num1 times inc1, then once inc2; num2 times that, then once inc3. Each starts where the last one ended.
struct dim_2d {
    unsigned num1;
    int inc1, inc2;
    KB_MEMBER constexpr dim_2d(unsigned num1, int inc1, int inc2) : num1(num1), inc1(inc1), inc2(inc2) {}
};
struct dim_3d {
    unsigned num1;
    int inc1;
    unsigned num2;
    int inc2, inc3;
    KB_MEMBER constexpr dim_3d(unsigned num1, int inc1, unsigned num2, int inc2, int inc3)
        : num1(num1), inc1(inc1), num2(num2), inc2(inc2), inc3(inc3) {}
};

}  // namespace aie

namespace kbaie {

// One level of a walk, in bytes. Without a second dimension num1 is 0 and inc2 is inc1's: only the last increment is
// ever made.
struct level {
    unsigned num1 = 0, num2 = 0;
    int inc1 = 0, inc2 = 0, inc3 = 0;
};

KB_INLINE constexpr level level_of(int increment, int scale) { return {0, 0, 0, 0, increment * scale}; }
KB_INLINE constexpr level level_of(aie::dim_2d d, int scale) { return {d.num1, 0, d.inc1 * scale, 0, d.inc2 * scale}; }
KB_INLINE constexpr level level_of(aie::dim_3d d, int scale) {
    return {d.num1, d.num2, d.inc1 * scale, d.inc2 * scale, d.inc3 * scale};
}

// Up to three dimensions, outermost first, as increments: each goes back over what the faster ones walked.
KB_INLINE constexpr level level_of(const aie::tensor_dim *dims, unsigned rank, int scale) {
    if (rank == 1) return level_of(dims[0].step, scale);
    const aie::tensor_dim fast = dims[rank - 1], slow = dims[rank - 2];
    const int back = fast.step * int(fast.num - 1);
    if (rank == 2) return level_of(aie::dim_2d(fast.num - 1, fast.step, slow.step - back), scale);
    const int far_back = back + slow.step * int(slow.num - 1);
    return level_of(aie::dim_3d(fast.num - 1, fast.step, slow.num - 1, slow.step - back, dims[0].step - far_back),
                    scale);
}

template <class T, unsigned Elems, unsigned Levels>
class tensor_stream;

}  // namespace kbaie

namespace aie {

template <unsigned Levels, typename T, unsigned Elems>
class tensor_descriptor {
public:
    using type = T;
    using vector_type = vector<T, Elems>;
    static constexpr unsigned elems = Elems;
    constexpr tensor_descriptor() = default;
    KB_MEMBER explicit constexpr tensor_descriptor(const std::array<kbaie::level, Levels> &walk) : walk_(walk) {}
    KB_MEMBER constexpr const std::array<kbaie::level, Levels> &kb_walk() const { return walk_; }

private:
    std::array<kbaie::level, Levels> walk_;
};

}  // namespace aie

namespace kbaie {

// Dimensions are taken three at a time from the outermost on.
template <class T, unsigned Elems, unsigned Rank>
KB_INLINE constexpr auto tensor_of(const std::array<aie::tensor_dim, Rank> &dims, int scale) {
    constexpr unsigned levels = (Rank + 2) / 3;
    std::array<level, levels> walk{};
    for (unsigned i = 0; i < levels; ++i)
        walk[i] = level_of(dims.data() + 3 * i, Rank - 3 * i < 3 ? Rank - 3 * i : 3, scale);
    return aie::tensor_descriptor<levels, T, Elems>(walk);
}

template <class T, unsigned Elems, unsigned Levels>
class tensor_stream {
public:
    using vector_type = aie::vector<std::remove_cv_t<T>, Elems>;
    using inner_type = std::conditional_t<Levels == 1, vector_type, tensor_stream<T, Elems, Levels - (Levels > 1)>>;
    using value_type = inner_type;

    KB_MEMBER constexpr tensor_stream(T *at, const std::array<level, Levels> &walk) : at_((byte *)at), walk_(walk) {}

    // The next vector; of a level that is not the last, the stream of the next level from here.
    KB_MEMBER inner_type pop() {
        if constexpr (Levels == 1) {
            vector_type v = *(const vector_type *)at_;
            advance();
            return v;
        } else {
            std::array<level, Levels - 1> rest;
            for (unsigned i = 1; i < Levels; ++i) rest[i - 1] = walk_[i];
            inner_type inner((T *)at_, rest);
            advance();
            return inner;
        }
    }
    KB_MEMBER void push(const vector_type &v)
        requires(Levels == 1 && !std::is_const_v<T>)
    {
        *(vector_type *)at_ = v;
        advance();
    }
    KB_MEMBER tensor_stream &operator>>(vector_type &v)
        requires(Levels == 1)
    {
        v = pop();
        return *this;
    }
    KB_MEMBER tensor_stream &operator<<(const vector_type &v)
        requires(Levels == 1 && !std::is_const_v<T>)
    {
        push(v);
        return *this;
    }
    KB_MEMBER friend constexpr bool operator==(const tensor_stream &a, const tensor_stream &b) {
        return a.at_ == b.at_;
    }

private:
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;

    KB_MEMBER constexpr void advance() {
        const level &l = walk_[0];
        if (first_ < l.num1) {
            ++first_;
            at_ += l.inc1;
            return;
        }
        first_ = 0;
        if (second_ < l.num2) {
            ++second_;
            at_ += l.inc2;
            return;
        }
        second_ = 0;
        at_ += l.inc3;
    }

    byte *at_;
    std::array<level, Levels> walk_;
    unsigned first_ = 0, second_ = 0;
};

template <class... Dims>
inline constexpr bool are_tensor_dims = (std::is_same_v<std::decay_t<Dims>, aie::tensor_dim> && ...);
template <class D>
inline constexpr bool is_native_dim =
    std::is_same_v<D, int> || std::is_same_v<D, aie::dim_2d> || std::is_same_v<D, aie::dim_3d>;

}  // namespace kbaie

namespace aie {

// Steps are in vectors, or in bytes where the name says so.
template <typename T, unsigned Elems, typename... Dims>
    requires(kbaie::are_tensor_dims<Dims...>)
KB_INLINE constexpr auto make_tensor_descriptor(Dims &&...dims) {
    return kbaie::tensor_of<T, Elems>(std::array<tensor_dim, sizeof...(Dims)>{dims...}, int(vector<T, Elems>::bytes()));
}
template <typename T, unsigned Elems, typename... Dims>
    requires(kbaie::are_tensor_dims<Dims...>)
KB_INLINE constexpr auto make_tensor_descriptor_bytes(Dims &&...dims) {
    return kbaie::tensor_of<T, Elems>(std::array<tensor_dim, sizeof...(Dims)>{dims...}, 1);
}
template <typename T, unsigned Elems, typename... Dims>
    requires(kbaie::is_native_dim<std::decay_t<Dims>> && ...)
KB_INLINE constexpr auto make_tensor_descriptor_from_native(Dims &&...dims) {
    constexpr int scale = int(vector<T, Elems>::bytes());
    return tensor_descriptor<sizeof...(Dims), T, Elems>(
        std::array<kbaie::level, sizeof...(Dims)>{kbaie::level_of(dims, scale)...});
}
template <typename T, unsigned Elems, typename... Dims>
    requires(kbaie::is_native_dim<std::decay_t<Dims>> && ...)
KB_INLINE constexpr auto make_tensor_descriptor_from_native_bytes(Dims &&...dims) {
    return tensor_descriptor<sizeof...(Dims), T, Elems>(
        std::array<kbaie::level, sizeof...(Dims)>{kbaie::level_of(dims, 1)...});
}

template <aie_dm_resource Resource = aie_dm_resource::none, typename T, unsigned Levels, unsigned Elems>
KB_INLINE constexpr auto make_tensor_buffer_stream(T *base,
                                                   const tensor_descriptor<Levels, std::remove_cv_t<T>, Elems> &desc) {
    return kbaie::tensor_stream<T, Elems, Levels>(base, desc.kb_walk());
}
template <aie_dm_resource Resource = aie_dm_resource::none, typename T, unsigned Levels, unsigned Elems>
KB_INLINE constexpr auto make_restrict_tensor_buffer_stream(
    T *base, const tensor_descriptor<Levels, std::remove_cv_t<T>, Elems> &desc) {
    return kbaie::tensor_stream<T, Elems, Levels>(base, desc.kb_walk());
}

}  // namespace aie
