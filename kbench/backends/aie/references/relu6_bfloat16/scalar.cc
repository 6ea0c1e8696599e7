#include <aie_api/aie.hpp>

void relu6_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input[i];
        output[i] = (bfloat16)(x < 0.0f ? 0.0f : x > 6.0f ? 6.0f : x);
    }
}
