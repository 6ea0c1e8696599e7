// Conversions. Integers saturate and NaN becomes 0; float to float never yields -0; the pairs are those of the device.
#include "vec_lanes.h"
#include "vec_round.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {
namespace {

// ---- one conversion each: Convert<mode>::f(from) --------------------------------------------------------------------

template <class From, class To, Round mode>
KB_LANE To convert(From x) {
    constexpr bool same = __is_same(From, To);
    if constexpr (same) {  // float only: to an integral value, and -0 becomes +0
        return canonical(to_integral<mode>(x) + 0.0f);
    } else if constexpr (__is_same(From, int64_t) && __is_same(To, float)) {
        return long_to_float<mode>(x);
    } else if constexpr (__is_same(From, int64_t) && __is_same(To, int32_t)) {
        return static_cast<int32_t>(x > 2147483647 ? 2147483647 : (x < -2147483647 - 1 ? -2147483647 - 1 : x));
    } else if constexpr (__is_same(From, int32_t) && __is_same(To, int16_t)) {
        return static_cast<int16_t>(x > 32767 ? 32767 : (x < -32768 ? -32768 : x));
    } else if constexpr (__is_same(From, int32_t) && __is_same(To, int64_t)) {
        return x;
    } else if constexpr (__is_same(From, int32_t) && __is_same(To, float)) {
        return int_to_float<mode>(x);
    } else {
        float value;
        if constexpr (__is_same(From, F16) || __is_same(From, Bf16)) {
            value = widen(x);
        } else {
            value = static_cast<float>(x);  // integers of at most 16 bits, exactly
        }
        if constexpr (__is_same(To, float)) {
            return canonical(value);
        } else if constexpr (__is_same(To, F16)) {
            return to_half<mode>(value);
        } else if constexpr (__is_same(To, Bf16)) {
            return to_bfloat<mode>(value);
        } else {
            return saturated<To>(to_integral<mode>(value));
        }
    }
}

template <class From, class To, Round mode>
void cast(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t, size_t n) {
    To* d = reinterpret_cast<To*>(dst);
    const From* x = reinterpret_cast<const From*>(a);
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = convert<From, To, mode>(x[i]); }
}

// Two int4 in a byte, the first in the low half; n is even (or its last half byte is left as it was).
template <Round mode>
void half_to_nibbles(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t, size_t n) {
    const F16* x = reinterpret_cast<const F16*>(a);
    for (size_t i = 0; i < n; ++i) {
        const int32_t wide = saturated<int32_t>(to_integral<mode>(widen(x[i])));
        const uint8_t nibble = static_cast<uint8_t>(wide > 7 ? 7 : (wide < -8 ? -8 : wide)) & 0xf;
        const int shift = (i & 1) ? 4 : 0;
        dst[i / 2] = static_cast<uint8_t>((dst[i / 2] & (0xf0 >> shift)) | nibble << shift);
    }
}

void nibbles_to_half(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t, size_t n) {
    F16* d = reinterpret_cast<F16*>(dst);
    for (size_t i = 0; i < n; ++i) {
        const int32_t nibble = a[i / 2] >> ((i & 1) ? 4 : 0) & 0xf;
        d[i] = narrow(static_cast<float>(nibble < 8 ? nibble : nibble - 16));
    }
}

template <class From, class To>
Loop any_mode(int mode) {
    switch (static_cast<Round>(mode)) {
        case Round::none:
        case Round::rint: return cast<From, To, Round::rint>;
        case Round::floor: return cast<From, To, Round::floor>;
        case Round::ceil: return cast<From, To, Round::ceil>;
        case Round::round: return cast<From, To, Round::round>;
        case Round::trunc: return cast<From, To, Round::trunc>;
        default: return nullptr;
    }
}

Loop nibble_mode(int mode) {
    switch (static_cast<Round>(mode)) {
        case Round::none:
        case Round::rint: return half_to_nibbles<Round::rint>;
        case Round::floor: return half_to_nibbles<Round::floor>;
        case Round::ceil: return half_to_nibbles<Round::ceil>;
        case Round::round: return half_to_nibbles<Round::round>;
        case Round::trunc: return half_to_nibbles<Round::trunc>;
        default: return nullptr;
    }
}

template <class From, class To>
Loop exact(int) {
    return cast<From, To, Round::rint>;
}

