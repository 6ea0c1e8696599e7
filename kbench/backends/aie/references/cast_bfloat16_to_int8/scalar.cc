#include <aie_api/aie.hpp>

// The nearest whole number of a small x, the even one of two.
static inline int nearest_even(float x) {
    int whole = (int)x;
    if (whole > x)
        --whole;
    const float rest = x - whole;
    return whole + (rest > 0.5f || (rest == 0.5f && (whole & 1)));
}

void cast_bfloat16_to_int8(bfloat16 *input, int8_t *output) {
    for (unsigned i = 0; i < 256; ++i) {
        const float x = (float)input[i];
        output[i] = x >= 127.0f ? 127 : x <= -128.0f ? -128 : nearest_even(x);
    }
}
