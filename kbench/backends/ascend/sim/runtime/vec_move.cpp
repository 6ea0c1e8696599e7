// Operations that place elements: broadcasts, sequences, gathers. No arithmetic but the sequence's; bits are kept.
#include <string.h>

#include "vec_math.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

// Where lane `i` of repeat `r` is.
uint8_t* lane_at(const Operand& o, uint32_t r, uint64_t i, uint32_t size) {
    const uint64_t at = i * size;
    return o.view.ptr + static_cast<uint64_t>(r) * o.repeat_bytes + at / kBlockBytes * o.block_bytes + at % kBlockBytes;
}

// Calls visit(lane address, index of the lane over all repeats) for every enabled lane of elements of type T.
template <class T, class Visit>
void each_lane(const Operand& dst, const Plan& plan, Visit visit) {
    constexpr uint32_t kPerBlock = kBlockBytes / sizeof(T);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        const uint32_t lanes = r + 1 == plan.repeats ? plan.tail : plan.used;
        const uint64_t first = static_cast<uint64_t>(r) * plan.lanes;
        for (uint32_t b = 0; b * kPerBlock < lanes; ++b) {
            T* block = reinterpret_cast<T*>(lane_at(dst, r, b * kPerBlock, sizeof(T)));
            for (uint32_t i = 0; i < kPerBlock && b * kPerBlock + i < lanes; ++i) {
                if (plan.prefix || plan.on(b * kPerBlock + i)) {
                    visit(block[i], first + b * kPerBlock + i);
                }
            }
        }
    }
}

// The plan of a form with one strided operand, dst; checked. `repeats` is 0 where there is nothing to do.
Plan begin(Operand& dst, const VecForm& form, const char* api) {
    const uint32_t lanes = lanes_of(dst.bits);
    Plan plan;
    if (form.kind == VecMask::count) {
        const uint64_t n = begin_count(form, api);
        plan = count_plan(n, lanes);
        dst.block_bytes = kBlockBytes;
        dst.repeat_bytes = kRepeatBytes;
        if (n > 0) {
            check_place(dst, kBlockBytes, api);
            check_count(dst, n, api, true);
        }
        return plan;
    }
    plan = plan_of(form, lanes, api);
    if (plan.repeats > 0) {
        check_place(dst, kBlockBytes, api);
        check_extent(dst, plan, api, true);
    }
    return plan;
}

// first, first + 1, … in the arithmetic of the type: integers wrap, floats round once.
template <class T>
void sequence(const Operand& dst, const Plan& plan, uint64_t first) {
    each_lane<T>(dst, plan, [&](T& lane, uint64_t i) {
        if constexpr (__is_same(T, F16)) {
            lane = narrow(widen(F16{static_cast<uint16_t>(first)}) + static_cast<float>(i));
        } else if constexpr (__is_same(T, float)) {
            lane = canonical(bits_as<float>(static_cast<uint32_t>(first)) + static_cast<float>(i));
        } else {
            lane = static_cast<T>(static_cast<uint32_t>(first) + static_cast<uint32_t>(i));
        }
    });
}

void sequence(const Operand& dst, const Plan& plan, Dtype type, uint64_t first) {
    switch (type) {
        case Dtype::i16: return sequence<int16_t>(dst, plan, first);
        case Dtype::i32: return sequence<int32_t>(dst, plan, first);
        case Dtype::f16: return sequence<F16>(dst, plan, first);
        default: return sequence<float>(dst, plan, first);
    }
}

// The element of `size` bytes at byte `at` of a gather's source, checked.
struct Finder {
    const Operand& src;
    const uint8_t* offsets;
    uint32_t base;
    const char* api;

    template <uint32_t size>
    const uint8_t* find(uint64_t i) const {
        uint32_t offset;
        memcpy(&offset, offsets + 4 * i, 4);
        const uint64_t at = static_cast<uint64_t>(base) + offset;
        if (__builtin_expect(at % size != 0, 0)) {
            warning("E52", api, "offset: expected a multiple of %u bytes, got %lu", size, static_cast<unsigned long>(at));
        }
        check_range(src, at, size, api, false);
        return src.view.ptr + at;
    }
};

template <class T>
void gather_lanes(const Operand& dst, const Plan& plan, const Finder& finder) {
    each_lane<T>(dst, plan, [&](T& lane, uint64_t i) { memcpy(&lane, finder.find<sizeof(T)>(i), sizeof(T)); });
}

