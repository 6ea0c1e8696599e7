// Arithmetic on lanes. An operation on half computes in float and rounds once: float is wide enough for + - * / and sqrt
// to come out correctly rounded (24 >= 2 * 11 + 2 bits). Compound operations (a * b + c) round after each step.
// Integers wrap.
#include "vec_lanes.h"

#include "machine.h"
#include "vec_bound.h"
#include "vec_math.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {
namespace {

// ---- between storage and arithmetic ---------------------------------------------------------------------------------

KB_LANE float load(F16 x) { return widen(x); }
KB_LANE float load(Finite x) { return widen(x.half); }
KB_LANE float load(float x) { return x; }
KB_LANE int32_t load(int16_t x) { return x; }
KB_LANE int32_t load(int32_t x) { return x; }
KB_LANE uint32_t load(uint16_t x) { return x; }

KB_LANE void store(F16& d, float x) { d = narrow(x); }
KB_LANE void store(F16& d, double x) { d = narrow(folded(x)); }
KB_LANE void store(Finite& d, float x) { d.half = finite(narrow(x)); }
KB_LANE void store(float& d, float x) { d = canonical(x); }
KB_LANE void store(float& d, double x) { d = canonical(static_cast<float>(x)); }
template <class I>
KB_LANE void store(I& d, int32_t x) { d = static_cast<I>(x); }
template <class I>
KB_LANE void store(I& d, uint32_t x) { d = static_cast<I>(x); }

template <class T>
KB_LANE T scalar_as(uint64_t bits) {
    if constexpr (sizeof(T) == 2) {
        return bits_as<T>(static_cast<uint16_t>(bits));
    } else {
        return bits_as<T>(static_cast<uint32_t>(bits));
    }
}

// A product kept at its own precision before it is added to something.
template <class T>
KB_LANE float step(float x) {
    if constexpr (sizeof(T) == 2) {
        T kept;
        store(kept, x);
        return load(kept);
    } else {
        return x;
    }
}

// ---- operations -----------------------------------------------------------------------------------------------------

struct Abs {
    static KB_LANE float f(float x) { return __builtin_fabsf(x); }
};
template <class T>
struct Exp {
    static KB_LANE double f(float x) { return exp_of<ExpLong>(x); }
};
template <>
struct Exp<F16> {
    static KB_LANE double f(float x) { return exp_of<ExpShort>(x); }
};
template <class T>
struct Ln {
    static KB_LANE double f(float x) { return ln_of<LnLong>(x); }
};
template <>
struct Ln<F16> {
    static KB_LANE double f(float x) { return ln_of<LnShort>(x); }
};
struct Sqrt {
    static KB_LANE float f(float x) { return root_of(x); }
};
// In float for half: correctly rounded for all its inputs (checked one by one).
template <class T>
struct Rsqrt {
    static KB_LANE double f(float x) { return 1.0 / root_of(static_cast<double>(x)); }
};
template <>
struct Rsqrt<F16> {
    static KB_LANE float f(float x) { return 1.0f / root_of(x); }
};
struct Reciprocal {
    static KB_LANE float f(float x) { return 1.0f / x; }
};
struct Relu {
    static KB_LANE float f(float x) { return x <= 0.0f ? 0.0f : x; }
    static KB_LANE int32_t f(int32_t x) { return x < 0 ? 0 : x; }
};
struct Not {
    static KB_LANE uint32_t f(uint32_t x) { return ~x; }
};

struct Add {
    static KB_LANE float f(float a, float b) { return a + b; }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return static_cast<int32_t>(uint32_t(a) + uint32_t(b)); }
};
struct Sub {
    static KB_LANE float f(float a, float b) { return a - b; }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return static_cast<int32_t>(uint32_t(a) - uint32_t(b)); }
};
struct Mul {
    static KB_LANE float f(float a, float b) { return a * b; }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return static_cast<int32_t>(uint32_t(a) * uint32_t(b)); }
};
struct Div {
    static KB_LANE float f(float a, float b) { return a / b; }
};
struct Max {
    static KB_LANE float f(float a, float b) { return max_of(a, b); }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return a > b ? a : b; }
};
struct Min {
    static KB_LANE float f(float a, float b) { return min_of(a, b); }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return a < b ? a : b; }
};
struct And {
    static KB_LANE uint32_t f(uint32_t a, uint32_t b) { return a & b; }
};
struct Or {
    static KB_LANE uint32_t f(uint32_t a, uint32_t b) { return a | b; }
};
struct AddRelu {
    static KB_LANE float f(float a, float b) { return Relu::f(a + b); }
    // The sum of two int16 is judged before it wraps into 16 bits only in saturation mode: here it wraps first.
    static KB_LANE int32_t f(int32_t a, int32_t b) { return Relu::f(static_cast<int16_t>(a + b)); }
};
struct SubRelu {
    static KB_LANE float f(float a, float b) { return Relu::f(a - b); }
    static KB_LANE int32_t f(int32_t a, int32_t b) { return Relu::f(static_cast<int16_t>(a - b)); }
};
struct LeakyRelu {  // -0 is multiplied, as the table of boundary values has it
    static KB_LANE float f(float x, float slope) { return bits_as<int32_t>(x) >= 0 ? x : x * slope; }
};

