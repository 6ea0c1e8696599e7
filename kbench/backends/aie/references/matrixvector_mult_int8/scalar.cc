#include <aie_api/aie.hpp>

void matrixvector_mult_int8(int8_t *matrix, int8_t *vector, int32_t *result) {
    const unsigned size = 16;
    for (unsigned r = 0; r < size; ++r) {
        int32_t sum = 0;
        for (unsigned c = 0; c < size; ++c)
            sum += matrix[r * size + c] * vector[c];
        result[r] = sum;
    }
}
