#include <aie_api/aie.hpp>

void conv1d_k4_s1_bias_relu_bfloat16(bfloat16 *in_buffer, bfloat16 *kernel, bfloat16 *out_buffer, bfloat16 bias) {
    for (unsigned i = 0; i < 253; ++i) {
        float sum = (float)bias;
        for (unsigned j = 0; j < 4; ++j)
            sum += (float)in_buffer[i + j] * (float)kernel[j];
        out_buffer[i] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
    }
}
