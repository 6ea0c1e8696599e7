// Lookup tables in the tile's memory: direct lookup and linear interpolation.
#pragma once

#include "../accum.hpp"

namespace kbaie {

// Width of a memory bank, at which the copies of a table alternate.
inline constexpr int bank_bytes = __AIE_ARCH__ == 20 ? 16 : 32;

}  // namespace kbaie

namespace aie {

enum class lut_oor_policy { saturate, truncate };

// A table of LUT_elems entries. For four parallel accesses there are four copies of it, two at each pointer.
template <unsigned ParallelAccesses, class OffsetType, class SlopeType = OffsetType>
struct lut {
    static_assert(ParallelAccesses == 1 || ParallelAccesses == 2 || ParallelAccesses == 4,
                  "aie::lut: 1, 2 or 4 parallel accesses");
    using offset_type = OffsetType;
    using slope_type = SlopeType;
    static constexpr unsigned kb_accesses = ParallelAccesses;

    lut(unsigned LUT_elems, const void *LUT_ab, const void *LUT_cd)
        requires(ParallelAccesses == 4)
        : elems(LUT_elems), ab(LUT_ab), cd(LUT_cd) {}
    lut(unsigned LUT_elems, const void *LUT_a)
        requires(ParallelAccesses < 4)
        : elems(LUT_elems), ab(LUT_a), cd(LUT_a) {}

    unsigned elems;
    const void *ab, *cd;
};

namespace detail {
template <class T>
inline constexpr bool is_lut_v = false;
template <unsigned P, class O, class S>
inline constexpr bool is_lut_v<lut<P, O, S>> = true;
}  // namespace detail

template <class T>
concept ParallelLUT = detail::is_lut_v<T>;

// entry = input >> step_bits, moved by `bias`; the shift rounds as the core is set, so that it expects the rounding
// mode floor.
template <class T, ParallelLUT MyLUT, lut_oor_policy oor_policy = lut_oor_policy::saturate>
struct parallel_lookup {
    static_assert(MyLUT::kb_accesses == 4, "aie::parallel_lookup: this device looks up with 4 parallel accesses");
    static_assert(std::is_integral_v<T> && kbaie::is_element<T>,
                  "aie::parallel_lookup: keys are integers of 8 bits or more");
    using value_type = typename MyLUT::offset_type;

    KB_MEMBER parallel_lookup(const MyLUT &l, unsigned step_bits = 0, unsigned bias = 0)
        requires(std::is_signed_v<T>)
        : table_(l), step_bits_(step_bits), bias_(bias) {}
    KB_MEMBER parallel_lookup(const MyLUT &l, unsigned step_bits = 0)
        requires(!std::is_signed_v<T>)
        : table_(l), step_bits_(step_bits), bias_(0) {}

    template <Vector Vec, unsigned N = detail::value_of_t<Vec>::size()>
    KB_MEMBER vector<value_type, N> fetch(const Vec &input) {
        return looked_up<N>(detail::value_of_t<Vec>(input));
    }
    template <unsigned N, Vector Vec>
    KB_MEMBER vector<value_type, N> fetch(const Vec &input) {
        return looked_up<N>(detail::value_of_t<Vec>(input));
    }

private:
    template <unsigned N, unsigned Keys>
    KB_MEMBER vector<value_type, N> looked_up(const vector<T, Keys> &keys) {
        static_assert(Keys <= 32 && N <= Keys && N * kbaie::bits_of<value_type> <= 512,
                      "aie::parallel_lookup: at most 32 keys and 512 bits of values");
        using result = vector<value_type, N>;
        return result::from_lanes(kbaie::parallel_lookup<typename result::lanes_type>(
            kbaie::kinds(kbaie::kind_of<value_type>, kbaie::kind_of<T>, kbaie::Kind::i32, kbaie::Kind::i32),
            keys.lanes(), int(table_.ab), int(table_.cd), int(table_.elems), int(step_bits_), int(bias_),
            int(oor_policy == lut_oor_policy::truncate), kbaie::bank_bytes, int(kbaie::bits_of<value_type> / 8)));
    }

    MyLUT table_;
    unsigned step_bits_, bias_;
};

// Which combinations there are, what they accumulate in and how many lanes they have.
namespace detail {
template <class T, class Offset, class Slope>
struct approximation {
    static constexpr bool exists = false;
};
#define KB_APPROXIMATION(T, Offset, Slope, tag_, lanes_, least)            \
    template <>                                                            \
    struct approximation<T, Offset, Slope> {                               \
        static constexpr bool exists = true;                               \
        using tag = tag_;                                                  \
        static constexpr unsigned lanes = lanes_, least_step_bits = least; \
    };
KB_APPROXIMATION(int8_t, int8_t, int8_t, acc32, 32, 2)
KB_APPROXIMATION(int16_t, int16_t, int16_t, acc64, 16, 3)
KB_APPROXIMATION(int16_t, int32_t, int32_t, acc64, 16, 4)
KB_APPROXIMATION(bfloat16, float, bfloat16, accfloat, 16, 0)
#undef KB_APPROXIMATION
}  // namespace detail

// Integers: slope * (the low step_bits of the input) + (offset << shift_offset), of the entry (input >> step_bits) +
// bias. Floats: slope * input + offset, of the entry floor(input * 2^-step_bits) + bias. An entry is the slope and then
// the offset.
template <class T, ParallelLUT MyLUT>
struct linear_approx {
private:
    using offset_type = typename MyLUT::offset_type;
    using combination = detail::approximation<T, offset_type, typename MyLUT::slope_type>;
    static_assert(combination::exists, "aie::linear_approx: this device has no approximation for these types");
    static_assert(MyLUT::kb_accesses == 4, "aie::linear_approx: this device looks up with 4 parallel accesses");

public:
    KB_MEMBER linear_approx(const MyLUT &l, unsigned step_bits, int bias = 0, int shift_offset = 0)
        : table_(l), step_bits_(step_bits), bias_(bias), shift_offset_(shift_offset) {}

    template <Vector Vec>
        requires(std::is_same_v<detail::element_type_t<Vec>, T>)
    KB_MEMBER auto compute(const Vec &input) {
        constexpr unsigned N = detail::value_of_t<Vec>::size();
        static_assert(N <= combination::lanes, "aie::linear_approx: more lanes than the device has");
        using result = accum<typename combination::tag, N>;
        constexpr kbaie::Kind kind = kbaie::tag<typename combination::tag>::kind;
        return result::from_lanes(kbaie::linear_approx<typename result::lanes_type>(
            kbaie::kinds(kind, kbaie::kind_of<T>, kbaie::Kind::i32, kbaie::Kind::i32),
            detail::value_of_t<Vec>(input).lanes(), int(table_.ab), int(table_.cd), int(table_.elems), int(step_bits_),
            bias_, shift_offset_, kbaie::bank_bytes, int(2 * sizeof(offset_type))));
    }

private:
    MyLUT table_;
    unsigned step_bits_;
    int bias_, shift_offset_;
};

}  // namespace aie
