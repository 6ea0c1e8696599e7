// What an operation of the runtime sees: KB_OP(name) { … } defines the operation that kbaie::name calls.
//
//   d     who is asked: kinds, the candidate's place, lanes and bits of result and operands
//   r     where the result goes; it overlaps no operand
//   a[i]  operand i, which begins at an address of at least 16 bytes' alignment
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kb_aie/kinds.h"

using kbaie::Kind;

namespace kbrt {

constexpr unsigned bits_of(Kind kind) {
  switch (kind) {
    case Kind::i4: case Kind::u4: return 4;
    case Kind::i8: case Kind::u8: return 8;
    case Kind::i16: case Kind::u16: case Kind::bf16: return 16;
    case Kind::i32: case Kind::u32: case Kind::f32: case Kind::acc32: case Kind::accf32: return 32;
    case Kind::ci16: case Kind::cbf16: return 32;
    case Kind::i64: case Kind::u64: case Kind::ci32: case Kind::cf32: case Kind::acc64: case Kind::caccf32: return 64;
    case Kind::cacc64: return 128;
    default: return 0;
  }
}

constexpr bool is_complex(Kind kind) {
  return kind == Kind::ci16 || kind == Kind::ci32 || kind == Kind::cbf16 || kind == Kind::cf32 ||
         kind == Kind::cacc64 || kind == Kind::caccf32;
}

constexpr bool is_float(Kind kind) {
  return kind == Kind::bf16 || kind == Kind::f32 || kind == Kind::cbf16 || kind == Kind::cf32 ||
         kind == Kind::accf32 || kind == Kind::caccf32;
}

constexpr bool is_unsigned(Kind kind) {
  return kind == Kind::u4 || kind == Kind::u8 || kind == Kind::u16 || kind == Kind::u32 || kind == Kind::u64;
}

// Bits of one lane as it travels: half of a complex element, a whole one of any other.
constexpr unsigned lane_bits(Kind kind) { return is_complex(kind) ? bits_of(kind) / 2 : bits_of(kind); }

}  // namespace kbrt

struct Operand {
  int32_t lanes;
  int32_t bits;  // of each lane as the compiler passed it

  int32_t bytes() const { return lanes * ((bits + 7) / 8); }
};

struct Desc {
  uint32_t kinds;
  int32_t loc;  // index of the candidate's file and line
  int32_t nargs;
  Operand ret;
  Operand args[1];  // `nargs` of them

  // The kind of the result (0) or of operand i (i + 1).
  Kind kind(int i) const { return static_cast<Kind>(kinds >> 8 * (i > 3 ? 3 : i) & 255); }
  // Lanes of operand i as its kind counts them: small vectors may arrive as one integer.
  int32_t lanes(int i) const { return lanes_of(args[i], kind(i + 1)); }
  int32_t result_lanes() const { return lanes_of(ret, kind(0)); }

  static int32_t lanes_of(Operand o, Kind kind) {
    const unsigned bits = kbrt::lane_bits(kind);
    return bits ? o.bytes() * 8 / static_cast<int32_t>(bits) : o.lanes;
  }
};

#define KB_OP(name) extern "C" void kbrt_##name(const Desc* d, void* r, const void* const* a)

// Ends the run. `what` is one of the codes below; `x`, `y` and `z` are what its message needs.
enum Fault : int32_t {
  kb_read_outside = 1,   // x address, y bytes
  kb_write_outside = 2,  // x address, y bytes
  kb_write_input = 3,    // x address, y bytes
  kb_misaligned = 4,     // x address, y bytes, z alignment
  kb_stack_overflow = 5, // x bytes used, y bytes there are
  kb_division = 6,
  kb_unreachable = 7,
  kb_rule = 8,           // x address of a text: the device rule that an operation found broken
};
extern "C" [[noreturn]] void kbrt_fail(int32_t what, int32_t loc, int32_t x, int32_t y, int32_t z);

// A documented limit of an operation is broken: `text` says which and with what value.
[[noreturn]] inline void broken_rule(const Desc* d, const char* text) {
  kbrt_fail(kb_rule, d->loc, static_cast<int32_t>(reinterpret_cast<uintptr_t>(text)), 0, 0);
}

// Rounding and saturation of the core: values and reset values of the device's control registers.
struct State {
  uint32_t rounding;    // 0: floor
  uint32_t saturation;  // 0: none
};
extern "C" State kbrt_state;

// The byte that memory held before anything was written, in this run.
extern "C" uint32_t kbrt_poison;

// --- lanes --------------------------------------------------------------------------------------------------------

template <class T>
inline const T* in(const void* const* a, int i) {
  return static_cast<const T*>(a[i]);
}
inline int32_t in_int(const void* const* a, int i) { return *static_cast<const int32_t*>(a[i]); }
