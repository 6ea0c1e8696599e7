// Walks the lanes of an operation: contiguous runs where the strides allow it, else block by block through buffers.
//
// Order is that of the device as documented: repeats one after the other, each reading all of its sources before it
// writes, so that dst of one repeat may be a source of the next (the accumulating form) and the result is defined here
// even where operands overlap in ways that the device leaves undefined (E11, reported).
#include <string.h>

#include "vec_math.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

struct Call {
    VecOp op;
    const char* api;
    Loop loop;
    uint64_t scalar;
    uint32_t lanes;   // of a full repeat
    int sources;      // 0, 1, 2
    bool reads_dst;   // dst is a source too
    bool finite;      // saturation mode, and a dst that it concerns
    Operand dst;
    Operand src[2];
};

// What an operation consists of, apart from its types.
struct Shape {
    int sources;
    bool reads_dst;
};

Shape shape_of(VecOp op) {
    switch (op) {
        case VecOp::Duplicate: return {0, false};
        case VecOp::MulAddDst:
        case VecOp::FusedMulAdd:
        case VecOp::FusedMulAddRelu: return {2, true};
        case VecOp::Axpy: return {1, true};
        case VecOp::Add: case VecOp::Sub: case VecOp::Mul: case VecOp::Div: case VecOp::Max: case VecOp::Min:
        case VecOp::And: case VecOp::Or: case VecOp::AddRelu: case VecOp::SubRelu:
        case VecOp::AddDeqRelu: case VecOp::AddReluCast: case VecOp::SubReluCast: case VecOp::MulCast: return {2, false};
        default: return {1, false};
    }
}

// What moves values as they are keeps them in saturation mode too.
bool saturates(VecOp op, Dtype dst) {
    const bool small = dst == Dtype::f16 || dst == Dtype::bf16;
    return self().vec.saturate && small && op != VecOp::Copy && op != VecOp::Duplicate;
}

// The deqscale register as a float's bits, for the conversions from int32 to half.
uint64_t deq_scale(const char* api) {
    const DeqScale& deq = self().vec.deq;
    if (deq.form != DeqScale::Form::half) {
        error("E6", api, "int32_t to half multiplies by a scale: expected SetDeqScale(half) before it");
    }
    return __builtin_bit_cast(uint32_t, deq.scale[0]);
}

Loop loop_of(const VecForm& form, Dtype dst, Dtype src) {
    if (self().vec.saturate) {
        if (Loop loop = saturating_loop(form.op, dst, src)) {
            return loop;
        }
    }
    if (form.op < VecOp::Add || form.op == VecOp::Copy) {
        return unary_loop(form.op, src);
    }
    if (form.op < VecOp::Adds) {
        return binary_loop(form.op, dst, src);
    }
    if (form.op == VecOp::Cast) {
        return cast_loop(dst, src, form.mode);
    }
    return form.op < VecOp::Cast || form.op == VecOp::Duplicate ? scalar_loop(form.op, dst, src)
                                                                : fused_cast_loop(form.op, dst, src);
}

// ---- overlap --------------------------------------------------------------------------------------------------------

// Same lanes at the same addresses: an in-place operation.
bool same_lanes(const Operand& a, const Operand& b) {
    return a.view.ptr == b.view.ptr && a.bits == b.bits && a.block_bytes == b.block_bytes && a.repeat_bytes == b.repeat_bytes;
}

// Whether dst overlaps a source other than lane by lane: then a repeat must read before it writes, and runs must not be
// merged across repeats.
bool tangled(const Call& c, uint64_t dst_bytes, const uint64_t* src_bytes) {
    for (int i = 0; i < c.sources; ++i) {
        if (!same_lanes(c.dst, c.src[i]) && overlap(c.dst.view.ptr, dst_bytes, c.src[i].view.ptr, src_bytes[i])) {
            return true;
        }
    }
    return false;
}

// ---- one repeat -----------------------------------------------------------------------------------------------------

struct Scratch {
    alignas(32) uint8_t dst[kRepeatBytes];
    alignas(32) uint8_t src[2][kRepeatBytes];
};

uint32_t blocks_of(const Operand& o, uint32_t lanes) {
    return (lanes * o.bits + 8 * kBlockBytes - 1) / (8 * kBlockBytes);
}

