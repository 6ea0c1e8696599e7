// Normalisations over the last axis (LayerNorm, Normalize, RmsNorm, DeepNorm), over the batch (BatchNorm) and over groups of
// channels (GroupNorm). Halves round to nearest even.
//
// Where the device works on the padding of a row too, its values count here as well: LayerNorm's variance over [B, S, H]
// adds mean^2 / H for each column of zeros, as the public implementation does.
#include "rows.h"

namespace kb::rows {
namespace {

constexpr vec::Round kRound = vec::Round::rint;

const char* name_of(RowOp op) {
    switch (op) {
        case RowOp::LayerNorm:
        case RowOp::LayerNormRstd: return "LayerNorm";
        case RowOp::Normalize: return "Normalize";
        case RowOp::RmsNorm: return "RmsNorm";
        case RowOp::DeepNorm: return "DeepNorm";
        case RowOp::BatchNorm: return "BatchNorm";
        default: return "GroupNorm";
    }
}

uint64_t bytes_of(const View& view, uint64_t elements) {
    return elements * size_of(view.dtype);
}

const uint8_t* at(const View& view, uint64_t element) {
    return view.ptr + element * size_of(view.dtype);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// Each step's result is a float.
float mean_of(const NormCall& c, const float* x, uint32_t n) {
    float* scaled = scratch(1);
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { scaled[i] = x[i] * c.factor; }
    return sum(scaled, n);
}

float mean_square(const NormCall& c, const float* x, uint32_t n) {
    float* scaled = scratch(1);
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) {
        const float square = x[i] * x[i];
        scaled[i] = square * c.factor;
    }
    return sum(scaled, n);
}

void subtract(float* x, float by, uint32_t n) {
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { x[i] -= by; }
}

void scale(float* x, float by, uint32_t n) {
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { x[i] *= by; }
}

// By logarithm and exponential, as RmsNorm and BatchNorm take it.
float reciprocal_root_by_log(float x) {
    return exponential(logarithm(x) * -0.5f);
}

// x * gamma + beta over the first n columns; `gamma` and `beta` are rows of float.
void affine(const NormCall& c, float* x, const float* gamma, const float* beta, uint32_t n) {
    if (!c.no_gamma) {
        KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { x[i] *= gamma[i]; }
    }
    if (!c.no_beta) {
        KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { x[i] += beta[i]; }
    }
}

void store_row(const NormCall& c, uint32_t row, const float* x, uint32_t n) {
    store(const_cast<uint8_t*>(at(c.out, static_cast<uint64_t>(row) * c.h)), c.out.dtype, x, n, kRound);
}

// gamma and beta as rows of float, for as long as the operation runs.
void load_affine(const NormCall& c, uint32_t n) {
    if (!c.no_gamma) {
        load(scratch(2), c.gamma.ptr, c.gamma.dtype, n);
    }
    if (!c.no_beta && c.op != RowOp::RmsNorm) {
        load(scratch(3), c.beta.ptr, c.beta.dtype, n);
    }
}

// ---- operations over rows -------------------------------------------------------------------------------------------

// [B, S, H]: every column of the padded row takes part.
void layer_norm_row(const NormCall& c, uint32_t row, float* x) {
    const float mean = mean_of(c, x, c.h);
    subtract(x, mean, c.h);
    const float variance = mean_square(c, x, c.h);
    scale(x, reciprocal_root(variance + c.epsilon), c.h);
    affine(c, x, scratch(2), scratch(3), c.h);
    store_one(c.mean, row, mean, kRound);
    store_one(c.spread, row, variance, kRound);
    store_row(c, row, x, c.h);
}

// The second half of LayerNorm over [A, R]; columns beyond R are left undefined.
void normalize_row(const NormCall& c, uint32_t row, float* x, float mean, float variance) {
    const float root = reciprocal_root(variance + c.epsilon);
    subtract(x, mean, c.valid);
    scale(x, root, c.valid);
    affine(c, x, scratch(2), scratch(3), c.valid);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.valid; ++i) { x[i] += 0.0f; }  // the device's way to copy: -0 becomes +0
    for (uint32_t i = c.valid; i < c.h; ++i) {
        x[i] = __builtin_nanf("");
    }
    store_one(c.spread, row, root, kRound);
    store_row(c, row, x, c.h);
}

void layer_norm_rstd_row(const NormCall& c, uint32_t row, float* x) {
    const float mean = mean_of(c, x, c.valid);
    float* less = scratch(1);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.valid; ++i) {
        const float d = x[i] - mean;
        const float square = d * d;
        less[i] = square * c.factor;
    }
    const float variance = sum(less, c.valid);
    store_one(c.mean, row, mean, kRound);
    normalize_row(c, row, x, mean, variance);
}

void rms_norm_row(const NormCall& c, uint32_t row, float* x) {
    float* squares = scratch(1);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.valid; ++i) { squares[i] = x[i] * x[i]; }
    const float mean = sum(squares, c.valid) * c.factor;
    scale(x, reciprocal_root_by_log(mean + c.epsilon), c.h);
    affine(c, x, scratch(2), nullptr, c.h);
    store_row(c, row, x, c.h);
}

