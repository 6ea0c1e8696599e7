#include <aie_api/aie.hpp>

// The nearest whole number of a small x, the even one of two.
static inline int nearest_even(float x) {
    int whole = (int)x;
    if (whole > x)
        --whole;
    const float rest = x - whole;
    return whole + (rest > 0.5f || (rest == 0.5f && (whole & 1)));
}

void relu_bfloat16_cast_uint8(bfloat16 *input_vector, uint8_t *output_vector) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input_vector[i];
        output_vector[i] = x <= 0.0f ? 0 : x >= 255.0f ? 255 : nearest_even(x);
    }
}
