#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void cast_int8_to_int32(int8_t *__restrict input_vector, int32_t *__restrict output_vector) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const aie::accum<acc32, 32> wide(aie::load_v<32>(input_vector + i));
        aie::store_v(output_vector + i, wide.to_vector<int32_t>());
    }
}
