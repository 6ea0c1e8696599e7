// Reductions of a matrix by pattern, and ReduceXorSum.
//
// Order of the operations, for sums and products: rows (RA) and products fold by halves: with s the largest power of two
// below n, element i meets element i + s, then s halves. Sums along the columns (AR) fold once like that and then add
// neighbours as a tree; up to 64 columns they are one tree.
#include <string.h>

#include "../sizes/reduce_sizes.h"
#include "adv.h"
#include "kb_reduce.h"
#include "machine.h"
#include "vec_round.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

using sizes::Reduce;
using vec::F16;

constexpr uint32_t kMostFloats = 49152;  // that fill UB

struct Matrix {
    const char* api;
    Reduce op;
    View dst, src;
    ReduceForm form;
    uint32_t size;    // bytes of an element
    uint32_t stride;  // elements from row to row

    uint32_t results() const { return form.along_columns ? form.rows : form.columns; }
    uint64_t src_bytes() const { return static_cast<uint64_t>(form.rows) * stride * size; }
    uint64_t dst_bytes() const { return static_cast<uint64_t>(results()) * size; }
};

// Max and Min give the first of equal values; a NaN wins.
float combine(Reduce op, float a, float b) {
    switch (op) {
        case Reduce::Sum:
        case Reduce::Mean: return vec::canonical(a + b);
        case Reduce::Prod: return vec::canonical(a * b);
        case Reduce::Max:
        case Reduce::Any: return a != a ? a : b != b || b > a ? b : a;
        default: return a != a ? a : b != b || b < a ? b : a;
    }
}

// n values, folded by halves in place; the result is values[0].
void fold(Reduce op, float* values, uint32_t n) {
    uint32_t half = sizes::half_power(n);
    for (uint32_t left = n; left > 1; left = half, half /= 2) {
        for (uint32_t i = 0; i + half < left; ++i) {
            values[i] = combine(op, values[i], values[i + half]);
        }
    }
}

// n ≤ 64 floats as one tree over a block or a repeat; lanes beyond n are +0.
float small_tree(const float* values, uint32_t n) {
    float padded[64] = {};
    memcpy(padded, values, n * sizeof(float));
    if (n <= 8) {
        float sum;
        vec::tree<float, 8, 8>(padded, &sum);
        return sum;
    }
    return vec::tree_sum<float>(padded);
}

float row_sum(float* values, uint32_t n) {
    if (n <= 64) {
        return small_tree(values, n);
    }
    uint32_t left = sizes::half_power(n);
    for (uint32_t i = 0; i + left < n; ++i) {
        values[i] = vec::canonical(values[i] + values[i + left]);
    }
    for (; left > 1; left /= 2) {
        for (uint32_t i = 0; i < left / 2; ++i) {
            values[i] = vec::canonical(values[2 * i] + values[2 * i + 1]);
        }
    }
    return values[0];
}

float value_at(const Matrix& m, uint64_t i) {
    const uint8_t* p = m.src.ptr + i * m.size;
    if (m.size == 1) {
        return *p;
    }
    if (m.size == 2) {
        return vec::widen(*reinterpret_cast<const F16*>(p));
    }
    return *reinterpret_cast<const float*>(p);
}

void put(const Matrix& m, uint32_t i, float value) {
    uint8_t* p = m.dst.ptr + static_cast<uint64_t>(i) * m.size;
    if (m.size == 1) {
        *p = static_cast<uint8_t>(value);
    } else if (m.size == 2) {
        *reinterpret_cast<F16*>(p) = vec::narrow(value);
    } else {
        *reinterpret_cast<float*>(p) = vec::canonical(value);
    }
}

// Result i: of row i, or of column i.
float result_of(const Matrix& m, uint32_t i) {
    static float values[kMostFloats];
    const bool sum = m.op == Reduce::Sum || m.op == Reduce::Mean;
    const uint32_t n = m.form.along_columns ? m.form.columns : m.form.rows;
    for (uint32_t k = 0; k < n; ++k) {
        values[k] = value_at(m, m.form.along_columns ? static_cast<uint64_t>(i) * m.stride + k
                                                     : static_cast<uint64_t>(k) * m.stride + i);
    }
    float result;
    if (sum && m.form.along_columns) {
        result = row_sum(values, n);
    } else {
        fold(m.op, values, n);
        result = values[0];
    }
    return m.op == Reduce::Mean ? result * (1.0f / static_cast<float>(static_cast<int32_t>(n))) : result;
}

// Bytes along the rows are combined bit by bit, as the device does in pairs; along the columns by their values.
uint8_t bits_of_column(const Matrix& m, uint32_t column) {
    uint8_t bits = m.src.ptr[column];
    for (uint32_t r = 1; r < m.form.rows; ++r) {
        const uint8_t other = m.src.ptr[static_cast<uint64_t>(r) * m.stride + column];
        bits = m.op == Reduce::All ? bits & other : bits | other;
    }
    return bits;
}

