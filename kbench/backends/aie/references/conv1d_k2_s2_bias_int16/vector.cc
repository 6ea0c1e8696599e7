#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv1d_k2_s2_bias_int16(int16_t *__restrict in_buffer, int16_t *__restrict kernel,
                             int16_t *__restrict out_buffer, int16_t bias) {
    const int16_t k0 = kernel[0], k1 = kernel[1];
    const aie::accum<acc32, 32> start(aie::broadcast<int16_t, 32>(bias));
    const auto kept = aie::swap_saturation(aie::saturation_mode::saturate);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 64; i += 32) {
        const auto x = in_buffer + 2 * i;
        const auto [x0, x1] = aie::interleave_unzip(aie::load_v<32>(x), aie::load_v<32>(x + 32), 1);
        aie::store_v(out_buffer + i, aie::mac(aie::mac(start, x0, k0), x1, k1).to_vector<int16_t>());
    }
    aie::set_saturation(kept);
}
