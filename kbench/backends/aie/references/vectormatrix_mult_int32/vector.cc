#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void vectormatrix_mult_int32(int32_t *__restrict vector, int32_t *__restrict matrix, int32_t *__restrict result) {
    auto sums = aie::mul(aie::load_v<16>(matrix), vector[0]);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 1; i < 16; ++i)
        sums = aie::mac(sums, aie::load_v<16>(matrix + 16 * i), vector[i]);
    aie::store_v(result, sums.to_vector<int32_t>());
}
