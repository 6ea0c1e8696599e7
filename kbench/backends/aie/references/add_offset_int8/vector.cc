#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void add_offset_int8(int8_t *__restrict in_buffer, int8_t *__restrict out_buffer, int8_t offset) {
    // Clipped beforehand to where the sum does not leave the range, so that no mode of saturation matters.
    const int8_t low = offset < 0 ? -128 - offset : -128, high = offset > 0 ? 127 - offset : 127;
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64) {
        const auto x = aie::min(aie::max(aie::load_v<64>(in_buffer + i), low), high);
        aie::store_v(out_buffer + i, aie::add(x, offset));
    }
}
