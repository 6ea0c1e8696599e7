// Temporary buffers of the operations that broadcast and select.
#include "../sizes/pad_sizes.h"

#include "../sizes/select_sizes.h"
#include "adv_api/pad/broadcast_tiling.h"
#include "adv_api/select/selectwithbytesmask_tiling.h"

namespace AscendC {

namespace sizes = kb::sizes;

namespace {

uint32_t dim(const TensorShape& shape, size_t i) {
    return static_cast<uint32_t>(shape.GetDim(i));
}

uint32_t elements(const TensorShape& shape) {
    return static_cast<uint32_t>(shape.GetShapeSize());
}

bool spreads(const TensorShape& src, const TensorShape& dst) {
    const size_t dims = dst.GetDimNum();
    if (src.GetDimNum() != dims || (dims != 1 && dims != 2)) {
        return false;
    }
    for (size_t i = 0; i < dims; ++i) {
        if (src.GetDim(i) != dst.GetDim(i) && src.GetDim(i) != 1) {
            return false;
        }
    }
    return elements(src) > 0;
}

bool is_scalar(const TensorShape& shape) {
    return shape.GetDimNum() == 0 || shape.GetShapeSize() == 1;
}

uint32_t select_size(const TensorShape& src0, const TensorShape& src1, const TensorShape& mask, uint32_t mask_bytes, bool reuse,
                     bool least) {
    const TensorShape& src = is_scalar(src0) ? src1 : src0;
    const uint32_t all = elements(src);
    const int64_t src_last = src.GetDim(src.GetDimNum() - 1);
    const int64_t mask_last = mask.GetDim(mask.GetDimNum() - 1);
    const bool copies = mask_last != src_last && !reuse && mask_last > 1;
    const uint32_t piece = least && all > sizes::kSelectPiece ? sizes::kSelectPiece : all;
    return sizes::select_work(piece) + (copies ? sizes::select_mask_copy(all, mask_bytes) : 0);
}

}  // namespace

// Shapes that do not broadcast leave both sizes as they were, as do rows that are no multiple of 32 bytes for axis 0.
void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& src, const TensorShape& dst,
                               uint32_t type_bytes, bool, uint32_t& max, uint32_t& min) {
    if (!spreads(src, dst) || type_bytes == 0) {
        return;
    }
    const bool two = dst.GetDimNum() == 2;
    const sizes::Broadcast b{elements(src), two ? dim(dst, 0) : 1, dim(dst, two ? 1 : 0), two && src.GetDim(1) == 1};
    const uint32_t row_bytes = b.columns * (type_bytes == 1 ? 2 : type_bytes);
    if (!b.last && b.src_elements != 1 && b.src_elements != b.rows * b.columns && row_bytes % sizes::kBlock != 0) {
        return;
    }
    const sizes::Range range = sizes::broadcast(b, type_bytes);
    max = range.max;
    min = range.min;
}

uint32_t GetSelectMinTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t, const TensorShape& mask,
                             uint32_t mask_bytes, bool reuse) {
    return select_size(src0, src1, mask, mask_bytes, reuse, true);
}

uint32_t GetSelectMaxTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t, const TensorShape& mask,
                             uint32_t mask_bytes, bool reuse) {
    return select_size(src0, src1, mask, mask_bytes, reuse, false);
}

void GetSelectMaxMinTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t type_bytes, const TensorShape& mask,
                            uint32_t mask_bytes, bool reuse, uint32_t& max, uint32_t& min) {
    max = GetSelectMaxTmpSize(src0, src1, type_bytes, mask, mask_bytes, reuse);
    min = GetSelectMinTmpSize(src0, src1, type_bytes, mask, mask_bytes, reuse);
}

uint32_t GetSelectWithBytesMaskMinTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t type_bytes,
                                          const TensorShape& mask, uint32_t mask_bytes, bool reuse) {
    return GetSelectMinTmpSize(src0, src1, type_bytes, mask, mask_bytes, reuse);
}

uint32_t GetSelectWithBytesMaskMaxTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t type_bytes,
                                          const TensorShape& mask, uint32_t mask_bytes, bool reuse) {
    return GetSelectMaxTmpSize(src0, src1, type_bytes, mask, mask_bytes, reuse);
}

void GetSelectWithBytesMaskMaxMinTmpSize(const TensorShape& src0, const TensorShape& src1, uint32_t type_bytes,
                                         const TensorShape& mask, uint32_t mask_bytes, bool reuse, uint32_t& max,
                                         uint32_t& min) {
    GetSelectMaxMinTmpSize(src0, src1, type_bytes, mask, mask_bytes, reuse, max, min);
}

}  // namespace AscendC
