#include <aie_api/aie.hpp>

void hardswish_bfloat16(bfloat16 *input_vector, bfloat16 *output_vector) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input_vector[i], shifted = x + 3.0f;
        const float part = shifted < 0.0f ? 0.0f : shifted > 6.0f ? 6.0f : shifted;
        output_vector[i] = (bfloat16)(x * part * 0.16666667f);
    }
}
