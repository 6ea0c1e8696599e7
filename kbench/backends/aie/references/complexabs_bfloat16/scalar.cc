#include <aie_api/aie.hpp>

// 1 / sqrt(x): half the exponent's negative as the first guess, and three steps of Newton's.
static inline float reciprocal_root(float x) {
    float y = __builtin_bit_cast(float, 0x5f3759df - (__builtin_bit_cast(int, x) >> 1));
    for (int step = 0; step < 3; ++step)
        y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

void complexabs_bfloat16(bfloat16 *real_vector, bfloat16 *imag_vector, bfloat16 *output_vector) {
    for (unsigned i = 0; i < 64; ++i) {
        const float re = (float)real_vector[i], im = (float)imag_vector[i];
        const float square = re * re + im * im;
        output_vector[i] = (bfloat16)(square * reciprocal_root(square));
    }
}
