#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void hardswish_bfloat16(bfloat16 *__restrict input_vector, bfloat16 *__restrict output_vector) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto x = aie::load_v<32>(input_vector + i);
        const auto part = aie::min(aie::max(aie::add(x, bfloat16(3.0f)), bfloat16(0.0f)), bfloat16(6.0f));
        const auto sixth = aie::mul(part, bfloat16(0.16666667f)).to_vector<bfloat16>();
        aie::store_v(output_vector + i, aie::mul(x, sixth).to_vector<bfloat16>());
    }
}
