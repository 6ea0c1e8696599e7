#include <aie_api/aie.hpp>

void conv2d_bfloat16(bfloat16 *input_matrix, bfloat16 *kernel, bfloat16 *output_matrix, uint32_t stride) {
    const unsigned size = (16 - 2) / stride + 1, width = 16, taps = 2;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            float sum = 0.0f;
            for (unsigned k = 0; k < taps; ++k)
                for (unsigned l = 0; l < taps; ++l)
                    sum += (float)input_matrix[(r * stride + k) * width + c * stride + l] * (float)kernel[k * taps + l];
            output_matrix[r * size + c] = (bfloat16)(sum);
        }
}
