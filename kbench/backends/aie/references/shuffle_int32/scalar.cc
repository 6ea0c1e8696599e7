#include <aie_api/aie.hpp>

void shuffle_int32(int32_t *input, int32_t *output, int32_t seed) {
    const unsigned size = 256;
    for (unsigned i = 0; i < size; ++i)
        output[i] = input[i];
    uint32_t state = seed;
    for (unsigned i = size - 1; i > 0; --i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const unsigned j = state % (i + 1);
        const int32_t kept = output[i];
        output[i] = output[j];
        output[j] = kept;
    }
}
