// Select with a mask of elements, and DropOut. Select works on the whole source, GetSize elements, whatever the shape says;
// where the mask's last axis is longer, the mask is first cut to the source's, in place or in the temporary buffer.
#include <string.h>

#include "../sizes/select_sizes.h"
#include "adv.h"
#include "kb_select.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

constexpr const char* kApi = "SelectWithBytesMask";
constexpr uint32_t kMostAtOnce = 255 * 128;  // elements: a full vector instruction on halves
constexpr uint32_t kTail = 256;              // bytes of the temporary that a piece leaves alone

struct Choice {
    View dst, src, mask;
    ByteSelectForm form;
    uint32_t size, mask_size;  // bytes of an element

    uint32_t elements() const { return src.bytes / size; }
    bool cut() const { return form.columns != form.mask_columns; }
    uint32_t mask_copy() const { return cut() && !form.reuse_mask ? sizes::select_mask_copy(elements(), mask_size) : 0; }
    uint64_t mask_elements() const {
        return cut() ? (form.rows - 1ull) * form.mask_columns + form.columns : elements();
    }
};

bool is_zero(const uint8_t* mask, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
        if (mask[i] != 0) {
            return false;
        }
    }
    return true;
}

const uint8_t* mask_at(const Choice& c, uint32_t i) {
    const uint64_t at = c.cut() ? static_cast<uint64_t>(i / c.form.columns) * c.form.mask_columns + i % c.form.columns : i;
    return c.mask.ptr + at * c.mask_size;
}

void choose(const Choice& c) {
    for (uint32_t i = 0; i < c.elements(); ++i) {
        const bool scalar = is_zero(mask_at(c, i), c.mask_size) == c.form.scalar_first;
        memmove(c.dst.ptr + static_cast<uint64_t>(i) * c.size,
                scalar ? reinterpret_cast<const uint8_t*>(&c.form.scalar) : c.src.ptr + static_cast<uint64_t>(i) * c.size, c.size);
    }
}

void check_shape(const Choice& c) {
    const ByteSelectForm& f = c.form;
    const uint64_t shaped = static_cast<uint64_t>(f.rows) * f.columns;
    if (f.mask_columns < f.columns) {
        error("E9", kApi, "maskLastAxis: expected at least srcLastAxis (%u), got %u", f.columns, f.mask_columns);
    }
    if (c.cut() && shaped < c.elements()) {
        error("E9", kApi, "firstAxis * srcLastAxis: expected the source's %u elements, got %lu", c.elements(),
              static_cast<unsigned long>(shaped));
    }
    if (shaped != c.elements()) {
        warning("E9", kApi, "firstAxis * srcLastAxis: expected the source's %u elements, got %lu; all of the source is worked on",
                c.elements(), static_cast<unsigned long>(shaped));
    }
    if (c.cut() && (f.mask_columns * c.mask_size % sizes::kBlock != 0 || f.mask_columns % 16 != 0)) {
        error("E2", kApi, "maskLastAxis: expected a multiple of 32 bytes and of 16 elements, got %u elements", f.mask_columns);
    }
    if (c.cut() && f.columns * c.size % sizes::kBlock != 0) {
        error("E2", kApi, "srcLastAxis: expected a multiple of 32 bytes, got %u elements", f.columns);
    }
}

// What the device writes of the temporary. Below the documented minimum it takes pieces that are too large, which is
// harmless where the bytes behind the buffer are nobody's, or pieces of no elements, and then it hangs.
uint64_t used_bytes(const Choice& c, const View& tmp) {
    const uint32_t copy = c.mask_copy();
    const uint32_t least = sizes::kSelectLeast + copy;
    if (tmp.bytes < least) {
        const uint32_t left = tmp.bytes - copy;
        if (copy > tmp.bytes || (left >= kTail && left - kTail < 2 * sizes::kBlock)) {
            error("E9", kApi, "sharedTmpBuffer: expected at least %u bytes, got %u", least, tmp.bytes);
        }
        warning("E9", kApi, "sharedTmpBuffer: expected at least %u bytes, got %u", least, tmp.bytes);
    }
    const uint32_t room = tmp.bytes - copy - kTail;  // wraps as on the device
    const uint32_t piece = room / 2 / sizes::kBlock * sizes::kBlock < kMostAtOnce ? room / 2 / sizes::kBlock * sizes::kBlock : kMostAtOnce;
    const uint32_t most = c.elements() < piece ? c.elements() : piece;
    return copy + (2ull * most > kTail ? 2ull * most : kTail);
}

// ---- DropOut --------------------------------------------------------------------------------------------------------

constexpr const char* kDrop = "DropOut";

struct Drop {
    View dst, src, mask;
    DropOutForm form;
    bool bits;     // of the mask: one an element, else a byte
    bool ragged;   // rows of the mask have unused bytes

    uint32_t elements() const { return form.rows * form.columns; }
    uint32_t row_bytes() const { return bits ? form.columns / 8 : form.columns; }  // that count
    uint64_t mask_bytes() const {
        return ragged ? (form.rows - 1ull) * form.mask_columns + row_bytes() : (bits ? (elements() + 7) / 8 : elements());
    }
};

