#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void compare_equal_int32(int32_t *__restrict a, int32_t *__restrict b, uint8_t *__restrict out) {
    const auto no = aie::zeros<uint8_t, 32>(), yes = aie::broadcast<uint8_t, 32>(1);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 32) {
        const auto found = aie::eq(aie::load_v<32>(a + i), aie::load_v<32>(b + i));
        aie::store_v(out + i, aie::select(no, yes, found));
    }
}
