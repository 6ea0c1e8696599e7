// One bit an element, in words of 32 bits.
#pragma once

#include <array>
#include <bit>

#include "aie_types.hpp"

namespace aie {

template <unsigned Elems>
class mask {
    static constexpr unsigned words = (Elems + 31) / 32;
    static constexpr unsigned last = Elems % 32 ? (1u << Elems % 32) - 1 : ~0u;
    template <unsigned>
    friend class mask;
    unsigned data_[words];

    KB_MEMBER constexpr mask &trim() {
        data_[words - 1] &= last;
        return *this;
    }

public:
    // What operations take: 32 or 64 bits, or a power of two of words in a vector.
    using lanes_type =
        std::conditional_t<(Elems <= 32), unsigned,
                           std::conditional_t<(Elems <= 64), unsigned long long,
                                              typename kbaie::lanes<unsigned, std::bit_ceil(words)>::type>>;

    static constexpr unsigned size() { return Elems; }

    KB_MEMBER constexpr explicit mask(bool initial_set = false) : data_{} {
        for (unsigned &w : data_) w = initial_set ? ~0u : 0u;
        trim();
    }
    template <class... W>
        requires(sizeof...(W) + 1 == words)
    KB_MEMBER static constexpr mask from_uint32(unsigned w, W... more) {
        mask r;
        unsigned i = 0;
        ((r.data_[i++] = w), ..., (r.data_[i++] = unsigned(more)));
        return r.trim();
    }
    template <class... W>
        requires(sizeof...(W) + 1 == words / 2)
    KB_MEMBER static constexpr mask from_uint64(uint64_t w, W... more) {
        static_assert(Elems % 64 == 0, "from_uint64 fills whole words of 64 bits");
        mask r;
        unsigned i = 0;
        auto put = [&](uint64_t x) {
            r.data_[i++] = unsigned(x);
            r.data_[i++] = unsigned(x >> 32);
        };
        put(w);
        (put(uint64_t(more)), ...);
        return r;
    }
    template <unsigned E, unsigned... Es>
        requires(Elems == (E + ... + Es) && ((E == Es) && ...))
    KB_MEMBER static constexpr mask from_masks(const mask<E> &m, const mask<Es> &...more) {
        mask r;
        unsigned i = 0;
        r.template insert<E>(i++, m);
        (r.template insert<Es>(i++, more), ...);
        return r;
    }

    KB_MEMBER static mask from_lanes(lanes_type bits) {
        mask r;
        __builtin_memcpy(r.data_, &bits, sizeof r.data_);
        return r.trim();
    }
    KB_MEMBER lanes_type lanes() const {
        lanes_type bits{};
        __builtin_memcpy(&bits, data_, sizeof data_);
        return bits;
    }

    KB_MEMBER constexpr bool test(unsigned i) const { return data_[i / 32] >> i % 32 & 1; }
    KB_MEMBER constexpr void set(unsigned i) { data_[i / 32] |= 1u << i % 32; }
    KB_MEMBER constexpr void clear(unsigned i) { data_[i / 32] &= ~(1u << i % 32); }

    KB_MEMBER constexpr bool operator==(const mask &m) const {
        bool same = true;
        for (unsigned i = 0; i < words; ++i) same &= data_[i] == m.data_[i];
        return same;
    }
    KB_MEMBER constexpr bool operator!=(const mask &m) const { return !(*this == m); }
#define KB_MASK_OP(op)                                                        \
    KB_MEMBER constexpr mask &operator op##=(const mask &m) {                 \
        for (unsigned i = 0; i < words; ++i) data_[i] op## = m.data_[i];      \
        return *this;                                                         \
    }                                                                         \
    KB_MEMBER constexpr mask operator op(const mask &m) const { return mask(*this) op## = m; }
    KB_MASK_OP(&)
    KB_MASK_OP(|)
    KB_MASK_OP(^)
#undef KB_MASK_OP
    KB_MEMBER constexpr mask operator~() const {
        mask r;
        for (unsigned i = 0; i < words; ++i) r.data_[i] = ~data_[i];
        return r.trim();
    }
    KB_MEMBER constexpr mask &operator<<=(unsigned n) {
        for (unsigned i = words; i-- > 0;) {
            const unsigned from = n / 32, bit = n % 32;
            const unsigned high = i >= from ? data_[i - from] : 0, low = i > from ? data_[i - from - 1] : 0;
            data_[i] = bit ? high << bit | low >> (32 - bit) : high;
        }
        return trim();
    }
    KB_MEMBER constexpr mask &operator>>=(unsigned n) {
        for (unsigned i = 0; i < words; ++i) {
            const unsigned from = i + n / 32, bit = n % 32;
            const unsigned low = from < words ? data_[from] : 0, high = from + 1 < words ? data_[from + 1] : 0;
            data_[i] = bit ? low >> bit | high << (32 - bit) : low;
        }
        return *this;
    }
    KB_MEMBER constexpr mask operator<<(unsigned n) const { return mask(*this) <<= n; }
    KB_MEMBER constexpr mask operator>>(unsigned n) const { return mask(*this) >>= n; }

    KB_MEMBER constexpr unsigned count() const {
        unsigned n = 0;
        for (unsigned w : data_) n += unsigned(__builtin_popcount(w));
        return n;
    }
    // Elements above the highest one that is set.
    KB_MEMBER constexpr unsigned clz() const {
        for (unsigned i = words; i-- > 0;)
            if (data_[i]) return Elems - 32 * i - 32 + unsigned(__builtin_clz(data_[i]));
        return Elems;
    }
    KB_MEMBER constexpr bool empty() const { return *this == mask(false); }
    KB_MEMBER constexpr bool full() const { return *this == mask(true); }

    KB_MEMBER constexpr unsigned to_uint32(unsigned i) const { return data_[i]; }
    KB_MEMBER constexpr unsigned to_uint32() const
        requires(Elems <= 32)
    {
        return data_[0];
    }
    KB_MEMBER constexpr uint64_t to_uint64(unsigned i) const
        requires(Elems % 64 == 0)
    {
        return data_[2 * i] | uint64_t(data_[2 * i + 1]) << 32;
    }
    KB_MEMBER constexpr uint64_t to_uint64() const
        requires(Elems == 64)
    {
        return to_uint64(0);
    }
    template <unsigned Out>
    KB_MEMBER constexpr mask<Out> extract(unsigned idx) const {
        static_assert(Out <= Elems, "extract takes a part of the mask");
        const mask moved = *this >> Out * idx;
        mask<Out> r;
        for (unsigned i = 0; i < mask<Out>::words; ++i) r.data_[i] = moved.data_[i];
        return r.trim();
    }
    template <unsigned Out>
    [[deprecated("use extract")]] KB_MEMBER constexpr mask<Out> get_submask(unsigned idx) const {
        return extract<Out>(idx);
    }
    template <unsigned In>
    KB_MEMBER constexpr mask &insert(unsigned idx, const mask<In> &m) {
        static_assert(In <= Elems, "insert replaces a part of the mask");
        mask part, hole;
        for (unsigned i = 0; i < mask<In>::words; ++i) {
            part.data_[i] = m.data_[i];
            hole.data_[i] = mask<In>(true).data_[i];
        }
        return *this = (*this & ~(hole << In * idx)) | part << In * idx;
    }
    [[deprecated("use to_uint32 or to_uint64")]] KB_MEMBER constexpr std::array<unsigned, words> data() const {
        std::array<unsigned, words> r{};
        for (unsigned i = 0; i < words; ++i) r[i] = data_[i];
        return r;
    }
};

}  // namespace aie
