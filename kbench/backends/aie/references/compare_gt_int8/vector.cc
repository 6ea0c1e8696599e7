#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void compare_gt_int8(int8_t *__restrict in_buffer0, int8_t *__restrict in_buffer1, int8_t *__restrict out_buffer) {
    const auto no = aie::zeros<int8_t, 64>(), yes = aie::broadcast<int8_t, 64>(1);
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 256; i += 64) {
        const auto found = aie::gt(aie::load_v<64>(in_buffer0 + i), aie::load_v<64>(in_buffer1 + i));
        aie::store_v(out_buffer + i, aie::select(no, yes, found));
    }
}
