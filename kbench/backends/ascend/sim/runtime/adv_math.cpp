// The advanced library's elementwise operations: checks, and loops over lanes.
//
// A result is the correctly rounded value of the documented formula: computed in double, and again in double-double
// (adv_slow.cpp) in the rare lanes where double does not decide. What the library itself evaluates in half or step by step
// in float rounds after each step here too: Sigmoid, Silu, Swish and the Gelu family of halves, Fmod, Axpy, Exp with a
// Taylor expansion.
#include <string.h>

#include "adv_math.h"
#include "adv_slow.h"
#include "kb_adv.h"
#include "machine.h"
#include "vec_bound.h"
#include "vec_plan.h"
#include "vec_round.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {
namespace {

// ---- lanes ----------------------------------------------------------------------------------------------------------

struct Lanes {
    uint8_t* dst;
    const uint8_t* a;
    const uint8_t* b;
    double scalar;
    size_t n;
    bool worst;  // exact() moves its float results to the bound; other loops leave that to at_bound()
};

constexpr size_t kInside = ~static_cast<size_t>(0);

// Returns the first lane whose source lies outside the documented domain, or kInside.
using AdvLoop = size_t (*)(const Lanes& lanes);

KB_LANE double load(F16 x) { return widen(x); }
KB_LANE double load(Bf16 x) { return widen(x); }
KB_LANE double load(float x) { return x; }

// A double rounded to T, as a float.
template <class T>
KB_LANE float rounded(double x) {
    if constexpr (sizeof(T) == 2) {
        return widen(narrow(folded(x)));
    } else {
        return static_cast<float>(x);
    }
}
KB_LANE void keep(F16& d, float x) { d = narrow(x); }
KB_LANE void keep(Bf16& d, float x) { d = to_bfloat<Round::rint>(x); }
KB_LANE void keep(float& d, float x) { d = canonical(x); }

constexpr size_t kChunk = 128;

// One operation: kSources tensors; f(x, y, s) of the first, the second (or the scalar) and the scalar.
template <class Op, class T>
size_t first_outside(const T* x, size_t first, size_t n) {
    for (size_t i = first; i < first + n; ++i) {
        if (Op::outside(load(x[i]))) {
            return i;
        }
    }
    return kInside;
}

template <class Op, class T>
size_t exact(const Lanes& l) {
    const T* x = reinterpret_cast<const T*>(l.a);
    const T* y = reinterpret_cast<const T*>(Op::kSources == 2 ? l.b : l.a);
    T* d = reinterpret_cast<T*>(l.dst);
    size_t outside = kInside;
    for (size_t first = 0; first < l.n; first += kChunk) {
        const size_t n = l.n - first < kChunk ? l.n - first : kChunk;
        double value[kChunk];
        double error[kChunk];
        float low[kChunk];
        uint32_t open[kChunk];
        uint32_t any = 0;
        uint32_t beyond = 0;
        KB_LOOP for (size_t i = 0; i < n; ++i) {
            const double a = load(x[first + i]);
            const Approx r = Op::f(a, Op::kSources == 2 ? load(y[first + i]) : l.scalar, l.scalar);
            value[i] = r.y;
            error[i] = r.error;
            beyond |= Op::outside(a) ? 1u : 0u;
        }
        if (__builtin_expect(beyond != 0, 0) && outside == kInside) {
            outside = first_outside<Op, T>(x, first, n);
        }
        KB_LOOP for (size_t i = 0; i < n; ++i) {
            const float below = rounded<T>(value[i] - error[i]);
            const float above = rounded<T>(value[i] + error[i]);
            low[i] = error[i] == 0.0 ? rounded<T>(value[i]) : below;
            open[i] = below < above ? 1u : 0u;
            any |= open[i];
        }
        if (__builtin_expect(any != 0, 0)) {
            for (size_t i = 0; i < n; ++i) {
                if (open[i] != 0) {
                    const double a = load(x[first + i]);
                    const double b = Op::kSources == 2 ? load(y[first + i]) : l.scalar;
                    const Wide w = Op::slow(a, b, l.scalar);
                    low[i] = rounded<T>(sum_to_odd(w.high, w.low));
                }
            }
        }
        if (__builtin_expect(l.worst, 0)) {
            for (size_t i = 0; i < n; ++i) {
                const float result = sizeof(T) == 2 ? static_cast<float>(value[i]) : low[i];
                low[i] = rounded<T>(at_bound(result, kLibraryBound));
            }
        }
        KB_LOOP for (size_t i = 0; i < n; ++i) { keep(d[first + i], low[i]); }
    }
    return outside;
}

#define KB_EXACT(Name, sources, expression)                                                        \
    struct Name {                                                                                  \
        static constexpr int kSources = sources;                                                   \
        static KB_LANE bool outside(double) { return false; }                                      \
        static KB_LANE Approx f(double x, double y, double s) {                                    \
            (void)y;                                                                               \
            (void)s;                                                                               \
            return expression;                                                                     \
        }                                                                                          \
        static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Name, x, y, s); } \
    };

