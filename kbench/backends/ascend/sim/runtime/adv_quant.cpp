// AscendQuant, AscendDequant and AscendAntiQuant.
#include <string.h>

#include "../sizes/quant_sizes.h"
#include "adv.h"
#include "kb_quant.h"
#include "vec_round.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

using vec::Bf16;
using vec::F16;

float at(const View& v, uint64_t i) {
    switch (v.dtype) {
        case Dtype::f16: return vec::widen(reinterpret_cast<const F16*>(v.ptr)[i]);
        case Dtype::bf16: return vec::widen(reinterpret_cast<const Bf16*>(v.ptr)[i]);
        case Dtype::u64: return reinterpret_cast<const float*>(v.ptr)[2 * i];  // the low word
        case Dtype::i8: return static_cast<float>(reinterpret_cast<const int8_t*>(v.ptr)[i]);
        case Dtype::i4: {
            const uint8_t both = v.ptr[i / 2];
            return static_cast<float>(static_cast<int8_t>(i % 2 == 0 ? both << 4 : both & 0xf0) >> 4);
        }
        default: return reinterpret_cast<const float*>(v.ptr)[i];
    }
}

// Rounded to the nearest; ties to even.
Bf16 to_bf16(float x) {
    const uint32_t u = vec::bits_as<uint32_t>(vec::canonical(x));
    if (x != x) {
        return {0x7fc0};
    }
    return {static_cast<uint16_t>((static_cast<uint64_t>(u) + 0x7fff + (u >> 16 & 1)) >> 16)};
}

// A float result is added to 0, which makes -0 +0.
void put(const View& v, uint64_t i, float value) {
    switch (v.dtype) {
        case Dtype::f16: reinterpret_cast<F16*>(v.ptr)[i] = vec::narrow(value); break;
        case Dtype::bf16: reinterpret_cast<Bf16*>(v.ptr)[i] = to_bf16(value); break;
        default: reinterpret_cast<float*>(v.ptr)[i] = vec::canonical(value + 0.0f); break;
    }
}

uint64_t bytes_of(const View& v, uint64_t elements) {
    return (elements * vec::element_bits(v.dtype) + 7) / 8;
}

// ---- AscendQuant ----------------------------------------------------------------------------------------------------

constexpr const char* kQuant = "AscendQuant";

void check_quant(const View& dst, const View& src, const View& scale, const QuantForm& form) {
    const uint32_t held = static_cast<uint32_t>(src.bytes / (vec::element_bits(src.dtype) / 8));
    if (form.count > held) {
        error("E9", kQuant, "calCount: expected at most srcTensor's %u elements, got %u", held, form.count);
    }
    if (scale.ptr != nullptr && (form.group == 0 || form.count % form.group != 0)) {
        error("E9", kQuant, "scaleCount: expected a divisor of calCount (%u), got %u", form.count, form.group);
    }
    if (scale.ptr != nullptr && form.count > form.group && form.group % 32 != 0) {
        error("E2", kQuant, "scaleCount: expected a multiple of 32 elements, got %u", form.group);
    }
    const Bytes to{dst.ptr, form.count, "dstTensor"};
    if (dst.ptr > src.ptr && to.meets({src.ptr, bytes_of(src, form.count), "srcTensor"})) {
        error("E11", kQuant, "dstTensor overlaps srcTensor: expected no overlap, or the same start");
    }
}

// The device turns tensors of float into halves in place.
void halve_in_place(const View& v, uint32_t count) {
    if (v.ptr == nullptr || v.dtype != Dtype::f32) {
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        reinterpret_cast<F16*>(v.ptr)[i] = vec::narrow(reinterpret_cast<const float*>(v.ptr)[i]);
    }
}

float half_of(const View& v, uint32_t i, float scalar) {
    return vec::kept<F16>(v.ptr == nullptr ? scalar : vec::widen(reinterpret_cast<const F16*>(v.ptr)[i]));
}

void quantise(const View& dst, const View& src, const View& scale, const View& offset, const QuantForm& form) {
    for (uint32_t i = 0; i < form.count; ++i) {
        const uint32_t channel = form.group == 0 ? 0 : i % form.group;
        const float x = vec::kept<F16>(at(src, i));
        const float scaled = vec::kept<F16>(x * half_of(scale, channel, form.scale));
        const float shifted = vec::kept<F16>(scaled + half_of(offset, channel, form.offset));
        dst.ptr[i] = static_cast<uint8_t>(vec::saturated<int8_t>(vec::to_integral<vec::Round::rint>(shifted)));
    }
}

// ---- AscendDequant --------------------------------------------------------------------------------------------------

constexpr const char* kDequant = "AscendDequant";

