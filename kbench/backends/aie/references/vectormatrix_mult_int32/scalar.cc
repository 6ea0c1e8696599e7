#include <aie_api/aie.hpp>

void vectormatrix_mult_int32(int32_t *vector, int32_t *matrix, int32_t *result) {
    const unsigned size = 16;
    for (unsigned c = 0; c < size; ++c) {
        int32_t sum = 0;
        for (unsigned r = 0; r < size; ++r)
            sum += vector[r] * matrix[r * size + c];
        result[c] = sum;
    }
}
