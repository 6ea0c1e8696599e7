#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void pad1d_int32(int32_t *__restrict input_vector, int32_t *__restrict padded_vector, uint32_t pad_size,
                 int32_t pad_value) {
    const unsigned size = 256;
    AIE_LOOP_UNROLL(4)
    for (unsigned i = 0; i < size; i += 16)
        aie::store_unaligned_v(padded_vector + pad_size + i, aie::load_v<16>(input_vector + i));
    for (unsigned i = 0; i < pad_size; ++i) {
        padded_vector[i] = pad_value;
        padded_vector[pad_size + size + i] = pad_value;
    }
}
