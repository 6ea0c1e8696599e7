// Comparisons, which yield one bit a lane, and selection by such bits. Bit i of the little-endian result is lane i.
#include <string.h>

#include "vec_math.h"
#include "vec_plan.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {
namespace {

// The numbers of AscendC::CMPMODE and SELMODE.
enum class Relation : uint8_t { lt = 0, gt, eq, le, ge, ne };
enum class Choice : uint8_t { by_register = 0, or_scalar, or_tensor };

constexpr uint32_t kChunk = 256;  // lanes at a time

KB_LANE float value_of(F16 x) { return widen(x); }
KB_LANE float value_of(float x) { return x; }
KB_LANE int32_t value_of(int32_t x) { return x; }

// NE is false where an operand is NaN (the device's, not IEEE's).
template <Relation r, class V>
KB_LANE uint8_t holds(V a, V b) {
    switch (r) {
        case Relation::lt: return a < b;
        case Relation::gt: return a > b;
        case Relation::eq: return a == b;
        case Relation::le: return a <= b;
        case Relation::ge: return a >= b;
        default: return (a < b) | (a > b);
    }
}

using Judge = void (*)(uint8_t* out, const uint8_t* a, const uint8_t* b, uint32_t n);

template <Relation r, class T>
void judge(uint8_t* out, const uint8_t* a, const uint8_t* b, uint32_t n) {
    const T* x = reinterpret_cast<const T*>(a);
    const T* y = reinterpret_cast<const T*>(b);
    KB_LOOP for (uint32_t i = 0; i < n; ++i) { out[i] = holds<r>(value_of(x[i]), value_of(y[i])); }
}

template <class T>
Judge judge_of(Relation r) {
    switch (r) {
        case Relation::lt: return judge<Relation::lt, T>;
        case Relation::gt: return judge<Relation::gt, T>;
        case Relation::eq: return judge<Relation::eq, T>;
        case Relation::le: return judge<Relation::le, T>;
        case Relation::ge: return judge<Relation::ge, T>;
        default: return judge<Relation::ne, T>;
    }
}

Judge judge_of(Dtype type, Relation r, const char* api) {
    switch (type) {
        case Dtype::f16: return judge_of<F16>(r);
        case Dtype::f32: return judge_of<float>(r);
        case Dtype::i32:
            if (r != Relation::eq) {
                error("E5", api, "cmpMode: expected CMPMODE::EQ for int32_t, got CMPMODE %d", static_cast<int>(r));
            }
            return judge<Relation::eq, int32_t>;
        default: unsupported(api);
    }
}

// Eight bytes of 0 or 1 become the bits of one: the products' partial sums do not meet.
void pack(uint8_t* bits, const uint8_t* bytes, uint32_t n) {
    for (uint32_t i = 0; i < n / 8; ++i) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * i, 8);
        bits[i] = static_cast<uint8_t>(eight * 0x0102040810204080ull >> 56);
    }
}

