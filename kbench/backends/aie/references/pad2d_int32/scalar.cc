#include <aie_api/aie.hpp>

void pad2d_int32(int32_t *input_matrix, int32_t *padded_matrix, uint32_t pad_size, int32_t pad_value) {
    const unsigned rows = 16, columns = 16, width = columns + 2 * pad_size;
    for (unsigned i = 0; i < width * (rows + 2 * pad_size); ++i)
        padded_matrix[i] = pad_value;
    for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c)
            padded_matrix[(r + pad_size) * width + pad_size + c] = input_matrix[r * columns + c];
}
