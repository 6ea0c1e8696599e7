#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void add_offset_uint8(uint8_t *__restrict in_buffer, uint8_t *__restrict out_buffer, uint8_t offset) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 1024; i += 64)
        aie::store_v(out_buffer + i, aie::add(aie::load_v<64>(in_buffer + i), offset));
}