// The same with a documented domain, outside of which the result is invalid: NaN.
#define KB_EXACT_IN(Name, low, high, expression)                                                    \
    struct Name {                                                                                   \
        static constexpr int kSources = 1;                                                          \
        static KB_LANE bool outside(double x) { return (x < low) | (x > high); }                     \
        static KB_LANE Approx f(double x, double, double) {                                         \
            const Approx inside = approx(expression);                                               \
            return {outside(x) ? __builtin_nan("") : inside.y, outside(x) ? 0.0 : inside.error};     \
        }                                                                                           \
        static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Name, x, y, s); }  \
    };

KB_LANE double asinh_d(double x) {
    const double size = __builtin_fabs(x);
    const double z = size * size;
    return sign_of(log1p_d(size + z / (1.0 + root_of(1.0 + z))), x);
}
KB_LANE double acosh_d(double x) {
    const double t = x - 1.0;
    return log1p_d(t + root_of(t * (t + 2.0)));
}
KB_LANE double tanh_d(double x) {
    const Hyperbolic h = hyperbolic(x);
    return h.sinh / h.cosh;
}

KB_EXACT_IN(Acos, -1.0, 1.0, acos_d(x))
KB_EXACT_IN(Acosh, 1.0, 65504.0, acosh_d(x))
KB_EXACT_IN(Asin, -1.0, 1.0, asin_d(x))
KB_EXACT_IN(Asinh, -65504.0, 65504.0, asinh_d(x))
KB_EXACT_IN(Cos, -65504.0, 65504.0, cos_d(x))
KB_EXACT_IN(Sin, -65504.0, 65504.0, sin_d(x))
KB_EXACT_IN(Tan, -65504.0, 65504.0, tan_d(x))
KB_EXACT(Atan, 1, approx(atan_d(x)))
KB_EXACT(Cosh, 1, approx(hyperbolic(x).cosh))
KB_EXACT(Sinh, 1, approx(hyperbolic(x).sinh))
KB_EXACT(Tanh, 1, approx(tanh_d(x)))
KB_EXACT(Erf, 1, approx(erf_d(x)))
KB_EXACT(Erfc, 1, approx(erfc_d(x)))
KB_EXACT(Lgamma, 1, lgamma_d(x))
KB_EXACT(Digamma, 1, digamma_d(x))
KB_EXACT(Exp, 1, approx(exp_d(x)))
KB_EXACT(Log, 1, approx(log_d(x)))
KB_EXACT(Log2, 1, approx(log_d(x) * kLog2e))
KB_EXACT(Log10, 1, approx(log_d(x) * 0x1.bcb7b1526e50ep-2))
KB_EXACT(Power, 2, pow_d(x, y))

// Inside the domain exact; outside, as the library's own formula has it in float: 0.5 ln((1 + x) / (1 - x)).
struct Atanh {
    static constexpr int kSources = 1;
    static KB_LANE bool outside(double x) {
        const double size = __builtin_fabs(x);
        return (size <= 0.001) | (size >= 0.99);
    }
    static KB_LANE float steps(float x) {
        const float ratio = (1.0f + x) / (1.0f - x);
        return 0.5f * static_cast<float>(log_d(ratio));
    }
    static KB_LANE Approx f(double x, double, double) {
        const Approx inside = approx(0.5 * log1p_d(2.0 * x / (1.0 - x)));
        const double invalid = steps(static_cast<float>(x));
        return {outside(x) ? invalid : inside.y, outside(x) ? 0.0 : inside.error};
    }
    static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Atanh, x, y, s); }
};

