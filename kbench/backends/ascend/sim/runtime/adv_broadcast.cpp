// Broadcast: a row of the source to every row of the destination (axis 0), or an element to every column (axis 1).
// Documented for one and two dimensions. Bits are kept.
#include <string.h>

#include "../sizes/pad_sizes.h"
#include "adv.h"
#include "kb_pad.h"

namespace kb::adv {
namespace {

constexpr const char* kApi = "Broadcast";

struct Spread {
    View dst, src;
    sizes::Broadcast shape;
    uint32_t size;  // bytes of an element

    uint64_t dst_bytes() const { return static_cast<uint64_t>(shape.rows) * shape.columns * size; }
    uint64_t src_bytes() const { return static_cast<uint64_t>(shape.src_elements) * size; }
    bool whole() const { return shape.src_elements == shape.rows * shape.columns; }
};

sizes::Broadcast shape_of(const BroadcastForm& form) {
    for (int i = 0; i < form.dim; ++i) {
        if (form.src[i] != form.dst[i] && form.src[i] != 1) {
            error("E9", kApi, "srcShape[%d]: expected 1 or dstShape's %u, got %u", i, form.dst[i], form.src[i]);
        }
    }
    const bool two = form.dim == 2;
    const sizes::Broadcast b{two ? form.src[0] * form.src[1] : form.src[0], two ? form.dst[0] : 1,
                             two ? form.dst[1] : form.dst[0], two && form.axis == 1};
    if (b.src_elements != 1 && b.src_elements != b.rows * b.columns && form.src[form.axis] != 1) {
        error("E9", kApi, "axis %d: expected srcShape[%d] to be 1, got %u", form.axis, form.axis, form.src[form.axis]);
    }
    return b;
}

// Rows that the device works on before it reads the source again.
uint32_t rows_at_once(const Spread& s, const Tmp& tmp) {
    const uint32_t cast = sizes::broadcast_cast_bytes(s.shape, s.size);
    const uint32_t least = sizes::broadcast(s.shape, s.size).min - cast;
    const uint32_t size = s.size == 1 ? 2 : s.size;
    return (tmp.view.bytes - cast) / least * (sizes::kBlock / size);
}

// E11: one operand in place of the other is documented as unsupported. Where every element is read before its place is
// written, the result is right all the same.
void check_overlap(const Spread& s, const Tmp& tmp) {
    const Bytes dst{s.dst.ptr, s.dst_bytes(), "dst"};
    const Bytes src{s.src.ptr, s.src_bytes(), "src"};
    if (!dst.meets(src)) {
        return;
    }
    const bool in_place = s.dst.ptr == s.src.ptr;
    const bool one_read = s.shape.src_elements == 1 ||
                          (in_place && (!s.shape.last || s.size == 1 || s.whole() || rows_at_once(s, tmp) >= s.shape.rows));
    if (!one_read) {
        error("E11", kApi, "dst overlaps src: expected no overlap");
    }
    warning("E11", kApi, "dst overlaps src: expected no overlap; all of src is read first here");
}

template <class T>
void fill_row(uint8_t* to, const uint8_t* from, uint32_t columns) {
    T value;
    memcpy(&value, from, sizeof(T));
    T* row = reinterpret_cast<T*>(to);
    for (uint32_t i = 0; i < columns; ++i) {
        row[i] = value;
    }
}

void fill_row(uint8_t* to, const uint8_t* from, uint32_t columns, uint32_t size) {
    switch (size) {
        case 1: return fill_row<uint8_t>(to, from, columns);
        case 2: return fill_row<uint16_t>(to, from, columns);
        default: return fill_row<uint32_t>(to, from, columns);
    }
}

// From the last row to the first: a row's element is read before what precedes it is written.
void spread(const Spread& s) {
    const uint64_t row = static_cast<uint64_t>(s.shape.columns) * s.size;
    if (s.whole()) {
        memmove(s.dst.ptr, s.src.ptr, s.dst_bytes());
    } else if (s.shape.src_elements == 1) {
        fill_row(s.dst.ptr, s.src.ptr, s.shape.rows * s.shape.columns, s.size);
    } else if (s.shape.last) {
        for (uint32_t r = s.shape.rows; r-- > 0;) {
            fill_row(s.dst.ptr + r * row, s.src.ptr + static_cast<uint64_t>(r) * s.size, s.shape.columns, s.size);
        }
    } else {
        for (uint32_t r = s.shape.rows; r-- > 0;) {
            memmove(s.dst.ptr + r * row, s.src.ptr, row);
        }
    }
}

// Rows are copied block by block.
void check_columns(const Spread& s) {
    const uint32_t computed = s.size == 1 ? 2 : s.size;
    if (s.shape.last || s.whole() || s.shape.src_elements == 1) {
        return;
    }
    if (s.shape.columns * computed % sizes::kBlock != 0) {
        error("E2", kApi, "srcShape[1]: expected rows of a multiple of 32 bytes for axis 0, got %u elements", s.shape.columns);
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_broadcast(kb::View dst, kb::View src, kb::View tmp, const kb::BroadcastForm& form) {
    using namespace kb::adv;
    const Spread s{dst, src, shape_of(form), kb::vec::element_bits(dst.dtype) / 8};
    if (s.dst_bytes() == 0) {
        return emit(Op::Broadcast, 0);
    }
    check_columns(s);
    reads(src, "src", s.src_bytes(), kApi);
    writes(dst, "dst", s.dst_bytes(), kApi);
    const kb::sizes::Range need = kb::sizes::broadcast(s.shape, s.size);
    const Tmp work = temporary(tmp, need.min, kApi);
    const Bytes operands[] = {{dst.ptr, s.dst_bytes(), "dst"}, {src.ptr, s.src_bytes(), "src"}};
    const uint64_t used = need.min == 0 ? 0 : work.view.bytes < need.max ? work.view.bytes : need.max;
    check_apart(work, used, kApi, operands, 2);
    check_overlap(s, work);
    spread(s);
    spoil(work, used, kApi);
    reset_mask();
    emit(Op::Broadcast, s.dst_bytes());
}
