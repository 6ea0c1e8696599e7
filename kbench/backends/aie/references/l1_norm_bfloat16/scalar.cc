#include <aie_api/aie.hpp>

void l1_norm_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 256; ++i)
        sum += (float)in_buffer[i] < 0.0f ? -(float)in_buffer[i] : (float)in_buffer[i];
    *out_buffer = (bfloat16)sum;
}