// int32 times a half scale, exact in double, rounded once to half. The scale comes in `scalar` as the bits of a float.
void dequantise(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t scalar, size_t n) {
    F16* d = reinterpret_cast<F16*>(dst);
    const int32_t* x = reinterpret_cast<const int32_t*>(a);
    const double scale = bits_as<float>(static_cast<uint32_t>(scalar));
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = narrow(folded(x[i] * scale)); }
}

Loop from_half(Dtype dst, int mode) {
    switch (dst) {
        case Dtype::i4: return nibble_mode(mode);
        case Dtype::i8: return any_mode<F16, int8_t>(mode);
        case Dtype::u8: return any_mode<F16, uint8_t>(mode);
        case Dtype::i16: return any_mode<F16, int16_t>(mode);
        case Dtype::i32: return any_mode<F16, int32_t>(mode);
        case Dtype::f32: return exact<F16, float>(mode);
        default: return nullptr;
    }
}

Loop from_float(Dtype dst, int mode) {
    switch (dst) {
        case Dtype::i16: return any_mode<float, int16_t>(mode);
        case Dtype::i32: return any_mode<float, int32_t>(mode);
        case Dtype::i64: return any_mode<float, int64_t>(mode);
        case Dtype::f32: return any_mode<float, float>(mode);
        case Dtype::bf16: return any_mode<float, Bf16>(mode);
        case Dtype::f16:
            return static_cast<Round>(mode) == Round::odd ? cast<float, F16, Round::odd> : any_mode<float, F16>(mode);
        default: return nullptr;
    }
}

Loop from_int32(Dtype dst, int mode) {
    switch (dst) {
        case Dtype::f16: return dequantise;
        case Dtype::f32: return any_mode<int32_t, float>(mode);
        case Dtype::i16: return exact<int32_t, int16_t>(mode);
        case Dtype::i64: return exact<int32_t, int64_t>(mode);
        default: return nullptr;
    }
}

// ---- an operation and a conversion in one ---------------------------------------------------------------------------

// The sum (difference, product) is rounded to the source's type, then converted with RINT and saturation.
template <VecOp op, class From, class To>
void fused(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t, size_t n) {
    To* d = reinterpret_cast<To*>(dst);
    const From* x = reinterpret_cast<const From*>(a);
    const From* y = reinterpret_cast<const From*>(b);
    KB_LOOP for (size_t i = 0; i < n; ++i) {
        if constexpr (__is_same(From, int16_t)) {
            const int32_t sum = op == VecOp::AddReluCast ? x[i] + y[i] : x[i] - y[i];
            d[i] = static_cast<To>(sum < 0 ? 0 : (sum > 127 ? 127 : sum));
        } else {
            float u, v;
            if constexpr (__is_same(From, F16)) {
                u = widen(x[i]), v = widen(y[i]);
            } else {
                u = x[i], v = y[i];
            }
            const float wide = op == VecOp::MulCast ? u * v : (op == VecOp::AddReluCast ? u + v : u - v);
            const float kept = __is_same(From, F16) ? widen(narrow(wide)) : wide;
            const float value = op != VecOp::MulCast && !(kept > 0.0f) ? 0.0f : kept;  // a NaN too gives +0
            if constexpr (__is_same(To, F16)) {
                d[i] = narrow(value);
            } else {
                d[i] = saturated<To>(to_integral<Round::rint>(value));
            }
        }
    }
}

// relu(half((a + b) * scale)); the sum of two int32 wraps.
void add_deq_relu(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t scalar, size_t n) {
    F16* d = reinterpret_cast<F16*>(dst);
    const int32_t* x = reinterpret_cast<const int32_t*>(a);
    const int32_t* y = reinterpret_cast<const int32_t*>(b);
    const double scale = bits_as<float>(static_cast<uint32_t>(scalar));
    KB_LOOP for (size_t i = 0; i < n; ++i) {
        const double value = static_cast<int32_t>(uint32_t(x[i]) + uint32_t(y[i])) * scale;
        d[i] = narrow(folded(value <= 0.0 ? 0.0 : value));
    }
}