// Logical for unsigned; a signed left shift keeps the sign bit and shifts the bits below it; a signed right shift is
// arithmetic. Distances up to the width itself are legal and shift everything out.
template <class T>
struct ShiftLeft {
    static KB_LANE T f(T x, uint32_t by) {
        constexpr uint32_t width = 8 * sizeof(T);
        constexpr uint32_t sign = T(-1) < T(0) ? 1u << (width - 1) : 0u;
        const uint32_t u = static_cast<uint32_t>(x);
        const uint32_t moved = by < width ? u << by : 0u;
        return static_cast<T>((moved & ~sign) | (u & sign));
    }
};
template <class T>
struct ShiftRight {
    static KB_LANE T f(T x, uint32_t by) {
        constexpr uint32_t width = 8 * sizeof(T);
        const uint32_t most = by < width ? by : width - 1;
        const bool gone = T(0) < T(-1) && by >= width;
        return gone ? T(0) : static_cast<T>(x >> most);
    }
};
// Rounds half up: the last bit that was shifted out is added.
template <class T>
struct ShiftRightRound {
    static KB_LANE T f(T x, uint32_t by) {
        const T last = by == 0 ? T(0) : static_cast<T>(ShiftRight<T>::f(x, by - 1) & 1);
        return static_cast<T>(ShiftRight<T>::f(x, by) + last);
    }
};

// ---- loops ----------------------------------------------------------------------------------------------------------

template <class Op, class T>
void unary(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    KB_LOOP for (size_t i = 0; i < n; ++i) { store(d[i], Op::f(load(x[i]))); }
}

// The same at the bound of the operation's error; `bound` is constant.
template <class Op, class T, const Bound& bound>
void unary_at_bound(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t scalar, size_t n) {
    unary<Op, T>(dst, a, b, scalar, n);
    all_at_bound(reinterpret_cast<T*>(dst), n, bound);
}

template <class Op, class T>
void binary(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    const T* y = reinterpret_cast<const T*>(b);
    KB_LOOP for (size_t i = 0; i < n; ++i) { store(d[i], Op::f(load(x[i]), load(y[i]))); }
}

template <class Op, class T>
void with_scalar(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t scalar, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    const auto s = load(scalar_as<T>(scalar));
    KB_LOOP for (size_t i = 0; i < n; ++i) { store(d[i], Op::f(load(x[i]), s)); }
}

template <template <class> class Op, class T>
void shift(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t scalar, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    const uint32_t by = static_cast<uint32_t>(scalar_as<T>(scalar));
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = Op<T>::f(x[i], by); }
}

// dst = a * b + dst. Half sources with a float dst: the product is exact.
template <class D, class S>
void mul_add_dst(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t, size_t n) {
    D* d = reinterpret_cast<D*>(dst);
    const S* x = reinterpret_cast<const S*>(a);
    const S* y = reinterpret_cast<const S*>(b);
    KB_LOOP for (size_t i = 0; i < n; ++i) { store(d[i], step<D>(load(x[i]) * load(y[i])) + load(d[i])); }
}

