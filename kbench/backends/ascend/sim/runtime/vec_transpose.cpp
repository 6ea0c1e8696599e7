// Sixteen blocks into sixteen others. With 16-bit elements, dst[i][j] = src[j][i]. With 32-bit ones a block holds eight, and
// row j of the transposed 8 × 16 matrix fills the blocks 2 j and 2 j + 1 of dst. With 8-bit ones one half of each block of
// src, sixteen elements, goes to one half of each block of dst; the other half of dst stays.
#include <string.h>

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

void check_blocks(const View* views, const char* name, uint32_t step, uint32_t repeats, const char* api, bool write) {
    for (uint32_t i = 0; i < kBlocks; ++i) {
        const Operand o{views[i], name, 8, kBlockBytes, step};
        check_place(o, kBlockBytes, api);
        check_range(o, 0, (repeats - 1ull) * step + kBlockBytes, api, write);
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
    const Swap s{dst, src, size, dst_high, src_high, static_cast<uint32_t>(form.repeat[0]) * kBlockBytes,
                 static_cast<uint32_t>(form.repeat[1]) * kBlockBytes};
    check_blocks(dst, "dst", s.dst_step, repeats, api, true);
    check_blocks(src, "src", s.src_step, repeats, api, false);
    for (uint32_t r = 0; r < repeats; ++r) {
        size == 1 ? one_repeat<1>(s, r) : size == 2 ? one_repeat<2>(s, r) : one_repeat<4>(s, r);
    }
    note(form.op, repeats, static_cast<uint64_t>(repeats) * kBlocks * kBlockBytes);
}
