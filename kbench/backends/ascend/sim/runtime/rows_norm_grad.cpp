// The backward passes of LayerNorm, and Welford's mean and variance in steps. Halves round to nearest even.
#include "rows.h"

namespace kb::rows {
namespace {

constexpr vec::Round kRound = vec::Round::rint;

const char* name_of(RowOp op) {
    switch (op) {
        case RowOp::LayerNormGrad: return "LayerNormGrad";
        case RowOp::LayerNormGradBeta: return "LayerNormGradBeta";
        case RowOp::WelfordUpdate: return "WelfordUpdate";
        default: return "WelfordFinalize";
    }
}

uint64_t bytes_of(const View& view, uint64_t elements) {
    return elements * size_of(view.dtype);
}

uint8_t* at(const View& view, uint64_t element) {
    return view.ptr + element * size_of(view.dtype);
}

// ---- LayerNormGrad --------------------------------------------------------------------------------------------------

float sum_scaled(const float* x, float by, uint32_t n) {
    float* scaled = scratch(3);
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { scaled[i] = x[i] * by; }
    return sum(scaled, n);
}

// -0.5 * dy * gamma * (x - mean) / (variance + epsilon)^1.5, summed.
float variance_gradient(const float* g, const float* d, float shifted, uint32_t n) {
    const float square = shifted * shifted;
    const float by = reciprocal_root(square * shifted);
    float* part = scratch(3);
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) {
        const float scaled = d[i] * by;
        const float product = g[i] * scaled;
        part[i] = product * -0.5f;
    }
    return sum(part, n);
}

void grad_row(const NormGradCall& c, uint32_t row, const float* gamma) {
    const uint64_t first = static_cast<uint64_t>(row) * c.h;
    float* g = scratch(0);  // dy * gamma
    float* d = scratch(1);  // x - mean
    load(g, at(c.dy, first), c.dy.dtype, c.h);
    load(d, at(c.x, first), c.x.dtype, c.h);
    const float mean = load_one(c.mean, row);
    const float shifted = load_one(c.variance, row) + c.epsilon;
    KB_ROW_LOOP for (uint32_t i = 0; i < c.h; ++i) {
        g[i] *= gamma[i];
        d[i] -= mean;
    }
    const float by_variance = variance_gradient(g, d, shifted, c.h);
    const float root = reciprocal_root(shifted);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.h; ++i) { g[i] *= root; }
    const float direct = sum_scaled(g, -1.0f, c.h);
    const float through_variance = by_variance * (sum_scaled(d, -2.0f, c.h) * c.factor);
    const float by_mean = (direct + through_variance) * c.factor;
    const float slope = by_variance * c.twice;
    float* res = scratch(3);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.h; ++i) {
        res[i] = d[i] * root;
        const float part = slope * d[i] + by_mean;
        g[i] = part + g[i];
    }
    store(at(c.res, first), c.res.dtype, res, c.h, kRound);
    store(at(c.dx, first), c.dx.dtype, g, c.h, kRound);
}

// ---- LayerNormGradBeta ----------------------------------------------------------------------------------------------

// One column of dgamma = sum(dy * res) and dbeta = sum(dy).
void grad_beta_column(const NormGradCall& c, uint32_t column) {
    float* products = scratch(0);
    float* dy = scratch(1);
    for (uint32_t row = 0; row < c.rows; ++row) {
        dy[row] = load_one(c.dy, row * c.h + column);
        products[row] = dy[row] * load_one(c.res, row * c.h + column);
    }
    scratch(2)[column] = sum(products, c.rows);
    scratch(3)[column] = sum(dy, c.rows);
}

void grad_beta(const NormGradCall& c) {
    for (uint32_t column = 0; column < c.valid; ++column) {
        grad_beta_column(c, column);
    }
    store(c.dgamma.ptr, c.dgamma.dtype, scratch(2), c.valid, kRound);
    store(c.dbeta.ptr, c.dbeta.dtype, scratch(3), c.valid, kRound);
}

