#include <aie_api/aie.hpp>

void maxpool2d_relu_bfloat16(bfloat16 *input, bfloat16 *output) {
    const unsigned size = 16, width = 32;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            const bfloat16 *corner = input + 2 * r * width + 2 * c;
            float largest = 0.0f;
            for (unsigned k = 0; k < 2; ++k)
                for (unsigned l = 0; l < 2; ++l)
                    largest = (float)corner[k * width + l] > largest ? (float)corner[k * width + l] : largest;
            output[r * size + c] = (bfloat16)largest;
        }
}
