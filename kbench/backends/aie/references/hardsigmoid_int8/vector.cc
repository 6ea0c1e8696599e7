#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void hardsigmoid_int8(int8_t *__restrict input_vector, int8_t *__restrict output_vector) {
    // 127 (x + 3) / 6, rounded, is 64 + 21 x for 0 to 3 and 63 + 21 x for -3 to -1.
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64) {
        const auto x = aie::min(aie::max(aie::load_v<64>(input_vector + i), int8_t(-3)), int8_t(3));
        const auto slope = aie::mul(x, int8_t(21)).to_vector<int8_t>();
        const auto start = aie::select(int8_t(64), aie::broadcast<int8_t, 64>(63), aie::lt(x, int8_t(0)));
        aie::store_v(output_vector + i, aie::add(slope, start));
    }
}
