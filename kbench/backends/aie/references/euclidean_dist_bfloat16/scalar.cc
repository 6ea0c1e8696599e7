#include <aie_api/aie.hpp>

// 1 / sqrt(x): half the exponent's negative as the first guess, and three steps of Newton's.
static inline float reciprocal_root(float x) {
    float y = __builtin_bit_cast(float, 0x5f3759df - (__builtin_bit_cast(int, x) >> 1));
    for (int step = 0; step < 3; ++step)
        y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

void euclidean_dist_bfloat16(bfloat16 *input_a, bfloat16 *input_b, bfloat16 *output) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 256; ++i) {
        const float difference = (float)input_a[i] - (float)input_b[i];
        sum += difference * difference;
    }
    *output = (bfloat16)(sum * reciprocal_root(sum));
}