// One row of whole rows of scales is worked on as so many rows.
DequantForm as_rows(const DequantForm& form, const View& dst) {
    DequantForm f = form;
    const uint32_t per_block = 256 / vec::element_bits(dst.dtype);
    if (f.single_row && f.rows == 1 && f.used > 0 && f.used % per_block == 0 && f.columns % f.used == 0) {
        f.rows = f.columns / f.used;
        f.columns = f.used;
    }
    return f;
}

void check_dequant(const DequantForm& form, const View& src, const View& scale) {
    if (form.columns % 8 != 0) {
        error("E2", kDequant, "n: expected rows of a multiple of 32 bytes, got %u elements", form.columns);
    }
    if (form.used == 0 || form.used > form.columns) {
        error("E9", kDequant, "calCount: expected 1 to n (%u), got %u", form.columns, form.used);
    }
    if (form.count > src.bytes / 4) {
        error("E9", kDequant, "m * n: expected at most srcTensor's %u elements, got %u", src.bytes / 4, form.count);
    }
    if (scale.ptr != nullptr && form.used > scale.bytes * 8ull / vec::element_bits(scale.dtype)) {
        error("E9", kDequant, "calCount: expected at most deqScale's %u elements, got %u",
              static_cast<uint32_t>(scale.bytes * 8ull / vec::element_bits(scale.dtype)), form.used);
    }
}

// Elements of a row behind the first `used` are converted only.
void dequantise(const View& dst, const View& src, const View& scale, const DequantForm& f, uint32_t stride) {
    for (uint32_t i = 0; i < f.count; ++i) {
        const uint32_t row = i / f.columns;
        const uint32_t column = i % f.columns;
        const float x = static_cast<float>(reinterpret_cast<const int32_t*>(src.ptr)[i]);
        const float factor = scale.ptr == nullptr ? f.scale : at(scale, column < f.used ? column : 0);
        put(dst, static_cast<uint64_t>(row) * stride + column, column < f.used ? x * factor : x);
    }
}

// ---- AscendAntiQuant ------------------------------------------------------------------------------------------------

constexpr const char* kAnti = "AscendAntiQuant";

// Which scale belongs to element (row, column): groups run along K.
struct Scales {
    uint32_t rows, columns;  // of src
    uint32_t height, width;  // of the scales

    uint32_t index(uint32_t row, uint32_t column) const {
        return row / (rows / height) * width + column / (columns / width);
    }
};

Scales scales_of(const View& src, const View& scale, const AntiQuantForm& form) {
    const auto elements = static_cast<uint32_t>(src.bytes * 8ull / vec::element_bits(src.dtype));
    if (form.k == 0 || elements % form.k != 0) {
        error("E9", kAnti, "k: expected a divisor of src's %u elements, got %u", elements, form.k);
    }
    const uint32_t n = elements / form.k;
    Scales s{form.transposed ? n : form.k, form.transposed ? form.k : n, form.scale_rows, form.scale_columns};
    if (scale.ptr == nullptr) {
        return s;
    }
    const bool fits = s.height > 0 && s.width > 0 && s.rows % s.height == 0 && s.columns % s.width == 0 &&
                      (form.transposed ? s.height == n : s.width == n);
    if (!fits) {
        error("E9", kAnti, "shapeInfo: expected scales of %u × groups of k (or the tensor's ShapeInfo), got {%u, %u}", n,
              s.height, s.width);
    }
    return s;
}

float anti(const View& dst, float x, float scale, float offset, bool has_offset) {
    if (dst.dtype == Dtype::f16) {
        return vec::kept<F16>(scale * (has_offset ? vec::kept<F16>(x + offset) : x));
    }
    return scale * (has_offset ? x + offset : x);
}

void antiquantise(const View& dst, const View& src, const View& offset, const View& scale, const AntiQuantForm& form,
                  const Scales& s) {
    for (uint32_t r = 0; r < s.rows; ++r) {
        for (uint32_t c = 0; c < s.columns; ++c) {
            const uint64_t i = static_cast<uint64_t>(r) * s.columns + c;
            const uint32_t which = scale.ptr == nullptr ? 0 : s.index(r, c);
            const float by = scale.ptr == nullptr ? form.scale : at(scale, which);
            const float shift = offset.ptr == nullptr ? form.offset : at(offset, which);
            const float value = anti(dst, at(src, i), by, shift, form.has_offset);
            dst.dtype == Dtype::f16 ? void(reinterpret_cast<F16*>(dst.ptr)[i] = vec::narrow(value))
                                    : void(reinterpret_cast<Bf16*>(dst.ptr)[i] = to_bf16(value));
        }
    }
}

