#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void max_abs_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    auto most = aie::abs(aie::load_v<32>(input));
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 32; i < 256; i += 32)
        most = aie::max(most, aie::abs(aie::load_v<32>(input + i)));
    *output = aie::reduce_max(most);
}
