// Transpose with a TransposeType: permutations of axes with a change between rows (ND) and fractals of 16 × 16 (NZ: columns in
// groups of 16, each with all its rows). Sizes are those of the tiling data, rounded up to 16; columns that only round up are
// left alone.
#include <string.h>

#include "../sizes/tilings.h"
#include "adv.h"
#include "kb_turn.h"

namespace kb::adv {
namespace {

using sizes::Turn;

constexpr const char* kApi = "Transpose";

struct Axes {
    Turn type;
    uint32_t b, n, s, part;      // batches, heads, rows, columns of a head
    uint32_t all, padded_part;   // columns of all heads and of one, rounded up to 16
};

struct Copy {
    const View& dst;
    const View& src;
    uint32_t size;

    void operator()(uint64_t to, uint64_t from) const { memcpy(dst.ptr + to * size, src.ptr + from * size, size); }
};

// Place of (row, column) in fractals of `rows` rows.
uint64_t nz(uint64_t rows, uint64_t row, uint64_t column) {
    return column / 16 * rows * 16 + row * 16 + column % 16;
}

bool with_fractals(Turn type) {
    return type == Turn::nz2nz_0213 || type == Turn::nz2nz_012_with_n || type == Turn::nz2nz_012_without_n;
}

// [B, A1, A2, A3] in fractals to [B, A2, A1, A3].
void swap_middle(const Axes& a, const Copy& copy) {
    const uint64_t plane = static_cast<uint64_t>(a.s) * a.part;
    const uint64_t row = static_cast<uint64_t>(a.n) * a.part;
    for (uint64_t b = 0; b < a.b; ++b) {
        for (uint64_t n = 0; n < a.n; ++n) {
            for (uint64_t s = 0; s < a.s; ++s) {
                for (uint64_t c = 0; c < a.part; ++c) {
                    const uint64_t inside = with_fractals(a.type) ? nz(a.n, n, c) : n * a.part + c;
                    copy((b * a.s + s) * row + inside, (b * a.n + n) * plane + nz(a.s, s, c));
                }
            }
        }
    }
}

// [B, S, H] to [B, N, S, H/N] (split) or back.
void split_or_join(const Axes& a, const Copy& copy) {
    const bool split = a.type == Turn::nz2nz_012_with_n || a.type == Turn::nz2nd_012_with_n;
    const uint64_t whole_plane = static_cast<uint64_t>(a.all) * a.s;
    const uint64_t part_plane = static_cast<uint64_t>(a.padded_part) * a.s;
    for (uint64_t b = 0; b < a.b; ++b) {
        for (uint64_t n = 0; n < a.n; ++n) {
            for (uint64_t s = 0; s < a.s; ++s) {
                for (uint64_t c = 0; c < a.part; ++c) {
                    const uint64_t h = n * a.part + c;
                    const bool nd = !with_fractals(a.type);
                    const uint64_t whole = b * whole_plane + (nd && !split ? s * a.all + h : nz(a.s, s, h));
                    const uint64_t part = (b * a.n + n) * part_plane + (nd && split ? s * a.padded_part + c : nz(a.s, s, c));
                    split ? copy(part, whole) : copy(whole, part);
                }
            }
        }
    }
}

void turn_square(const Axes& a, const Copy& copy) {
    for (uint64_t r = 0; r < a.s; ++r) {
        for (uint64_t c = 0; c < a.part; ++c) {
            copy(c * a.s + r, r * a.part + c);
        }
    }
}

Axes axes_of(Turn type, const uint32_t* p) {
    switch (type) {
        case Turn::nz2nd_0213:
        case Turn::nz2nz_0213: return {type, p[1], p[2], p[4], p[3], 0, 0};
        case Turn::nz2nz_012_with_n:
        case Turn::nz2nd_012_with_n:
        case Turn::nz2nd_012_without_n:
        case Turn::nz2nz_012_without_n:
            return {type, p[1], p[2], type == Turn::nz2nz_012_with_n ? p[9] : p[6] * 16, p[3], sizes::round_up(p[2] * p[3], 16),
                    sizes::round_up(p[3], 16)};
        case Turn::nd2nd_only: return {type, 1, 1, p[1], p[2], 0, 0};
        default: error("E5", kApi, "transposeType %u is not supported on current device", static_cast<unsigned>(type));
    }
}

// E44: numbers that do not belong together were made for another type or shape.
void check_params(const Axes& a, const uint32_t* p, uint32_t size) {
    const bool square = a.type == Turn::nd2nd_only;
    const bool swaps = a.type == Turn::nz2nd_0213 || a.type == Turn::nz2nz_0213;
    uint32_t want[18] = {};
    const sizes::TurnShape shape{{square ? a.s : a.b, square ? a.part : a.n, a.s, a.part}, swaps ? p[6] * size : 0, size};
    sizes::set_turn(want, a.type, shape);
    for (int i = 0; i < 18; ++i) {
        if (want[i] != p[i]) {
            error("E44", kApi, "tiling: expected that of this TransposeType and data type; param%d is %u, expected %u", i, p[i],
                  want[i]);
        }
    }
    if (square && (a.s % 16 != 0 || a.part % 16 != 0)) {
        error("E9", kApi, "srcShape: expected axes of multiples of 16, got {%u, %u}", a.s, a.part);
    }
}

struct Extents {
    uint64_t dst, src;  // elements
};

Extents extents_of(const Axes& a) {
    const uint64_t planes = static_cast<uint64_t>(a.b) * a.n * a.s;
    switch (a.type) {
        case Turn::nz2nz_012_with_n:
        case Turn::nz2nd_012_with_n: return {planes * a.padded_part, static_cast<uint64_t>(a.b) * a.s * a.all};
        case Turn::nz2nd_012_without_n:
        case Turn::nz2nz_012_without_n: return {static_cast<uint64_t>(a.b) * a.s * a.all, planes * a.padded_part};
        default: return {planes * a.part, planes * a.part};
    }
}

void turn(const Axes& a, const Copy& copy) {
    if (a.type == Turn::nd2nd_only) {
        turn_square(a, copy);
    } else if (a.type == Turn::nz2nd_0213 || a.type == Turn::nz2nz_0213) {
        swap_middle(a, copy);
    } else {
        split_or_join(a, copy);
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_turn(kb::View dst, kb::View src, kb::View tmp, uint8_t type, const void* params) {
    using namespace kb::adv;
    const auto* p = static_cast<const uint32_t*>(params);
    const uint32_t size = kb::vec::element_bits(src.dtype) / 8;
    const Axes a = axes_of(static_cast<Turn>(type), p);
    check_params(a, p, size);
    const Extents e = extents_of(a);
    if (e.src == 0) {
        return emit(Op::ConfusionTranspose, 0);
    }
    reads(src, "src", e.src * size, kApi);
    writes(dst, "dst", e.dst * size, kApi);
    const bool swaps = a.type == Turn::nz2nd_0213 || a.type == Turn::nz2nz_0213;
    const uint64_t least = kb::sizes::turn(a.type, {{a.b, a.n, a.s, a.part}, 0, size}).min;
    const uint64_t planned = swaps ? static_cast<uint64_t>(p[6]) * size : 0;
    const uint64_t needed = planned > least ? planned : least;
    if (swaps && planned == 0) {
        kb::error("E44", kApi, "tiling: expected one made with a temporary buffer of at least %lu bytes",
                  static_cast<unsigned long>(least));
    }
    const Tmp work = temporary(tmp, needed, kApi);
    const Bytes operands[] = {{dst.ptr, e.dst * size, "dst"}, {src.ptr, e.src * size, "src"}};
    check_apart(work, needed, kApi, operands, 2);
    if (operands[0].meets(operands[1])) {
        kb::error("E11", kApi, "dst overlaps src: expected no overlap");
    }
    turn(a, Copy{dst, src, size});
    spoil(work, needed, kApi);
    reset_mask();
    emit(Op::ConfusionTranspose, e.src * size);
}
