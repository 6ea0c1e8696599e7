#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void argmin_bfloat16(bfloat16 *__restrict input_vector, uint32_t *__restrict result) {
    auto best = aie::load_v<32>(input_vector);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 32; i < 256; i += 32)
        best = aie::min(best, aie::load_v<32>(input_vector + i));
    const bfloat16 found = aie::reduce_min(best);
    for (unsigned i = 0; i < 256; i += 32) {
        const auto places = aie::eq(aie::load_v<32>(input_vector + i), found);
        if (!places.empty()) {
            *result = i + __builtin_ctz(places.to_uint32());
            return;
        }
    }
}
