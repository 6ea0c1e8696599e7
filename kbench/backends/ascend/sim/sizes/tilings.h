// Tiling data that host sides fill in and the kernel side checks, as functions of the shape. `Tiling` is the plain structure.
#pragma once

#include "pad_sizes.h"

namespace kb::sizes {

// Bytes of temporary buffer that TopK needs: structures of 8 bytes twice, or once and the masks; indices where the caller
// has none; negated values where the smallest are wanted in small mode.
struct TopK {
    int32_t inner, rows, k;
    uint32_t type_bytes;
    bool has_index, small, largest;
};

inline constexpr int32_t kTopKMaskBytes = 64;

constexpr uint32_t top_k(const TopK& t) {
    if (!t.small) {
        return static_cast<uint32_t>(t.inner) * (t.has_index ? 16 : 20);
    }
    const uint32_t n = static_cast<uint32_t>(t.inner * t.rows);
    return n * 8 + kTopKMaskBytes + (t.largest ? 0 : n * 4) + (t.has_index ? 0 : n * 4);
}

// `count` ones, each followed by `gap` - 1 zeros, from bit `first`.
constexpr uint32_t every(uint32_t first, uint32_t gap, int32_t count) {
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; ++i) {
        bits |= 1u << (first + gap * static_cast<uint32_t>(i));
    }
    return bits;
}

