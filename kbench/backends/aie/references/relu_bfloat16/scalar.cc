#include <aie_api/aie.hpp>

void relu_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer) {
    for (unsigned i = 0; i < 256; ++i)
        out_buffer[i] = (float)in_buffer[i] > 0.0f ? in_buffer[i] : (bfloat16)0.0f;
}
