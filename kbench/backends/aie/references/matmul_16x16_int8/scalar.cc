#include <aie_api/aie.hpp>

void matmul_16x16_int8(int8_t *a, int8_t *b, int8_t *out) {
    const unsigned size = 16;
    for (unsigned r = 0; r < size; ++r)
        for (unsigned c = 0; c < size; ++c) {
            int32_t sum = 0;
            for (unsigned k = 0; k < size; ++k)
                sum += a[r * size + k] * b[k * size + c];
            out[r * size + c] = sum > 127 ? 127 : sum < -128 ? -128 : sum;
        }
}