void reduce(const Matrix& m) {
    for (uint32_t i = 0; i < m.results(); ++i) {
        if (m.size == 1 && !m.form.along_columns) {
            m.dst.ptr[i] = bits_of_column(m, i);
        } else {
            put(m, i, result_of(m, i));
        }
    }
}

void check_operands(const Matrix& m) {
    if (!m.form.padded) {
        warning("E9", m.api, "srcInnerPad: expected true, got false; rows are taken as padded to 32 bytes all the same");
    }
    reads(m.src, "srcTensor", m.src_bytes() - (m.form.along_columns ? (m.stride - m.form.columns) * m.size : 0), m.api);
    writes(m.dst, "dstTensor", m.dst_bytes(), m.api);
    const Bytes dst{m.dst.ptr, m.dst_bytes(), "dstTensor"};
    if (dst.meets({m.src.ptr, m.src_bytes(), "srcTensor"})) {
        error("E11", m.api, "dstTensor overlaps srcTensor: expected no overlap");
    }
}

// ---- ReduceXorSum ---------------------------------------------------------------------------------------------------

// The sum in float: each repeat as a tree, the repeats in sequence.
float xor_sum(const int16_t* a, const int16_t* b, uint32_t count) {
    float total = 0;
    for (uint32_t first = 0; first < count; first += 64) {
        float values[64] = {};
        for (uint32_t i = 0; i < 64 && first + i < count; ++i) {
            values[i] = static_cast<float>(static_cast<int16_t>(a[first + i] ^ b[first + i]));
        }
        const float sum = vec::tree_sum<float>(values);
        total = first == 0 ? sum : total + sum;
    }
    return total;
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_reduce(kb::View dst, kb::View src, kb::View tmp, const kb::ReduceForm& form) {
    using namespace kb::adv;
    static constexpr const char* kNames[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceAll",
                                             "ReduceAny"};
    const uint32_t size = kb::vec::element_bits(src.dtype) / 8;
    const Matrix m{kNames[form.op % 7], static_cast<Reduce>(form.op), dst, src, form, size,
                   kb::sizes::round_up(form.columns * size, 32) / size};
    if (form.rows == 0 || form.columns == 0) {
        kb::error("E9", m.api, "srcShape: expected axes of at least 1, got {%u, %u}", form.rows, form.columns);
    }
    check_operands(m);
    const uint32_t need = kb::sizes::reduce(m.op, {form.rows, form.columns, form.along_columns, form.reuse}, size);
    const Tmp work = temporary(tmp, need, m.api);
    const Bytes operands[] = {{dst.ptr, m.dst_bytes(), "dstTensor"}, {src.ptr, m.src_bytes(), "srcTensor"}};
    check_apart(work, need, m.api, operands, 2);
    reduce(m);
    if (form.reuse) {
        kb::poison_local(src.ptr, m.src_bytes() - (form.along_columns ? (m.stride - form.columns) * size : 0));
    }
    spoil(work, need, m.api);
    reset_mask();
    emit(Op::ReduceX, m.src_bytes());
}

extern "C" void kbrt_adv_xor_sum(kb::View dst, kb::View src0, kb::View src1, kb::View tmp, uint32_t count, bool reuse) {
    using namespace kb::adv;
    constexpr const char* kApi = "ReduceXorSum";
    if (count == 0) {
        return emit(Op::ReduceXorSum, 0);
    }
    reads(src0, "src0Tensor", 2ull * count, kApi);
    reads(src1, "src1Tensor", 2ull * count, kApi);
    writes(dst, "dstTensor", 2, kApi);
    const uint32_t need = kb::sizes::xor_sum(count, reuse);
    const Tmp work = temporary(tmp, need, kApi);
    const Bytes operands[] = {{dst.ptr, 2, "dstTensor"}, {src0.ptr, 2ull * count, "src0Tensor"}, {src1.ptr, 2ull * count, "src1Tensor"}};
    check_apart(work, need, kApi, operands, 3);
    const float sum = xor_sum(reinterpret_cast<const int16_t*>(src0.ptr), reinterpret_cast<const int16_t*>(src1.ptr), count);
    const int16_t result = kb::vec::saturated<int16_t>(sum);
    if (reuse) {
        kb::poison_local(src0.ptr, 2ull * count);
        kb::poison_local(src1.ptr, 2ull * count);
    }
    memcpy(dst.ptr, &result, 2);
    spoil(work, need, kApi);
    reset_mask();
    emit(Op::ReduceXorSum, 2ull * count);
}
