#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void dotproduct_int32(int32_t *__restrict vector1, int32_t *__restrict vector2, int32_t *__restrict result) {
    auto sums = aie::mul(aie::load_v<16>(vector1), aie::load_v<16>(vector2));
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 16; i < 256; i += 16)
        sums = aie::mac(sums, aie::load_v<16>(vector1 + i), aie::load_v<16>(vector2 + i));
    *result = aie::reduce_add(sums.to_vector<int32_t>());
}
