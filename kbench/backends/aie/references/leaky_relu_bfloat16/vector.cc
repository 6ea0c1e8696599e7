#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void leaky_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict out_buffer) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = aie::load_v<32>(in_buffer + i);
        aie::store_v(out_buffer + i, aie::max(x, aie::mul(x, bfloat16(0.01f)).to_vector<bfloat16>()));
    }
}
