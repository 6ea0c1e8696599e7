#include <aie_api/aie.hpp>

// e^x: x = n ln 2 + r with |r| at most ln 2 / 2, a polynomial for e^r, and n added to the exponent.
static inline float exponential(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    const int n = (int)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
    const float r = x - n * 0.69314718f;
    const float p = 1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * 0.0083333333f))));
    return p * __builtin_bit_cast(float, (n + 127) << 23);
}

// ln(x) of a positive normal number: the exponent times ln 2, and the series of the artanh for the mantissa.
static inline float logarithm(float x) {
    const int bits = __builtin_bit_cast(int, x);
    int exponent = (bits >> 23) - 127;
    float m = __builtin_bit_cast(float, (bits & 0x007fffff) | 0x3f800000);
    if (m > 1.41421356f) {
        m *= 0.5f;
        ++exponent;
    }
    const float t = (m - 1.0f) / (m + 1.0f), s = t * t;
    return exponent * 0.69314718f + 2.0f * t * (1.0f + s * (0.33333333f + s * (0.2f + s * 0.14285714f)));
}

void softplus_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i) {
        // The larger of x and 0, and ln(1 + e^-|x|), which is at most ln 2.
        const float x = (float)input[i];
        output[i] = (bfloat16)((x > 0.0f ? x : 0.0f) + logarithm(1.0f + exponential(x > 0.0f ? -x : x)));
    }
}
