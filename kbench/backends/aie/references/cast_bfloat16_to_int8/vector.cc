#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void cast_bfloat16_to_int8(bfloat16 *__restrict input, int8_t *__restrict output) {
    // Eight bits of fraction: a bfloat16 from 1/2 on has no further ones, and what is smaller rounds to zero anyway.
    const auto kept = aie::swap_rounding(aie::rounding_mode::conv_even);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = aie::min(aie::max(aie::load_v<32>(input + i), bfloat16(-128.0f)), bfloat16(127.0f));
        const aie::accum<acc32, 32> fixed(aie::to_fixed<int16_t>(x, 8));
        aie::store_v(output + i, fixed.to_vector<int8_t>(8));
    }
    aie::set_rounding(kept);
}