void gather_blocks(const Operand& dst, const Plan& plan, const Finder& finder) {
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        for (uint32_t b = 0; b < 8; ++b) {
            uint8_t* block = dst.view.ptr + static_cast<uint64_t>(r) * dst.repeat_bytes + static_cast<uint64_t>(b) * dst.block_bytes;
            memcpy(block, finder.find<kBlockBytes>(8ull * r + b), kBlockBytes);
        }
    }
}

template <class T>
void broadcast(const Operand& dst, const uint8_t* src, uint32_t repeats) {
    constexpr uint32_t kPerBlock = kBlockBytes / sizeof(T);
    for (uint32_t r = 0; r < repeats; ++r) {
        T elements[8];
        memcpy(elements, src + 8ull * sizeof(T) * r, sizeof elements);
        for (uint32_t b = 0; b < 8; ++b) {
            T block[kPerBlock];
            for (uint32_t i = 0; i < kPerBlock; ++i) {
                block[i] = elements[b];
            }
            memcpy(dst.view.ptr + static_cast<uint64_t>(r) * dst.repeat_bytes + static_cast<uint64_t>(b) * dst.block_bytes, block, kBlockBytes);
        }
    }
}

// ---- GatherMask -----------------------------------------------------------------------------------------------------

// Built-in patterns as the bits that repeat: 1 even, 2 odd, 3 to 6 one of four, 7 all.
constexpr uint8_t kPatterns[8] = {0, 0x55, 0xaa, 0x11, 0x22, 0x44, 0x88, 0xff};

struct Sieve {
    Operand dst, src;
    const uint8_t* bits;   // the user's pattern, or nullptr
    uint8_t pattern;       // else eight lanes of a built-in one
    uint32_t bits_stride;  // bytes between the patterns of two repeats
    uint32_t per_repeat;   // elements of a repeat
    uint32_t repeats;

    // Eight lanes' bits from lane 8 * i; none beyond the repeat.
    uint8_t eight(uint32_t r, uint32_t i) const {
        const uint8_t all = bits == nullptr ? pattern : bits[static_cast<uint64_t>(r) * bits_stride + i];
        const uint32_t left = per_repeat - 8 * i;
        return static_cast<uint8_t>(left >= 8 ? all : all & ((1u << left) - 1));
    }
};

uint64_t kept(const Sieve& s) {
    uint64_t n = 0;
    for (uint32_t r = 0; r < s.repeats; ++r) {
        for (uint32_t i = 0; 8 * i < s.per_repeat; ++i) {
            n += static_cast<uint64_t>(__builtin_popcount(s.eight(r, i)));
        }
    }
    return n;
}

template <class T>
void sieve(const Sieve& s) {
    T* out = reinterpret_cast<T*>(s.dst.view.ptr);
    for (uint32_t r = 0; r < s.repeats; ++r) {
        for (uint32_t i = 0; 8 * i < s.per_repeat; ++i) {
            const T* from = reinterpret_cast<const T*>(lane_at(s.src, r, 8ull * i, sizeof(T)));
            for (uint32_t bits = s.eight(r, i); bits != 0; bits &= bits - 1) {
                *out++ = from[__builtin_ctz(bits)];
            }
        }
    }
}

// Its page: no stride of 0 between blocks, and no memory of both operands.
void check_brcb(const Operand& to, const Operand& from, uint32_t repeats) {
    if (to.block_bytes == 0) {
        warning("E12", "Brcb", "dstBlkStride: expected at least 1, got 0; the blocks of a repeat overwrite each other");
    }
    const uint8_t* to_end = to.view.ptr + (repeats - 1ull) * to.repeat_bytes + 7ull * to.block_bytes + kBlockBytes;
    if (to.view.ptr < from.view.ptr + repeats * (from.bits * 1ull) && from.view.ptr < to_end) {
        warning("E11", "Brcb", "dst overlaps src: expected no overlap");
    }
}

}  // namespace
}  // namespace kb::vec

// Every repeat reads eight elements; each fills one block of dst.
extern "C" void kbrt_vec_brcb(kb::View dst, kb::View src, const kb::VecForm& form) {
    using namespace kb::vec;
    const Operand to = operand_of(dst, "dst", form, 0);
    const Operand from{src, "src", to.bits, kBlockBytes, to.bits};
    const uint32_t size = to.bits / 8;
    const uint32_t repeats = static_cast<uint32_t>(form.count);
    if (repeats == 0) {
        return note(form.op, 0, 0);
    }
    check_place(to, kBlockBytes, "Brcb");
    check_place(from, kBlockBytes, "Brcb");
    check_range(from, 0, 8ull * size * repeats, "Brcb", false);
    check_range(to, 0, (repeats - 1ull) * to.repeat_bytes + 7ull * to.block_bytes + kBlockBytes, "Brcb", true);
    check_brcb(to, from, repeats);
    size == 2 ? broadcast<uint16_t>(to, src.ptr, repeats) : broadcast<uint32_t>(to, src.ptr, repeats);
    note(form.op, repeats, static_cast<uint64_t>(repeats) * kRepeatBytes);
}

