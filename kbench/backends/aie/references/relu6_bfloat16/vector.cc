#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void relu6_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32)
        aie::store_v(output + i, aie::min(aie::max(aie::load_v<32>(input + i), bfloat16(0.0f)), bfloat16(6.0f)));
}
