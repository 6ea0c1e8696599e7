#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void abs_int8(int8_t *__restrict in_buffer, int8_t *__restrict out_buffer) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 1024; i += 64)
        aie::store_v(out_buffer + i, aie::abs(aie::load_v<64>(in_buffer + i)));
}