// LayerNorm of alpha * x + gx. What the interface calls rstd is the variance, as its page's example shows.
void deep_norm_row(const NormCall& c, uint32_t row, float* x) {
    float* other = scratch(1);
    load(other, at(c.other, static_cast<uint64_t>(row) * c.h), c.other.dtype, c.h);
    KB_ROW_LOOP for (uint32_t i = 0; i < c.h; ++i) {
        const float scaled = x[i] * c.alpha;
        x[i] = scaled + other[i];
    }
    const float mean = mean_of(c, x, c.valid);
    subtract(x, mean, c.h);
    const float variance = mean_square(c, x, c.valid);
    scale(x, reciprocal_root(variance + c.epsilon), c.h);
    affine(c, x, scratch(2), scratch(3), c.h);
    store_one(c.mean, row, mean, kRound);
    store_one(c.spread, row, variance, kRound);
    store_row(c, row, x, c.h);
}

void over_rows(const NormCall& c) {
    load_affine(c, c.op == RowOp::LayerNormRstd || c.op == RowOp::Normalize ? c.valid : c.h);
    float* x = scratch(0);
    for (uint32_t row = 0; row < c.rows; ++row) {
        load(x, at(c.x, static_cast<uint64_t>(row) * c.h), c.x.dtype, c.h);
        switch (c.op) {
            case RowOp::LayerNorm: layer_norm_row(c, row, x); break;
            case RowOp::LayerNormRstd: layer_norm_rstd_row(c, row, x); break;
            case RowOp::Normalize: normalize_row(c, row, x, load_one(c.mean, row), load_one(c.other, row)); break;
            case RowOp::RmsNorm: rms_norm_row(c, row, x); break;
            default: deep_norm_row(c, row, x);
        }
    }
}

// ---- BatchNorm: [B, S * H] over B -----------------------------------------------------------------------------------

void batch_norm(const NormCall& c) {
    float* column = scratch(0);
    for (uint32_t j = 0; j < c.h; ++j) {
        for (uint32_t b = 0; b < c.rows; ++b) {
            column[b] = load_one(c.x, b * c.h + j);
        }
        const float mean = mean_of(c, column, c.rows);
        subtract(column, mean, c.rows);
        const float variance = mean_square(c, column, c.rows);
        scale(column, reciprocal_root_by_log(variance + c.epsilon), c.rows);
        for (uint32_t b = 0; b < c.rows; ++b) {
            const float scaled = column[b] * load_one(c.gamma, b);
            store_one(c.out, b * c.h + j, scaled + load_one(c.beta, b), kRound);
        }
        store_one(c.mean, j, mean, kRound);
        store_one(c.spread, j, variance, kRound);
    }
}

// ---- GroupNorm: [N, C, HW] over groups of `depth` channels ----------------------------------------------------------

// HW is padded to h; the padding takes part in the mean (its values should be 0), not in the result.
void group_norm(const NormCall& c) {
    float* x = scratch(0);
    const uint32_t length = c.depth * c.h;
    for (uint32_t group = 0; group < c.rows; ++group) {
        load(x, at(c.x, static_cast<uint64_t>(group) * length), c.x.dtype, length);
        const float mean = sum(x, length) * c.factor;
        for (uint32_t d = 0; d < c.depth; ++d) {
            subtract(x + d * c.h, mean, c.valid);
            for (uint32_t i = c.valid; i < c.h && c.x.dtype == Dtype::f32; ++i) {
                x[d * c.h + i] = 0;
            }
        }
        float* squares = scratch(1);
        KB_ROW_LOOP for (uint32_t i = 0; i < length; ++i) { squares[i] = x[i] * x[i]; }
        const float variance = sum(squares, length) * c.factor;
        scale(x, reciprocal_root(variance + c.epsilon), length);
        for (uint32_t d = 0; d < c.depth; ++d) {
            const uint32_t channel = (group * c.depth + d) % c.channels;
            const float gamma = load_one(c.gamma, channel);
            const float beta = load_one(c.beta, channel);
            scale(x + d * c.h, gamma, c.valid);
            subtract(x + d * c.h, -beta, c.valid);
        }
        store(const_cast<uint8_t*>(at(c.out, static_cast<uint64_t>(group) * length)), c.out.dtype, x, length, kRound);
        store_one(c.mean, group, mean, kRound);
        store_one(c.spread, group, variance, kRound);
    }
}

// ---- rules ----------------------------------------------------------------------------------------------------------

