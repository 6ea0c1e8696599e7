#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void avgpool1d_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict out_buffer, uint32_t window_size,
                        uint32_t stride) {
    if (window_size != 2 || stride != 2) {
        for (unsigned i = 0; i < (1024 - window_size) / stride + 1; ++i) {
            float sum = 0.0f;
            for (unsigned j = 0; j < window_size; ++j)
                sum += (float)in_buffer[i * stride + j];
            out_buffer[i] = (bfloat16)(sum / window_size);
        }
        return;
    }
    const bfloat16 half = 0.5f;
    AIE_LOOP_UNROLL(4)
    for (unsigned i = 0; i < 512; i += 32) {
        const auto x = in_buffer + 2 * i;
        const auto [even, odd] = aie::interleave_unzip(aie::load_v<32>(x), aie::load_v<32>(x + 32), 1);
        aie::store_v(out_buffer + i, aie::mac(aie::mul(even, half), odd, half).to_vector<bfloat16>());
    }
}