uint64_t used_of(const Tmp& tmp, sizes::Range range) {
    return range.min == 0 ? 0 : tmp.view.bytes < range.max ? tmp.view.bytes : range.max;
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_quant(kb::View dst, kb::View src, kb::View tmp, kb::View scale, kb::View offset,
                               const kb::QuantForm& form) {
    using namespace kb::adv;
    if (form.count == 0) {
        return emit(Op::AscendQuant, 0);
    }
    check_quant(dst, src, scale, form);
    reads(src, "srcTensor", bytes_of(src, form.count), kQuant);
    writes(dst, "dstTensor", form.count, kQuant);
    if (scale.ptr != nullptr) {
        reads(scale, "scaleTensor", bytes_of(scale, form.group), kQuant);
    }
    if (offset.ptr != nullptr) {
        reads(offset, "offsetTensor", bytes_of(offset, form.group), kQuant);
    }
    const kb::sizes::Range need = kb::sizes::quant(form.count);
    const Tmp work = temporary(tmp, need.min, kQuant);
    const Bytes operands[] = {{dst.ptr, form.count, "dstTensor"}, {src.ptr, bytes_of(src, form.count), "srcTensor"}};
    check_apart(work, used_of(work, need), kQuant, operands, 2);
    halve_in_place(scale, form.group);
    halve_in_place(offset, form.group);
    quantise(dst, src, scale, offset, form);
    spoil(work, used_of(work, need), kQuant);
    reset_mask();
    emit(Op::AscendQuant, bytes_of(src, form.count));
}

extern "C" void kbrt_adv_dequant(kb::View dst, kb::View src, kb::View scale, kb::View tmp, const kb::DequantForm& form) {
    using namespace kb::adv;
    if (form.count == 0) {
        return emit(Op::AscendDequant, 0);
    }
    check_dequant(form, src, scale);
    const kb::DequantForm f = as_rows(form, dst);
    const uint32_t size = kb::vec::element_bits(dst.dtype) / 8;
    const uint32_t stride = kb::sizes::round_up(f.columns * size, 32) / size;
    const uint32_t last = (f.count - 1) / f.columns;
    const uint64_t dst_bytes = (static_cast<uint64_t>(last) * stride + f.count - static_cast<uint64_t>(last) * f.columns) * size;
    reads(src, "srcTensor", 4ull * f.count, kDequant);
    writes(dst, "dstTensor", dst_bytes, kDequant);
    if (scale.ptr != nullptr) {
        reads(scale, "deqScale", bytes_of(scale, f.used), kDequant);
    }
    const kb::sizes::Range need = kb::sizes::dequant(form.rows, form.columns);
    const Tmp work = temporary(tmp, need.min, kDequant);
    const Bytes to{dst.ptr, dst_bytes, "dstTensor"};
    const Bytes operands[] = {to, {src.ptr, 4ull * f.count, "srcTensor"}};
    check_apart(work, used_of(work, need), kDequant, operands, 2);
    if (to.meets(operands[1])) {
        kb::error("E11", kDequant, "dstTensor overlaps srcTensor: expected no overlap");
    }
    dequantise(dst, src, scale, f, stride);
    spoil(work, used_of(work, need), kDequant);
    reset_mask();
    emit(Op::AscendDequant, 4ull * f.count);
}

extern "C" void kbrt_adv_antiquant(kb::View dst, kb::View src, kb::View offset, kb::View scale, kb::View tmp,
                                   const kb::AntiQuantForm& form) {
    using namespace kb::adv;
    const Scales s = scales_of(src, scale, form);
    const uint32_t n = s.rows * s.columns;
    if (n == 0) {
        return emit(Op::AscendAntiQuant, 0);
    }
    reads(src, "src", bytes_of(src, n), kAnti);
    writes(dst, "dst", 2ull * n, kAnti);
    if (scale.ptr != nullptr) {
        reads(scale, "scale", 2ull * s.height * s.width, kAnti);
    }
    if (offset.ptr != nullptr) {
        reads(offset, "offset", 2ull * s.height * s.width, kAnti);
    }
    const kb::sizes::Range need = kb::sizes::anti_quant(
        {n, scale.ptr == nullptr ? 1 : s.height * s.width, s.rows, form.transposed, dst.dtype == kb::Dtype::f16});
    const Tmp work = temporary(tmp, need.min, kAnti);
    const Bytes operands[] = {{dst.ptr, 2ull * n, "dst"}, {src.ptr, bytes_of(src, n), "src"}};
    check_apart(work, used_of(work, need), kAnti, operands, 2);
    if (operands[0].meets(operands[1])) {
        kb::error("E11", kAnti, "dst overlaps src: expected no overlap");
    }
    antiquantise(dst, src, offset, scale, form, s);
    spoil(work, used_of(work, need), kAnti);
    reset_mask();
    emit(Op::AscendAntiQuant, 2ull * n);
}
