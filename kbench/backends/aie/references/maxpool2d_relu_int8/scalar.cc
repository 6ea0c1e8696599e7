#include <aie_api/aie.hpp>

void maxpool2d_relu_int8(int8_t *input, int8_t *output) {
    const unsigned size = 8, width = 16;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            const int8_t *corner = input + 2 * r * width + 2 * c;
            int8_t largest = 0;
            for (unsigned k = 0; k < 2; ++k)
                for (unsigned l = 0; l < 2; ++l)
                    largest = corner[k * width + l] > largest ? corner[k * width + l] : largest;
            output[r * size + c] = largest;
        }
}
