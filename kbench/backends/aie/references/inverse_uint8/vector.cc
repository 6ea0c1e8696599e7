#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void inverse_uint8(uint8_t *__restrict in_buffer, uint8_t *__restrict out_buffer) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 1024; i += 64)
        aie::store_v(out_buffer + i, aie::bit_not(aie::load_v<64>(in_buffer + i)));
}
