#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void maxpool1d_uint8(uint8_t *__restrict in_buffer, uint8_t *__restrict out_buffer, uint32_t window_size,
                     uint32_t stride) {
    if (window_size != 2 || stride != 2) {
        for (unsigned i = 0; i < (1024 - window_size) / stride + 1; ++i) {
            uint8_t largest = in_buffer[i * stride];
            for (unsigned j = 1; j < window_size; ++j)
                largest = in_buffer[i * stride + j] > largest ? in_buffer[i * stride + j] : largest;
            out_buffer[i] = largest;
        }
        return;
    }
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 512; i += 64) {
        const auto x = in_buffer + 2 * i;
        const auto [even, odd] = aie::interleave_unzip(aie::load_v<64>(x), aie::load_v<64>(x + 64), 1);
        aie::store_v(out_buffer + i, aie::max(even, odd));
    }
}
