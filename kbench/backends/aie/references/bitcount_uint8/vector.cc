#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void bitcount_uint8(uint8_t *__restrict input_vector, uint8_t *__restrict output_vector) {
    // Ones in pairs, in fours, in eights …: what is shifted down is masked before, so that nothing is rounded.
    const uint8_t ones = 0x55, pairs = 0x33, fours = 0x0f;
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64) {
        auto x = aie::load_v<64>(input_vector + i);
        x = aie::add(aie::bit_and(ones, x), aie::logical_downshift(aie::bit_and(uint8_t(0xaa), x), 1));
        x = aie::add(aie::bit_and(pairs, x), aie::logical_downshift(aie::bit_and(uint8_t(0xcc), x), 2));
        x = aie::add(aie::bit_and(fours, x), aie::logical_downshift(aie::bit_and(uint8_t(0xf0), x), 4));
        aie::store_v(output_vector + i, x);
    }
}
