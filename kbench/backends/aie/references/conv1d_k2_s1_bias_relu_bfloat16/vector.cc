#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_k2_s1_bias_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict kernel,
                                     bfloat16 *__restrict out_buffer, bfloat16 bias) {
    // 255 results: the last 32 begin a step early and are written again.
    const bfloat16 k0 = kernel[0], k1 = kernel[1];
    const aie::accum<accfloat, 32> start(aie::broadcast<bfloat16, 32>(bias));
    AIE_LOOP_UNROLL_FULL
    for (unsigned n = 0; n < 8; ++n) {
        const unsigned i = n < 7 ? 32 * n : 223;
        const auto x0 = aie::load_unaligned_v<32>(in_buffer + i), x1 = aie::load_unaligned_v<32>(in_buffer + i + 1);
        const auto sum = aie::mac(aie::mac(start, x0, k0), x1, k1);
        aie::store_unaligned_v(out_buffer + i, aie::max(sum.to_vector<bfloat16>(), bfloat16(0.0f)));
    }
}
