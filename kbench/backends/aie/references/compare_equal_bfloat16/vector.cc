#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void compare_equal_bfloat16(bfloat16 *__restrict input_a, bfloat16 *__restrict input_b,
                            uint8_t *__restrict output_mask) {
    const auto no = aie::zeros<uint8_t, 32>(), yes = aie::broadcast<uint8_t, 32>(1);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto found = aie::eq(aie::load_v<32>(input_a + i), aie::load_v<32>(input_b + i));
        aie::store_v(output_mask + i, aie::select(no, yes, found));
    }
}
