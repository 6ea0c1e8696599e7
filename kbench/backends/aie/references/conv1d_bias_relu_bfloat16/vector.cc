#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_bias_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict kernel,
                               bfloat16 *__restrict out_buffer, bfloat16 bias, uint32_t stride) {
    if (stride != 2) {
        for (unsigned i = 0; i < (256 - 4) / stride + 1; ++i) {
            float sum = (float)bias;
            for (unsigned j = 0; j < 4; ++j)
                sum += (float)in_buffer[i * stride + j] * (float)kernel[j];
            out_buffer[i] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
        }
        return;
    }
    // 127 results: the last 32 begin a step early and are written again. Taps 2 and 3 are taps 0 and 1, one place on.
    const bfloat16 k0 = kernel[0], k1 = kernel[1], k2 = kernel[2], k3 = kernel[3];
    const aie::accum<accfloat, 32> start(aie::broadcast<bfloat16, 32>(bias));
    AIE_LOOP_UNROLL_FULL
    for (unsigned n = 0; n < 4; ++n) {
        const unsigned i = n < 3 ? 32 * n : 95;
        const auto x = in_buffer + 2 * i;
        const auto [x0, x1] = aie::interleave_unzip(aie::load_unaligned_v<32>(x), aie::load_unaligned_v<32>(x + 32), 1);
        const auto [x2, x3] =
            aie::interleave_unzip(aie::load_unaligned_v<32>(x + 2), aie::load_unaligned_v<32>(x + 34), 1);
        const auto sum = aie::mac(aie::mac(aie::mac(aie::mac(start, x0, k0), x1, k1), x2, k2), x3, k3);
        aie::store_unaligned_v(out_buffer + i, aie::max(sum.to_vector<bfloat16>(), bfloat16(0.0f)));
    }
}
