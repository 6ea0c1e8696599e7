#include <aie_api/aie.hpp>

// The rest of x after the nearest multiple of a quarter period, and which quarter that is.
static inline float reduced(float x, int &quarter) {
    quarter = (int)(x * 0.63661977f + (x < 0 ? -0.5f : 0.5f));
    return x - quarter * 1.5703125f - quarter * 4.83826795e-4f;
}

static inline float sine(float r) {
    const float s = r * r;
    return r * (1.0f - s * (0.16666667f - s * (0.0083333333f - s * 1.9841270e-4f)));
}

static inline float cosine(float r) {
    const float s = r * r;
    return 1.0f - s * (0.5f - s * (0.041666667f - s * (0.0013888889f - s * 2.4801587e-5f)));
}

void sin_bfloat16(bfloat16 *input_vector, bfloat16 *output_vector) {
    for (unsigned i = 0; i < 256; ++i) {
        int quarter;
        const float r = reduced((float)input_vector[i], quarter);
        const float y = quarter & 1 ? cosine(r) : sine(r);
        output_vector[i] = (bfloat16)(quarter & 2 ? -y : y);
    }
}
