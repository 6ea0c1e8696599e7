// The softmax family. Results in half round ties away from zero, as the device's conversion does for these operations.
//
// Columns beyond the original ones take no part in maximum and sum; what is written for them is what the same steps give.
#include "rows.h"

namespace kb::rows {
namespace {

constexpr vec::Round kRound = vec::Round::round;
constexpr uint32_t kNzLanes = 16;      // of a block of the NZ format, whatever the type
constexpr uint32_t kLanesUsed = 8;     // of a broadcast block: the rows are worked on in blocks of eight floats
constexpr float kLog10e = 0.4342944819f;

const char* name_of(RowOp op) {
    static constexpr const char* kNames[] = {"SoftMax", "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2", "SoftmaxFlashV3",
                                             "SoftmaxGrad", "SoftmaxGradFront", "LogSoftMax", "AdjustSoftMaxRes"};
    return kNames[static_cast<int>(op) - static_cast<int>(RowOp::SoftMax)];
}

Dtype stat_type(const SoftmaxCall& c) {
    const bool reads = c.op == RowOp::SimpleSoftMax || c.op == RowOp::AdjustSoftMaxRes;
    return reads ? c.in_max.dtype : (c.with_stats ? c.max.dtype : Dtype::f32);
}

// Values of a row's maximum or sum, for elements of `type`.
uint32_t lanes_of(const SoftmaxCall& c, Dtype type) {
    return c.broadcast ? kBlockBytes / size_of(type) : 1;
}

// ---- rows of src and dst --------------------------------------------------------------------------------------------

uint64_t place(const SoftmaxCall& c, uint32_t row, uint32_t block) {
    return (static_cast<uint64_t>(block) * c.m + row) * kNzLanes;
}

void load_row(const SoftmaxCall& c, const View& from, uint32_t row, float* to) {
    const uint32_t size = size_of(from.dtype);
    if (!c.nz) {
        load(to, from.ptr + static_cast<uint64_t>(row) * c.k * size, from.dtype, c.k);
        return;
    }
    for (uint32_t b = 0; b < c.k / kNzLanes; ++b) {
        load(to + b * kNzLanes, from.ptr + place(c, row, b) * size, from.dtype, kNzLanes);
    }
}

// NZ: the operation masks the columns beyond the original ones out; dst keeps what it had there.
void store_row(const SoftmaxCall& c, uint32_t row, const float* from) {
    const uint32_t size = size_of(c.dst.dtype);
    if (!c.nz) {
        store(c.dst.ptr + static_cast<uint64_t>(row) * c.k * size, c.dst.dtype, from, c.k, kRound);
        return;
    }
    for (uint32_t b = 0; b * kNzLanes < c.ori_k; ++b) {
        const uint32_t left = c.ori_k - b * kNzLanes;
        store(c.dst.ptr + place(c, row, b) * size, c.dst.dtype, from + b * kNzLanes, left < kNzLanes ? left : kNzLanes, kRound);
    }
}

void store_stat(const SoftmaxCall& c, const View& to, uint32_t row, const float* values, uint32_t given) {
    const uint32_t lanes = lanes_of(c, to.dtype);
    for (uint32_t i = 0; i < lanes; ++i) {
        store_one(to, row * lanes + i, values[i % given], kRound);
    }
}

void load_stat(const SoftmaxCall& c, const View& from, uint32_t row, float (&values)[16]) {
    const uint32_t lanes = lanes_of(c, from.dtype);
    for (uint32_t i = 0; i < lanes; ++i) {
        values[i] = load_one(from, row * lanes + i);
    }
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// to = e^(x - by), `by` a broadcast block.
void exp_less(const SoftmaxCall& c, float* to, const float* x, const float* by, uint32_t lanes) {
    const uint32_t used = lanes < kLanesUsed ? lanes : kLanesUsed;
    for (uint32_t first = 0; first < c.k; first += kLanesUsed) {
        for (uint32_t i = 0; i < kLanesUsed; ++i) {
            to[first + i] = x[first + i] - by[i % used];
        }
    }
    exponential(to, to, c.k);
}

void divide(const SoftmaxCall& c, float* x, const float* by, uint32_t lanes) {
    const uint32_t used = lanes < kLanesUsed ? lanes : kLanesUsed;
    for (uint32_t first = 0; first < c.k; first += kLanesUsed) {
        for (uint32_t i = 0; i < kLanesUsed; ++i) {
            x[first + i] /= by[i % used];
        }
    }
    approximate(x, c.k);
}

void multiply(float* to, const float* x, float by, uint32_t n) {
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { to[i] = x[i] * by; }
}

// ---- operations, row by row -----------------------------------------------------------------------------------------

// SoftMax, LogSoftMax, and the flash variants that update nothing.
void plain_row(const SoftmaxCall& c, uint32_t row) {
    float* x = scratch(0);
    load_row(c, c.src, row, x);
    const float most = largest(x, c.ori_k);
    exp_less(c, x, x, &most, 1);
    const float total = sum(x, c.ori_k);
    if (c.with_stats) {
        store_stat(c, c.max, row, &most, 1);
        store_stat(c, c.sum, row, &total, 1);
    }
    if (c.op != RowOp::SoftmaxFlashV2) {
        divide(c, x, &total, 1);
    }
    if (c.op == RowOp::LogSoftMax) {
        logarithm(x, x, c.k);
        multiply(x, x, kLog10e, c.k);
    }
    store_row(c, row, x);
}

void simple_row(const SoftmaxCall& c, uint32_t row) {
    float* x = scratch(0);
    float most[16], total[16];
    const uint32_t lanes = lanes_of(c, c.in_max.dtype);
    load_row(c, c.src, row, x);
    load_stat(c, c.in_max, row, most);
    load_stat(c, c.in_sum, row, total);
    exp_less(c, x, x, most, lanes);
    divide(c, x, total, lanes);
    store_row(c, row, x);
}

// FlashAttention-2: the values stay without division.
void flash2_row(const SoftmaxCall& c, uint32_t row) {
    float* x = scratch(0);
    float most[16], total[16], shrink[16], before[16];
    const uint32_t lanes = lanes_of(c, c.in_max.dtype);
    load_row(c, c.src, row, x);
    load_stat(c, c.in_max, row, before);
    load_stat(c, c.in_sum, row, total);
    const float own = largest(x, c.ori_k);
    for (uint32_t i = 0; i < lanes; ++i) {
        most[i] = vec::max_of(before[i], own);
        shrink[i] = before[i] - most[i];
    }
    exponential(shrink, shrink, lanes);
    exp_less(c, x, x, most, lanes);
    const float added = sum(x, c.ori_k);
    for (uint32_t i = 0; i < lanes; ++i) {
        total[i] = shrink[i] * total[i] + added;
    }
    if (c.first_max.ptr != nullptr) {
        store_stat(c, c.first_max, row, &own, 1);
    }
    store_stat(c, c.max, row, most, lanes);
    store_stat(c, c.sum, row, total, lanes);
    store_stat(c, c.exp_max, row, shrink, lanes);
    store_row(c, row, x);
}

// The first flash variant: values, and what came before them, are divided by the updated sum.
void flash1_row(const SoftmaxCall& c, uint32_t row) {
    float* x = scratch(0);
    float most[16], total[16], shrink[16], before[16], scale[16];
    const uint32_t lanes = lanes_of(c, c.in_max.dtype);
    load_row(c, c.src, row, x);
    load_stat(c, c.in_max, row, before);
    load_stat(c, c.in_sum, row, total);
    const float own = largest(x, c.ori_k);
    exp_less(c, x, x, &own, 1);
    const float added = sum(x, c.ori_k);
    for (uint32_t i = 0; i < lanes; ++i) {
        most[i] = vec::max_of(before[i], own);
        scale[i] = own - most[i];
        shrink[i] = before[i] - most[i];
    }
    exponential(scale, scale, lanes);
    exponential(shrink, shrink, lanes);
    for (uint32_t i = 0; i < lanes; ++i) {
        shrink[i] *= total[i];
        total[i] = shrink[i] + scale[i] * added;
        shrink[i] /= total[i];
        scale[i] /= total[i];
    }
    approximate(shrink, lanes);
    approximate(scale, lanes);
    for (uint32_t i = 0; i < c.k; ++i) {
        x[i] *= scale[i % kLanesUsed];
    }
    store_stat(c, c.max, row, most, lanes);
    store_stat(c, c.sum, row, total, lanes);
    store_stat(c, c.exp_max, row, shrink, lanes);
    store_row(c, row, x);
}

// What stands for the means of a row's eighths: the first 512 elements are summed by blocks into 64 lanes, the others are
// added to them lane by lane, and each eight lanes make a mean. With more than 512 elements these are not the eighths' own
// means, on the device and in the vendor's golden data alike; their mean is the row's.
void eighths(const float* x, uint32_t k, uint32_t part, float means[8]) {
    constexpr uint32_t lanes = 64;
    float lane[lanes];
    for (uint32_t i = 0; i < lanes; ++i) {
        lane[i] = sum(x + 8 * i, 8);
    }
    for (uint32_t at = 8 * lanes; at < k; at += lanes) {
        KB_ROW_LOOP for (uint32_t i = 0; i < lanes; ++i) { lane[i] += x[at + i]; }
    }
    for (uint32_t p = 0; p < 8; ++p) {
        means[p] = sum(lane + 8 * p, 8) * (1.0f / static_cast<float>(part));
    }
}

// The variant that shifts each eighth of a row by such a mean (PASA).
void flash3_row(const SoftmaxCall& c, uint32_t row) {
    float* x = scratch(0);
    const uint32_t part = c.k / c.parts;
    const float scale = c.alpha / (1.0f - c.alpha);
    float means[8], mean = 0, most[16], total[16], shrink[16], shift[16], before[16], overall[16];
    load_row(c, c.src, row, x);
    eighths(x, c.k, part, means);
    mean = sum(means, c.parts) * (1.0f / 8.0f);
    for (uint32_t p = 0; p < c.parts; ++p) {
        const float less = (mean - means[p]) * scale;
        KB_ROW_LOOP for (uint32_t i = p * part; i < (p + 1) * part; ++i) { x[i] -= less; }
    }
    const float own = largest(x, c.k);
    const uint32_t lanes = lanes_of(c, c.max.dtype);
    if (c.update) {
        load_stat(c, c.in_mean, row, overall);
        load_stat(c, c.in_max, row, before);
        load_stat(c, c.in_sum, row, total);
    }
    for (uint32_t i = 0; i < lanes; ++i) {
        const float previous = overall[i];
        overall[i] = c.update ? (previous * (static_cast<float>(c.loops) - 1.0f) + mean) * (1.0f / static_cast<float>(c.loops))
                              : mean;
        const float now = (mean - overall[i]) * scale;
        most[i] = own + now;
        if (c.update) {
            const float then = (previous - overall[i]) * scale;
            most[i] = vec::max_of(most[i], before[i] + then);
            shrink[i] = then + (before[i] - most[i]);
        }
        shift[i] = most[i] - now;
    }
    exp_less(c, x, x, shift, lanes);
    const float added = sum(x, c.k);
    if (c.update) {
        exponential(shrink, shrink, lanes);
        for (uint32_t i = 0; i < lanes; ++i) {
            total[i] = shrink[i] * total[i] + added;
        }
        store_stat(c, c.exp_max, row, shrink, lanes);
        store_stat(c, c.sum, row, total, lanes);
    } else {
        store_stat(c, c.sum, row, &added, 1);
    }
    store_stat(c, c.mean, row, overall, lanes);
    store_stat(c, c.max, row, most, lanes);
    store_row(c, row, x);
}

void grad_row(const SoftmaxCall& c, uint32_t row) {
    float* y = scratch(0);
    float* g = scratch(1);
    float* products = scratch(2);
    load_row(c, c.src, row, y);
    load_row(c, c.grad, row, g);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.k; ++i) { products[i] = y[i] * g[i]; }
    const float total = sum(products, c.ori_k);
    if (c.op == RowOp::SoftmaxGradFront) {
        store_stat(c, c.dst, row, &total, 1);
        return;
    }
    KB_ROW_LOOP for (uint32_t i = 0; i < c.k; ++i) { g[i] = (g[i] - total) * y[i]; }
    store_row(c, row, g);
}

using Row = void (*)(const SoftmaxCall&, uint32_t);

Row row_of(const SoftmaxCall& c) {
    switch (c.op) {
        case RowOp::SimpleSoftMax: return simple_row;
        case RowOp::SoftmaxFlash: return c.update ? flash1_row : plain_row;
        case RowOp::SoftmaxFlashV2: return c.update ? flash2_row : plain_row;
        case RowOp::SoftmaxFlashV3: return flash3_row;
        case RowOp::SoftmaxGrad:
        case RowOp::SoftmaxGradFront: return grad_row;
        default: return plain_row;
    }
}

// ---- rules ----------------------------------------------------------------------------------------------------------

void check_shape(const SoftmaxCall& c) {
    const char* api = name_of(c.op);
    const uint32_t size = size_of(c.src.dtype);
    if (c.m == 0 || c.k == 0) {
        error("E9", api, "softmaxShapeInfo: expected srcM and srcK, or a tensor with SetShapeInfo, got %u and %u", c.m, c.k);
    }
    require(c.k * size % kBlockBytes == 0, "E2", api, "srcK", "a last axis of a multiple of 32 bytes", c.k);
    require(c.k <= kMostLanes, "E9", api, "srcK", "a row that fits UB", c.k);
    require(c.ori_k >= 1 && c.ori_k <= c.k, "E9", api, "oriSrcK", "1 to srcK", c.ori_k);
    require(c.ori_m <= c.m, "E9", api, "oriSrcM", "at most srcM", c.ori_m);
    if (c.nz) {
        require(c.k % kNzLanes == 0, "E9", api, "srcK", "a multiple of 16 in the NZ format", c.k);
        require(c.k - c.ori_k < kNzLanes, "E9", api, "oriSrcK", "at most 15 less than srcK in the NZ format", c.ori_k);
    }
    if (c.basic) {
        require(c.k % 64 == 0 && c.k < 2048 && c.k >= 256 / size, "E9", api, "isBasicBlock, srcK",
                "a multiple of 64 from 256 bytes to 2047 elements", c.k);
        require(c.m % 8 == 0, "E9", api, "isBasicBlock, srcM", "a multiple of 8", c.m);
    }
    if (c.op == RowOp::SoftmaxFlashV3) {
        require(c.k >= 512 && c.k % 64 == 0, "E9", api, "srcK", "a multiple of 64, at least 512", c.k);
        require(c.m % 8 == 0, "E9", api, "srcM", "a multiple of 8", c.m);
        require(c.ori_k == c.k && c.ori_m == c.m, "E9", api, "oriSrcK", "the same as srcK", c.ori_k);
        require(c.parts == 8, "E9", api, "splitMeanCnt", "8", c.parts);
        require(c.loops >= 1, "E9", api, "loopCnt", "1 or more", c.loops);
    }
}

void check_tiling(const SoftmaxCall& c) {
    const char* api = name_of(c.op);
    const bool own = c.tiling_m == c.m && c.tiling_k == c.k;  // else the operation makes one for the shape
    if (!own) {
        return;
    }
    require(c.split_m >= 1, "E44", api, "tiling.splitM", "1 or more (the host gave too little local workspace)", c.split_m);
    if (!c.broadcast && (c.range_m > 1 || c.tail_m != 0)) {
        require(c.split_m * size_of(stat_type(c)) % kBlockBytes == 0, "E44", api, "tiling.reduceM",
                "whole blocks of 32 bytes without broadcast", c.split_m);
    }
    if (c.basic) {
        require(c.tail_m == 0, "E44", api, "tiling.tailM", "0 with isBasicBlock", c.tail_m);
    }
}

// The documented minimum of temporary space, in bytes.
uint64_t least_space(const SoftmaxCall& c) {
    const uint32_t block = kBlockBytes / size_of(stat_type(c));
    const bool half_source = c.src.dtype == Dtype::f16;
    switch (c.op) {
        case RowOp::SoftmaxFlash: return row_size::flash_row(c.k, block, c.update);
        case RowOp::SoftmaxFlashV2:
            return c.nz ? row_size::kFloat * (3 * kNzLanes + c.k)
                        : row_size::flash_v2_least(c.m, c.k, block, half_source, c.basic, c.broadcast);
        case RowOp::SoftmaxFlashV3: return row_size::flash_v3_row(c.k, block);
        case RowOp::SoftmaxGrad:
        case RowOp::SoftmaxGradFront:
            return row_size::grad_row(c.k, kBlockBytes / size_of(c.src.dtype), half_source, c.op == RowOp::SoftmaxGradFront);
        default: return row_size::softmax_row(c.k, block);
    }
}

// Bytes that the device fills in a round of `split_m` rows: the row in float where it is converted, and what is left of it
// on the way to one value.
uint64_t used_space(const SoftmaxCall& c) {
    if (c.tiling_m != c.m || c.tiling_k != c.k) {
        return 0;  // the operation makes a tiling that fits
    }
    const bool half_source = c.src.dtype == Dtype::f16;
    const bool grad = c.op == RowOp::SoftmaxGrad || c.op == RowOp::SoftmaxGradFront;
    const uint32_t reducing = c.k < row_size::kRepeat ? kLanesUsed : row_size::kRepeat;
    const uint32_t row = grad ? (half_source ? 3 : 1) * c.k
                              : (half_source ? c.k : 0) + (c.op == RowOp::SimpleSoftMax ? 0 : reducing);
    return static_cast<uint64_t>(c.split_m < c.m ? c.split_m : c.m) * row * row_size::kFloat;
}

void check_operands(const SoftmaxCall& c, Operands& o) {
    const uint64_t elements = static_cast<uint64_t>(c.m) * c.k;
    const bool front = c.op == RowOp::SoftmaxGradFront;
    const auto stats = [&](const View& v) { return static_cast<uint64_t>(c.m) * lanes_of(c, v.dtype) * size_of(v.dtype); };
    o.read(c.src, elements * size_of(c.src.dtype), "srcTensor");
    o.write(c.dst, front ? static_cast<uint64_t>(c.m) * kBlockBytes : elements * size_of(c.dst.dtype), "dstTensor");
    if (c.grad.ptr != nullptr) {
        o.read(c.grad, elements * size_of(c.grad.dtype), "gradTensor");
    }
    if (c.op == RowOp::SimpleSoftMax || c.update) {
        o.read(c.in_sum, stats(c.in_sum), "inSumTensor");
        o.read(c.in_max, stats(c.in_max), "inMaxTensor");
    }
    if (c.with_stats) {
        o.write(c.sum, stats(c.sum), "sumTensor");
        o.write(c.max, stats(c.max), "maxTensor");
    }
    if (c.update) {
        o.write(c.exp_max, stats(c.exp_max), "expMaxTensor");
    }
    if (c.first_max.ptr != nullptr) {
        o.write(c.first_max, stats(c.first_max), "outReduceMax");
    }
    if (c.op == RowOp::SoftmaxFlashV3) {
        if (c.update) {
            o.read(c.in_mean, stats(c.in_mean), "inMeanTensor");
        }
        o.write(c.mean, stats(c.mean), "meanTensor");
    }
    if (c.op == RowOp::LogSoftMax) {
        o.apart("srcTensor", "dstTensor");
    } else if (!front) {
        o.same_or_apart("srcTensor", "dstTensor");
        o.same_or_apart("gradTensor", "dstTensor");
    }
    o.same_or_apart("inSumTensor", "sumTensor");
    o.same_or_apart("inMaxTensor", "maxTensor");
    o.apart("dstTensor", "sumTensor");
    o.apart("dstTensor", "maxTensor");
    o.apart("sumTensor", "maxTensor");
}

}  // namespace
}  // namespace kb::rows

