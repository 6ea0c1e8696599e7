#include <aie_api/aie.hpp>

// The largest whole number that is not above x; from 128 on a bfloat16 has no fraction.
static inline float floored(float x) {
    if (x >= 128.0f || x <= -128.0f)
        return x;
    const int whole = (int)x;
    return whole > x ? whole - 1 : whole;
}

void floor_bfloat16(bfloat16 *input_vector, bfloat16 *output_vector) {
    for (unsigned i = 0; i < 256; ++i)
        output_vector[i] = (bfloat16)floored((float)input_vector[i]);
}
