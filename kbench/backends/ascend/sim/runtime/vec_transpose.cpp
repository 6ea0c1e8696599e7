// Sixteen blocks into sixteen others. With 16-bit elements, dst[i][j] = src[j][i]. With 32-bit ones a block holds eight, and
// row j of the transposed 8 × 16 matrix fills the blocks 2 j and 2 j + 1 of dst. With 8-bit ones one half of each block of
// src, sixteen elements, goes to one half of each block of dst; the other half of dst stays.
#include <string.h>

#include "machine.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

constexpr uint32_t kBlocks = 16;

struct Swap {
    const View* dst;
    const View* src;
    uint32_t size;  // of an element
    bool dst_high, src_high;
    uint32_t dst_step, src_step;  // bytes from repeat to repeat
};

// Where element (row, column) of the transposed matrix goes: block of dst and byte inside it.
template <uint32_t size>
void one_repeat(const Swap& s, uint32_t repeat) {
    constexpr uint32_t kColumns = size == 4 ? 8 : 16;  // of src: elements of a block that take part
    uint8_t from[kBlocks][kBlockBytes];
    for (uint32_t i = 0; i < kBlocks; ++i) {
        memcpy(from[i], s.src[i].ptr + static_cast<uint64_t>(repeat) * s.src_step, kBlockBytes);
    }
    const uint32_t src_first = size == 1 && s.src_high ? 16 : 0;
    const uint32_t dst_first = size == 1 && s.dst_high ? 16 : 0;
    for (uint32_t row = 0; row < kColumns; ++row) {
        for (uint32_t column = 0; column < kBlocks; ++column) {
            const uint32_t block = size == 4 ? 2 * row + column / 8 : row;
            const uint32_t at = dst_first + (size == 4 ? column % 8 : column) * size;
            memcpy(s.dst[block].ptr + static_cast<uint64_t>(repeat) * s.dst_step + at, from[column] + src_first + row * size, size);
        }
    }
}

// A single repeat starts a stride behind the addresses it is given; of several, the first starts at them.
uint32_t first_of(uint32_t repeats) {
    return repeats == 1 ? 1 : 0;
}

void check_blocks(const View* views, const char* name, uint32_t step, uint32_t repeats, const char* api, bool write) {
    for (uint32_t i = 0; i < kBlocks; ++i) {
        const Operand o{views[i], name, 8, kBlockBytes, step};
        check_place(o, kBlockBytes, api);
        check_range(o, static_cast<uint64_t>(first_of(repeats)) * step, (repeats - 1ull) * step + kBlockBytes, api, write);
    }
}

// `rows` × `columns` elements, each image on its own.
template <class T>
void swap_axes(uint8_t* dst, const uint8_t* src, uint64_t rows, uint64_t columns) {
    T* to = reinterpret_cast<T*>(dst);
    const T* from = reinterpret_cast<const T*>(src);
    for (uint64_t r = 0; r < rows; ++r) {
        for (uint64_t c = 0; c < columns; ++c) {
            to[c * rows + r] = from[r * columns + c];
        }
    }
}

void check_shape(const ImageShape& s, uint32_t size, const char* api) {
    constexpr uint32_t kMost = 4095;
    if (s.channels > kMost || s.pixels > kMost) {
        error("E10", api, "cSize and hSize * wSize: expected at most %u each, got %u and %u", kMost, s.channels, s.pixels);
    }
    if (s.pixels * size % kBlockBytes != 0) {
        error("E2", api, "hSize * wSize: expected a multiple of 32 bytes, got %u elements of %u bytes", s.pixels, size);
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_transpose(const kb::View* dst, const kb::View* src, uint32_t size, bool dst_high, bool src_high,
                                   const kb::VecForm& form) {
    using namespace kb::vec;
    const char* api = name_of(form.op);
    const uint32_t repeats = static_cast<uint32_t>(form.count);
    if (repeats == 0) {
        return note(form.op, 0, 0);
    }
    const uint32_t unit = form.op == kb::VecOp::Transpose ? 0 : kBlockBytes;  // one matrix has no strides
    const Swap s{dst, src, size, dst_high, src_high, static_cast<uint32_t>(form.repeat[0]) * unit,
                 static_cast<uint32_t>(form.repeat[1]) * unit};
    check_blocks(dst, "dst", s.dst_step, repeats, api, true);
    check_blocks(src, "src", s.src_step, repeats, api, false);
    const uint32_t first = first_of(repeats);
    for (uint32_t r = first; r < first + repeats; ++r) {
        size == 1 ? one_repeat<1>(s, r) : size == 2 ? one_repeat<2>(s, r) : one_repeat<4>(s, r);
    }
    note(form.op, repeats, static_cast<uint64_t>(repeats) * kBlocks * kBlockBytes);
}

// The temporary buffer holds (C + 2) tiles of 16 (for bytes 32) blocks on the way to NHWC, 2 C + 1 on the way back.
extern "C" void kbrt_vec_transpose_format(kb::View dst, kb::View src, kb::View tmp, const kb::ImageShape& shape) {
    using namespace kb::vec;
    constexpr const char* kApi = "Transpose";
    const Operand to = {dst, "dst", element_bits(src.dtype), kBlockBytes, 0};
    const Operand from = {src, "src", to.bits, kBlockBytes, 0};
    const Operand scratch = {tmp, "sharedTmpBuffer", 8, kBlockBytes, 0};
    const uint32_t size = to.bits / 8;
    const uint64_t bytes = static_cast<uint64_t>(shape.images) * shape.channels * shape.pixels * size;
    if (bytes == 0) {
        return note(kb::VecOp::TransposeFormat, 0, 0);
    }
    check_shape(shape, size, kApi);
    const uint64_t tiles = shape.to_nhwc ? shape.channels + 2 : 2 * shape.channels + 1;
    const uint64_t needed = tiles * (size == 1 ? 32 : 16) * kBlockBytes;
    if (tmp.bytes < needed) {
        kb::error("E9", kApi, "sharedTmpBuffer: expected at least %lu bytes, got %u", static_cast<unsigned long>(needed), tmp.bytes);
    }
    const Operand* const all[] = {&to, &from, &scratch};
    for (const Operand* o : all) {
        check_place(*o, kBlockBytes, kApi);
        check_range(*o, 0, o == &scratch ? needed : bytes, kApi, o != &from);
    }
    if (dst.ptr < src.ptr + bytes && src.ptr < dst.ptr + bytes) {
        kb::error("E11", kApi, "dst overlaps src: expected two tensors for a change of format");
    }
    const uint64_t rows = shape.to_nhwc ? shape.channels : shape.pixels;
    const uint64_t columns = shape.to_nhwc ? shape.pixels : shape.channels;
    for (uint64_t i = 0; i < shape.images; ++i) {
        const uint64_t at = i * rows * columns * size;
        size == 1   ? swap_axes<uint8_t>(dst.ptr + at, src.ptr + at, rows, columns)
        : size == 2 ? swap_axes<uint16_t>(dst.ptr + at, src.ptr + at, rows, columns)
                    : swap_axes<uint32_t>(dst.ptr + at, src.ptr + at, rows, columns);
    }
    kb::poison_local(tmp.ptr, needed);
    note(kb::VecOp::TransposeFormat, (bytes + kRepeatBytes - 1) / kRepeatBytes, bytes);
}