// The scalar's place is the exponent's (y) or the base's.
struct PowerTo {
    static constexpr int kSources = 1;
    static KB_LANE bool outside(double) { return false; }
    static KB_LANE Approx f(double x, double y, double) { return pow_d(x, y); }
    static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Power, x, y, s); }
};
struct PowerOf {
    static constexpr int kSources = 1;
    static KB_LANE bool outside(double) { return false; }
    static KB_LANE Approx f(double x, double y, double) { return pow_d(y, x); }
    static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Power, y, x, s); }
};

// x / (1 + e^t); the exponential overflows as a float does.
KB_LANE double gated(double x, double t) {
    return x / (1.0 + exp_float(t));
}
KB_LANE double gelu_power(double x) {
    const double z = x * x;
    const double t = -1.5957691216057308 * (x + x * z * 0.044715);
    return t != t && x == x ? -x : t;  // inf * 0 cannot be: the library takes the exponential of -|t| only
}
KB_LANE double geglu_power(double x) {
    return -0.0713548162726 * (x * (x * x + 22.363860002236));
}
KB_EXACT(Sigmoid, 1, approx(gated(1.0, -x)))
KB_EXACT(Silu, 1, approx(gated(x, -x)))
KB_EXACT(Swish, 1, approx(gated(x, -s * x)))
KB_EXACT(FasterGelu, 1, approx(gated(x, -1.702 * x)))
KB_EXACT(SwiGLU, 2, approx(x * gated(y, -s * y)))
KB_EXACT(GeGLU, 2, approx(x * gated(y, geglu_power(y))))

// The stable form: e^min(0, u) / (1 + e^-|u|) has no overflow.
struct Gelu {
    static constexpr int kSources = 1;
    static KB_LANE bool outside(double) { return false; }
    static KB_LANE Approx f(double x, double, double) {
        const double t = gelu_power(x);
        const double falling = exp_d(t > 0.0 ? -t : 0.0);
        const double rest = 1.0 + exp_d(-__builtin_fabs(t));
        const double gone = t > 200.0 ? 0.0 : falling;  // e^-200 is 0 in float
        return approx(x / rest * gone);
    }
    static Wide slow(double x, double y, double s) { return slow_value(AdvOp::Gelu, x, y, s); }
};

// ---- operations that round at each step -----------------------------------------------------------------------------

// Rounds to T, the type that the steps are in.
template <class T>
struct Steps {
    static KB_LANE float r(double x) { return rounded<T>(x); }
    static KB_LANE float c(double x) { return rounded<T>(x); }  // a constant
    static KB_LANE float exp(float x) { return rounded<T>(exp_of<ExpShort>(x)); }
    static KB_LANE float add(float a, float b) { return r(double(a) + double(b)); }
    static KB_LANE float mul(float a, float b) { return r(double(a) * double(b)); }
    static KB_LANE float div(float a, float b) { return r(double(a) / double(b)); }
};
using H = Steps<F16>;

struct HalfSigmoid {
    static KB_LANE float f(float x, float) { return H::div(1.0f, H::add(H::exp(-x), 1.0f)); }
};
struct HalfSilu {
    static KB_LANE float f(float x, float) { return H::div(x, H::add(H::exp(-x), 1.0f)); }
};
struct HalfSwish {
    static KB_LANE float f(float x, float s) { return H::div(x, H::add(H::exp(H::mul(x, -s)), 1.0f)); }
};
template <bool fast>
KB_LANE float half_quotient(float x, float y) {
    return fast ? H::mul(x, H::div(1.0f, y)) : H::div(x, y);
}
template <bool fast>
struct HalfFasterGelu {
    static KB_LANE float f(float x, float) {
        return half_quotient<fast>(x, H::add(H::exp(H::mul(x, H::c(-1.702))), 1.0f));
    }
};
template <bool fast>
struct HalfGelu {
    static KB_LANE float f(float x, float) {
        const float cube = H::mul(x, H::mul(x, x));
        const float u = H::mul(H::add(x, H::mul(cube, H::c(0.044715))), H::c(1.5957691216057308));
        const float rising = H::exp(min_of(u, 0.0f));
        const float rest = H::add(H::exp(-__builtin_fabsf(u)), 1.0f);
        return H::mul(half_quotient<fast>(x, rest), rising);
    }
};
// The sign of x is (x + 1e-12) / |x + 1e-12|; in half 1e-12 is 0, so zero has none (NaN).
template <class S, bool fast>
struct GeluV2 {
    static KB_LANE float f(float x, float) {
        const float size = __builtin_fabsf(S::mul(x, S::c(0.7071)));
        const float clipped = S::add(min_of(size, S::c(1.769)), S::c(-1.769));
        const float bell = S::add(S::mul(S::mul(clipped, clipped), S::c(-0.1444)), 0.5f);
        const float moved = S::add(x, S::c(1e-12));
        const float top = __builtin_fabsf(moved);
        const float sign = fast ? S::mul(moved, S::div(1.0f, top)) : S::div(moved, top);
        return S::mul(x, S::add(S::mul(bell, sign), 0.5f));
    }
};

