#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void maxpool2d_relu_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    // Two rows of the result at a time, from four rows of 32: first the larger of two rows, then of two columns.
    AIE_LOOP_UNROLL(4)
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = input + 4 * i;
        const auto upper = aie::max(aie::load_v<32>(x), aie::load_v<32>(x + 32));
        const auto lower = aie::max(aie::load_v<32>(x + 64), aie::load_v<32>(x + 96));
        const auto [even, odd] = aie::interleave_unzip(upper, lower, 1);
        aie::store_v(output + i, aie::max(aie::max(even, odd), bfloat16(0.0f)));
    }
}
