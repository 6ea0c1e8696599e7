#include <aie_api/aie.hpp>

void dotproduct_int32(int32_t *vector1, int32_t *vector2, int32_t *result) {
    int32_t sum = 0;
    for (unsigned i = 0; i < 256; ++i)
        sum += vector1[i] * vector2[i];
    *result = sum;
}