using namespace kb::rows;

extern "C" void kbrt_softmax(const kb::SoftmaxCall& call) {
    check_shape(call);
    check_tiling(call);
    Operands operands(name_of(call.op));
    check_operands(call, operands);
    operands.temporary(call.tmp, least_space(call), used_space(call));
    const Row one = row_of(call);
    for (uint32_t row = 0; row < call.m; ++row) {
        one(call, row);
    }
    operands.finish();
    kb::event(kb::Pipe::V, static_cast<uint16_t>(call.op), call.m,
              static_cast<uint64_t>(call.m) * call.k * size_of(call.src.dtype));
}

extern "C" bool kbrt_softmax_adjust(const kb::SoftmaxCall& call, uint32_t from, uint64_t to) {
    check_shape(call);
    const uint32_t size = size_of(call.dst.dtype);
    const uint32_t stat = size_of(call.in_max.dtype);
    const uint32_t lanes = lanes_of(call, call.in_max.dtype);
    Operands operands(name_of(call.op));
    operands.write(call.dst, static_cast<uint64_t>(call.m) * call.k * size, "softMaxRes");
    operands.read(call.in_max, static_cast<uint64_t>(call.m) * lanes * stat, "maxTensor");
    bool found = false;
    for (uint32_t row = 0; row < call.m; ++row) {
        uint32_t bits = 0;
        __builtin_memcpy(&bits, call.in_max.ptr + static_cast<uint64_t>(row) * lanes * stat, stat);
        if (bits != (stat == 2 ? from & 0xffff : from)) {
            continue;
        }
        found = true;
        for (uint32_t i = 0; i < call.k; ++i) {
            const uint64_t at = call.nz ? place(call, row, i / kNzLanes) + i % kNzLanes : static_cast<uint64_t>(row) * call.k + i;
            __builtin_memcpy(call.dst.ptr + at * size, &to, size);
        }
    }
    kb::adv::reset_mask();
    kb::event(kb::Pipe::V, static_cast<uint16_t>(call.op), call.m, static_cast<uint64_t>(call.m) * call.k * size);
    return found;
}
