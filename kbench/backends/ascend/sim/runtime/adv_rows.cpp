// Sum and Mean of rows. Documented order of addition: each repeat of a row as a tree, then the repeats' sums as a tree, in
// the element's type; Mean of half with accType float adds in float. The mean is the sum times 1 / n, both rounded to the
// type that the sum is kept in. No result is -0: the last addition is one of +0.
#include <string.h>

#include "../sizes/reduce_sizes.h"
#include "adv.h"
#include "kb_reduce.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

using vec::F16;
using vec::kLanes;

constexpr uint32_t kMostSums = 4096;  // repeats that fill UB

struct Rows {
    const char* api;
    View dst, src;
    RowForm form;
    uint32_t size;  // bytes of an element

    uint64_t dst_bytes() const { return static_cast<uint64_t>(form.rows) * size; }
    uint64_t src_bytes() const { return (static_cast<uint64_t>(form.rows - 1) * form.stride + form.n) * size; }
};

// The sum of each repeat of n values. Work is the type that additions round to. Returns the number of repeats.
template <class Work, class Read>
uint32_t sum_repeats(uint32_t n, float* sums, Read read) {
    const uint32_t repeats = (n + kLanes<Work> - 1) / kLanes<Work>;
    float values[kLanes<Work>];
    for (uint32_t r = 0; r < repeats; ++r) {
        for (uint32_t i = 0; i < kLanes<Work>; ++i) {
            const uint32_t at = r * kLanes<Work> + i;
            values[i] = at < n ? read(at) : 0.0f;
        }
        sums[r] = vec::tree_sum<Work>(values);
    }
    return repeats;
}

template <class T, class Work>
float sum_of(const T* row, uint32_t n) {
    static float sums[kMostSums];
    uint32_t left = sum_repeats<Work>(n, sums, [row](uint32_t at) { return vec::value_of(row[at]); });
    while (left > 1) {
        left = sum_repeats<Work>(left, sums, [](uint32_t at) { return sums[at]; });
    }
    return sums[0];
}

template <class T>
const T* row_of(const Rows& rows, uint32_t r) {
    return reinterpret_cast<const T*>(rows.src.ptr) + static_cast<uint64_t>(r) * rows.form.stride;
}

template <class T, class Work>
void put_rows(const Rows& rows, bool mean) {
    const float share = vec::kept<Work>(1.0f / static_cast<float>(static_cast<int32_t>(rows.form.n)));
    for (uint32_t r = 0; r < rows.form.rows; ++r) {
        const T* row = row_of<T>(rows, r);
        float result = sum_of<T, Work>(row, rows.form.n);
        if (mean) {
            result = vec::kept<Work>(result * share);
        }
        const T element = vec::as_element<T>(vec::kept<T>(result) + 0.0f);
        memcpy(rows.dst.ptr + static_cast<uint64_t>(r) * sizeof(T), &element, sizeof(T));
    }
}

// E9, E2: the documented shape is outter rows of n elements, each padded to 32 bytes.
void check_form(const Rows& rows) {
    const RowForm& f = rows.form;
    const uint32_t padded = sizes::round_up(f.n * rows.size, sizes::kBlock) / rows.size;
    if (f.n == 0 || (f.rows > 1 && f.n > f.stride)) {
        error("E9", rows.api, "n: expected 1 to inner (%u), got %u", f.stride, f.n);
    }
    if (f.rows > 1 && f.stride * rows.size % sizes::kBlock != 0) {
        error("E2", rows.api, "inner: expected rows of a multiple of 32 bytes, got %u elements", f.stride);
    }
    if (f.stride != padded) {
        warning("E9", rows.api, "inner: expected n rounded up to 32 bytes (%u elements), got %u", padded, f.stride);
    }
}

// Documented as unsupported; right where a row's result lies before the rows that are still to be read.
void check_overlap(const Rows& rows) {
    const Bytes dst{rows.dst.ptr, rows.dst_bytes(), "dstTensor"};
    const Bytes src{rows.src.ptr, rows.src_bytes(), "srcTensor"};
    if (!dst.meets(src)) {
        return;
    }
    if (dst.ptr > src.ptr && rows.form.rows > 1) {
        error("E11", rows.api, "dstTensor overlaps srcTensor: expected no overlap");
    }
    warning("E11", rows.api, "dstTensor overlaps srcTensor: expected no overlap; each row is read before its result is written");
}

// Checks, then work(): `needed` bytes of temporary buffer as documented, of which the device writes `used`.
template <class Work>
void over_rows(const Rows& rows, const View& tmp, uint64_t needed, uint64_t used, Op op, Work work) {
    if (rows.form.rows == 0) {
        return emit(op, 0);
    }
    check_form(rows);
    reads(rows.src, "srcTensor", rows.src_bytes(), rows.api);
    writes(rows.dst, "dstTensor", rows.dst_bytes(), rows.api);
    const Tmp buffer = temporary(tmp, used == 0 ? 0 : needed, rows.api);
    const Bytes operands[] = {{rows.dst.ptr, rows.dst_bytes(), "dstTensor"}, {rows.src.ptr, rows.src_bytes(), "srcTensor"}};
    check_apart(buffer, used, rows.api, operands, 2);
    check_overlap(rows);
    work();
    spoil(buffer, used, rows.api);
    reset_mask();
    emit(op, static_cast<uint64_t>(rows.form.rows) * rows.form.n * rows.size);
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_sum(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form) {
    using namespace kb::adv;
    const Rows rows{"Sum", dst, src, form, kb::vec::element_bits(src.dtype) / 8};
    const uint64_t needed = kb::sizes::sum(form.n, rows.size);
    const bool once = kb::sizes::repeats_of(form.n, rows.size) <= 1;
    over_rows(rows, tmp, needed, once ? 0 : needed, Op::Sum,
              [&] { rows.size == 2 ? put_rows<F16, F16>(rows, false) : put_rows<float, float>(rows, false); });
}

extern "C" void kbrt_adv_mean(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form) {
    using namespace kb::adv;
    const Rows rows{"Mean", dst, src, form, kb::vec::element_bits(src.dtype) / 8};
    const uint32_t work = kb::vec::element_bits(form.work) / 8;
    over_rows(rows, tmp, kb::sizes::mean(form.n, rows.size, work), kb::sizes::mean_used(form.n, rows.size, work), Op::Mean, [&] {
        if (rows.size == 4) {
            put_rows<float, float>(rows, true);
        } else {
            work == 4 ? put_rows<F16, float>(rows, true) : put_rows<F16, F16>(rows, true);
        }
    });
}
