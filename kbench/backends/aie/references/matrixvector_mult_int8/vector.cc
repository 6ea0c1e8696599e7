#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void matrixvector_mult_int8(int8_t *__restrict matrix, int8_t *__restrict vector, int32_t *__restrict result) {
    // The vector, in halves, as the first row of a block of 4x8 times the transposed blocks of 8x8 of the matrix.
    using Block = aie::mmul<4, 8, 8, int8_t, int8_t>;
    const auto x = aie::load_v<16>(vector);
    const auto none = aie::zeros<int8_t, 16>();
    const auto [first, second] = aie::interleave_zip(x, none, 8);
    const auto left = aie::concat(first, none), right = aie::concat(second, none);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 16; i += 8) {
        const auto rows = matrix + 16 * i;
        const auto [columns, further] = aie::interleave_unzip(aie::load_v<64>(rows), aie::load_v<64>(rows + 64), 8);
        Block block;
        block.mul(left, aie::transpose(columns, 8, 8));
        block.mac(right, aie::transpose(further, 8, 8));
        aie::store_v(result + i, block.to_vector<int32_t>().extract<8>(0));
    }
}
