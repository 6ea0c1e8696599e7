#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void elementwise_min_bfloat16(bfloat16 *__restrict in_buffer_a, bfloat16 *__restrict in_buffer_b,
                              bfloat16 *__restrict out_buffer) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32)
        aie::store_v(out_buffer + i, aie::min(aie::load_v<32>(in_buffer_a + i), aie::load_v<32>(in_buffer_b + i)));
}
