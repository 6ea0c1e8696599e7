#include <aie_api/aie.hpp>

void hardsigmoid_int8(int8_t *input_vector, int8_t *output_vector) {
    for (unsigned i = 0; i < 256; ++i) {
        // 127 (x + 3) / 6 between -3 and 3; half is added before the division, which is then of a positive number.
        const int x = input_vector[i] < -3 ? -3 : input_vector[i] > 3 ? 3 : input_vector[i];
        output_vector[i] = (127 * (x + 3) + 3) / 6;
    }
}
