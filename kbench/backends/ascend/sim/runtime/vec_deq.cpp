// The scale register of conversions that dequantise.
#include <string.h>

#include "vec_plan.h"

using kb::DeqScale;
using kb::self;

namespace {

// The register's scale of int16 to 8 bits counts as one sign, eight exponent and ten fraction bits.
float kept_scale(float scale) {
    return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, scale) & 0xffffe000u);
}

// Nine bits of an offset count, the highest of them its sign.
int16_t kept_offset(uint64_t offset) {
    return static_cast<int16_t>(static_cast<int16_t>(offset << 7) >> 7);
}

}  // namespace

extern "C" void kbrt_vec_deq_half(float scale) {
    DeqScale& deq = self().vec.deq;
    deq.form = DeqScale::Form::half;
    deq.scale[0] = scale;
}

extern "C" void kbrt_vec_deq_tensor(float scale, int16_t offset, bool is_signed) {
    DeqScale& deq = self().vec.deq;
    deq.form = DeqScale::Form::tensor;
    deq.scale[0] = kept_scale(scale);
    deq.offset[0] = kept_offset(static_cast<uint16_t>(offset));
    deq.is_signed[0] = is_signed;
}

extern "C" void kbrt_vec_deq_lanes(const float* scale, const int16_t* offset, const bool* is_signed) {
    DeqScale& deq = self().vec.deq;
    deq.form = DeqScale::Form::lanes;
    for (uint32_t i = 0; i < sizeof deq.scale / sizeof deq.scale[0]; ++i) {
        deq.scale[i] = kept_scale(scale[i]);
        deq.offset[i] = kept_offset(static_cast<uint16_t>(offset[i]));
    }
    memcpy(deq.is_signed, is_signed, sizeof deq.is_signed);
}

extern "C" void kbrt_vec_deq_word(uint64_t word) {
    DeqScale& deq = self().vec.deq;
    deq.form = DeqScale::Form::word;
    deq.word = word;
}

namespace kb::vec {
namespace {

// A scale's bits: the float below, a signed offset of nine bits from bit 37, and at bit 46 whether the result is signed.
void take_scale(DeqScale& deq, uint32_t lane, uint64_t word) {
    deq.scale[lane] = kept_scale(__builtin_bit_cast(float, static_cast<uint32_t>(word)));
    deq.offset[lane] = kept_offset(word >> 37);
    deq.is_signed[lane] = (word >> 46 & 1) != 0;
}

// The word is one scale, or the address of sixteen in units of 32 bytes.
void take_word(DeqScale::Form wanted, const char* api) {
    DeqScale& deq = self().vec.deq;
    if (deq.form != DeqScale::Form::word) {
        return;
    }
    deq.form = wanted;
    if (wanted == DeqScale::Form::tensor) {
        return take_scale(deq, 0, deq.word);
    }
    constexpr uint32_t kLanes = 16;
    const auto* scales = reinterpret_cast<const uint8_t*>(deq.word << 5);
    kb::check_read({const_cast<uint8_t*>(scales), UINT32_MAX, 0, Dtype::u64, 0}, 0, kLanes * 8, api, "vdeq");
    for (uint32_t i = 0; i < kLanes; ++i) {
        uint64_t word;
        memcpy(&word, scales + 8 * i, 8);
        take_scale(deq, i, word);
    }
}

// One int16 times its lane's scale plus offset, rounded to nearest even and saturated to 8 bits. `block_lane`: 0 to 15.
uint8_t dequantised(int16_t x, uint32_t block_lane, bool by_lane) {
    const DeqScale& deq = self().vec.deq;
    const uint32_t k = by_lane ? block_lane : 0;
    const double wide = __builtin_elementwise_roundeven(static_cast<double>(x) * deq.scale[k] + deq.offset[k]);
    const double low = deq.is_signed[k] ? -128.0 : 0.0;
    const double high = deq.is_signed[k] ? 127.0 : 255.0;
    const double kept = wide == wide ? (wide < low ? low : (wide > high ? high : wide)) : 0.0;
    return static_cast<uint8_t>(static_cast<int32_t>(kept));
}

// 16 lanes of int16 make a block of src and one half, lower or upper, of a block of dst.
void narrow_blocks(const Operand& dst, const Operand& src, const Plan& plan, bool by_lane, bool lower) {
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        const uint32_t lanes = r + 1 == plan.repeats ? plan.tail : plan.used;
        for (uint32_t i = 0; i < lanes; ++i) {
            if (!plan.prefix && !plan.on(i)) {
                continue;
            }
            const uint8_t* from = src.view.ptr + static_cast<uint64_t>(r) * src.repeat_bytes + i / 16 * src.block_bytes + i % 16 * 2;
            int16_t x;
            memcpy(&x, from, 2);
            dst.view.ptr[static_cast<uint64_t>(r) * dst.repeat_bytes + i / 16 * dst.block_bytes + i % 16 + (lower ? 0 : 16)] =
                dequantised(x, i % 16, by_lane);
        }
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_cast_deq(kb::View dst, kb::View src, const kb::VecForm& form, bool by_lane, bool lower_half) {
    using namespace kb::vec;
    constexpr const char* kApi = "CastDequant";
    if (src.dtype == kb::Dtype::i32) {
        return kbrt_vec_lanes(dst, src, {}, form);
    }
    const DeqScale::Form wanted = by_lane ? DeqScale::Form::lanes : DeqScale::Form::tensor;
    take_word(wanted, kApi);
    if (self().vec.deq.form != wanted) {
        kb::error("E6", kApi, "expected SetDeqScale(%s) before it", by_lane ? "vdeq, vdeqInfo" : "scale, offset, signMode");
    }
    Operand to = operand_of(dst, "dst", form, 0);
    Operand from = operand_of(src, "src", form, 1);
    Plan plan;
    if (form.kind == kb::VecMask::count) {
        plan = count_plan(begin_count(form, kApi), 128);
    } else {
        plan = plan_of(form, 128, kApi);
    }
    if (plan.repeats == 0) {
        return note(form.op, 0, 0);
    }
    check_place(to, kBlockBytes, kApi);
    check_place(from, kBlockBytes, kApi);
    check_extent(from, plan, kApi, false);
    const uint64_t blocks = (plan.tail + 15) / 16;
    check_range(to, 0, (plan.repeats - 1ull) * to.repeat_bytes + (blocks - 1) * to.block_bytes + kBlockBytes, kApi, true);
    narrow_blocks(to, from, plan, by_lane, lower_half);
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}
