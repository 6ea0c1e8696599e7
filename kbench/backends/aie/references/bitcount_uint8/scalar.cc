#include <aie_api/aie.hpp>

void bitcount_uint8(uint8_t *input_vector, uint8_t *output_vector) {
    for (unsigned i = 0; i < 256; ++i)
        output_vector[i] = __builtin_popcount(input_vector[i]);
}