constexpr int32_t between(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

// Masks that pick values and indices out of 32 structures.
template <class Tiling>
constexpr void set_masks(Tiling& t, const TopK& s) {
    const int32_t low = between(s.k, 0, 16), high = between(s.k - 16, 0, 16);
    t.vreduceIdxMask0 = every(1, 2, low);
    t.vreduceIdxMask1 = every(1, 2, high);
    if (s.type_bytes == 4) {
        t.vreduceValMask0 = every(0, 2, low);
        t.vreduceValMask1 = every(0, 2, high);
        return;
    }
    uint16_t* masks[] = {&t.vreducehalfValMask0, &t.vreducehalfValMask1, &t.vreducehalfValMask2, &t.vreducehalfValMask3,
                         &t.vreducehalfValMask4, &t.vreducehalfValMask5, &t.vreducehalfValMask6, &t.vreducehalfValMask7};
    for (int32_t i = 0; i < 8; ++i) {
        *masks[i] = static_cast<uint16_t>(every(0, 4, between(s.k - 4 * i, 0, 4)));
    }
}

template <class Tiling>
constexpr void set_normal(Tiling& t, const TopK& s) {
    const int32_t pair = static_cast<int32_t>(8 / s.type_bytes);  // elements of a structure
    const int32_t two = (s.k + 15) / 16 * 16;
    t.tmpLocalSize = 2 * pair * s.inner + (s.has_index ? 0 : s.inner * (pair / 2));
    t.innerDataSize = s.inner * pair;
    t.copyUbToUbBlockCount = static_cast<uint32_t>(s.inner) * 8 / kBlock;
    t.sortRepeat = static_cast<uint32_t>(s.inner) / 32;
    t.mrgSortRepeat = s.inner / 4;
    t.kAlignTwoBytes = two;
    t.maskOffset = s.rows * (s.type_bytes == 2 ? two : t.kAlignFourBytes);
    t.maskVreducev2FourBytes = 2 * s.k;
    t.maskVreducev2TwoBytes = 4 * s.k;
    t.mrgSortSrc1offset = t.mrgSortTwoQueueSrc1Offset = pair;
    t.mrgSortSrc2offset = 2 * pair;
    t.mrgSortSrc3offset = 3 * pair;
    t.mrgFourQueueTailPara1 = s.inner * 2;
    t.mrgFourQueueTailPara2 = static_cast<int32_t>(4 / s.type_bytes);
    t.srcIndexOffset = s.has_index ? 0 : 2 * pair * s.inner;
}

template <class Tiling>
constexpr void set_small(Tiling& t, const TopK& s) {
    const int32_t n = s.inner * s.rows;
    const int32_t words = static_cast<int32_t>(4 / s.type_bytes);  // elements of four bytes
    t.innerDataSize = n * 2 * words;
    t.maskOffset = s.rows * s.k;
    t.topkMrgSrc1MaskSizeOffset = t.innerDataSize + (s.largest ? 0 : n);
    t.tmpLocalSize = t.topkMrgSrc1MaskSizeOffset + kTopKMaskBytes / 4 * words;
    if (!s.has_index) {
        t.topkNSmallSrcIndexOffset = t.tmpLocalSize;
        t.tmpLocalSize += n * words;
    }
    set_masks(t, s);
}

template <class Tiling>
constexpr Tiling top_k_tiling(const TopK& s) {
    Tiling t{};
    t.allDataSize = s.inner * s.rows;
    t.kAlignFourBytes = (s.k + 7) / 8 * 8;
    s.small ? set_small(t, s) : set_normal(t, s);
    return t;
}

// ---- Pad, UnPad -----------------------------------------------------------------------------------------------------

struct PadShape {
    uint32_t rows, columns, valid;
    uint32_t buffer_bytes;  // of temporary buffer
    uint32_t type_bytes;
};

// Sixteen blocks of temporary buffer for each sixteen elements, in two buffers.
template <class Tiling>
constexpr void set_buffers(Tiling& t, const PadShape& s) {
    const uint32_t blocks = s.buffer_bytes / s.type_bytes / (16 * kBlock / s.type_bytes) / 2;
    t.tmpBuffer1BlockNum = blocks;
    t.tmpBuffer1RowNum = 16 * blocks;
    t.tmpBuffer2Offset = blocks * (16 * kBlock / s.type_bytes);
    t.widthTiling = 16 * blocks;
}

template <class Tiling>
constexpr void set_pieces(Tiling& t, const PadShape& s) {
    constexpr uint32_t kMost = 254;  // repeats
    const uint32_t per_block = kBlock / s.type_bytes;
    t.widthFractal = s.columns / t.widthTiling;
    t.widthFractalTail = s.columns % t.widthTiling;
    t.widthFractalTailAlingned = ((t.widthFractalTail - 1) / per_block + 1) * per_block;
    t.brcbTiling = t.widthTiling;
    t.brcbFractal = s.rows * s.columns / t.brcbTiling;
    t.brcbFractalTail = s.rows * s.columns % t.brcbTiling;
    t.maxRepeatTimes = kMost;
    t.brcbTilingRepeatTimes = t.brcbTiling / 8 / kMost;
    t.brcbTilingRepeatTimesTail = t.brcbTiling / 8 % kMost;
    t.brcbFractalTailRepeatTimes = t.brcbFractalTail / 8 / kMost;
    t.brcbFractalTailRepeatTimesTail = t.brcbFractalTail / 8 % kMost;
}

template <class Tiling>
constexpr Tiling pad_tiling(const PadShape& s) {
    Tiling t{};
    t.srcHeight = s.rows;
    t.srcWidth = s.columns;
    t.srcOriWidth = s.valid;
    t.widthWithoutLastBlock = s.columns - kBlock / s.type_bytes;
    t.blocksPerRow = s.columns * s.type_bytes / kBlock;
    t.heightTiling = 255;
    t.heightFractal = s.rows / 255;
    t.heightFractalTail = s.rows % 255;
    t.mainLoopOffset = 255 * s.columns;
    t.tailBlockOffset = t.heightFractal * 255 * s.columns + t.widthWithoutLastBlock;
    if (s.buffer_bytes >= 2 * 16 * kBlock) {
        set_buffers(t, s);
        set_pieces(t, s);
    }
    return t;
}

template <class Tiling>
constexpr Tiling unpad_tiling(const PadShape& s) {
    Tiling t{};
    t.srcHeight = s.rows;
    t.srcWidth = s.columns;
    if (s.buffer_bytes >= 2 * 16 * kBlock) {
        set_buffers(t, s);
        t.widthFractal = (s.columns + t.widthTiling - 1) / t.widthTiling;
        t.widthFractalTail = s.columns % t.widthTiling == 0 ? t.widthTiling : s.columns % t.widthTiling;
    }
    return t;
}

// ---- Transpose ------------------------------------------------------------------------------------------------------

// Numbers of AscendC::TransposeType.
enum class Turn : uint8_t {
    none, nz2nd_0213, nz2nz_0213, nz2nz_012_with_n, nz2nd_012_with_n, nz2nd_012_without_n, nz2nz_012_without_n, nd2nd_only,
};

// The four axes of the source's original shape (two for nd2nd_only).
struct TurnShape {
    uint32_t axis[4];
    uint32_t buffer_bytes;
    uint32_t type_bytes;
};

inline constexpr uint32_t kSquare = 256;  // elements of a fractal

constexpr Range turn(Turn type, const TurnShape& s) {
    switch (type) {
        case Turn::nz2nd_0213:
        case Turn::nz2nz_0213: return {round_up(s.axis[2], 16) * 16 * s.type_bytes, kSquare * s.type_bytes};
        case Turn::nz2nz_012_with_n:
        case Turn::nz2nd_012_with_n:
        case Turn::nz2nd_012_without_n:
        case Turn::nz2nz_012_without_n: return {2 * kSquare * s.type_bytes, 2 * kSquare * s.type_bytes};
        default: return {0, 0};
    }
}

constexpr void set_0213(uint32_t (&p)[18], const TurnShape& s) {
    const uint32_t a2 = round_up(s.axis[2], 16), wide = (s.axis[3] + 15) / 16, a3 = wide * 16;
    const uint32_t pop = s.buffer_bytes / s.type_bytes / kSquare * kSquare;
    const uint32_t need = a2 * 16, main = pop == 0 ? 0 : need / pop;
    const uint32_t values[] = {kBlock / s.type_bytes, s.axis[0], s.axis[1], a3, a2, wide, pop, pop / 16, need, main,
                               pop == 0 ? 0 : need % pop, a2 * a3, s.axis[1] * a2 * a3, s.axis[1] * a3, s.axis[1] * 16,
                               pop / 16 * main * s.axis[1] * a3};
    for (int i = 0; i < 16; ++i) {
        p[i] = values[i];
    }
}

constexpr void set_012(uint32_t (&p)[18], Turn type, const TurnShape& s) {
    const uint32_t block = kBlock / s.type_bytes, n = s.axis[1], part = s.axis[3], h = n * part;
    const uint32_t h_blocks = (h + 15) / 16, s_blocks = (s.axis[2] + 15) / 16, part_blocks = (part + 15) / 16;
    const uint32_t align_h = h_blocks * 16, align_s = s_blocks * 16, align_part = part_blocks * 16, blocks = 16 / block;
    const uint32_t nz_with_n[] = {block, s.axis[0], n, part, blocks, h, h_blocks, s_blocks, align_h, align_s, part_blocks,
                                  align_part, align_part - part, align_s * 16, n * part_blocks, n * align_part * align_s,
                                  align_h * align_s, 0};
    const uint32_t nd_with_n[] = {block, s.axis[0], n, part, h, h_blocks, s_blocks, part_blocks, align_part, align_part - part,
                                  s_blocks * kSquare, n * part_blocks, align_s * align_part, align_part * 16,
                                  align_part * block, n * align_part * align_s, h_blocks * s_blocks * kSquare, blocks};
    const uint32_t without_n[] = {block, s.axis[0], n, part, h, h_blocks, s_blocks, part_blocks, align_h, s_blocks * kSquare,
                                  align_h * 16, block * align_h, n * align_part * align_s, align_h * align_s, blocks, 0, 0, 0};
    const uint32_t* values = type == Turn::nz2nz_012_with_n ? nz_with_n : type == Turn::nz2nd_012_with_n ? nd_with_n : without_n;
    for (int i = 0; i < 18; ++i) {
        p[i] = values[i];
    }
}

constexpr void set_turn(uint32_t (&p)[18], Turn type, const TurnShape& s) {
    switch (type) {
        case Turn::nz2nd_0213:
        case Turn::nz2nz_0213: return set_0213(p, s);
        case Turn::nz2nz_012_with_n:
        case Turn::nz2nd_012_with_n:
        case Turn::nz2nd_012_without_n:
        case Turn::nz2nz_012_without_n: return set_012(p, type, s);
        case Turn::nd2nd_only: {
            const uint32_t block = kBlock / s.type_bytes;
            const uint32_t values[] = {block, s.axis[0], s.axis[1], s.axis[0] / 16, s.axis[0] * block * s.type_bytes / kBlock,
                                       s.axis[1] / block};
            for (int i = 0; i < 6; ++i) {
                p[i] = values[i];
            }
            return;
        }
        default: return;
    }
}

}  // namespace kb::sizes
