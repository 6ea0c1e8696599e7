#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void relu_bfloat16_cast_uint8(bfloat16 *__restrict input_vector, uint8_t *__restrict output_vector) {
    // Eight bits of fraction: a bfloat16 from 1/2 on has no further ones, and what is smaller rounds to zero anyway.
    const auto kept = aie::swap_rounding(aie::rounding_mode::conv_even);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 16) {
        const auto x = aie::min(aie::max(aie::load_v<16>(input_vector + i), bfloat16(0.0f)), bfloat16(255.0f));
        const aie::accum<acc64, 16> fixed(aie::to_fixed<int32_t>(x, 8));
        aie::store_v(output_vector + i, fixed.to_vector<uint8_t>(8));
    }
    aie::set_rounding(kept);
}