Drop drop_of(const View& dst, const View& src, const View& mask, const DropOutForm& form) {
    uint32_t mode = form.mode;
    if (mode == 0) {
        mode = form.columns < form.mask_columns    ? 1
               : form.columns == form.mask_columns ? 2
               : form.columns == form.mask_columns * 8 ? 3 : 4;
    }
    return {dst, src, mask, form, mode >= 3, mode == 1 || mode == 4};
}

void check_drop(const Drop& d) {
    const DropOutForm& f = d.form;
    if (f.rows == 0 || f.columns == 0 || f.mask_columns == 0) {
        error("E9", kDrop, "info: expected axes of at least 1, got {%u, %u, %u}", f.rows, f.columns, f.mask_columns);
    }
    if (!(f.keep > 0.0f)) {
        error("E9", kDrop, "keepProb: expected more than 0 and less than 1");
    }
    if (f.keep >= 1.0f) {
        warning("E9", kDrop, "keepProb: expected more than 0 and less than 1");
    }
    if (d.ragged && f.mask_columns % sizes::kBlock != 0) {
        error("E2", kDrop, "maskLastAxis: expected a multiple of 32 bytes, got %u", f.mask_columns);
    }
    if (d.ragged && f.columns % (d.bits ? 16 : 2) != 0) {
        error("E9", kDrop, "srcLastAxis: expected a multiple of %u for a mask with unused bytes, got %u", d.bits ? 16 : 2, f.columns);
    }
}

// The mask's value for element i: a byte as it is, or a bit.
float kept_of(const Drop& d, uint32_t i) {
    const uint32_t row = i / d.form.columns;
    const uint32_t column = i % d.form.columns;
    if (!d.bits) {
        return d.mask.ptr[d.ragged ? static_cast<uint64_t>(row) * d.form.mask_columns + column : i];
    }
    const uint64_t bit = d.ragged ? 8ull * row * d.form.mask_columns + column : i;
    return d.mask.ptr[bit / 8] >> (bit % 8) & 1;
}

// Bytes multiply, bits select; then the result is scaled. Each step rounds to the element's type.
template <class T>
void drop(const Drop& d) {
    const float scale = vec::kept<T>(1.0f / d.form.keep);
    T* out = reinterpret_cast<T*>(d.dst.ptr);
    const T* in = reinterpret_cast<const T*>(d.src.ptr);
    for (uint32_t i = 0; i < d.elements(); ++i) {
        const float x = vec::value_of(in[i]);
        const float kept = kept_of(d, i);
        const float chosen = d.bits ? (kept != 0.0f ? x : 0.0f) : vec::kept<T>(kept * x);
        out[i] = vec::as_element<T>(chosen * scale);
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_drop_out(kb::View dst, kb::View src, kb::View mask, kb::View tmp, const kb::DropOutForm& form) {
    using namespace kb::adv;
    const Drop d = drop_of(dst, src, mask, form);
    check_drop(d);
    const uint64_t bytes = static_cast<uint64_t>(d.elements()) * kb::vec::element_bits(src.dtype) / 8;
    reads(src, "srcLocal", bytes, kDrop);
    reads(mask, "maskLocal", d.mask_bytes(), kDrop);
    writes(dst, "dstLocal", bytes, kDrop);
    const kb::sizes::Range need = kb::sizes::drop_out(d.elements());
    const Tmp work = temporary(tmp, need.min, kDrop);
    const uint64_t used = work.view.bytes < need.max ? work.view.bytes : need.max;
    const Bytes operands[] = {{dst.ptr, bytes, "dstLocal"}, {src.ptr, bytes, "srcLocal"}, {mask.ptr, d.mask_bytes(), "maskLocal"}};
    check_apart(work, used, kDrop, operands, 3);
    src.dtype == kb::Dtype::f16 ? drop<kb::vec::F16>(d) : drop<float>(d);
    if (d.ragged) {
        spoil({mask, true}, static_cast<uint64_t>(form.rows) * d.row_bytes(), kDrop);
    }
    spoil(work, used, kDrop);
    reset_mask();
    emit(Op::DropOut, bytes);
}

extern "C" void kbrt_adv_select_bytes(kb::View dst, kb::View src, kb::View mask, kb::View tmp, const kb::ByteSelectForm& form) {
    using namespace kb::adv;
    const Choice c{dst, src, mask, form, kb::vec::element_bits(src.dtype) / 8, kb::vec::element_bits(mask.dtype) / 8};
    const uint64_t bytes = static_cast<uint64_t>(c.elements()) * c.size;
    if (bytes == 0) {
        return emit(Op::SelectWithBytesMask, 0);
    }
    check_shape(c);
    reads(src, "src", bytes, kApi);
    reads(mask, "mask", c.mask_elements() * c.mask_size, kApi);
    writes(dst, "dst", bytes, kApi);
    const Tmp work = temporary(tmp, 1, kApi);
    const uint64_t used = used_bytes(c, work.view);
    const Bytes operands[] = {{dst.ptr, bytes, "dst"}, {src.ptr, bytes, "src"},
                              {mask.ptr, c.mask_elements() * c.mask_size, "mask"}};
    check_apart(work, used, kApi, operands, 3);
    choose(c);
    if (c.cut() && form.reuse_mask) {
        spoil({mask, true}, static_cast<uint64_t>(c.elements()) * c.mask_size, kApi);
    }
    spoil(work, used, kApi);
    reset_mask();
    emit(Op::SelectWithBytesMask, bytes);
}
