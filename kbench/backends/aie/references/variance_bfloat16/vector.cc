#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void variance_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    auto sums = aie::zeros<accfloat, 32>(), squares = aie::zeros<accfloat, 32>();
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = aie::load_v<32>(input + i);
        sums = aie::add(sums, x);
        squares = aie::mac(squares, x, x);
    }
    const float mean = aie::reduce_add(sums.to_vector<float>()) * 0.00390625f;
    const float variance = aie::reduce_add(squares.to_vector<float>()) * 0.00390625f - mean * mean;
    *output = (bfloat16)(variance > 0.0f ? variance : 0.0f);
}
