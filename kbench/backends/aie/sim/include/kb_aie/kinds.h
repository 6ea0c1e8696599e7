// What the lanes of an operation's operands mean. Shared by the headers and by the runtime; a number is part of the
// interface between them (and of what a module's descriptors hold), so new kinds go to the end.
#ifndef KB_AIE_KINDS_H
#define KB_AIE_KINDS_H

namespace kbaie {

enum class Kind : unsigned {
    none = 0,
    i4, u4, i8, u8, i16, u16, i32, u32, i64, u64,
    bf16, f32,
    ci16, ci32, cbf16, cf32,
    acc32, acc64, accf32, cacc64, caccf32,
    mask, bfp16,
};

// Result first, then the operands; further operands have the kind of the last.
constexpr unsigned kinds(Kind result, Kind a = Kind::none, Kind b = Kind::none, Kind c = Kind::none) {
    return unsigned(result) | unsigned(a) << 8 | unsigned(b) << 16 | unsigned(c) << 24;
}

}  // namespace kbaie

#endif
