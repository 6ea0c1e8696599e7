#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void avgpool1d_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict out_buffer) {
    const bfloat16 quarter = 0.25f;
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 64; i += 32) {
        const auto x = in_buffer + 4 * i;
        const auto [even0, odd0] = aie::interleave_unzip(aie::load_v<32>(x), aie::load_v<32>(x + 32), 1);
        const auto [even1, odd1] = aie::interleave_unzip(aie::load_v<32>(x + 64), aie::load_v<32>(x + 96), 1);
        const auto [x0, x2] = aie::interleave_unzip(even0, even1, 1);
        const auto [x1, x3] = aie::interleave_unzip(odd0, odd1, 1);
        auto mean = aie::mac(aie::mul(x0, quarter), x1, quarter);
        mean = aie::mac(aie::mac(mean, x2, quarter), x3, quarter);
        aie::store_v(out_buffer + i, aie::max(mean.to_vector<bfloat16>(), bfloat16(0.0f)));
    }
}
