#include <aie_api/aie.hpp>

void pad2d_int32(int32_t *__restrict input_matrix, int32_t *__restrict padded_matrix, uint32_t pad_size,
                 int32_t pad_value) {
    const unsigned rows = 16, columns = 16, width = columns + 2 * pad_size, border = width * pad_size + pad_size;
    const auto row = padded_matrix + border;
    for (unsigned r = 0; r < rows; ++r)
        aie::store_unaligned_v(row + r * width, aie::load_v<16>(input_matrix + columns * r));
    // From the end of a row to the next row's beginning are two borders.
    for (unsigned r = 0; r + 1 < rows; ++r)
        for (unsigned i = 0; i < 2 * pad_size; ++i)
            row[r * width + columns + i] = pad_value;
    for (unsigned i = 0; i < border; ++i) {
        padded_matrix[i] = pad_value;
        row[(rows - 1) * width + columns + i] = pad_value;
    }
}
