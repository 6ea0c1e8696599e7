// Sizes of TransData, for the kernel side and the host side alike. Elements are of two bytes; channels and batches are in
// groups of 16, and the rows of an image (H × W) of NCDHW are padded to a block.
#pragma once

#include "pad_sizes.h"

namespace kb::sizes {

enum class TransDataWay : uint8_t { none, to_6hd, from_6hd, to_fractal, from_fractal };

struct TransData {
    TransDataWay way;
    uint32_t n, c, d, h, w;

    constexpr uint32_t channels() const { return round_up(c, 16); }
    constexpr uint32_t batches() const { return round_up(n, 16); }
    constexpr uint32_t image() const { return round_up(h * w, 16); }
};

// Elements of the NCDHW operand and of the other one.
constexpr uint64_t trans_data_plain(const TransData& t) {
    return static_cast<uint64_t>(t.n) * t.c * t.d * t.image();
}
constexpr uint64_t trans_data_grouped(const TransData& t) {
    const bool fractal = t.way == TransDataWay::to_fractal || t.way == TransDataWay::from_fractal;
    return static_cast<uint64_t>(fractal ? t.batches() : t.n) * t.channels() * t.d * t.h * t.w;
}

// Bytes of temporary buffer; more is of no use.
constexpr uint32_t trans_data(const TransData& t) {
    const uint32_t volume = t.d * t.channels() * t.image() * 2;
    switch (t.way) {
        case TransDataWay::to_6hd: return t.d * t.image() * 2 + volume;
        case TransDataWay::from_6hd: return 512 + volume;
        case TransDataWay::to_fractal: {
            const uint32_t one = t.c * t.d * t.image() * 2;
            const uint32_t zeros = t.d * t.h * t.w * t.batches() * 2;
            return (one > zeros ? one : zeros) + t.batches() * volume;
        }
        case TransDataWay::from_fractal:
            return t.batches() * volume * (t.n == t.batches() && t.c == t.channels() ? 1 : 2);
        default: return 0;
    }
}

// Whether the other operand's `rank` sizes belong to these.
template <class Dim>
constexpr bool trans_data_fits(const TransData& t, int rank, const Dim* sizes) {
    const bool fractal = t.way == TransDataWay::to_fractal || t.way == TransDataWay::from_fractal;
    const uint64_t six[6] = {t.n, t.d, t.channels() / 16, t.h, t.w, 16};
    const uint64_t seven[7] = {t.d, t.channels() / 16, t.h, t.w, t.batches() / 16, 16, 16};
    if (rank != (fractal ? 7 : 6)) {
        return false;
    }
    for (int i = 0; i < rank; ++i) {
        if (static_cast<uint64_t>(sizes[i]) != (fractal ? seven[i] : six[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace kb::sizes
