// Arange and CumSum.
#include <string.h>

#include "../sizes/pad_sizes.h"
#include "adv.h"
#include "kb_pad.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

using vec::F16;

// ---- Arange ---------------------------------------------------------------------------------------------------------

template <class T>
T element_of(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}

// first + step * n in the scalar unit: integers wrap, halves are computed as floats.
template <class T>
T nth(T first, T step, uint32_t n) {
    if constexpr (__is_same(T, F16)) {
        return vec::narrow(vec::widen(first) + vec::widen(step) * static_cast<float>(n));
    } else if constexpr (__is_same(T, float)) {
        return vec::canonical(first + step * static_cast<float>(n));
    } else {
        return static_cast<T>(static_cast<uint32_t>(first) + static_cast<uint32_t>(step) * n);
    }
}

template <class T>
T plus(T a, T b) {
    if constexpr (__is_same(T, F16) || __is_same(T, float)) {
        return vec::as_element<T>(vec::value_of(a) + vec::value_of(b));
    } else {
        return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
    }
}

template <class T>
T step_of(T step, uint32_t n) {
    if constexpr (__is_same(T, F16) || __is_same(T, float)) {
        return vec::as_element<T>(vec::value_of(step) * static_cast<float>(n));
    } else {
        return static_cast<T>(static_cast<uint32_t>(step) * n);
    }
}

// The first block comes from the scalar unit; each block up to a repeat adds a block's step to the one before it, each later
// repeat adds a repeat's step. The last block is filled to its end. So a long sequence of halves or floats drifts.
template <class T>
void sequence(const View& dst, uint64_t first_bits, uint64_t step_bits, uint32_t count) {
    constexpr uint32_t kBlock = vec::kBlockBytes / sizeof(T);
    constexpr uint32_t kRepeat = vec::kRepeatBytes / sizeof(T);
    T* out = reinterpret_cast<T*>(dst.ptr);
    const T first = element_of<T>(first_bits);
    const T step = element_of<T>(step_bits);
    const uint32_t end = count <= kBlock ? count : (count + kBlock - 1) / kBlock * kBlock;
    for (uint32_t i = 0; i < end; ++i) {
        if (i < kBlock) {
            out[i] = nth(first, step, i);
        } else if (i < kRepeat) {
            out[i] = plus(out[i - kBlock], step_of(step, kBlock));
        } else {
            out[i] = plus(out[i - kRepeat], step_of(step, kRepeat));
        }
    }
}

// ---- CumSum ---------------------------------------------------------------------------------------------------------

// Sums run in float; a result of -0 becomes +0 where the device adds 0 to it at the end.
template <class T>
void running(const View& dst, const View& src, const RunningForm& f) {
    const T* in = reinterpret_cast<const T*>(src.ptr);
    T* out = reinterpret_cast<T*>(dst.ptr);
    const uint32_t outer = f.along_columns ? f.rows : f.columns;
    const uint32_t length = f.along_columns ? f.columns : f.rows;
    for (uint32_t o = 0; o < outer; ++o) {
        float sum = 0;
        for (uint32_t i = 0; i < length; ++i) {
            const uint64_t at = f.along_columns ? static_cast<uint64_t>(o) * f.columns + i : static_cast<uint64_t>(i) * f.columns + o;
            const float x = vec::value_of(in[at]);
            sum = i > 0 ? vec::canonical(sum + x) : sizeof(T) == 4 && !f.along_columns ? x + 0.0f : x;
            out[at] = vec::as_element<T>(f.along_columns ? vec::kept<T>(sum) + 0.0f : sum);
        }
    }
}

template <class T>
void copy_row(const View& to, const uint8_t* row, uint32_t columns) {
    for (uint32_t i = 0; i < columns; ++i) {
        reinterpret_cast<T*>(to.ptr)[i] = vec::as_element<T>(vec::value_of(reinterpret_cast<const T*>(row)[i]) + 0.0f);
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_arange(kb::View dst, uint64_t first, uint64_t step, int32_t count) {
    using namespace kb::adv;
    if (count <= 0) {
        kb::error("E9", "Arange", "count: expected at least 1, got %d", count);
    }
    const auto n = static_cast<uint32_t>(count);
    const uint64_t asked = static_cast<uint64_t>(n) * kb::vec::element_bits(dst.dtype) / 8;
    // More than a block is written in whole blocks, whatever the tensor's size says.
    constexpr uint64_t kBlock = kb::vec::kBlockBytes;
    const uint64_t bytes = asked <= kBlock ? asked : (asked + kBlock - 1) / kBlock * kBlock;
    kb::View whole = dst;
    whole.bytes = asked <= dst.bytes && bytes > dst.bytes ? static_cast<uint32_t>(bytes) : dst.bytes;
    writes(whole, "dst", asked <= dst.bytes ? bytes : asked, "Arange");
    switch (dst.dtype) {
        case kb::Dtype::i16: sequence<int16_t>(dst, first, step, n); break;
        case kb::Dtype::i32: sequence<int32_t>(dst, first, step, n); break;
        case kb::Dtype::f16: sequence<F16>(dst, first, step, n); break;
        default: sequence<float>(dst, first, step, n); break;
    }
    reset_mask();
    emit(Op::Arange, bytes);
}

extern "C" void kbrt_adv_cumsum(kb::View dst, kb::View last_row, kb::View src, kb::View tmp, const kb::RunningForm& form) {
    using namespace kb::adv;
    constexpr const char* kApi = "CumSum";
    const uint32_t size = kb::vec::element_bits(src.dtype) / 8;
    const uint64_t bytes = static_cast<uint64_t>(form.rows) * form.columns * size;
    if (bytes == 0) {
        kb::error("E9", kApi, "cumSumInfo: expected axes of at least 1, got {%u, %u}", form.rows, form.columns);
    }
    if (form.columns * size % 32 != 0) {
        kb::error("E2", kApi, "inner: expected rows of a multiple of 32 bytes, got %u elements", form.columns);
    }
    reads(src, "srcTensor", bytes, kApi);
    writes(dst, "dstTensor", bytes, kApi);
    const kb::sizes::Range need = kb::sizes::running_sum(form.rows, form.columns, size, form.along_columns);
    const Tmp work = temporary(tmp, need.min, kApi);
    const uint64_t used = need.min == 0 ? 0 : work.view.bytes < need.max ? work.view.bytes : need.max;
    const Bytes operands[] = {{dst.ptr, bytes, "dstTensor"}, {src.ptr, bytes, "srcTensor"}};
    check_apart(work, used, kApi, operands, 2);
    if (operands[0].meets(operands[1]) && dst.ptr != src.ptr) {
        kb::error("E11", kApi, "dstTensor overlaps srcTensor at another address: expected no overlap");
    }
    size == 2 ? running<F16>(dst, src, form) : running<float>(dst, src, form);
    if (form.last_row) {
        writes(last_row, "lastRowTensor", static_cast<uint64_t>(form.columns) * size, kApi);
        const uint8_t* row = dst.ptr + bytes - static_cast<uint64_t>(form.columns) * size;
        size == 2 ? copy_row<F16>(last_row, row, form.columns) : copy_row<float>(last_row, row, form.columns);
    }
    spoil(work, used, kApi);
    reset_mask();
    emit(Op::CumSum, bytes);
}
