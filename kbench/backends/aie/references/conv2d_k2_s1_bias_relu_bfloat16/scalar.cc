#include <aie_api/aie.hpp>

void conv2d_k2_s1_bias_relu_bfloat16(bfloat16 *input, bfloat16 *kernel, bfloat16 *output, bfloat16 bias) {
    const unsigned size = 15, width = 16, taps = 2;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            float sum = (float)bias;
            for (unsigned k = 0; k < taps; ++k)
                for (unsigned l = 0; l < taps; ++l)
                    sum += (float)input[(r + k) * width + c + l] * (float)kernel[k * taps + l];
            output[r * size + c] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
        }
}
