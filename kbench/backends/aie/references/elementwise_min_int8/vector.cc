#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void elementwise_min_int8(int8_t *__restrict input1, int8_t *__restrict input2, int8_t *__restrict output) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64)
        aie::store_v(output + i, aie::min(aie::load_v<64>(input1 + i), aie::load_v<64>(input2 + i)));
}
