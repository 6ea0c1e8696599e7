// What operations of the high-level library share: operands that are one run of bytes, and the temporary buffer.
#pragma once

#include "vec_plan.h"

namespace kb::adv {

// What events are numbered by.
enum class Op : uint16_t {
    Broadcast = 3072, Sum, Mean, SelectWithBytesMask, ReduceX, ReduceXorSum, Arange, CumSum, Pad, UnPad, TransData,
    ConfusionTranspose, DropOut, Extract, Sort, TopK, AscendQuant, AscendDequant, AscendAntiQuant,
};

inline vec::Operand flat(const View& view, const char* name) {
    return {view, name, vec::element_bits(view.dtype), vec::kBlockBytes, 0};
}

// Position (E4), alignment (E2) and extent (E9, E10) of an operand's first `bytes` bytes.
void reads(const View& view, const char* name, uint64_t bytes, const char* api);
void writes(const View& view, const char* name, uint64_t bytes, const char* api);

// Bytes of UB that an operation works on.
struct Bytes {
    const uint8_t* ptr;
    uint64_t count;
    const char* name;

    bool meets(const Bytes& other) const {
        return overlap(ptr, count, other.ptr, other.count);
    }
};

// The temporary buffer: the one that the caller gave or, for a null pointer, what InitBuffer left of UB.
struct Tmp {
    View view;
    bool given;
};

// At least `needed` bytes (E9) and, where any are needed, aligned (E2).
Tmp temporary(const View& given, uint64_t needed, const char* api);

// E11: the first `used` bytes of the temporary meet none of the operands.
void check_apart(const Tmp& tmp, uint64_t used, const char* api, const Bytes* operands, int count);

// What the operation leaves in the temporary's first `used` bytes is nobody's to rely on. Where it uses more than the
// tensor has, the device overwrites what lies behind it (E9).
void spoil(const Tmp& tmp, uint64_t used, const char* api);

// The mask registers as an operation of the library leaves them: normal, all lanes.
void reset_mask();

inline void emit(Op op, uint64_t bytes) {
    event(Pipe::V, static_cast<uint16_t>(op), static_cast<uint32_t>((bytes + vec::kRepeatBytes - 1) / vec::kRepeatBytes), bytes);
}

}  // namespace kb::adv
