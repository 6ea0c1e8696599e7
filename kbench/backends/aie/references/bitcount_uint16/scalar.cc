#include <aie_api/aie.hpp>

void bitcount_uint16(uint16_t *input_vector, uint16_t *output_vector) {
    for (unsigned i = 0; i < 256; ++i)
        output_vector[i] = __builtin_popcount(input_vector[i]);
}
