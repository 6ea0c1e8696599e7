#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict kernel, bfloat16 *__restrict out_buffer,
                     uint32_t stride) {
    if (stride != 1) {
        for (unsigned i = 0; i < (256 - 2) / stride + 1; ++i)
            out_buffer[i] = (bfloat16)((float)in_buffer[i * stride] * (float)kernel[0] +
                                       (float)in_buffer[i * stride + 1] * (float)kernel[1]);
        return;
    }
    // 255 results: the last 32 begin a step early and are written again.
    const bfloat16 k0 = kernel[0], k1 = kernel[1];
    AIE_LOOP_UNROLL_FULL
    for (unsigned n = 0; n < 8; ++n) {
        const unsigned i = n < 7 ? 32 * n : 223;
        const auto x0 = aie::load_unaligned_v<32>(in_buffer + i), x1 = aie::load_unaligned_v<32>(in_buffer + i + 1);
        aie::store_unaligned_v(out_buffer + i, aie::mac(aie::mul(x0, k0), x1, k1).to_vector<bfloat16>());
    }
}
