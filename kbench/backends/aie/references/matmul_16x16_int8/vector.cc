#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void matmul_16x16_int8(int8_t *__restrict a, int8_t *__restrict b, int8_t *__restrict out) {
    // Blocks of 4x8 and 8x8: four rows of 16 apart by halves of a row, the halves of eight rows likewise.
    using Block = aie::mmul<4, 8, 8, int8_t, int8_t>;
    const auto kept = aie::swap_saturation(aie::saturation_mode::saturate);
    const auto [upper_left, upper_right] = aie::interleave_unzip(aie::load_v<64>(b), aie::load_v<64>(b + 64), 8);
    const auto [lower_left, lower_right] = aie::interleave_unzip(aie::load_v<64>(b + 128), aie::load_v<64>(b + 192), 8);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64) {
        const auto rows = aie::load_v<64>(a + i);
        const auto first = aie::filter_even(rows, 8), second = aie::filter_odd(rows, 8);
        Block left, right;
        left.mul(first, upper_left);
        right.mul(first, upper_right);
        left.mac(second, lower_left);
        right.mac(second, lower_right);
        const auto [top, bottom] = aie::interleave_zip(left.to_vector<int8_t>(), right.to_vector<int8_t>(), 8);
        aie::store_v(out + i, aie::concat(top, bottom));
    }
    aie::set_saturation(kept);
}
