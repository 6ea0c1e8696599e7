#include <aie_api/aie.hpp>

// 1 / sqrt(x): half the exponent's negative as the first guess, and three steps of Newton's.
static inline float reciprocal_root(float x) {
    float y = __builtin_bit_cast(float, 0x5f3759df - (__builtin_bit_cast(int, x) >> 1));
    for (int step = 0; step < 3; ++step)
        y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

void sqrt_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input[i];
        output[i] = (bfloat16)(x > 0.0f ? x * reciprocal_root(x) : 0.0f);
    }
}
