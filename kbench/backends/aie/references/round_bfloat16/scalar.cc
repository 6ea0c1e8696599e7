#include <aie_api/aie.hpp>

// The largest whole number that is not above x; from 128 on a bfloat16 has no fraction.
static inline float floored(float x) {
    if (x >= 128.0f || x <= -128.0f)
        return x;
    const int whole = (int)x;
    return whole > x ? whole - 1 : whole;
}

void round_bfloat16(bfloat16 *input, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i)
        output[i] = (bfloat16)floored((float)(bfloat16)((float)input[i] + 0.5f));
}