// dst = a * dst + b, and its Relu.
template <class T, bool relu>
void fused_mul_add(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    const T* y = reinterpret_cast<const T*>(b);
    KB_LOOP for (size_t i = 0; i < n; ++i) {
        const float sum = step<T>(load(x[i]) * load(d[i])) + load(y[i]);
        store(d[i], relu ? Relu::f(sum) : sum);
    }
}

// dst = a * scalar + dst; the scalar has the source's type.
template <class D, class S>
void axpy(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t scalar, size_t n) {
    D* d = reinterpret_cast<D*>(dst);
    const S* x = reinterpret_cast<const S*>(a);
    const float s = load(scalar_as<S>(scalar));
    KB_LOOP for (size_t i = 0; i < n; ++i) { store(d[i], step<D>(load(x[i]) * s) + load(d[i])); }
}

template <class T>
void fill(uint8_t* dst, const uint8_t*, const uint8_t*, uint64_t scalar, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T value = static_cast<T>(scalar);
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = value; }
}

template <class T>
void copy(uint8_t* dst, const uint8_t* a, const uint8_t*, uint64_t, size_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = x[i]; }
}

// ---- saturation mode ------------------------------------------------------------------------------------------------

template <class I>
KB_LANE I clamped(int64_t x) {
    constexpr int64_t high = sizeof(I) == 2 ? 32767 : 2147483647;
    return static_cast<I>(x > high ? high : (x < -high - 1 ? -high - 1 : x));
}

template <class Op, class I, bool scalar_operand>
void saturating(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t scalar, size_t n) {
    I* d = reinterpret_cast<I*>(dst);
    const I* x = reinterpret_cast<const I*>(a);
    const I* y = reinterpret_cast<const I*>(b);
    const int64_t s = scalar_as<I>(scalar);
    KB_LOOP for (size_t i = 0; i < n; ++i) { d[i] = clamped<I>(Op::f(int64_t(x[i]), scalar_operand ? s : int64_t(y[i]))); }
}

struct WideAdd {
    static KB_LANE int64_t f(int64_t a, int64_t b) { return a + b; }
};
struct WideSub {
    static KB_LANE int64_t f(int64_t a, int64_t b) { return a - b; }
};
struct WideMul {
    static KB_LANE int64_t f(int64_t a, int64_t b) { return a * b; }
};

// Products and sums of halves saturate one by one.
Loop finite_loop(VecOp op) {
    switch (op) {
        case VecOp::MulAddDst: return mul_add_dst<Finite, Finite>;
        case VecOp::Axpy: return axpy<Finite, Finite>;
        case VecOp::FusedMulAdd: return fused_mul_add<Finite, false>;
        case VecOp::FusedMulAddRelu: return fused_mul_add<Finite, true>;
        default: return nullptr;
    }
}

// ---- choice by type -------------------------------------------------------------------------------------------------

template <class Op>
Loop float_unary(Dtype t) {
    return t == Dtype::f16 ? unary<Op, F16> : t == Dtype::f32 ? unary<Op, float> : nullptr;
}

template <class Half, class Float, const Bound& bound>
Loop bounded_unary(Dtype t) {
    if (worst_numerics()) {
        return t == Dtype::f16 ? unary_at_bound<Half, F16, bound> : t == Dtype::f32 ? unary_at_bound<Float, float, bound> : nullptr;
    }
    return t == Dtype::f16 ? unary<Half, F16> : t == Dtype::f32 ? unary<Float, float> : nullptr;
}

template <class Op, class T>
void binary_at_bound(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t scalar, size_t n) {
    binary<Op, T>(dst, a, b, scalar, n);
    all_at_bound(reinterpret_cast<T*>(dst), n, kBasicBound);
}

