#include <aie_api/aie.hpp>

void max_abs_bfloat16(bfloat16 *input, bfloat16 *output) {
    float largest = 0.0f;
    for (unsigned i = 0; i < 256; ++i) {
        const float size = (float)input[i] < 0.0f ? -(float)input[i] : (float)input[i];
        largest = size > largest ? size : largest;
    }
    *output = (bfloat16)largest;
}