// Whole blocks: an aligned block that holds one lane lies in the unified buffer.
void gather(uint8_t* to, const Operand& o, const uint8_t* from, uint32_t lanes) {
    for (uint32_t b = 0; b < blocks_of(o, lanes); ++b) {
        memcpy(to + b * kBlockBytes, from + static_cast<uint64_t>(b) * o.block_bytes, kBlockBytes);
    }
}

// Blends the enabled lanes of each block into what dst holds.
template <class T>
void blend(uint8_t* to, const Operand& o, const uint8_t* from, uint32_t lanes, const uint8_t* on) {
    constexpr uint32_t kPerBlock = kBlockBytes / sizeof(T);
    for (uint32_t first = 0; first < lanes; first += kPerBlock) {
        T block[kPerBlock];
        memcpy(block, to, kBlockBytes);
        const T* values = reinterpret_cast<const T*>(from) + first;
        for (uint32_t i = 0; i < kPerBlock; ++i) {
            block[i] = on[first + i] ? values[i] : block[i];
        }
        memcpy(to, block, kBlockBytes);
        to += o.block_bytes;
    }
}

void blend_nibbles(uint8_t* to, const Operand& o, const uint8_t* from, uint32_t lanes, const uint8_t* on) {
    for (uint32_t i = 0; i < lanes; ++i) {
        const uint8_t keep = on[i] ? ((i & 1) ? 0x0f : 0xf0) : 0xff;
        uint8_t& byte = to[i / 64 * o.block_bytes + i % 64 / 2];
        byte = static_cast<uint8_t>((byte & keep) | (from[i / 2] & ~keep));
    }
}

void scatter(uint8_t* to, const Operand& o, const uint8_t* from, uint32_t lanes, const uint8_t* on) {
    switch (o.bits) {
        case 4: return blend_nibbles(to, o, from, lanes, on);
        case 8: return blend<uint8_t>(to, o, from, lanes, on);
        case 16: return blend<uint16_t>(to, o, from, lanes, on);
        case 32: return blend<uint32_t>(to, o, from, lanes, on);
        default: return blend<uint64_t>(to, o, from, lanes, on);
    }
}

const uint8_t* source_at(const Operand& o, uint32_t repeat) {
    return o.view.ptr + static_cast<uint64_t>(repeat) * o.repeat_bytes;
}

// In saturation mode results in half and bfloat16 are finite.
template <class T>
void all_finite(uint8_t* values, uint64_t n) {
    T* v = reinterpret_cast<T*>(values);
    for (uint64_t i = 0; i < n; ++i) {
        v[i] = finite(v[i]);
    }
}

void compute(const Call& c, uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t n) {
    c.loop(dst, a, b, c.scalar, n);
    if (__builtin_expect(c.finite, 0)) {
        c.dst.view.dtype == Dtype::f16 ? all_finite<F16>(dst, n) : all_finite<Bf16>(dst, n);
    }
}

// A repeat in which every operand is one run of `lanes` lanes.
void direct_repeat(const Call& c, uint32_t repeat, uint32_t lanes) {
    compute(c, c.dst.view.ptr + static_cast<uint64_t>(repeat) * c.dst.repeat_bytes, source_at(c.src[0], repeat),
            source_at(c.src[1], repeat), lanes);
}

// Any other: `lanes` lanes up to the last enabled one, through buffers; `on` says which of them are written.
void buffered_repeat(const Call& c, uint32_t repeat, uint32_t lanes, const uint8_t* on) {
    Scratch scratch;
    uint8_t* d = c.dst.view.ptr + static_cast<uint64_t>(repeat) * c.dst.repeat_bytes;
    for (int i = 0; i < c.sources; ++i) {
        gather(scratch.src[i], c.src[i], source_at(c.src[i], repeat), lanes);
    }
    if (c.reads_dst || c.dst.bits < 8) {
        gather(scratch.dst, c.dst, d, lanes);
    }
    compute(c, scratch.dst, scratch.src[0], scratch.src[1], lanes);
    scatter(d, c.dst, scratch.dst, lanes, on);
}

void each_repeat(const Call& c, const Plan& plan, bool direct) {
    if (direct) {
        for (uint32_t r = 0; r < plan.repeats; ++r) {
            direct_repeat(c, r, r + 1 == plan.repeats ? plan.tail : plan.used);
        }
        return;
    }
    uint8_t on[kMaxLanes];
    enabled(plan, plan.used, on);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        if (r + 1 == plan.repeats) {
            enabled(plan, plan.tail, on);
        }
        buffered_repeat(c, r, r + 1 == plan.repeats ? plan.tail : plan.used, on);
    }
}

