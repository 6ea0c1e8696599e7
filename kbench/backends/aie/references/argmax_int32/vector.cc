#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void argmax_int32(int32_t *__restrict input_vector, uint32_t *__restrict result) {
    auto best = aie::load_v<16>(input_vector);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 16; i < 256; i += 16)
        best = aie::max(best, aie::load_v<16>(input_vector + i));
    const int32_t found = aie::reduce_max(best);
    for (unsigned i = 0; i < 256; i += 16) {
        const auto places = aie::eq(aie::load_v<16>(input_vector + i), found);
        if (!places.empty()) {
            *result = i + __builtin_ctz(places.to_uint32());
            return;
        }
    }
}
