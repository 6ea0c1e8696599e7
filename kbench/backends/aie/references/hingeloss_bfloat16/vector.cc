#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void hingeloss_bfloat16(bfloat16 *__restrict pred, bfloat16 *__restrict label, bfloat16 *__restrict out) {
    const aie::accum<accfloat, 32> one(aie::broadcast<float, 32>(1.0f));
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto loss = aie::msc(one, aie::load_v<32>(label + i), aie::load_v<32>(pred + i)).to_vector<bfloat16>();
        aie::store_v(out + i, aie::max(loss, bfloat16(0.0f)));
    }
}