struct Ceil {
    static KB_LANE float f(float x, float) { return to_integral<Round::ceil>(x) + 0.0f; }
};
struct Floor {
    static KB_LANE float f(float x, float) { return to_integral<Round::floor>(x) + 0.0f; }
};
struct Rint {
    static KB_LANE float f(float x, float) { return to_integral<Round::rint>(x) + 0.0f; }
};
struct Trunc {
    static KB_LANE float f(float x, float) { return to_integral<Round::trunc>(x) + 0.0f; }
};
struct Frac {
    static KB_LANE float f(float x, float) { return x - (to_integral<Round::trunc>(x) + 0.0f); }
};
struct Sign {
    static KB_LANE float f(float x, float) { return (x > 0.0f ? 1.0f : 0.0f) - (x < 0.0f ? 1.0f : 0.0f); }
};
struct ClampMax {
    static KB_LANE float f(float x, float s) { return min_of(x, s); }
};
struct ClampMin {
    static KB_LANE float f(float x, float s) { return max_of(x, s); }
};
struct Fmod {
    static KB_LANE float f(float a, float b) {
        const float whole = to_integral<Round::trunc>(a / b) + 0.0f;
        const float product = whole * b;
        return a - product;
    }
};
struct ReGlu {
    static KB_LANE float f(float a, float b) { return a * max_of(b, 0.0f); }
};

template <class Op, class T>
size_t with_scalar(const Lanes& l) {
    const T* x = reinterpret_cast<const T*>(l.a);
    T* d = reinterpret_cast<T*>(l.dst);
    const float s = static_cast<float>(l.scalar);
    KB_LOOP for (size_t i = 0; i < l.n; ++i) { keep(d[i], Op::f(static_cast<float>(load(x[i])), s)); }
    return kInside;
}

template <class Op, class T>
size_t of_two(const Lanes& l) {
    const T* x = reinterpret_cast<const T*>(l.a);
    const T* y = reinterpret_cast<const T*>(l.b);
    T* d = reinterpret_cast<T*>(l.dst);
    KB_LOOP for (size_t i = 0; i < l.n; ++i) {
        keep(d[i], Op::f(static_cast<float>(load(x[i])), static_cast<float>(load(y[i]))));
    }
    return kInside;
}

size_t bits_xor(const Lanes& l) {
    const uint16_t* x = reinterpret_cast<const uint16_t*>(l.a);
    const uint16_t* y = reinterpret_cast<const uint16_t*>(l.b);
    uint16_t* d = reinterpret_cast<uint16_t*>(l.dst);
    KB_LOOP for (size_t i = 0; i < l.n; ++i) { d[i] = static_cast<uint16_t>(x[i] ^ y[i]); }
    return kInside;
}

// dst += src * scalar in float, rounded to dst at the end.
template <class D, class S>
size_t axpy(const Lanes& l) {
    const S* x = reinterpret_cast<const S*>(l.a);
    D* d = reinterpret_cast<D*>(l.dst);
    const float s = static_cast<float>(l.scalar);
    KB_LOOP for (size_t i = 0; i < l.n; ++i) {
        const float product = static_cast<float>(load(x[i])) * s;
        keep(d[i], product + static_cast<float>(load(d[i])));
    }
    return kInside;
}

// e^i (1 + f + ... + f^level / level!), in float.
template <class T>
size_t taylor(const Lanes& l) {
    const T* x = reinterpret_cast<const T*>(l.a);
    T* d = reinterpret_cast<T*>(l.dst);
    const int level = static_cast<int>(l.scalar);
    for (size_t at = 0; at < l.n; ++at) {
        const float value = static_cast<float>(load(x[at]));
        const float whole = to_integral<Round::floor>(value) + 0.0f;
        const float part = value - whole;
        float power = part;
        float sum = part + 1.0f;
        for (int k = 2; k <= level; ++k) {
            power = power * part;
            power = power * (1.0f / static_cast<float>(k));
            sum = sum + power;
        }
        keep(d[at], sum * static_cast<float>(exp_d(whole)));
    }
    return kInside;
}