void check_shape(const NormCall& c) {
    const char* api = name_of(c.op);
    const uint32_t row = c.op == RowOp::GroupNorm ? c.depth * c.h : c.h;
    require(c.rows >= 1, "E44", api, "rows of the tiling data", "1 or more", c.rows);
    require(c.op != RowOp::LayerNormRstd || c.tiling_rows == c.rows, "E44", api, "tiling.aLength", "para.aLength", c.tiling_rows);
    require(c.h >= 1 && row <= kMostLanes, "E44", api, "last axis of the tiling data", "a row that fits UB", c.h);
    require(c.h * size_of(c.x.dtype) % kBlockBytes == 0, "E2", api, "last axis", "a multiple of 32 bytes", c.h);
    require(c.valid >= 1 && c.valid <= c.h, "E9", api, "last axis before padding", "1 to the padded length", c.valid);
    require(c.limit == 0 || c.h <= c.limit, "E9", api, "last axis", "at most 2040", c.h);
    if (c.basic && c.op == RowOp::BatchNorm) {
        require(c.h % 64 == 0, "E9", api, "isBasicBlock, S * H", "a multiple of 64", c.h);
        require(c.rows % 8 == 0, "E9", api, "isBasicBlock, B", "a multiple of 8", c.rows);
    } else if (c.basic) {
        require(c.h % 64 == 0 && c.valid == c.h, "E9", api, "isBasicBlock, H", "a multiple of 64 without padding", c.valid);
        require(c.h < 2048, "E9", api, "isBasicBlock, H", "less than 2048", c.h);
        require(c.rows % 8 == 0, "E9", api, "isBasicBlock, B * S", "a multiple of 8", c.rows);
    }
}

void check_operands(const NormCall& c, Operands& o) {
    const bool groups = c.op == RowOp::GroupNorm;
    const bool batch = c.op == RowOp::BatchNorm;
    const uint64_t elements = static_cast<uint64_t>(c.rows) * c.h * (groups ? c.depth : 1);
    const uint64_t stats = batch ? c.h : c.rows;
    const bool padded = c.op == RowOp::LayerNormRstd || c.op == RowOp::Normalize;
    const uint64_t factors = groups ? c.channels : batch ? c.rows : padded ? c.valid : c.h;
    o.read(c.x, bytes_of(c.x, elements), "inputX");
    o.write(c.out, bytes_of(c.out, elements), "output");
    if (!c.no_gamma) {
        o.read(c.gamma, bytes_of(c.gamma, factors), "gamma");
    }
    if (!c.no_beta && c.op != RowOp::RmsNorm) {
        o.read(c.beta, bytes_of(c.beta, factors), "beta");
    }
    if (c.op == RowOp::DeepNorm) {
        o.read(c.other, bytes_of(c.other, elements), "gxLocal");
    }
    if (c.op == RowOp::Normalize) {
        o.read(c.mean, bytes_of(c.mean, stats), "inputMean");
        o.read(c.other, bytes_of(c.other, stats), "inputVariance");
    } else if (c.op != RowOp::RmsNorm) {
        o.write(c.mean, bytes_of(c.mean, stats), "outputMean");
    }
    if (c.op != RowOp::RmsNorm) {
        o.write(c.spread, bytes_of(c.spread, stats), "outputVariance");
    }
}

void check_overlaps(const NormCall& c, const Operands& o) {
    const bool in_place = c.op != RowOp::LayerNormRstd && c.op != RowOp::Normalize;
    if (in_place) {
        o.same_or_apart("inputX", "output");
    } else {
        o.apart("inputX", "output");
    }
    static constexpr const char* kResults[] = {"output", "outputMean", "outputVariance"};
    for (const char* result : kResults) {
        o.apart(result, "gamma");
        o.apart(result, "beta");
    }
    o.apart("output", "outputMean");
    o.apart("output", "outputVariance");
    o.apart("outputMean", "outputVariance");
    o.apart("inputX", "outputMean");
    o.apart("inputX", "outputVariance");
}

// With isReuseSource the device keeps intermediate results in the source; padding that LayerNorm masks is zeroed there.
void spoil_source(const NormCall& c, uint64_t bytes) {
    if (c.reuse && c.x.dtype == Dtype::f32 && c.x.ptr != c.out.ptr) {
        adv::spoil({c.x, true}, bytes, name_of(c.op));
    } else if (c.op == RowOp::LayerNormRstd && c.valid != c.h) {
        for (uint32_t row = 0; row < c.rows; ++row) {
            for (uint32_t i = c.valid; i < c.h; ++i) {
                store_one(c.x, row * c.h + i, 0.0f, kRound);
            }
        }
    }
}

}  // namespace
}  // namespace kb::rows

using namespace kb::rows;

extern "C" void kbrt_norm(const kb::NormCall& call) {
    check_shape(call);
    Operands operands(name_of(call.op));
    check_operands(call, operands);
    check_overlaps(call, operands);
    operands.temporary(call.tmp, call.needed, static_cast<uint64_t>(call.used) * kb::row_size::kFloat);
    if (call.op == kb::RowOp::BatchNorm) {
        batch_norm(call);
    } else if (call.op == kb::RowOp::GroupNorm) {
        group_norm(call);
    } else {
        over_rows(call);
    }
    const uint64_t elements = static_cast<uint64_t>(call.rows) * call.h * (call.op == kb::RowOp::GroupNorm ? call.depth : 1);
    spoil_source(call, elements * size_of(call.x.dtype));
    operands.finish();
    kb::event(kb::Pipe::V, static_cast<uint16_t>(call.op), call.rows, elements * size_of(call.x.dtype));
}
