#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void elementwise_max_int8(int8_t *__restrict in_buffer1, int8_t *__restrict in_buffer2, int8_t *__restrict out_buffer) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 512; i += 64)
        aie::store_v(out_buffer + i, aie::max(aie::load_v<64>(in_buffer1 + i), aie::load_v<64>(in_buffer2 + i)));
}