// Powers of integers wrap; a negative exponent gives 1 / power, truncated, and 0 where the power is 0.
KB_LANE int32_t int_power(int32_t base, int32_t exponent) {
    uint32_t left = exponent < 0 ? 0u - static_cast<uint32_t>(exponent) : static_cast<uint32_t>(exponent);
    uint32_t square = static_cast<uint32_t>(base);
    uint32_t power = 1;
    for (; left != 0; left >>= 1) {
        power = (left & 1) != 0 ? power * square : power;
        square *= square;
    }
    const int32_t value = static_cast<int32_t>(power);
    return exponent >= 0 ? value : (value == 1 || value == -1 ? value : 0);
}

template <int scalar>  // 0: none, 1: the exponent, 2: the base
size_t int_powers(const Lanes& l) {
    const int32_t* x = reinterpret_cast<const int32_t*>(l.a);
    const int32_t* y = reinterpret_cast<const int32_t*>(scalar == 0 ? l.b : l.a);
    int32_t* d = reinterpret_cast<int32_t*>(l.dst);
    const int32_t s = static_cast<int32_t>(l.scalar);
    for (size_t i = 0; i < l.n; ++i) {
        d[i] = int_power(scalar == 2 ? s : x[i], scalar == 1 ? s : y[i]);
    }
    return kInside;
}

// ---- choice ---------------------------------------------------------------------------------------------------------

template <class Op>
AdvLoop exact_loop(Dtype t) {
    return t == Dtype::f16 ? exact<Op, F16> : exact<Op, float>;
}

template <class Op>
AdvLoop scalar_loop_of(Dtype t) {
    return t == Dtype::f16 ? with_scalar<Op, F16> : with_scalar<Op, float>;
}

// Halves step by step in half, unless highPrecision; floats, and halves in float, rounded once.
template <class Op, class Half>
AdvLoop stepped(Dtype t, bool precise) {
    return t == Dtype::f16 && !precise ? with_scalar<Half, F16> : exact_loop<Op>(t);
}

AdvLoop gelu_loop(const AdvForm& form, Dtype t) {
    const bool precise = (form.flags & kAdvHighPrecision) != 0;
    const bool fast = (form.flags & kAdvHighPerformance) != 0;
    using F = Steps<float>;
    switch (form.op) {
        case AdvOp::Gelu: return fast ? stepped<Gelu, HalfGelu<true>>(t, precise) : stepped<Gelu, HalfGelu<false>>(t, precise);
        case AdvOp::FasterGelu:
            return fast ? stepped<FasterGelu, HalfFasterGelu<true>>(t, precise)
                        : stepped<FasterGelu, HalfFasterGelu<false>>(t, precise);
        default:
            if (t == Dtype::f16 && !precise) {
                return fast ? with_scalar<GeluV2<H, true>, F16> : with_scalar<GeluV2<H, false>, F16>;
            }
            return fast ? scalar_loop_of<GeluV2<F, true>>(t) : scalar_loop_of<GeluV2<F, false>>(t);
    }
}

AdvLoop power_loop(const AdvForm& form, Dtype t) {
    const bool base = (form.flags & kAdvScalarBase) != 0;
    if (form.op == AdvOp::Power) {
        return t == Dtype::i32 ? int_powers<0> : exact_loop<Power>(t);
    }
    if (t == Dtype::i32) {
        return base ? int_powers<2> : int_powers<1>;
    }
    return base ? exact_loop<PowerOf>(t) : exact_loop<PowerTo>(t);
}

