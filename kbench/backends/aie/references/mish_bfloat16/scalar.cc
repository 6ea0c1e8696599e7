#include <aie_api/aie.hpp>

// e^x: x = n ln 2 + r with |r| at most ln 2 / 2, a polynomial for e^r, and n added to the exponent.
static inline float exponential(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    const int n = (int)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
    const float r = x - n * 0.69314718f;
    const float p = 1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * 0.0083333333f))));
    return p * __builtin_bit_cast(float, (n + 127) << 23);
}

void mish_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i) {
        // tanh(ln(1 + w)) = w (w + 2) / (w (w + 2) + 2) with w = e^x; beyond 20 it is 1.
        const float x = (float)input[i], w = exponential(x > 20.0f ? 20.0f : x), n = w * (w + 2.0f);
        output[i] = (bfloat16)(x * (n / (n + 2.0f)));
    }
}
