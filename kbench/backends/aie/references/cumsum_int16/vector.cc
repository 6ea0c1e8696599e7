#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void cumsum_int16(int16_t *__restrict in_buffer, int16_t *__restrict out_buffer) {
    // Sums of 2, of 4, of 8 and of 16 neighbours, each from the one before and itself shifted; then what came earlier.
    const auto none = aie::zeros<int32_t, 16>();
    int32_t before = 0;
    for (unsigned i = 0; i < 256; i += 16) {
        auto sums = aie::accum<acc32, 16>(aie::load_v<16>(in_buffer + i)).to_vector<int32_t>();
        AIE_LOOP_UNROLL_FULL
        for (unsigned n = 1; n < 16; n *= 2)
            sums = aie::add(sums, aie::shuffle_up_fill(sums, none, n));
        sums = aie::add(sums, before);
        before = sums.get(15);
        const auto bounded = aie::min(aie::max(sums, int32_t(-32768)), int32_t(32767));
        aie::store_v(out_buffer + i, aie::accum<acc64, 16>(bounded).to_vector<int16_t>());
    }
}