void check_grad(const NormGradCall& c, Operands& o) {
    const char* api = name_of(c.op);
    require(c.rows >= 1 && c.rows <= kMostLanes, "E44", api, "rows of the tiling data", "rows that fit UB", c.rows);
    require(c.h >= 1 && c.h <= kMostLanes, "E44", api, "last axis of the tiling data", "a row that fits UB", c.h);
    require(c.h * size_of(c.dy.dtype) % kBlockBytes == 0, "E2", api, "last axis", "a multiple of 32 bytes", c.h);
    require(c.valid >= 1 && c.valid <= c.h, "E9", api, "last axis before padding", "1 to the padded length", c.valid);
    const uint64_t elements = static_cast<uint64_t>(c.rows) * c.h;
    o.read(c.dy, bytes_of(c.dy, elements), "inputDy");
    if (c.op == RowOp::LayerNormGradBeta) {
        o.read(c.res, bytes_of(c.res, elements), "resForGamma");
        o.write(c.dgamma, bytes_of(c.dgamma, c.valid), "outputPdGamma");
        o.write(c.dbeta, bytes_of(c.dbeta, c.valid), "outputPdBeta");
        o.apart("outputPdGamma", "outputPdBeta");
        return;
    }
    o.read(c.x, bytes_of(c.x, elements), "inputX");
    o.read(c.variance, bytes_of(c.variance, c.rows), "inputVariance");
    o.read(c.mean, bytes_of(c.mean, c.rows), "inputMean");
    o.read(c.gamma, bytes_of(c.gamma, c.h), "inputGamma");
    o.write(c.dx, bytes_of(c.dx, elements), "outputPdX");
    o.write(c.res, bytes_of(c.res, elements), "resForGamma");
    o.apart("outputPdX", "resForGamma");
    static constexpr const char* kSources[] = {"inputDy", "inputX"};
    for (const char* source : kSources) {
        o.same_or_apart(source, "outputPdX");
        o.same_or_apart(source, "resForGamma");
    }
}

// ---- Welford --------------------------------------------------------------------------------------------------------

// One more value for each of `count` means and variances; with isInplace, what lies behind them is carried over.
void welford_update(const WelfordCall& c) {
    const uint32_t all = c.in_place ? c.length : c.count;
    float* x = scratch(0);
    float* mean = scratch(1);
    float* variance = scratch(2);
    load(x, c.x.ptr, c.x.dtype, c.count);
    load(mean, c.in_mean.ptr, c.in_mean.dtype, all);
    load(variance, c.in_variance.ptr, c.in_variance.dtype, all);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.count; ++i) {
        const float before = x[i] - mean[i];
        const float step = before * c.n_rec;
        mean[i] = step + mean[i];
        const float product = before * (x[i] - mean[i]);
        variance[i] = product + variance[i];
    }
    store(c.mean.ptr, c.mean.dtype, mean, all, kRound);
    store(c.variance.ptr, c.variance.dtype, variance, all, kRound);
}

// How many values stand behind mean and variance `i`.
float weight(const WelfordCall& c, uint32_t i) {
    if (c.with_counts) {
        int32_t count;
        __builtin_memcpy(&count, c.counts.ptr + 4ull * i, 4);
        return static_cast<float>(count);
    }
    return static_cast<float>(c.tail_count);
}

void welford_finalize(const WelfordCall& c) {
    const bool even = !c.with_counts && (c.tail_length == 0 || c.tail_count == 0);  // all with the same count
    const float head = static_cast<float>(c.head_count) / static_cast<float>(c.tail_count);
    float* means = scratch(0);
    float* part = scratch(1);
    load(means, c.in_mean.ptr, c.in_mean.dtype, c.length);
    for (uint32_t i = 0; i < c.length; ++i) {
        part[i] = even ? means[i] * c.ab_rec : means[i] * weight(c, i) * c.r_rec;
        if (!even && !c.with_counts && i < c.head_length) {
            part[i] *= head;
        }
    }
    const float mean = sum(part, c.length);
    load(part, c.in_variance.ptr, c.in_variance.dtype, c.length);
    for (uint32_t i = 0; i < c.length; ++i) {
        const float d = means[i] - mean;
        const float square = d * d;
        float spread = square * (even ? static_cast<float>(c.rows) : weight(c, i));
        if (!even && !c.with_counts && i < c.head_length) {
            spread *= head;
        }
        part[i] = (part[i] + spread) * c.r_rec;
    }
    const float results[2][8] = {{mean}, {sum(part, c.length)}};
    store(c.mean.ptr, c.mean.dtype, results[0], 8, kRound);
    store(c.variance.ptr, c.variance.dtype, results[1], 8, kRound);
}