AdvLoop loop_of(const AdvForm& form, Dtype dst, Dtype src) {
    switch (form.op) {
        case AdvOp::Acos: return exact_loop<Acos>(src);
        case AdvOp::Acosh: return exact_loop<Acosh>(src);
        case AdvOp::Asin: return exact_loop<Asin>(src);
        case AdvOp::Asinh: return exact_loop<Asinh>(src);
        case AdvOp::Atan: return exact_loop<Atan>(src);
        case AdvOp::Atanh: return exact_loop<Atanh>(src);
        case AdvOp::Cos: return exact_loop<Cos>(src);
        case AdvOp::Cosh: return exact_loop<Cosh>(src);
        case AdvOp::Digamma: return exact_loop<Digamma>(src);
        case AdvOp::Erf: return exact_loop<Erf>(src);
        case AdvOp::Erfc: return exact_loop<Erfc>(src);
        case AdvOp::Exp:
            return form.level == 0 ? exact_loop<Exp>(src) : (src == Dtype::f16 ? taylor<F16> : taylor<float>);
        case AdvOp::Lgamma: return exact_loop<Lgamma>(src);
        case AdvOp::Log: return exact_loop<Log>(src);
        case AdvOp::Log2: return exact_loop<Log2>(src);
        case AdvOp::Log10: return exact_loop<Log10>(src);
        case AdvOp::Sin: return exact_loop<Sin>(src);
        case AdvOp::Sinh: return exact_loop<Sinh>(src);
        case AdvOp::Tan: return exact_loop<Tan>(src);
        case AdvOp::Tanh: return exact_loop<Tanh>(src);
        case AdvOp::Ceil: return scalar_loop_of<Ceil>(src);
        case AdvOp::Floor: return scalar_loop_of<Floor>(src);
        case AdvOp::Round: return scalar_loop_of<Rint>(src);
        case AdvOp::Trunc: return scalar_loop_of<Trunc>(src);
        case AdvOp::Frac: return scalar_loop_of<Frac>(src);
        case AdvOp::Sign: return scalar_loop_of<Sign>(src);
        case AdvOp::ClampMax: return scalar_loop_of<ClampMax>(src);
        case AdvOp::ClampMin: return scalar_loop_of<ClampMin>(src);
        case AdvOp::Xor: return bits_xor;
        case AdvOp::Fmod: return src == Dtype::f16 ? of_two<Fmod, F16> : of_two<Fmod, float>;
        case AdvOp::Axpy: return dst == Dtype::f16 ? axpy<F16, F16> : (src == Dtype::f16 ? axpy<float, F16> : axpy<float, float>);
        case AdvOp::Power:
        case AdvOp::PowerScalar: return power_loop(form, src);
        case AdvOp::Sigmoid: return stepped<Sigmoid, HalfSigmoid>(src, false);
        case AdvOp::Silu: return stepped<Silu, HalfSilu>(src, false);
        case AdvOp::Swish: return stepped<Swish, HalfSwish>(src, false);
        case AdvOp::SwiGLU: return exact_loop<SwiGLU>(src);
        case AdvOp::GeGLU: return exact_loop<GeGLU>(src);
        case AdvOp::ReGlu:
            return src == Dtype::bf16  ? of_two<ReGlu, Bf16>
                   : src == Dtype::f16 ? of_two<ReGlu, F16>
                                       : of_two<ReGlu, float>;
        default: return gelu_loop(form, src);
    }
}

constexpr const char* kNames[] = {
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Digamma", "Erf", "Erfc", "Exp", "Lgamma", "Log", "Log2",
    "Log10", "Sin", "Sinh", "Tan", "Tanh", "Ceil", "Floor", "Round", "Trunc", "Frac", "Sign", "ClampMax", "ClampMin", "Xor",
    "Fmod", "Axpy", "Power", "Power", "Sigmoid", "Silu", "Swish", "Gelu", "FasterGelu", "FasterGeluV2", "SwiGLU", "GeGLU",
    "ReGlu",
};
static_assert(sizeof(kNames) / sizeof(kNames[0]) == static_cast<size_t>(AdvOp::end) - static_cast<size_t>(AdvOp::Acos));

const char* api_of(AdvOp op) {
    return kNames[static_cast<size_t>(op) - static_cast<size_t>(AdvOp::Acos)];
}

const char* domain_of(AdvOp op) {
    switch (op) {
        case AdvOp::Acos: case AdvOp::Asin: return "[-1, 1]";
        case AdvOp::Acosh: return "[1, 65504]";
        case AdvOp::Atanh: return "(-0.99, -0.001) or (0.001, 0.99)";
        default: return "[-65504, 65504]";
    }
}

// ---- checks ---------------------------------------------------------------------------------------------------------

