#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_k4_s1_bias_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict kernel,
                                     bfloat16 *__restrict out_buffer, bfloat16 bias) {
    // 253 results: the last 32 begin three steps early and are written again.
    const bfloat16 k0 = kernel[0], k1 = kernel[1], k2 = kernel[2], k3 = kernel[3];
    const aie::accum<accfloat, 32> start(aie::broadcast<bfloat16, 32>(bias));
    AIE_LOOP_UNROLL_FULL
    for (unsigned n = 0; n < 8; ++n) {
        const unsigned i = n < 7 ? 32 * n : 221;
        const auto x0 = aie::load_unaligned_v<32>(in_buffer + i), x1 = aie::load_unaligned_v<32>(in_buffer + i + 1);
        const auto x2 = aie::load_unaligned_v<32>(in_buffer + i + 2), x3 = aie::load_unaligned_v<32>(in_buffer + i + 3);
        const auto sum = aie::mac(aie::mac(aie::mac(aie::mac(start, x0, k0), x1, k1), x2, k2), x3, k3);
        aie::store_unaligned_v(out_buffer + i, aie::max(sum.to_vector<bfloat16>(), bfloat16(0.0f)));
    }
}
