#include <aie_api/aie.hpp>

void conv2d_k4_s2_bias_relu_bfloat16(bfloat16 *in_buffer, bfloat16 *kernel, bfloat16 *out_buffer, bfloat16 bias,
                                     uint32_t stride) {
    const unsigned size = (16 - 4) / stride + 1, width = 16, taps = 4;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            float sum = (float)bias;
            for (unsigned k = 0; k < taps; ++k)
                for (unsigned l = 0; l < taps; ++l)
                    sum += (float)in_buffer[(r * stride + k) * width + c * stride + l] * (float)kernel[k * taps + l];
            out_buffer[r * size + c] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
        }
}