template <class Op>
Loop bounded_binary(Dtype t) {
    if (worst_numerics()) {
        return t == Dtype::f16 ? binary_at_bound<Op, F16> : t == Dtype::f32 ? binary_at_bound<Op, float> : nullptr;
    }
    return t == Dtype::f16 ? binary<Op, F16> : t == Dtype::f32 ? binary<Op, float> : nullptr;
}

template <class Op>
Loop float_binary(Dtype t) {
    return t == Dtype::f16 ? binary<Op, F16> : t == Dtype::f32 ? binary<Op, float> : nullptr;
}

template <class Op>
Loop numeric_binary(Dtype t) {
    return t == Dtype::i16 ? binary<Op, int16_t> : t == Dtype::i32 ? binary<Op, int32_t> : float_binary<Op>(t);
}

template <class Op>
Loop numeric_scalar(Dtype t) {
    switch (t) {
        case Dtype::f16: return with_scalar<Op, F16>;
        case Dtype::f32: return with_scalar<Op, float>;
        case Dtype::i16: return with_scalar<Op, int16_t>;
        case Dtype::i32: return with_scalar<Op, int32_t>;
        default: return nullptr;
    }
}

template <template <class> class Op>
Loop shift_loop(Dtype t) {
    switch (t) {
        case Dtype::i16: return shift<Op, int16_t>;
        case Dtype::u16: return shift<Op, uint16_t>;
        case Dtype::i32: return shift<Op, int32_t>;
        case Dtype::u32: return shift<Op, uint32_t>;
        default: return nullptr;
    }
}

// dst = op(half or float sources) where float accumulation of half sources exists too.
#define KB_MIXED(loop, dst, src)                                                        \
    (dst == Dtype::f32 && src == Dtype::f16   ? loop<float, F16>                        \
     : dst != src                             ? static_cast<Loop>(nullptr)              \
     : dst == Dtype::f16                      ? loop<F16, F16>                          \
     : dst == Dtype::f32                      ? loop<float, float>                      \
                                              : static_cast<Loop>(nullptr))

Loop copy_loop(Dtype t) {
    return element_bits(t) == 16 ? copy<uint16_t> : element_bits(t) == 32 ? copy<uint32_t> : nullptr;
}

Loop fill_loop(Dtype t) {
    return element_bits(t) == 16 ? fill<uint16_t> : element_bits(t) == 32 ? fill<uint32_t> : nullptr;
}

}  // namespace

Loop unary_loop(VecOp op, Dtype t) {
    switch (op) {
        case VecOp::Abs: return float_unary<Abs>(t);
        case VecOp::Exp: return bounded_unary<Exp<F16>, Exp<float>, kBasicBound>(t);
        case VecOp::Ln: return bounded_unary<Ln<F16>, Ln<float>, kBasicBound>(t);
        case VecOp::Sqrt: return bounded_unary<Sqrt, Sqrt, kBasicBound>(t);
        case VecOp::Rsqrt: return bounded_unary<Rsqrt<F16>, Rsqrt<float>, kCoarseBound>(t);
        case VecOp::Reciprocal: return bounded_unary<Reciprocal, Reciprocal, kCoarseBound>(t);
        case VecOp::Relu: return t == Dtype::i32 ? unary<Relu, int32_t> : float_unary<Relu>(t);
        case VecOp::Not: return element_bits(t) == 16 ? unary<Not, uint16_t> : nullptr;
        case VecOp::Copy: return copy_loop(t);
        default: return nullptr;
    }
}

