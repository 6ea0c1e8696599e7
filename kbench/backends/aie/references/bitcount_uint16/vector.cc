#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void bitcount_uint16(uint16_t *__restrict input_vector, uint16_t *__restrict output_vector) {
    // Ones in pairs, in fours, in eights …: what is shifted down is masked before, so that nothing is rounded.
    const uint16_t ones = 0x5555, pairs = 0x3333, fours = 0x0f0f, eights = 0x00ff;
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        auto x = aie::load_v<32>(input_vector + i);
        x = aie::add(aie::bit_and(ones, x), aie::logical_downshift(aie::bit_and(uint16_t(0xaaaa), x), 1));
        x = aie::add(aie::bit_and(pairs, x), aie::logical_downshift(aie::bit_and(uint16_t(0xcccc), x), 2));
        x = aie::add(aie::bit_and(fours, x), aie::logical_downshift(aie::bit_and(uint16_t(0xf0f0), x), 4));
        x = aie::add(aie::bit_and(eights, x), aie::logical_downshift(aie::bit_and(uint16_t(0xff00), x), 8));
        aie::store_v(output_vector + i, x);
    }
}
