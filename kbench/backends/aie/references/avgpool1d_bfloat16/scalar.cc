#include <aie_api/aie.hpp>

void avgpool1d_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer, uint32_t window_size, uint32_t stride) {
    const float share = 1.0f / window_size;
    for (unsigned i = 0; i < (1024 - window_size) / stride + 1; ++i) {
        float sum = 0.0f;
        for (unsigned j = 0; j < window_size; ++j)
            sum += (float)in_buffer[i * stride + j];
        out_buffer[i] = (bfloat16)(sum * share);
    }
}
