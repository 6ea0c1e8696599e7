#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void avgpool2d_relu_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    // Two rows of the result at a time, from four rows of 32: even and odd columns of the upper and of the lower ones.
    const bfloat16 quarter = 0.25f;
    AIE_LOOP_UNROLL(4)
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = input + 4 * i;
        const auto [even0, odd0] = aie::interleave_unzip(aie::load_v<32>(x), aie::load_v<32>(x + 64), 1);
        const auto [even1, odd1] = aie::interleave_unzip(aie::load_v<32>(x + 32), aie::load_v<32>(x + 96), 1);
        auto mean = aie::mac(aie::mul(even0, quarter), odd0, quarter);
        mean = aie::mac(aie::mac(mean, even1, quarter), odd1, quarter);
        aie::store_v(output + i, aie::max(mean.to_vector<bfloat16>(), bfloat16(0.0f)));
    }
}
