#include <aie_api/aie.hpp>

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

void log_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i)
        output[i] = (bfloat16)logarithm((float)input[i]);
}
