// Double-double arithmetic and the elementary functions on it, after Dekker and Knuth; no fused multiply-add.
#include "adv_slow.h"

#include "adv_math.h"

namespace kb::vec {
namespace {

// ---- arithmetic -----------------------------------------------------------------------------------------------------

Wide quick_sum(double a, double b) {  // |a| >= |b|
    const double s = a + b;
    return {s, b - (s - a)};
}

Wide two_sum(double a, double b) {
    const double s = a + b;
    const double v = s - a;
    return {s, (a - (s - v)) + (b - v)};
}

Wide two_product(double a, double b) {
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const double p = a * b;
    const double ta = kSplit * a;
    const double tb = kSplit * b;
    const double ah = ta - (ta - a);
    const double bh = tb - (tb - b);
    const double al = a - ah;
    const double bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

Wide operator-(Wide a) { return {-a.high, -a.low}; }

Wide operator+(Wide a, Wide b) {
    const Wide s = two_sum(a.high, b.high);
    const Wide t = two_sum(a.low, b.low);
    const Wide u = quick_sum(s.high, s.low + t.high);
    return quick_sum(u.high, u.low + t.low);
}
Wide operator-(Wide a, Wide b) { return a + -b; }

Wide operator*(Wide a, Wide b) {
    const Wide p = two_product(a.high, b.high);
    return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

Wide operator/(Wide a, Wide b) {
    const double q1 = a.high / b.high;
    const Wide r1 = a - Wide{q1, 0.0} * b;
    const double q2 = r1.high / b.high;
    const Wide r2 = r1 - Wide{q2, 0.0} * b;
    return quick_sum(q1, q2) + Wide{r2.high / b.high, 0.0};
}

Wide wide(double x) { return {x, 0.0}; }
Wide operator+(Wide a, double b) { return a + wide(b); }
Wide operator*(Wide a, double b) { return a * wide(b); }
Wide operator/(double a, Wide b) { return wide(a) / b; }

Wide root(Wide a) {
    if (a.high <= 0.0) {
        return wide(0.0);
    }
    const double r = root_of(a.high);
    return wide(r) + (a - wide(r) * wide(r)) / wide(2.0 * r);
}

Wide scaled(Wide a, int n) {  // times 2^n, |n| < 1000
    const double f = bits_as<double>(static_cast<uint64_t>(1023 + n) << 52);
    return {a.high * f, a.low * f};
}

constexpr Wide kWidePi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Wide kWideHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Wide kWideLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Wide kWideLn10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Wide kWideHalfLn2Pi{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
constexpr Wide kWideTwoOverRootPi{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};

// ---- exponential, logarithm -----------------------------------------------------------------------------------------

// e^x - 1 for |x| <= 0.35, with full relative precision: Taylor at x / 64, then six doublings of e^x - 1.
Wide expm1_small(Wide x) {
    const Wide r = scaled(x, -6);
    Wide sum = wide(0.0);
    for (int k = 14; k >= 2; --k) {
        sum = (sum + 1.0) * r / wide(k);
    }
    Wide e = r + r * sum;
    for (int i = 0; i < 6; ++i) {
        e = e * (e + 2.0);
    }
    return e;
}

Wide exp_wide(Wide x) {
    if (x.high < -700.0) {
        return wide(0.0);
    }
    const double n = __builtin_elementwise_roundeven(x.high * kLog2e);
    const Wide r = x - kWideLn2 * n;
    return scaled(expm1_small(r) + 1.0, static_cast<int>(n));
}

Wide expm1_wide(Wide x) {
    return __builtin_fabs(x.high) < 0.35 ? expm1_small(x) : exp_wide(x) + -1.0;
}

// One Newton step from the double's logarithm.
Wide log_wide(Wide x) {
    const double y = log_d(x.high);
    const Wide e = x * exp_wide(wide(-y)) + -1.0;
    return wide(y) + (e - scaled(e * e, -1));
}

Wide log1p_wide(Wide t) {
    if (__builtin_fabs(t.high) > 0x1p-20) {
        return log_wide(t + 1.0);
    }
    Wide sum = wide(0.0);
    for (int k = 8; k >= 1; --k) {
        sum = 1.0 / wide(k) - sum * t;
    }
    return t * sum;
}

// ---- trigonometric --------------------------------------------------------------------------------------------------

Wide sin_series(Wide r) {
    const Wide z = r * r;
    Wide sum = wide(0.0);
    for (int k = 28; k >= 2; k -= 2) {
        sum = -((sum + 1.0) * z) / wide(k * (k + 1.0));
    }
    return r + r * sum;
}

Wide cos_series(Wide r) {
    const Wide z = r * r;
    Wide sum = wide(0.0);
    for (int k = 28; k >= 2; k -= 2) {
        sum = -((sum + 1.0) * z) / wide(k * (k - 1.0));
    }
    return sum + 1.0;
}

struct WideAngle {
    Wide sin;
    Wide cos;
};

WideAngle wide_angle(Wide x) {
    const double n = __builtin_elementwise_roundeven(x.high * 0x1.45f306dc9c883p-1);
    const Wide r = (((x - two_product(n, 0x1.921fb54442d18p+0)) - two_product(n, 0x1.1a62633145c07p-54)) -
                    two_product(n, -0x1.f1976b7ed8fbcp-110)) -
                   two_product(n, 0x1.4cf98e804177dp-164);
    const Wide s = sin_series(r);
    const Wide c = cos_series(r);
    switch (static_cast<int64_t>(n) & 3) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

// Each inverse function is the double's value plus the small angle between.
Wide asin_wide(double x) {
    const double y = asin_d(x);
    const WideAngle a = wide_angle(wide(y));
    const Wide w = root((wide(1.0) + -x) * (wide(1.0) + x));
    return wide(y) + (a.cos * x - w * a.sin);
}

Wide acos_wide(double x) {
    const double y = acos_d(x);
    const WideAngle a = wide_angle(wide(y));
    const Wide w = root((wide(1.0) + -x) * (wide(1.0) + x));
    return wide(y) + (w * a.cos - a.sin * x);
}

Wide atan_wide(double x) {
    const double y = atan_d(x);
    const WideAngle a = wide_angle(wide(y));
    return wide(y) + (a.cos * x - a.sin) / (a.cos + a.sin * x);
}

// ---- hyperbolic -----------------------------------------------------------------------------------------------------

Wide sinh_wide(double x) {
    const Wide e = expm1_wide(wide(x));
    return scaled(e + e / (e + 1.0), -1);
}

Wide cosh_wide(double x) {
    const Wide e = exp_wide(wide(__builtin_fabs(x)));
    return scaled(e + 1.0 / e, -1);
}

Wide tanh_wide(double x) {
    const Wide e = expm1_wide(wide(2.0 * x));
    return e / (e + 2.0);
}

Wide asinh_wide(double x) {
    const Wide size = wide(__builtin_fabs(x));
    const Wide z = size * size;
    const Wide value = log1p_wide(size + z / (root(z + 1.0) + 1.0));
    return x < 0.0 ? -value : value;
}

Wide acosh_wide(double x) {
    const Wide t = wide(x) + -1.0;
    return log1p_wide(t + root(t * (t + 2.0)));
}

Wide atanh_wide(double x) {
    return scaled(log1p_wide(wide(2.0 * x) / (wide(1.0) + -x)), -1);
}

// ---- error function -------------------------------------------------------------------------------------------------

// 2 / sqrt(pi) e^(-x^2) times the sum of x (2 x^2)^k / (2k+1)!!, all terms of one sign.
Wide erf_series(double x) {
    const Wide z = wide(x) * wide(x);
    Wide term = wide(x);
    Wide sum = term;
    for (int k = 1; k < 400 && __builtin_fabs(term.high) > __builtin_fabs(sum.high) * 0x1p-108; ++k) {
        term = term * scaled(z, 1) / wide(2.0 * k + 1.0);
        sum = sum + term;
    }
    return kWideTwoOverRootPi * exp_wide(-z) * sum;
}

// The continued fraction of erfc, for x >= 2.
Wide erfc_fraction(double x) {
    Wide f = wide(x);
    for (int k = 300; k >= 1; --k) {
        f = wide(x) + wide(0.5 * k) / f;
    }
    const Wide z = wide(x) * wide(x);
    return scaled(kWideTwoOverRootPi, -1) * exp_wide(-z) / f;
}

Wide erf_wide(double x) {
    if (__builtin_fabs(x) < 2.0) {
        return erf_series(x);
    }
    const Wide value = wide(1.0) - erfc_fraction(__builtin_fabs(x));
    return x < 0.0 ? -value : value;
}

Wide erfc_wide(double x) {
    return x >= 2.0 ? erfc_fraction(x) : wide(1.0) - erf_wide(x);
}

// ---- gamma ----------------------------------------------------------------------------------------------------------

// B_2, B_4, ... as fractions.
constexpr double kBernoulli[][2] = {
    {1, 6},           {-1, 30},         {1, 42},           {-1, 30},        {5, 66},
    {-691, 2730},     {7, 6},           {-3617, 510},      {43867, 798},    {-174611, 330},
    {854513, 138},    {-236364091, 2730}, {8553103, 6},    {-23749461029, 870}, {8615841276005, 14322},
};
constexpr int kBernoullis = 15;
constexpr double kFar = 40.0;

Wide lgamma_positive_wide(Wide x) {
    Wide product = wide(1.0);
    Wide moved = wide(0.0);
    while (x.high < kFar) {
        product = product * x;
        x = x + 1.0;
        if (product.high > 1e200) {
            moved = moved + log_wide(product);
            product = wide(1.0);
        }
    }
    moved = moved + log_wide(product);
    const Wide z = 1.0 / (x * x);
    Wide sum = wide(0.0);
    for (int k = kBernoullis; k >= 1; --k) {
        const double* b = kBernoulli[k - 1];
        sum = sum * z + wide(b[0]) / (wide(b[1]) * (2.0 * k * (2.0 * k - 1.0)));
    }
    const Wide main = (x + -0.5) * log_wide(x) - x + kWideHalfLn2Pi + sum / x;
    return main - moved;
}

Wide lgamma_wide(double x) {
    if (x >= 0.5) {
        return lgamma_positive_wide(wide(x));
    }
    const double part = x - __builtin_elementwise_roundeven(x);
    Wide sine = wide_angle(kWidePi * part).sin;
    sine = sine.high < 0.0 ? -sine : sine;
    return log_wide(kWidePi / sine) - lgamma_positive_wide(wide(1.0) + -x);
}

Wide digamma_positive_wide(Wide x) {
    Wide moved = wide(0.0);
    while (x.high < kFar) {
        moved = moved + 1.0 / x;
        x = x + 1.0;
    }
    const Wide z = 1.0 / (x * x);
    Wide sum = wide(0.0);
    for (int k = kBernoullis; k >= 1; --k) {
        const double* b = kBernoulli[k - 1];
        sum = (sum + wide(b[0]) / (wide(b[1]) * (2.0 * k))) * z;
    }
    return log_wide(x) - 0.5 / x - sum - moved;
}

Wide digamma_wide(double x) {
    if (x >= 0.5) {
        return digamma_positive_wide(wide(x));
    }
    const WideAngle a = wide_angle(kWidePi * (x - __builtin_elementwise_roundeven(x)));
    return digamma_positive_wide(wide(1.0) + -x) - kWidePi * a.cos / a.sin;
}

// ---- power, activations ---------------------------------------------------------------------------------------------

// A result whose low part is this small is exact: the device's operands have few bits.
Wide pow_wide(double x, double y) {
    Wide value = exp_wide(log_wide(wide(__builtin_fabs(x))) * y);
    if (__builtin_fabs(value.low) < __builtin_fabs(value.high) * 0x1p-84) {
        value.low = 0.0;
    }
    const double half = 0.5 * y;
    const bool odd = __builtin_elementwise_trunc(y) == y && __builtin_elementwise_trunc(half) != half;
    return x < 0.0 && odd ? -value : value;
}

// 1 / (1 + e^t)
Wide logistic(Wide t) {
    return 1.0 / (exp_wide(t) + 1.0);
}

Wide gelu_argument(double x) {
    const Wide z = wide(x) * wide(x);
    return (wide(x) + wide(x) * z * 0.044715) * -1.5957691216057308;
}

Wide geglu_argument(double x) {
    const Wide z = wide(x) * wide(x);
    return wide(x) * (z + 22.363860002236) * -0.0713548162726;
}

}  // namespace

Wide slow_value(AdvOp op, double x, double y, double scalar) {
    switch (op) {
        case AdvOp::Acos: return acos_wide(x);
        case AdvOp::Acosh: return acosh_wide(x);
        case AdvOp::Asin: return asin_wide(x);
        case AdvOp::Asinh: return asinh_wide(x);
        case AdvOp::Atan: return atan_wide(x);
        case AdvOp::Atanh: return atanh_wide(x);
        case AdvOp::Cos: return wide_angle(wide(x)).cos;
        case AdvOp::Cosh: return cosh_wide(x);
        case AdvOp::Digamma: return digamma_wide(x);
        case AdvOp::Erf: return erf_wide(x);
        case AdvOp::Erfc: return erfc_wide(x);
        case AdvOp::Exp: return exp_wide(wide(x));
        case AdvOp::Lgamma: return lgamma_wide(x);
        case AdvOp::Log: return log_wide(wide(x));
        case AdvOp::Log2: return log_wide(wide(x)) / kWideLn2;
        case AdvOp::Log10: return log_wide(wide(x)) / kWideLn10;
        case AdvOp::Sin: return wide_angle(wide(x)).sin;
        case AdvOp::Sinh: return sinh_wide(x);
        case AdvOp::Tan: {
            const WideAngle a = wide_angle(wide(x));
            return a.sin / a.cos;
        }
        case AdvOp::Tanh: return tanh_wide(x);
        case AdvOp::Power:
        case AdvOp::PowerScalar: return pow_wide(x, y);
        case AdvOp::Sigmoid: return logistic(wide(-x));
        case AdvOp::Silu: return logistic(wide(-x)) * x;
        case AdvOp::Swish: return logistic(wide(x) * -scalar) * x;
        case AdvOp::SwiGLU: return logistic(wide(y) * -scalar) * y * x;
        case AdvOp::Gelu: return logistic(gelu_argument(x)) * x;
        case AdvOp::FasterGelu: return logistic(wide(x) * -1.702) * x;
        case AdvOp::GeGLU: return logistic(geglu_argument(y)) * y * x;
        default: return wide(__builtin_nan(""));
    }
}

}  // namespace kb::vec
