#include <aie_api/aie.hpp>

void conv1d_bfloat16(bfloat16 *in_buffer, bfloat16 *kernel, bfloat16 *out_buffer, uint32_t stride) {
    for (unsigned i = 0; i < (256 - 2) / stride + 1; ++i) {
        float sum = 0.0f;
        for (unsigned j = 0; j < 2; ++j)
            sum += (float)in_buffer[i * stride + j] * (float)kernel[j];
        out_buffer[i] = (bfloat16)(sum);
    }
}
