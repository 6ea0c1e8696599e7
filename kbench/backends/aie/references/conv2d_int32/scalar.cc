#include <aie_api/aie.hpp>

void conv2d_int32(int32_t *input_matrix, int32_t *kernel, int32_t *output_matrix, uint32_t stride) {
    const unsigned size = (16 - 3) / stride + 1, width = 16, taps = 3;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            int32_t sum = 0;
            for (unsigned k = 0; k < taps; ++k)
                for (unsigned l = 0; l < taps; ++l)
                    sum += input_matrix[(r * stride + k) * width + c * stride + l] * kernel[k * taps + l];
            output_matrix[r * size + c] = sum;
        }
}