// ---- the forms ------------------------------------------------------------------------------------------------------

// Whether some repeat writes what the same or a later repeat reads, other than lane by lane. A dst that trails its source
// by a repeat or more only overwrites what was read.
bool overwrites_unread(const Call& c, const Operand& src, const Plan& plan, uint64_t src_bytes) {
    if (same_lanes(c.dst, src)) {
        return false;
    }
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        const uint64_t read = static_cast<uint64_t>(r) * src.repeat_bytes;
        const uint64_t written = static_cast<uint64_t>(r) * c.dst.repeat_bytes;
        const uint32_t lanes = r + 1 == plan.repeats ? plan.tail : plan.used;
        if (overlap(c.dst.view.ptr + written, c.dst.end_of(lanes), src.view.ptr + read, src_bytes - read)) {
            return true;
        }
    }
    return false;
}

void warn_overlap(const Call& c, const Plan& plan, const uint64_t* src_bytes) {
    for (int i = 0; i < c.sources; ++i) {
        if (overwrites_unread(c, c.src[i], plan, src_bytes[i])) {
            return warning("E11", c.api, "dst overlaps a source at another address or width: expected no overlap, or all of it");
        }
    }
}

void run_repeats(const Call& c, const Plan& plan) {
    if (c.dst.block_bytes == 0 && blocks_of(c.dst, plan.used) > 1) {
        warning("E12", c.api, "dstBlkStride: expected at least 1, got 0; the blocks of a repeat overwrite each other");
    }
    uint64_t src_bytes[2] = {0, 0};
    bool flat = c.dst.block_bytes == kBlockBytes;  // a repeat is one run in every operand
    bool merged = plan.prefix && plan.used == plan.lanes && c.dst.contiguous(plan.lanes);
    for (int i = 0; i < c.sources; ++i) {
        src_bytes[i] = c.src[i].extent(plan);
        flat = flat && c.src[i].block_bytes == kBlockBytes;
        merged = merged && c.src[i].contiguous(plan.lanes);
    }
    const bool mixed = tangled(c, c.dst.extent(plan), src_bytes);
    if (merged && !mixed) {
        const uint64_t n = (plan.repeats - 1ull) * plan.lanes + plan.tail;
        compute(c, c.dst.view.ptr, c.src[0].view.ptr, c.src[1].view.ptr, n);
        return;
    }
    if (merged) {
        warn_overlap(c, plan, src_bytes);
    }
    each_repeat(c, plan, plan.prefix && flat && !mixed);
}

// Checks and runs the repeats of a plan; returns their number.
uint32_t planned(const Call& c, const Plan& plan) {
    if (plan.repeats == 0) {
        return 0;
    }
    check_place(c.dst, kBlockBytes, c.api);
    check_extent(c.dst, plan, c.api, true);
    for (int i = 0; i < c.sources; ++i) {
        check_place(c.src[i], kBlockBytes, c.api);
        check_extent(c.src[i], plan, c.api, false);
    }
    run_repeats(c, plan);
    return plan.repeats;
}

// One repeat of Copy in counter mode: the mask holds its elements, however many blocks they need.
Operand row_of(Operand o, uint32_t repeat) {
    const uint64_t at = static_cast<uint64_t>(repeat) * o.repeat_bytes;
    o.view.ptr += at;
    o.view.bytes = at < o.view.bytes ? static_cast<uint32_t>(o.view.bytes - at) : 0;
    o.repeat_bytes = kRepeatBytes / kBlockBytes * o.block_bytes;
    return o;
}

uint32_t copied_rows(const Call& c, const VecForm& form) {
    const Plan plan = plan_of(form, c.lanes, c.api);
    uint32_t repeats = 0;
    for (int32_t r = 0; r < form.count; ++r) {
        Call row = c;
        row.dst = row_of(c.dst, static_cast<uint32_t>(r));
        row.src[0] = row_of(c.src[0], static_cast<uint32_t>(r));
        repeats += planned(row, plan);
    }
    return repeats;
}

// The instruction has 12 bits for the distance of repeats.
void check_copy(const VecForm& form, const char* api) {
    static constexpr const char* kNames[2] = {"dstRepeatSize", "srcRepeatSize"};
    for (int i = 0; i < 2; ++i) {
        if (form.repeat[i] > 4095) {
            error("E10", api, "%s: expected 0 to 4095, got %d", kNames[i], form.repeat[i]);
        }
    }
}