bool two_sources(AdvOp op) {
    return op == AdvOp::Xor || op == AdvOp::Fmod || op == AdvOp::Power || op == AdvOp::SwiGLU || op == AdvOp::GeGLU ||
           op == AdvOp::ReGlu;
}

// The documentation lets these work in place, or says nothing against it.
bool in_place_allowed(AdvOp op) {
    return op == AdvOp::Gelu || op == AdvOp::FasterGelu || op == AdvOp::FasterGeluV2 || op == AdvOp::Trunc ||
           op == AdvOp::Round;
}

Operand operand(const View& view, const char* name) {
    return {view, name, element_bits(view.dtype), kBlockBytes, kRepeatBytes};
}

struct Call {
    const AdvForm& form;
    const char* api;
    Operand dst;
    Operand src[2];
    int sources;

    uint64_t bytes(const Operand& o) const { return static_cast<uint64_t>(form.count) * o.bits / 8; }
};

void check_operands(const Call& c) {
    for (int i = 0; i < c.sources; ++i) {
        check_place(c.src[i], kBlockBytes, c.api);
        check_count(c.src[i], c.form.count, c.api, false);
    }
    if (c.form.op == AdvOp::Axpy) {
        check_count(c.dst, c.form.count, c.api, false);
    }
    check_place(c.dst, kBlockBytes, c.api);
    check_count(c.dst, c.form.count, c.api, true);
}

void check_overlap(const Call& c) {
    for (int i = 0; i < c.sources; ++i) {
        if (!overlap(c.dst.view.ptr, c.bytes(c.dst), c.src[i].view.ptr, c.bytes(c.src[i]))) {
            continue;
        }
        const bool same = c.dst.view.ptr == c.src[i].view.ptr && c.dst.bits == c.src[i].bits;
        if (!(same && in_place_allowed(c.form.op))) {
            warning("E11", c.api, "dst overlaps %s: expected tensors apart", c.src[i].name);
        }
    }
}

// Where a source is read from. Each piece of a source is read before its results are written, so one that dst overlaps at
// another address is set aside: kernels exist that rely on it.
const uint8_t* read_from(const Call& c, int i) {
    static uint8_t aside[2][kMaxUb];
    const Operand& src = c.src[i];
    const bool apart = i >= c.sources || src.view.ptr == c.dst.view.ptr || !overlap(c.dst.view.ptr, c.bytes(c.dst), src.view.ptr, c.bytes(src));
    return apart ? src.view.ptr : static_cast<const uint8_t*>(__builtin_memcpy(aside[i], src.view.ptr, c.bytes(src)));
}

AdvTmp tmp_of(const Call& c) {
    const uint32_t type_bytes = c.src[0].bits / 8;
    if (c.form.op == AdvOp::Power || c.form.op == AdvOp::PowerScalar) {
        return power_tmp(c.form.op == AdvOp::PowerScalar, c.src[0].view.dtype == Dtype::i32, c.form.count, type_bytes);
    }
    return adv_tmp(c.form.op, c.form.count, type_bytes, (c.form.flags & kAdvReuseSource) != 0);
}

// The temporary, checked; its bytes that the device may use hold nothing afterwards.
void use_tmp(const Call& c, View given) {
    const AdvTmp need = tmp_of(c);
    if (need.min == 0) {
        return;
    }
    const bool framework = (c.form.flags & kAdvFramework) != 0;
    const View view = framework ? kbrt_pipe_rest(c.dst.view.position) : given;
    const Operand tmp = operand(view, framework ? "the framework's temporary buffer" : "sharedTmpBuffer");
    if (framework && view.bytes < need.min) {
        error("E14", c.api, "UB left by InitBuffer for the temporary buffer: expected at least %u bytes, got %u", need.min,
              view.bytes);
    }
    check_place(tmp, kBlockBytes, c.api);
    kbrt_require_tmp(c.api, view, need.min);
    const uint32_t used = view.bytes < need.max ? view.bytes : need.max;
    check_write(view, 0, used, c.api, tmp.name);
    const Operand* others[] = {&c.dst, &c.src[0], &c.src[1]};
    for (int i = 0; i <= c.sources; ++i) {
        if (overlap(tmp.view.ptr, used, others[i]->view.ptr, c.bytes(*others[i]))) {
            error("E11", c.api, "sharedTmpBuffer overlaps %s: expected tensors apart", others[i]->name);
        }
    }
    poison_local(view.ptr, used);
}

