#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_int32(int32_t *__restrict in_buffer, int32_t *__restrict kernel, int32_t *__restrict out_buffer,
                  uint32_t stride) {
    if (stride != 1) {
        for (unsigned i = 0; i < (256 - 3) / stride + 1; ++i) {
            int32_t sum = 0;
            for (unsigned j = 0; j < 3; ++j)
                sum += in_buffer[i * stride + j] * kernel[j];
            out_buffer[i] = sum;
        }
        return;
    }
    // 254 results: the last 16 begin two steps early and are written again.
    const int32_t k0 = kernel[0], k1 = kernel[1], k2 = kernel[2];
    AIE_LOOP_UNROLL(4)
    for (unsigned n = 0; n < 16; ++n) {
        const unsigned i = n < 15 ? 16 * n : 238;
        const auto x0 = aie::load_unaligned_v<16>(in_buffer + i), x1 = aie::load_unaligned_v<16>(in_buffer + i + 1);
        const auto x2 = aie::load_unaligned_v<16>(in_buffer + i + 2);
        const auto sum = aie::mac(aie::mac(aie::mul(x0, k0), x1, k1), x2, k2);
        aie::store_unaligned_v(out_buffer + i, sum.to_vector<int32_t>());
    }
}
