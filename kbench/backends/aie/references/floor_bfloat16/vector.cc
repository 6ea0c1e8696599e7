#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

// The largest whole number that is not above x: a sum with 1.5 * 2^23 has no fraction, however it was rounded, and may
// be one too large. From 128 on a bfloat16 has no fraction itself.
static inline aie::vector<bfloat16, 32> floored(const aie::vector<bfloat16, 32> &x) {
    const float whole = 12582912.0f;
    const aie::accum<accfloat, 32> wide(x);
    const auto near = aie::sub(aie::add(wide, whole), whole).to_vector<bfloat16>();
    const auto below = aie::select(near, aie::sub(near, bfloat16(1.0f)), aie::gt(near, x));
    return aie::select(below, x, aie::ge(aie::abs(x), bfloat16(128.0f)));
}

void floor_bfloat16(bfloat16 *__restrict input_vector, bfloat16 *__restrict output_vector) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32)
        aie::store_v(output_vector + i, floored(aie::load_v<32>(input_vector + i)));
}