void spoil_source(const Call& c) {
    const bool float_source = c.src[0].view.dtype == Dtype::f32;
    const bool used = c.form.op == AdvOp::Sin || c.form.op == AdvOp::Cos || c.form.op == AdvOp::Exp ||
                      c.form.op == AdvOp::Digamma || c.form.op == AdvOp::Lgamma;
    if ((c.form.flags & kAdvReuseSource) != 0 && float_source && used && c.dst.view.ptr != c.src[0].view.ptr) {
        check_write(c.src[0].view, 0, c.bytes(c.src[0]), c.api, "src");
        poison_local(c.src[0].view.ptr, c.bytes(c.src[0]));
    }
}

// Rounding, signs, limits and bits are exact; Fmod, Axpy and ReGlu consist of exact steps but for Fmod's quotient.
bool approximates(AdvOp op) {
    return op < AdvOp::Ceil || op == AdvOp::Power || op == AdvOp::PowerScalar ||
           (op >= AdvOp::Sigmoid && op != AdvOp::FasterGeluV2 && op != AdvOp::ReGlu);
}

// Of halves: what the library computes in half itself, rather than in float with one rounding at the end.
bool works_in_half(const AdvForm& form) {
    switch (form.op) {
        case AdvOp::Log: case AdvOp::Log10: case AdvOp::Sigmoid: case AdvOp::Silu: case AdvOp::Swish: return true;
        case AdvOp::Gelu: case AdvOp::FasterGelu: return (form.flags & kAdvHighPrecision) == 0;
        default: return false;
    }
}

// Whether the error lies in the float results of exact().
bool bound_in_float(const Call& c) {
    const bool taylor = c.form.op == AdvOp::Exp && c.form.level > 0;
    return !taylor && !(c.dst.view.dtype == Dtype::f16 && works_in_half(c.form));
}

void results_at_bound(const Call& c) {
    if (c.dst.view.dtype == Dtype::f16) {
        all_at_bound(reinterpret_cast<F16*>(c.dst.view.ptr), c.form.count, kLibraryBound);
    } else if (c.dst.view.dtype == Dtype::f32) {
        all_at_bound(reinterpret_cast<float*>(c.dst.view.ptr), c.form.count, kLibraryBound);
    }
}

double scalar_of(const AdvForm& form, Dtype t) {
    if (form.op == AdvOp::Exp) {
        return form.level;
    }
    if (t == Dtype::i32) {
        return static_cast<int32_t>(form.scalar);
    }
    return t == Dtype::f16 && form.op != AdvOp::SwiGLU ? widen(F16{static_cast<uint16_t>(form.scalar)})
                                                       : bits_as<float>(static_cast<uint32_t>(form.scalar));
}

void run(Call& c, View tmp) {
    const VecForm counted = vec_count(static_cast<VecOp>(c.form.op), c.form.count);
    if (begin_count(counted, c.api) == 0) {
        return note(counted.op, 0, 0);
    }
    check_operands(c);
    check_overlap(c);
    use_tmp(c, tmp);
    const AdvLoop loop = loop_of(c.form, c.dst.view.dtype, c.src[0].view.dtype);
    const double scalar = scalar_of(c.form, c.src[0].view.dtype);
    const bool worst = worst_numerics() && approximates(c.form.op);
    const bool in_float = bound_in_float(c);
    const size_t outside = loop({c.dst.view.ptr, read_from(c, 0), read_from(c, 1), scalar, c.form.count, worst && in_float});
    if (outside != kInside) {
        warning("E56", c.api, "src: expected values in %s, got another in element %lu: its result is invalid", domain_of(c.form.op),
                static_cast<unsigned long>(outside));
    }
    if (worst && !in_float) {
        results_at_bound(c);
    }
    spoil_source(c);
    const uint64_t bytes = c.bytes(c.dst.bits > c.src[0].bits ? c.dst : c.src[0]);
    note(counted.op, (bytes + kRepeatBytes - 1) / kRepeatBytes, bytes);
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_adv(kb::View dst, kb::View src0, kb::View src1, kb::View tmp, const kb::AdvForm& form) {
    using namespace kb::vec;
    const bool two = two_sources(form.op);
    Call call{form, api_of(form.op), operand(dst, "dst"), {operand(src0, two ? "src0" : "src"), operand(src1, "src1")},
              two ? 2 : 1};
    run(call, tmp);
}