void check_update(const WelfordCall& c, Operands& o) {
    const char* api = name_of(c.op);
    require(c.rows == 1, "E9", api, "para.rnLength", "1", c.rows);
    require(c.length * size_of(c.x.dtype) % kBlockBytes == 0, "E2", api, "para.abLength", "a multiple of 32 bytes of T", c.length);
    require(c.count >= 1 && c.count <= c.length, "E9", api, "para.abComputeLength", "1 to abLength", c.count);
    const uint32_t all = c.in_place ? c.length : c.count;
    o.read(c.x, bytes_of(c.x, c.count), "inputX");
    o.read(c.in_mean, bytes_of(c.in_mean, all), "inputMean");
    o.read(c.in_variance, bytes_of(c.in_variance, all), "inputVariance");
    o.write(c.mean, bytes_of(c.mean, all), "outputMean");
    o.write(c.variance, bytes_of(c.variance, all), "outputVariance");
    o.same_or_apart("inputMean", "outputMean");
    o.same_or_apart("inputVariance", "outputVariance");
    o.apart("inputX", "outputMean");
    o.apart("inputX", "outputVariance");
    o.apart("inputMean", "outputVariance");
    o.apart("inputVariance", "outputMean");
    o.apart("outputMean", "outputVariance");
}

void check_finalize(const WelfordCall& c, Operands& o) {
    const char* api = name_of(c.op);
    require(c.length >= 1 && c.length % 8 == 0, "E2", api, "para.abLength", "a multiple of 32 bytes of float", c.length);
    require(c.head_length + c.tail_length == c.length, "E9", api, "para.headCountLength + tailCountLength", "abLength",
            c.head_length + c.tail_length);
    require(c.tail_count != 0 || c.tail_length == 0, "E9", api, "para.tailCountLength", "0 where tailCount is 0", c.tail_length);
    o.read(c.in_mean, bytes_of(c.in_mean, c.length), "inputMean");
    o.read(c.in_variance, bytes_of(c.in_variance, c.length), "inputVariance");
    if (c.with_counts) {
        o.read(c.counts, bytes_of(c.counts, c.length), "counts");
    }
    o.write(c.mean, kBlockBytes, "outputMean");
    o.write(c.variance, kBlockBytes, "outputVariance");
    static constexpr const char* kSources[] = {"inputMean", "inputVariance", "counts"};
    for (const char* source : kSources) {
        o.apart(source, "outputMean");
        o.apart(source, "outputVariance");
    }
    o.apart("outputMean", "outputVariance");
}

}  // namespace
}  // namespace kb::rows

using namespace kb::rows;

extern "C" void kbrt_norm_grad(const kb::NormGradCall& call) {
    Operands operands(name_of(call.op));
    check_grad(call, operands);
    operands.temporary(call.tmp, call.needed, static_cast<uint64_t>(call.used) * kb::row_size::kFloat);
    if (call.op == kb::RowOp::LayerNormGradBeta) {
        grad_beta(call);
    } else {
        load(scratch(2), call.gamma.ptr, call.gamma.dtype, call.h);
        for (uint32_t row = 0; row < call.rows; ++row) {
            grad_row(call, row, scratch(2));
        }
    }
    operands.finish();
    const uint64_t bytes = bytes_of(call.dy, static_cast<uint64_t>(call.rows) * call.h);
    kb::event(kb::Pipe::V, static_cast<uint16_t>(call.op), call.rows, bytes);
}

extern "C" void kbrt_welford(const kb::WelfordCall& call) {
    Operands operands(name_of(call.op));
    if (call.op == kb::RowOp::WelfordUpdate) {
        check_update(call, operands);
        operands.temporary(call.tmp, call.needed, 0);
        welford_update(call);
    } else {
        check_finalize(call, operands);
        operands.temporary(call.tmp, call.needed, 0);
        welford_finalize(call);
    }
    operands.finish();
    kb::event(kb::Pipe::V, static_cast<uint16_t>(call.op), 1, static_cast<uint64_t>(call.length) * 4);
}
