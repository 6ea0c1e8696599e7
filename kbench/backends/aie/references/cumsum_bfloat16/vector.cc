#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void cumsum_bfloat16(bfloat16 *__restrict in, bfloat16 *__restrict out) {
    // Sums of 2, of 4, of 8 and of 16 neighbours, each from the one before and itself shifted; then what came earlier.
    using Sums = aie::accum<accfloat, 16>;
    const auto none = aie::zeros<float, 16>();
    float before = 0.0f;
    for (unsigned i = 0; i < 256; i += 16) {
        Sums sums(aie::load_v<16>(in + i));
        AIE_LOOP_UNROLL_FULL
        for (unsigned n = 1; n < 16; n *= 2)
            sums = aie::add(sums, aie::shuffle_up_fill(sums.to_vector<float>(), none, n));
        sums = aie::add(sums, before);
        before = sums.to_vector<float>().get(15);
        aie::store_v(out + i, sums.to_vector<bfloat16>());
    }
}
