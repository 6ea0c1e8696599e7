#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void dotproduct_bias_relu_int8(int8_t *__restrict in0, int8_t *__restrict in1, int8_t *__restrict out, int8_t bias) {
    auto sums = aie::mul(aie::load_v<64>(in0), aie::load_v<64>(in1));
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 64; i < 256; i += 64)
        sums = aie::mac(sums, aie::load_v<64>(in0 + i), aie::load_v<64>(in1 + i));
    const int32_t sum = bias + aie::reduce_add(sums.to_vector<int32_t>());
    *out = sum < 0 ? 0 : sum > 127 ? 127 : sum;
}
