#include <aie_api/aie.hpp>

void leaky_relu_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)in_buffer[i];
        out_buffer[i] = (bfloat16)(x > 0.0f ? x : 0.01f * x);
    }
}