Loop binary_loop(VecOp op, Dtype dst, Dtype src) {
    switch (op) {
        case VecOp::MulAddDst: return KB_MIXED(mul_add_dst, dst, src);
        case VecOp::Add: return numeric_binary<Add>(src);
        case VecOp::Sub: return numeric_binary<Sub>(src);
        case VecOp::Mul: return numeric_binary<Mul>(src);
        case VecOp::Div: return bounded_binary<Div>(src);
        case VecOp::Max: return numeric_binary<Max>(src);
        case VecOp::Min: return numeric_binary<Min>(src);
        case VecOp::And: return element_bits(src) == 16 ? binary<And, uint16_t> : nullptr;
        case VecOp::Or: return element_bits(src) == 16 ? binary<Or, uint16_t> : nullptr;
        case VecOp::AddRelu: return src == Dtype::i16 ? binary<AddRelu, int16_t> : float_binary<AddRelu>(src);
        case VecOp::SubRelu: return src == Dtype::i16 ? binary<SubRelu, int16_t> : float_binary<SubRelu>(src);
        case VecOp::FusedMulAdd:
            return src == Dtype::f16 ? fused_mul_add<F16, false> : src == Dtype::f32 ? fused_mul_add<float, false> : nullptr;
        case VecOp::FusedMulAddRelu:
            return src == Dtype::f16 ? fused_mul_add<F16, true> : src == Dtype::f32 ? fused_mul_add<float, true> : nullptr;
        default: return nullptr;
    }
}

Loop scalar_loop(VecOp op, Dtype dst, Dtype src) {
    switch (op) {
        case VecOp::Axpy: return KB_MIXED(axpy, dst, src);
        case VecOp::Adds: return numeric_scalar<Add>(src);
        case VecOp::Muls: return numeric_scalar<Mul>(src);
        case VecOp::Maxs: return numeric_scalar<Max>(src);
        case VecOp::Mins: return numeric_scalar<Min>(src);
        case VecOp::ShiftLeft: return shift_loop<ShiftLeft>(src);
        case VecOp::ShiftRight: return shift_loop<ShiftRight>(src);
        case VecOp::ShiftRightRound: return shift_loop<ShiftRightRound>(src);
        case VecOp::LeakyRelu:
            return src == Dtype::f16 ? with_scalar<LeakyRelu, F16> : src == Dtype::f32 ? with_scalar<LeakyRelu, float> : nullptr;
        case VecOp::Duplicate: return fill_loop(dst);
        default: return nullptr;
    }
}

Loop saturating_loop(VecOp op, Dtype dst, Dtype src) {
    if (dst == Dtype::f16 && src == Dtype::f16) {
        return finite_loop(op);
    }
    const bool is_short = src == Dtype::i16;
    if (!is_short && src != Dtype::i32) {
        return nullptr;
    }
    switch (op) {
        case VecOp::Add: return is_short ? saturating<WideAdd, int16_t, false> : saturating<WideAdd, int32_t, false>;
        case VecOp::Sub: return is_short ? saturating<WideSub, int16_t, false> : saturating<WideSub, int32_t, false>;
        case VecOp::Mul: return is_short ? saturating<WideMul, int16_t, false> : saturating<WideMul, int32_t, false>;
        case VecOp::Adds: return is_short ? saturating<WideAdd, int16_t, true> : saturating<WideAdd, int32_t, true>;
        case VecOp::Muls: return is_short ? saturating<WideMul, int16_t, true> : saturating<WideMul, int32_t, true>;
        default: return nullptr;
    }
}

const char* name_of(VecOp op) {
    static constexpr const char* kNames[] = {
        "Abs", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Relu", "Not",
        "Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "AddRelu", "SubRelu", "MulAddDst", "FusedMulAdd",
        "FusedMulAddRelu",
        "Adds", "Muls", "Maxs", "Mins", "ShiftLeft", "ShiftRight", "ShiftRight", "LeakyRelu", "Axpy",
        "Cast", "CastDeq", "AddDeqRelu", "AddReluCast", "SubReluCast", "MulCast",
        "Duplicate", "CreateVecIndex", "Copy",
        "Compare", "CompareScalar", "Select", "Select", "SetCmpMask", "GetCmpMask",
        "WholeReduceSum", "WholeReduceMax", "WholeReduceMin", "BlockReduceSum", "BlockReduceMax", "BlockReduceMin",
        "PairReduceSum", "ReduceSum", "ReduceMax", "ReduceMin", "Brcb", "Gather", "Gatherb", "GatherMask",
        "TransDataTo5HD", "Transpose", "Transpose", "BilinearInterpolation",
    };
    return kNames[static_cast<int>(op) - static_cast<int>(VecOp::Abs)];
}

}  // namespace kb::vec
