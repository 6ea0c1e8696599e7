// What the wrappers of the row-wise library (softmax, normalisation) hand to the runtime, and the temporary space that
// each operation needs. The host side's size functions include this file too: plain C++ and no more.
#pragma once

#include "kb_view.h"

namespace kb {

// Numbers are what kb::event() reports.
enum class RowOp : uint16_t {
    SoftMax = 2048, SimpleSoftMax, SoftmaxFlash, SoftmaxFlashV2, SoftmaxFlashV3, SoftmaxGrad, SoftmaxGradFront, LogSoftMax,
    AdjustSoftMaxRes,
    LayerNorm, LayerNormRstd, Normalize, RmsNorm, DeepNorm, BatchNorm, GroupNorm, LayerNormGrad, LayerNormGradBeta,
    WelfordUpdate, WelfordFinalize,
};

// A softmax over the rows of src [m, k], of which the first `ori_k` columns count. `sum`, `max` and what belongs to them
// hold `lanes` equal values a row: a block of 32 bytes, or one value without broadcast.
struct SoftmaxCall {
    RowOp op;
    bool update;     // the flash variants: in_sum and in_max are those of the columns so far
    bool nz;         // src and dst are [k / 16, m, 16]
    bool basic;      // isBasicBlock: the shape promises to be one
    bool broadcast;  // false: one value a row instead of a block
    bool with_stats; // false: sum and max are not asked for
    uint32_t m, k, ori_m, ori_k;
    uint32_t tiling_m, tiling_k, split_m, range_m, tail_m;  // of the tiling data
    uint32_t loops;  // SoftmaxFlashV3: loopCnt
    uint32_t parts;  // SoftmaxFlashV3: splitMeanCnt
    float alpha;     // SoftmaxFlashV3
    View dst, src;
    View grad;                // SoftmaxGrad, SoftmaxGradFront
    View sum, max, exp_max;   // written
    View in_sum, in_max;      // read
    View first_max;           // written: the maximum before it is updated; empty where it is not asked for
    View mean, in_mean;       // SoftmaxFlashV3
    View tmp;
};

// A normalisation of x [rows, h], of which `valid` columns are data and the rest padding.
struct NormCall {
    RowOp op;
    bool basic;         // isBasicBlock
    bool reuse;         // the source may be destroyed
    bool no_gamma, no_beta;
    uint32_t rows, h, valid;
    uint32_t tiling_rows;  // of the tiling data, where the call has its own shape
    uint32_t used;      // floats of the temporary space that the tiling data lays out
    uint32_t needed;    // bytes of the documented minimum
    uint32_t channels;  // GroupNorm: C
    uint32_t depth;     // GroupNorm: channels of a group
    uint32_t limit;     // most columns that the operation takes; 0: any number
    float factor;       // 1 / valid, as the host rounded it
    float epsilon;
    float alpha;        // DeepNorm
    View out, mean, spread, x, other, gamma, beta, tmp;  // `spread`: variance or its reciprocal root; `other`: gx
};

// LayerNormGrad and LayerNormGradBeta over [rows, h].
struct NormGradCall {
    RowOp op;
    bool reuse;
    uint32_t rows, h, valid;
    uint32_t used, needed;
    float factor, twice;  // 1 / valid and 2 / valid
    float epsilon;
    View dx, res, dy, x, variance, mean, gamma, dgamma, dbeta, tmp;
};

struct WelfordCall {
    RowOp op;
    bool in_place;
    bool reuse;
    bool with_counts;
    uint32_t rows, length, count;  // rnLength, abLength, abComputeLength
    uint32_t head_count, head_length, tail_count, tail_length;
    uint32_t needed;
    float n_rec, ab_rec, r_rec;
    View mean, variance, in_mean, in_variance, x, counts, tmp;
};

// ---- temporary space, in bytes --------------------------------------------------------------------------------------
//
// `block` is the number of elements of 32 bytes (of sum and max), `k` the last axis. Operations work in float.

namespace row_size {

constexpr uint32_t kFloat = 4;
constexpr uint32_t kBlock = 32;
constexpr uint32_t kRepeat = 64;     // floats of a repeat
constexpr uint32_t kTile = 8;        // rows of a basic block
constexpr uint32_t kLongRow = 1024;  // a basic block of this length reduces in two repeats

constexpr uint32_t up(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

constexpr uint32_t softmax_row(uint32_t k, uint32_t block) {
    return kFloat * (block + k + kRepeat);
}
constexpr uint32_t flash_row(uint32_t k, uint32_t block, bool update) {
    return update ? kFloat * (4 * block + 2 * k) : softmax_row(k, block);
}
constexpr uint32_t flash_v2_row(uint32_t k, uint32_t block, bool half_source, bool basic) {
    const uint32_t repeats = basic && k == kLongRow ? 2 * kRepeat : kRepeat;
    return kFloat * (basic ? block + (half_source ? k : 0) + repeats
                           : (half_source ? 2 * block + k : block) + kRepeat);
}
constexpr uint32_t flash_v3_row(uint32_t k, uint32_t block) {
    return kFloat * (5 * block + 2 * k + kRepeat);
}
constexpr uint32_t grad_row(uint32_t k, uint32_t block, bool half_source, bool front) {
    return kFloat * (half_source ? 2 * block + 3 * k + kRepeat : (front ? block : 2 * block) + k + kRepeat);
}
// The least that SoftmaxFlashV2 needs: a row, eight of a basic block; without broadcast as many as fill 32 bytes.
constexpr uint32_t flash_v2_least(uint32_t m, uint32_t k, uint32_t block, bool half_source, bool basic, bool broadcast) {
    const bool tile = basic && k % kRepeat == 0;
    const uint32_t fill = half_source ? 16 : 8;
    const uint32_t rows = broadcast ? (tile ? kTile : 1) : (fill < m ? fill : m);
    return rows * flash_v2_row(k, block, half_source, tile);
}

constexpr uint32_t layer_norm(uint32_t rows, uint32_t columns, bool two_buffers) {
    return (two_buffers ? 2 : 3) * up(columns * kFloat, kBlock) + 2 * up(rows * kFloat, kBlock);
}
constexpr uint32_t normalize_least(uint32_t rows, uint32_t columns, bool float_gamma) {
    const uint32_t a = up(rows * kFloat, kBlock);
    const uint32_t r = (float_gamma ? 2 : 4) * up(columns * kFloat, kBlock);
    return a >= r ? a : r;
}
constexpr uint32_t normalize_most(uint32_t rows, uint32_t columns) {
    return 2 * up(columns * kFloat, kBlock) + 2 * up(up(rows, 8) * columns * kFloat, kBlock);
}
constexpr uint32_t layer_norm_rstd_least(uint32_t rows, uint32_t columns, bool float_gamma) {
    const uint32_t inner = 2 * up(columns * kFloat, kBlock);
    const uint32_t normalize = normalize_least(rows, columns, float_gamma);
    return up(rows * kFloat, kBlock) + (inner <= normalize ? normalize : inner);
}
constexpr uint32_t layer_norm_rstd_most(uint32_t rows, uint32_t columns) {
    const uint32_t inner = 2 * up(rows * columns * kFloat, kBlock);
    const uint32_t normalize = normalize_most(rows, columns);
    return up(rows * kFloat, kBlock) + (inner <= normalize ? normalize : inner);
}
constexpr uint32_t rms_norm_least(uint32_t columns, bool half_source) {
    return kFloat * ((half_source ? 2 : 1) * columns + 8);
}
constexpr uint32_t batch_norm_least(uint32_t batch, uint32_t columns, bool half_source, bool basic) {
    const uint32_t unit = basic ? kRepeat * kFloat : (half_source ? 2 * kBlock : kBlock);
    return 3 * batch * unit + 2 * up(columns * kFloat, kBlock);
}
// `blocks` of hw elements each, rounded up to 32 bytes of the source's type.
constexpr uint32_t group_norm(uint32_t groups, uint32_t blocks, uint32_t hw_aligned, bool two_buffers) {
    return (two_buffers ? 2 : 3) * blocks * hw_aligned * kFloat + 2 * up(groups * kFloat, kBlock);
}
// Buffers of the source's element size.
constexpr uint32_t layer_norm_grad_buffers(uint32_t element, bool reuse) {
    return element == 2 ? 9 : (reuse ? 4 : 6);
}
constexpr uint32_t layer_norm_grad_beta(uint32_t elements, bool half_source) {
    return kFloat * (half_source ? 4 : 2) * elements;
}
constexpr uint32_t welford_update_least(uint32_t element, bool reuse) {
    return kRepeat * kFloat * (element == 2 ? 3 : (reuse ? 1 : 2));
}
constexpr uint32_t welford_finalize_least() {
    return 4 * kRepeat * kFloat;
}

}  // namespace row_size
}  // namespace kb

extern "C" {
void kbrt_softmax(const kb::SoftmaxCall& call);
// Writes the bits of `to` over the rows whose maximum has the bits of `from`; whether there was one.
bool kbrt_softmax_adjust(const kb::SoftmaxCall& call, uint32_t from, uint64_t to);
void kbrt_norm(const kb::NormCall& call);
void kbrt_norm_grad(const kb::NormGradCall& call);
void kbrt_welford(const kb::WelfordCall& call);
}
