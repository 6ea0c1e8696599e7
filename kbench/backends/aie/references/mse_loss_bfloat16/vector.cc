#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void mse_loss_bfloat16(bfloat16 *__restrict input_a, bfloat16 *__restrict input_b, bfloat16 *__restrict output) {
    auto sums = aie::zeros<accfloat, 32>();
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto difference = aie::sub(aie::load_v<32>(input_a + i), aie::load_v<32>(input_b + i));
        sums = aie::mac(sums, difference, difference);
    }
    const float sum = aie::reduce_add(sums.to_vector<float>());
    *output = (bfloat16)(sum * 0.00390625f);
}
