#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void l1_norm_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict out_buffer) {
    auto sums = aie::zeros<accfloat, 32>();
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32)
        sums = aie::add(sums, aie::abs(aie::load_v<32>(in_buffer + i)));
    *out_buffer = (bfloat16)aie::reduce_add(sums.to_vector<float>());
}
