#include <aie_api/aie.hpp>

void reduce_add_relu_int8(int8_t *__restrict in_buffer, int8_t *__restrict out_buffer) {
    const auto ones = aie::broadcast<int8_t, 64>(1);
    const auto sums = aie::mac(aie::mul(aie::load_v<64>(in_buffer), ones), aie::load_v<64>(in_buffer + 64), ones);
    const int32_t sum = aie::reduce_add(sums.to_vector<int32_t>());
    *out_buffer = sum < 0 ? 0 : sum > 127 ? 127 : sum;
}
