#include <aie_api/aie.hpp>

void argmax_bfloat16(bfloat16 *input_vector, uint32_t *result) {
    unsigned best = 0;
    for (unsigned i = 1; i < 64; ++i)
        if ((float)input_vector[i] > (float)input_vector[best])
            best = i;
    *result = best;
}
