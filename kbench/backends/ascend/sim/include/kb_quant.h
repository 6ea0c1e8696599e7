// Entries of the runtime behind the quantising operations.
#pragma once

#include "kb_pad.h"

namespace kb {

// `count` elements, `group` of them with one row of scales; without tensors (null pointers) the scalars count.
struct QuantForm {
    uint32_t count;
    uint32_t group;
    float scale;
    float offset;
};

// rows × columns, of which the first `used` of a row are multiplied; `count` elements in all.
struct DequantForm {
    uint32_t rows, columns, used, count;
    bool single_row;  // one row may stand for several
    float scale;      // where there is no tensor
};

// rows × columns; scale row i / row_group, column j / column_group, `scale_columns` in a row.
struct AntiQuantForm {
    uint32_t k;
    uint32_t scale_rows, scale_columns;
    bool transposed;
    bool has_offset;
    float scale, offset;  // where there are no tensors
};

}  // namespace kb

extern "C" {
void kbrt_adv_quant(kb::View dst, kb::View src, kb::View tmp, kb::View scale, kb::View offset, const kb::QuantForm& form);
void kbrt_adv_dequant(kb::View dst, kb::View src, kb::View scale, kb::View tmp, const kb::DequantForm& form);
void kbrt_adv_antiquant(kb::View dst, kb::View src, kb::View offset, kb::View scale, kb::View tmp,
                        const kb::AntiQuantForm& form);
}