extern "C" void kbrt_vec_index(kb::View dst, const kb::VecForm& form) {
    using namespace kb::vec;
    Operand to = operand_of(dst, "dst", form, 0);
    const Plan plan = begin(to, form, "CreateVecIndex");
    sequence(to, plan, dst.dtype, form.scalar);
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

// dst lane i = the element `base` + offsets[i] bytes behind src; Gatherb moves whole blocks, eight a repeat.
extern "C" void kbrt_vec_gather(kb::View dst, kb::View src, kb::View offsets, uint32_t base, const kb::VecForm& form) {
    using namespace kb::vec;
    const bool blocks = form.op == kb::VecOp::Gatherb;
    const char* api = name_of(form.op);
    Operand to = operand_of(dst, "dst", form, 0);
    const Operand from{src, "src", to.bits, kBlockBytes, 0};
    const Operand list{offsets, blocks ? "offset" : "srcOffset", 32, kBlockBytes, 0};
    kb::VecForm whole = form;
    if (blocks) {
        whole.kind = kb::VecMask::first;
        whole.mask[0] = lanes_of(to.bits);
        to.block_bytes = form.block[0] == 0 ? kBlockBytes : to.block_bytes;
    }
    const Plan plan = begin(to, whole, api);
    if (plan.repeats == 0) {
        return note(form.op, 0, 0);
    }
    const uint64_t moves = blocks ? 8ull * plan.repeats : (plan.repeats - 1ull) * plan.lanes + plan.tail;
    check_place(list, kBlockBytes, api);
    check_range(list, 0, 4 * moves, api, false);
    check_place(from, kBlockBytes, api);
    const Finder finder{from, offsets.ptr, base, api};
    if (blocks) {
        gather_blocks(to, plan, finder);
    } else {
        to.bits == 16 ? gather_lanes<uint16_t>(to, plan, finder) : gather_lanes<uint32_t>(to, plan, finder);
    }
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

extern "C" uint64_t kbrt_vec_gather_mask(kb::View dst, kb::View src, kb::View bits, uint32_t pattern, bool counter,
                                         uint32_t per_repeat, const kb::VecForm& form) {
    using namespace kb::vec;
    constexpr const char* kApi = "GatherMask";
    Sieve s{operand_of(dst, "dst", form, 0), operand_of(src, "src0", form, 1), bits.ptr, kPatterns[pattern & 7],
            static_cast<uint32_t>(form.repeat[2]) * kBlockBytes, 0, static_cast<uint32_t>(form.count)};
    const uint32_t lanes = lanes_of(s.src.bits);
    s.per_repeat = counter ? per_repeat : lanes;
    kb::self().vec.counter = false;
    if (bits.ptr == nullptr && (pattern < 1 || pattern > 7)) {
        kb::error("E8", kApi, "src1Pattern: expected 1 to 7, got %u", pattern);
    }
    if (s.repeats == 0 || s.per_repeat == 0) {
        note(form.op, 0, 0);
        kb::self().vec.reserved = 0;
        return 0;
    }
    const Operand list{bits, "src1Pattern", 8, kBlockBytes, 0};
    check_place(s.dst, kBlockBytes, kApi);
    check_place(s.src, kBlockBytes, kApi);
    check_range(s.src, 0, (s.repeats - 1ull) * s.src.repeat_bytes + s.src.end_of(s.per_repeat), kApi, false);
    if (bits.ptr != nullptr) {
        check_place(list, kBlockBytes, kApi);
        check_range(list, 0, (s.repeats - 1ull) * s.bits_stride + (s.per_repeat + 7) / 8, kApi, false);
    }
    const uint64_t n = kept(s);
    check_range(s.dst, 0, n * s.dst.bits / 8, kApi, true);
    s.dst.bits == 16 ? sieve<uint16_t>(s) : sieve<uint32_t>(s);
    kb::self().vec.reserved = n;
    note(form.op, (static_cast<uint64_t>(s.repeats) * s.per_repeat + lanes - 1) / lanes,
         static_cast<uint64_t>(s.repeats) * s.per_repeat * s.src.bits / 8);
    return n;
}
