// Loops over contiguous lanes, chosen by operation and element types.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kb_vec.h"

namespace kb::vec {

// dst[i] = op(a[i], b[i], scalar) for i < n. dst may be a or b; any other overlap is the caller's to avoid.
using Loop = void (*)(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t scalar, size_t n);

// nullptr where the pair of types is not supported. `mode` is a RoundMode for Cast.
Loop unary_loop(VecOp op, Dtype type);
Loop binary_loop(VecOp op, Dtype dst, Dtype src);
Loop scalar_loop(VecOp op, Dtype dst, Dtype src);
Loop cast_loop(Dtype dst, Dtype src, int mode);
Loop fused_cast_loop(VecOp op, Dtype dst, Dtype src);
// The saturation mode's own arithmetic: integers, and products that are added to something. nullptr: as usual.
Loop saturating_loop(VecOp op, Dtype dst, Dtype src);

const char* name_of(VecOp op);

// Whether the device has this conversion with this rounding mode (a RoundMode's number), for pairs that it has at all.
bool legal_round(Dtype dst, Dtype src, int mode);
const char* round_name(int mode);
const char* type_name(Dtype type);

// Bits of one element.
constexpr uint32_t element_bits(Dtype type) {
    switch (type) {
        case Dtype::i4: return 4;
        case Dtype::i8: case Dtype::u8: case Dtype::b8: return 8;
        case Dtype::f16: case Dtype::bf16: case Dtype::i16: case Dtype::u16: return 16;
        case Dtype::i64: case Dtype::u64: case Dtype::f64: case Dtype::c64: return 64;
        default: return 32;
    }
}

}  // namespace kb::vec
