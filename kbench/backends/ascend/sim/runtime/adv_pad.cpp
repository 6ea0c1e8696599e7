// Pad and UnPad: rows to whole blocks and back.
#include <string.h>

#include "../sizes/pad_sizes.h"
#include "adv.h"
#include "kb_pad.h"
#include "vec_math.h"

namespace kb::adv {
namespace {

struct Pads {
    View dst, src;
    PadForm form;
    uint32_t size;      // bytes of an element
    uint32_t block;     // elements of a block
    uint32_t stride;    // elements of a row of dst
    uint8_t value[4];   // bits of the padding

    bool whole() const { return form.columns % block == 0; }
};

void fill(const Pads& p, uint32_t row, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(p.dst.ptr + (static_cast<uint64_t>(row) * p.stride + first + i) * p.size, p.value, p.size);
    }
}

void set_value(Pads& p) {
    const int32_t v = p.form.value;
    if (p.src.dtype == Dtype::f16) {
        const vec::F16 h = vec::narrow(static_cast<float>(v));
        memcpy(p.value, &h, 2);
    } else if (p.src.dtype == Dtype::f32) {
        const float f = static_cast<float>(v);
        memcpy(p.value, &f, 4);
    } else {
        memcpy(p.value, &v, p.size);
    }
}

void check_pads(const Pads& p) {
    const PadForm& f = p.form;
    if (p.whole()) {
        if (f.left != 0) {
            error("E9", "Pad", "leftPad: expected 0 for rows of whole blocks, got %u", f.left);
        }
        if (f.valid > f.columns || f.columns - f.valid >= p.block || f.right > f.columns - f.valid) {
            error("E9", "Pad", "rightPad: expected at most the %u columns behind the valid ones, fewer than a block, got %u",
                  f.valid > f.columns ? 0 : f.columns - f.valid, f.right);
        }
    } else if (f.left + f.columns + f.right > p.stride) {
        error("E9", "Pad", "leftPad + width + rightPad: expected at most %u, got %u", p.stride, f.left + f.columns + f.right);
    }
}

// Rows of whole blocks keep their columns; others get the padding around them, the right one at the end of the last block.
void pad(const Pads& p) {
    const PadForm& f = p.form;
    for (uint32_t r = 0; r < f.rows; ++r) {
        uint8_t* row = p.dst.ptr + static_cast<uint64_t>(r) * p.stride * p.size;
        memmove(row + f.left * p.size, p.src.ptr + static_cast<uint64_t>(r) * f.columns * p.size, f.columns * p.size);
        fill(p, r, 0, f.left);
        fill(p, r, p.whole() ? f.valid : p.stride - f.right, f.right);
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_pad(kb::View dst, kb::View src, kb::View tmp, const kb::PadForm& form) {
    using namespace kb::adv;
    const uint32_t size = kb::vec::element_bits(src.dtype) / 8;
    Pads p{dst, src, form, size, 32 / size, kb::sizes::round_up(form.columns * size, 32) / size, {}};
    set_value(p);
    check_pads(p);
    const uint64_t src_bytes = static_cast<uint64_t>(form.rows) * form.columns * size;
    const uint64_t dst_bytes = static_cast<uint64_t>(form.rows) * p.stride * size;
    if (src_bytes == 0) {
        return emit(Op::Pad, 0);
    }
    if (src_bytes % 32 != 0) {
        kb::warning("E2", "Pad", "srcTensor: expected a multiple of 32 bytes, got %lu", static_cast<unsigned long>(src_bytes));
    }
    reads(src, "srcTensor", src_bytes, "Pad");
    writes(dst, "dstTensor", dst_bytes, "Pad");
    const uint64_t planned = 2ull * form.buffer_elements * size;
    const uint64_t least = kb::sizes::pad(0).min;
    const uint64_t needed = p.whole() ? 0 : planned > least ? planned : least;
    if (!p.whole() && form.buffer_elements == 0) {
        kb::error("E44", "Pad", "tiling: expected one made with a temporary buffer for rows that are no whole blocks");
    }
    const Tmp work = temporary(tmp, needed, "Pad");
    const Bytes operands[] = {{dst.ptr, dst_bytes, "dstTensor"}, {src.ptr, src_bytes, "srcTensor"}};
    check_apart(work, needed, "Pad", operands, 2);
    if (operands[0].meets(operands[1]) && !(p.whole() && dst.ptr == src.ptr)) {
        kb::error("E11", "Pad", "dstTensor overlaps srcTensor: expected no overlap");
    }
    pad(p);
    spoil(work, needed, "Pad");
    reset_mask();
    emit(Op::Pad, dst_bytes);
}

// Rows lose their last `right` columns and close up.
extern "C" void kbrt_adv_unpad(kb::View dst, kb::View src, const kb::PadForm& form) {
    using namespace kb::adv;
    const uint32_t size = kb::vec::element_bits(src.dtype) / 8;
    if (form.columns * size % 32 != 0) {
        kb::error("E2", "UnPad", "width: expected rows of a multiple of 32 bytes, got %u elements", form.columns);
    }
    if (form.right == 0 || form.right * size >= 32) {
        kb::warning("E9", "UnPad", "rightPad: expected 1 to %u columns, got %u", 32 / size - 1, form.right);
    }
    if (form.right > form.columns) {
        kb::error("E9", "UnPad", "rightPad: expected at most the width (%u), got %u", form.columns, form.right);
    }
    if (form.left != 0) {
        kb::warning("E9", "UnPad", "leftPad: expected 0, got %u; it has no effect", form.left);
    }
    const uint32_t kept = (form.columns - form.right) * size;
    const uint64_t bytes = static_cast<uint64_t>(form.rows) * kept;
    if (bytes == 0) {
        return emit(Op::UnPad, 0);
    }
    reads(src, "srcTensor", static_cast<uint64_t>(form.rows) * form.columns * size, "UnPad");
    writes(dst, "dstTensor", bytes, "UnPad");
    for (uint32_t r = 0; r < form.rows; ++r) {
        memmove(dst.ptr + static_cast<uint64_t>(r) * kept, src.ptr + static_cast<uint64_t>(r) * form.columns * size, kept);
    }
    reset_mask();
    emit(Op::UnPad, bytes);
}
