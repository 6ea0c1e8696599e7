#include <aie_api/aie.hpp>

void reciprocal_bfloat16(bfloat16 *input_vector, bfloat16 *output_vector) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input_vector[i];
        output_vector[i] = (bfloat16)(x == 0.0f ? __builtin_inff() : 1.0f / x);
    }
}
