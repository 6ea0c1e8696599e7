#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

// 1 / sqrt(x): half the exponent's negative as the first guess, and three steps of Newton's.
static inline float reciprocal_root(float x) {
    float y = __builtin_bit_cast(float, 0x5f3759df - (__builtin_bit_cast(int, x) >> 1));
    for (int step = 0; step < 3; ++step)
        y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

void euclidean_dist_bfloat16(bfloat16 *__restrict input_a, bfloat16 *__restrict input_b, bfloat16 *__restrict output) {
    auto sums = aie::zeros<accfloat, 32>();
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto difference = aie::sub(aie::load_v<32>(input_a + i), aie::load_v<32>(input_b + i));
        sums = aie::mac(sums, difference, difference);
    }
    const float sum = aie::reduce_add(sums.to_vector<float>());
    *output = (bfloat16)(sum * reciprocal_root(sum));
}
