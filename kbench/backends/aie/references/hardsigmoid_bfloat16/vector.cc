#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void hardsigmoid_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict out_buffer) {
    const aie::accum<accfloat, 32> half(aie::broadcast<float, 32>(0.5f));
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto slope = aie::mac(half, aie::load_v<32>(in_buffer + i), bfloat16(0.2f)).to_vector<bfloat16>();
        aie::store_v(out_buffer + i, aie::min(aie::max(slope, bfloat16(0.0f)), bfloat16(1.0f)));
    }
}
