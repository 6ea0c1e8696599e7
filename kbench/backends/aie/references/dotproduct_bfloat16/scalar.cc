#include <aie_api/aie.hpp>

void dotproduct_bfloat16(bfloat16 *vector1, bfloat16 *vector2, bfloat16 *result, uint32_t vector_size) {
    float sum = 0.0f;
    for (unsigned i = 0; i < vector_size; ++i)
        sum += (float)vector1[i] * (float)vector2[i];
    *result = (bfloat16)sum;
}