void unpack(uint8_t* bytes, const uint8_t* bits, uint32_t n) {
    for (uint32_t i = 0; i < (n + 7) / 8; ++i) {
        const uint64_t spread = bits[i] * 0x0101010101010101ull & 0x8040201008040201ull;
        const uint64_t eight = (spread + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull;
        memcpy(bytes + 8 * i, &eight, 8);
    }
}

void fill_scalar(uint8_t* to, uint64_t scalar, uint32_t bits) {
    for (uint32_t i = 0; i < kChunk * bits / 8; i += bits / 8) {
        memcpy(to + i, &scalar, bits / 8);
    }
}

// A source, or a buffer full of the scalar that stands in for it.
struct Second {
    alignas(32) uint8_t buffer[kChunk * 4];
    bool scalar;
};

void gather_repeat(uint8_t* to, const Operand& o, uint32_t repeat) {
    const uint8_t* from = o.view.ptr + static_cast<uint64_t>(repeat) * o.repeat_bytes;
    for (uint32_t b = 0; b < kRepeatBytes / kBlockBytes; ++b) {
        memcpy(to + b * kBlockBytes, from + static_cast<uint64_t>(b) * o.block_bytes, kBlockBytes);
    }
}

void compare_run(uint8_t* bits, const Operand& a, const Operand& b, const Second& second, Judge loop, uint64_t n) {
    const uint32_t size = a.bits / 8;
    uint8_t bytes[kChunk];
    for (uint64_t done = 0; done < n; done += kChunk) {
        const uint32_t part = n - done < kChunk ? static_cast<uint32_t>(n - done) : kChunk;
        loop(bytes, a.view.ptr + done * size, second.scalar ? second.buffer : b.view.ptr + done * size, part);
        pack(bits + done / 8, bytes, part);
    }
}

void compare_repeats(uint8_t* bits, const Operand& a, const Operand& b, const Second& second, Judge loop, uint32_t repeats) {
    const uint32_t lanes = lanes_of(a.bits);
    uint8_t bytes[kChunk];
    alignas(32) uint8_t x[kRepeatBytes];
    alignas(32) uint8_t y[kRepeatBytes];
    for (uint32_t r = 0; r < repeats; ++r) {
        gather_repeat(x, a, r);
        if (!second.scalar) {
            gather_repeat(y, b, r);
        }
        loop(bytes, x, second.scalar ? second.buffer : y, lanes);
        pack(bits + r * lanes / 8, bytes, lanes);
    }
}

// ---- selection ------------------------------------------------------------------------------------------------------

template <class T>
void choose(uint8_t* dst, const uint8_t* chosen, const uint8_t* a, const uint8_t* b, uint32_t n) {
    T* d = reinterpret_cast<T*>(dst);
    const T* x = reinterpret_cast<const T*>(a);
    const T* y = reinterpret_cast<const T*>(b);
    KB_LOOP for (uint32_t i = 0; i < n; ++i) { d[i] = chosen[i] ? x[i] : y[i]; }
}

void choose(uint32_t bits, uint8_t* dst, const uint8_t* chosen, const uint8_t* a, const uint8_t* b, uint32_t n) {
    if (bits == 16) {
        choose<uint16_t>(dst, chosen, a, b, n);
    } else {
        choose<uint32_t>(dst, chosen, a, b, n);
    }
}

struct Selection {
    Operand dst, a, b;
    Second second;
    const uint8_t* bits;
    bool reused;  // the same bits in every repeat
};

const uint8_t* bits_of(const Selection& s, uint64_t first) {
    return s.bits + (s.reused ? 0 : first / 8);
}

void select_run(const Selection& s, uint64_t n, uint32_t lanes) {
    const uint32_t size = s.dst.bits / 8;
    const uint32_t chunk = s.reused ? lanes : kChunk;
    uint8_t chosen[kChunk];
    for (uint64_t done = 0; done < n; done += chunk) {
        const uint32_t part = n - done < chunk ? static_cast<uint32_t>(n - done) : chunk;
        unpack(chosen, bits_of(s, done), part);
        const uint8_t* other = s.second.scalar ? s.second.buffer : s.b.view.ptr + done * size;
        choose(s.dst.bits, s.dst.view.ptr + done * size, chosen, s.a.view.ptr + done * size, other, part);
    }
}

void select_repeats(const Selection& s, const Plan& plan) {
    uint8_t chosen[kChunk];
    alignas(32) uint8_t x[kRepeatBytes];
    alignas(32) uint8_t y[kRepeatBytes];
    alignas(32) uint8_t d[kRepeatBytes];
    const uint32_t size = s.dst.bits / 8;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        const uint32_t lanes = r + 1 == plan.repeats ? plan.tail : plan.used;
        const uint32_t blocks = (lanes * size + kBlockBytes - 1) / kBlockBytes;
        const uint8_t* a = s.a.view.ptr + static_cast<uint64_t>(r) * s.a.repeat_bytes;
        const uint8_t* b = s.b.view.ptr + static_cast<uint64_t>(r) * s.b.repeat_bytes;
        uint8_t* to = s.dst.view.ptr + static_cast<uint64_t>(r) * s.dst.repeat_bytes;
        for (uint32_t k = 0; k < blocks; ++k) {
            memcpy(x + k * kBlockBytes, a + static_cast<uint64_t>(k) * s.a.block_bytes, kBlockBytes);
            if (!s.second.scalar) {
                memcpy(y + k * kBlockBytes, b + static_cast<uint64_t>(k) * s.b.block_bytes, kBlockBytes);
            }
        }
        unpack(chosen, bits_of(s, static_cast<uint64_t>(r) * plan.lanes), lanes);
        choose(s.dst.bits, d, chosen, x, s.second.scalar ? s.second.buffer : y, lanes);
        for (uint32_t i = 0; i < lanes; ++i) {
            const uint64_t at = static_cast<uint64_t>(i) * size;
            uint8_t* lane = to + at / kBlockBytes * s.dst.block_bytes + at % kBlockBytes;
            if (plan.on(i)) {
                size == 2 ? memcpy(lane, d + at, 2) : memcpy(lane, d + at, 4);
            }
        }
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_compare(kb::View dst, kb::View src0, kb::View src1, const kb::VecForm& form) {
    using namespace kb::vec;
    const char* api = name_of(form.op);
    const bool scalar = form.op == kb::VecOp::CompareScalar;
    const Operand a = operand_of(src0, scalar ? "src" : "src0", form, 1);
    const Operand b = operand_of(src1, "src1", form, 2);
    const Operand out{dst, "dst", 8, kBlockBytes, 0};
    const Judge loop = judge_of(src0.dtype, static_cast<Relation>(form.mode), api);
    const uint32_t lanes = lanes_of(a.bits);
    Second second;
    second.scalar = scalar;
    if (scalar) {
        fill_scalar(second.buffer, form.scalar, a.bits);
    }
    const bool counted = form.kind == kb::VecMask::count;
    uint64_t repeats = counted ? begin_count(form, api) / lanes : (form.count < 0 ? 0 : form.count);
    if (counted && form.count % lanes != 0) {
        kb::warning("E13", api, "count: expected a multiple of %u (256 bytes), got %d; the tail is not compared", lanes, form.count);
    }
    if (repeats == 0) {
        return note(form.op, 0, 0);
    }
    const bool to_register = dst.ptr == nullptr;
    const Plan all{{~0ull, ~0ull}, lanes, static_cast<uint32_t>(repeats), lanes, lanes, true};
    if (!to_register) {
        check_place(out, kBlockBytes, api);
        check_range(out, 0, repeats * lanes / 8, api, true);
    }
    for (int i = 0; i < (scalar ? 1 : 2); ++i) {
        check_place(i == 0 ? a : b, kBlockBytes, api);
        check_extent(i == 0 ? a : b, all, api, false);
    }
    uint8_t* bits = to_register ? reinterpret_cast<uint8_t*>(kb::self().vec.compare) : dst.ptr;
    const bool flat = a.contiguous(lanes) && (scalar || b.contiguous(lanes));
    if (flat && !to_register) {
        compare_run(bits, a, b, second, loop, repeats * lanes);
    } else {
        compare_repeats(bits, a, b, second, loop, to_register ? 1 : static_cast<uint32_t>(repeats));
    }
    note(form.op, repeats, repeats * kRepeatBytes);
}

namespace kb::vec {
namespace {

constexpr uint64_t kSelectBytes = 128;  // of the reserve: the address of the bits, or the scalar

// One of a tensor and a scalar is VSEL_TENSOR_SCALAR_MODE, and the only one.
void check_choice(VecOp op, Choice choice, const char* api) {
    const bool scalar = op == VecOp::SelectScalar;
    if (choice > Choice::or_tensor || scalar != (choice == Choice::or_scalar)) {
        error("E57", api, "selMode: expected %s where src1 is a %s, got SELMODE %d",
              scalar ? "VSEL_TENSOR_SCALAR_MODE" : "VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE", scalar ? "scalar" : "tensor",
              static_cast<int>(choice));
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_select(kb::View dst, kb::View chosen, kb::View src0, kb::View src1, const kb::VecForm& form) {
    using namespace kb::vec;
    const char* api = name_of(form.op);
    const Choice choice = static_cast<Choice>(form.mode);
    check_choice(form.op, choice, api);
    if (chosen.ptr == nullptr && choice == Choice::or_tensor) {  // SetCmpMask has set the address of the bits
        chosen = dst;
        chosen.ptr = reinterpret_cast<uint8_t*>(kb::self().vec.compare[0]);
        chosen.bytes = UINT32_MAX;
        chosen.buffer = 0;
    }
    Selection s{operand_of(dst, "dst", form, 0), operand_of(src0, "src0", form, 1), operand_of(src1, "src1", form, 2), {},
                nullptr, choice == Choice::by_register};
    const uint32_t lanes = lanes_of(s.dst.bits);
    s.second.scalar = form.op == kb::VecOp::SelectScalar;
    if (s.second.scalar) {
        fill_scalar(s.second.buffer, form.scalar, s.dst.bits);
    }
    const bool counted = form.kind == kb::VecMask::count;
    Plan plan;
    if (counted) {
        plan = count_plan(begin_count(form, api), lanes);
    } else {
        plan = plan_of(form, lanes, api);
    }
    if (plan.repeats == 0) {
        return note(form.op, 0, 0);
    }
    const uint64_t n = (plan.repeats - 1ull) * lanes + plan.tail;
    const Operand bits{chosen, "selMask", 8, kBlockBytes, 0};
    if (chosen.ptr != nullptr) {
        check_place(bits, kBlockBytes, api);
        check_range(bits, 0, ((s.reused ? lanes : n) + 7) / 8, api, false);
    }
    const Operand* operands[3] = {&s.dst, &s.a, &s.b};
    for (int i = 0; i < (s.second.scalar ? 2 : 3); ++i) {
        check_place(*operands[i], kBlockBytes, api);
        if (counted) {
            check_count(*operands[i], n, api, i == 0);
        } else {
            check_extent(*operands[i], plan, api, i == 0);
        }
    }
    if (counted || form.kind != kb::VecMask::keep) {  // those without a mask take the comparison register
        use_reserve(choice == Choice::by_register ? 0 : kSelectBytes, api);
    }
    s.bits = chosen.ptr != nullptr ? chosen.ptr : reinterpret_cast<const uint8_t*>(kb::self().vec.compare);
    const bool flat = s.dst.contiguous(lanes) && s.a.contiguous(lanes) && (s.second.scalar || s.b.contiguous(lanes));
    const bool full = plan.prefix && (plan.used == lanes || plan.repeats == 1);
    if (flat && full) {
        select_run(s, n, lanes);
    } else {
        select_repeats(s, plan);
    }
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

extern "C" void kbrt_vec_set_compare_mask(kb::View src) {
    using namespace kb::vec;
    const Operand o{src, "src", 8, kBlockBytes, 0};
    check_place(o, 16, "SetCmpMask");
    check_range(o, 0, 16, "SetCmpMask", false);
    memcpy(kb::self().vec.compare, src.ptr, 16);
    note(kb::VecOp::SetCmpMask, 1, 16);
}

extern "C" void kbrt_vec_get_compare_mask(kb::View dst) {
    using namespace kb::vec;
    const Operand o{dst, "dst", 8, kBlockBytes, 0};
    check_place(o, 16, "GetCmpMask");
    check_range(o, 0, 16, "GetCmpMask", true);
    memcpy(dst.ptr, kb::self().vec.compare, 16);
    note(kb::VecOp::GetCmpMask, 1, 16);
}

extern "C" uint64_t kbrt_vec_compare_mask() {
    return kb::self().vec.compare[0];
}