void high_dimensional(const Call& c, const VecForm& form) {
    if (c.op == VecOp::Copy) {
        check_copy(form, c.api);
    }
    const bool rows = c.op == VecOp::Copy && self().vec.counter;
    const uint32_t repeats = rows ? copied_rows(c, form) : planned(c, plan_of(form, c.lanes, c.api));
    note(c.op, repeats, static_cast<uint64_t>(repeats) * kRepeatBytes);
}

void first_elements(Call& c, const VecForm& form) {
    const uint64_t count = begin_count(form, c.api);
    if (count == 0) {
        note(c.op, 0, 0);
        return;
    }
    const Plan plan = count_plan(count, c.lanes);
    uint64_t src_bytes[2] = {0, 0};
    check_place(c.dst, kBlockBytes, c.api);
    check_count(c.dst, count, c.api, true);
    for (int i = 0; i < c.sources; ++i) {
        check_place(c.src[i], kBlockBytes, c.api);
        check_count(c.src[i], count, c.api, false);
        src_bytes[i] = count * c.src[i].bits / 8;
    }
    if (__builtin_expect(tangled(c, count * c.dst.bits / 8, src_bytes), 0)) {
        warn_overlap(c, plan, src_bytes);
        each_repeat(c, plan, false);
    } else {
        compute(c, c.dst.view.ptr, c.src[0].view.ptr, c.src[1].view.ptr, count);
    }
    note(c.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

void check_shift(const Call& c, const VecForm& form) {
    const bool shifts = c.op == VecOp::ShiftLeft || c.op == VecOp::ShiftRight || c.op == VecOp::ShiftRightRound;
    if (shifts && form.scalar > c.dst.bits) {
        const int64_t got = c.dst.bits == 16 ? static_cast<int16_t>(form.scalar) : static_cast<int32_t>(form.scalar);
        error("E57", c.api, "scalarValue: expected 0 to %u, got %lld", c.dst.bits, static_cast<long long>(got));
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_lanes(kb::View dst, kb::View src0, kb::View src1, const kb::VecForm& form) {
    using namespace kb::vec;
    const Shape shape = shape_of(form.op);
    Call call{form.op, name_of(form.op), loop_of(form, dst.dtype, src0.dtype), form.scalar, 0, shape.sources,
              shape.reads_dst, saturates(form.op, dst.dtype), operand_of(dst, "dst", form, 0),
              {operand_of(src0, shape.sources == 2 ? "src0" : "src", form, 1), operand_of(src1, "src1", form, 2)}};
    if (form.op == kb::VecOp::Cast && !legal_round(dst.dtype, src0.dtype, form.mode)) {
        kb::error("E6", call.api, "roundMode, %s to %s: expected %s, got %s", type_name(src0.dtype), type_name(dst.dtype),
                  legal_round(dst.dtype, src0.dtype, 1) ? "CAST_RINT, FLOOR, CEIL, ROUND or TRUNC" : "CAST_NONE",
                  round_name(form.mode));
    }
    check_shift(call, form);
    if (call.loop == nullptr) {
        kb::unsupported(call.api);
    }
    const uint32_t widest = shape.sources > 0 && call.src[0].bits > call.dst.bits ? call.src[0].bits : call.dst.bits;
    call.lanes = lanes_of(widest);
    if (dst.dtype == kb::Dtype::f16 && src0.dtype == kb::Dtype::i32) {
        call.scalar = deq_scale(call.api);
    }
    if (form.op == kb::VecOp::AddDeqRelu && form.count > 0) {  // a lane's sum is an int32_t there
        const uint64_t lanes = form.kind == kb::VecMask::count ? 1 : call.lanes;
        use_reserve(static_cast<uint64_t>(form.count) * lanes * sizeof(int32_t), call.api);
    }
    if (form.kind == kb::VecMask::count) {
        // A repeat of the narrower side is half as long.
        call.dst.block_bytes = call.src[0].block_bytes = call.src[1].block_bytes = kBlockBytes;
        call.dst.repeat_bytes = call.lanes * call.dst.bits / 8;
        call.src[0].repeat_bytes = call.lanes * call.src[0].bits / 8;
        call.src[1].repeat_bytes = call.lanes * call.src[1].bits / 8;
        first_elements(call, form);
    } else {
        high_dimensional(call, form);
    }
}