template <VecOp op>
Loop relu_cast(Dtype dst, Dtype src) {
    if (src == Dtype::f16 && dst == Dtype::i8) {
        return fused<op, F16, int8_t>;
    }
    if (src == Dtype::f32 && dst == Dtype::f16) {
        return fused<op, float, F16>;
    }
    return src == Dtype::i16 && dst == Dtype::i8 ? fused<op, int16_t, int8_t> : nullptr;
}

}  // namespace

Loop cast_loop(Dtype dst, Dtype src, int mode) {
    switch (src) {
        case Dtype::f16: return from_half(dst, mode);
        case Dtype::f32: return from_float(dst, mode);
        case Dtype::i32: return from_int32(dst, mode);
        case Dtype::i4: return dst == Dtype::f16 ? nibbles_to_half : nullptr;
        case Dtype::u8: return dst == Dtype::f16 ? exact<uint8_t, F16>(mode) : nullptr;
        case Dtype::i8: return dst == Dtype::f16 ? exact<int8_t, F16>(mode) : nullptr;
        case Dtype::i16: return dst == Dtype::f16 ? any_mode<int16_t, F16>(mode) : dst == Dtype::f32 ? exact<int16_t, float>(mode) : nullptr;
        case Dtype::bf16: return dst == Dtype::f32 ? exact<Bf16, float>(mode) : dst == Dtype::i32 ? any_mode<Bf16, int32_t>(mode) : nullptr;
        case Dtype::i64: return dst == Dtype::f32 ? any_mode<int64_t, float>(mode) : dst == Dtype::i32 ? exact<int64_t, int32_t>(mode) : nullptr;
        default: return nullptr;
    }
}

// Lossless pairs take CAST_NONE only; rounding ones do not take CAST_NONE, except float to half, int32 to float, int16 to
// half and half to 8 and 4 bits; CAST_ODD is float to half alone. Source: the table of Cast.md.
bool legal_round(Dtype dst, Dtype src, int mode) {
    const Round round = static_cast<Round>(mode);
    if (src == Dtype::i32 && dst == Dtype::f16) {
        return true;  // the mode is ignored
    }
    const bool integer_source = src != Dtype::f16 && src != Dtype::f32 && src != Dtype::bf16;
    const bool widens = dst == Dtype::f32 && (src == Dtype::f16 || src == Dtype::bf16 || src == Dtype::i16);
    const bool bytes_to_half = dst == Dtype::f16 && element_bits(src) < 16;
    const bool integers = integer_source && dst != Dtype::f16 && dst != Dtype::f32;
    if (widens || bytes_to_half || integers) {
        return round == Round::none;
    }
    if (round == Round::odd) {
        return src == Dtype::f32 && dst == Dtype::f16;
    }
    const bool none_rounds = (src == Dtype::f16 && element_bits(dst) < 16) || (src == Dtype::f32 && dst == Dtype::f16) ||
                             (src == Dtype::i32 && dst == Dtype::f32) || (src == Dtype::i16 && dst == Dtype::f16);
    return round != Round::none || none_rounds;
}

const char* round_name(int mode) {
    static constexpr const char* kNames[] = {"CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC",
                                             "CAST_ODD"};
    return mode >= 0 && mode <= 6 ? kNames[mode] : "an unknown rounding mode";
}

const char* type_name(Dtype type) {
    switch (type) {
        case Dtype::f16: return "half";
        case Dtype::bf16: return "bfloat16_t";
        case Dtype::f32: return "float";
        case Dtype::i4: return "int4b_t";
        case Dtype::i8: return "int8_t";
        case Dtype::u8: return "uint8_t";
        case Dtype::i16: return "int16_t";
        case Dtype::i32: return "int32_t";
        case Dtype::i64: return "int64_t";
        default: return "another type";
    }
}

Loop fused_cast_loop(VecOp op, Dtype dst, Dtype src) {
    switch (op) {
        case VecOp::AddReluCast: return relu_cast<VecOp::AddReluCast>(dst, src);
        case VecOp::SubReluCast: return relu_cast<VecOp::SubReluCast>(dst, src);
        case VecOp::AddDeqRelu: return add_deq_relu;
        case VecOp::CastDeq: return src == Dtype::i32 && dst == Dtype::f16 ? dequantise : nullptr;
        case VecOp::MulCast: return dst == Dtype::i8 ? fused<VecOp::MulCast, F16, int8_t> : fused<VecOp::MulCast, F16, uint8_t>;
        default: return nullptr;
    }
}

}  // namespace kb::vec
