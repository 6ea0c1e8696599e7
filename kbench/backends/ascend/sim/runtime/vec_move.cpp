// Operations that place elements: broadcasts, sequences, gathers. No arithmetic but the sequence's; bits are kept.
#include <string.h>

#include "vec_math.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

// Lane `i` of repeat `r`.
uint8_t* lane_at(const Operand& o, uint32_t r, uint32_t i) {
    const uint64_t at = static_cast<uint64_t>(i) * o.bits / 8;
    return o.view.ptr + static_cast<uint64_t>(r) * o.repeat_bytes + at / kBlockBytes * o.block_bytes + at % kBlockBytes;
}

// Calls visit(lane address, index of the lane over all repeats) for every enabled lane.
template <class Visit>
void each_lane(const Operand& dst, const Plan& plan, Visit visit) {
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        const uint32_t lanes = r + 1 == plan.repeats ? plan.tail : plan.used;
        for (uint32_t i = 0; i < lanes; ++i) {
            if (plan.prefix || plan.on(i)) {
                visit(lane_at(dst, r, i), static_cast<uint64_t>(r) * plan.lanes + i);
            }
        }
    }
}

// The plan of a form with one strided operand, dst; checked. `repeats` is 0 where there is nothing to do.
Plan begin(Operand& dst, const VecForm& form, const char* api) {
    const uint32_t lanes = 8 * kRepeatBytes / dst.bits;
    Plan plan;
    if (form.kind == VecMask::count) {
        const uint64_t n = begin_count(form, api);
        plan = {{~0ull, ~0ull}, lanes, static_cast<uint32_t>((n + lanes - 1) / lanes), lanes, 0, true};
        plan.tail = n == 0 ? 0 : static_cast<uint32_t>(n - (plan.repeats - 1ull) * lanes);
        plan.used = plan.repeats <= 1 ? plan.tail : lanes;
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

template <class I>
void put_int(uint8_t* to, uint64_t first, uint64_t index) {
    const I value = static_cast<I>(static_cast<uint32_t>(first) + static_cast<uint32_t>(index));
    memcpy(to, &value, sizeof(I));
}

void put_member(uint8_t* to, Dtype type, uint64_t first, uint64_t index) {
    switch (type) {
        case Dtype::i16: return put_int<int16_t>(to, first, index);
        case Dtype::i32: return put_int<int32_t>(to, first, index);
        case Dtype::f16: {
            const float start = widen(F16{static_cast<uint16_t>(first)});
            const F16 value = narrow(start + static_cast<float>(index));
            memcpy(to, &value, 2);
            return;
        }
        default: {
            const float value = canonical(bits_as<float>(static_cast<uint32_t>(first)) + static_cast<float>(index));
            memcpy(to, &value, 4);
        }
    }
}

// ---- GatherMask -----------------------------------------------------------------------------------------------------

// Whether a built-in pattern keeps element i: 1 even, 2 odd, 3 to 6 one of four, 7 all.
bool kept_by(uint32_t pattern, uint64_t i) {
    if (pattern <= 2) {
        return (i & 1) == pattern - 1;
    }
    return pattern == 7 || (i & 3) == pattern - 3;
}

struct Sieve {
    Operand dst, src;
    const uint8_t* bits;   // the user's pattern, or nullptr
    uint32_t pattern;
    uint32_t bits_stride;  // bytes between the patterns of two repeats
    uint32_t per_repeat;   // elements of a repeat
    uint32_t repeats;

    bool keeps(uint32_t r, uint32_t i) const {
        if (bits == nullptr) {
            return kept_by(pattern, i);
        }
        return bits[static_cast<uint64_t>(r) * bits_stride + i / 8] >> (i & 7) & 1;
    }
};

uint64_t kept(const Sieve& s) {
    uint64_t n = 0;
    for (uint32_t r = 0; r < s.repeats; ++r) {
        for (uint32_t i = 0; i < s.per_repeat; ++i) {
            n += s.keeps(r, i);
        }
    }
    return n;
}

uint64_t sieve(const Sieve& s) {
    const uint32_t size = s.dst.bits / 8;
    uint64_t n = 0;
    for (uint32_t r = 0; r < s.repeats; ++r) {
        for (uint32_t i = 0; i < s.per_repeat; ++i) {
            if (s.keeps(r, i)) {
                memcpy(s.dst.view.ptr + n * size, lane_at(s.src, r, i), size);
                n += 1;
            }
        }
    }
    return n;
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
    for (uint32_t r = 0; r < repeats; ++r) {
        uint8_t elements[8 * 4];
        memcpy(elements, src.ptr + 8ull * size * r, 8 * size);
        for (uint32_t b = 0; b < 8; ++b) {
            uint8_t* block = dst.ptr + static_cast<uint64_t>(r) * to.repeat_bytes + static_cast<uint64_t>(b) * to.block_bytes;
            for (uint32_t i = 0; i < kBlockBytes; i += size) {
                memcpy(block + i, elements + b * size, size);
            }
        }
    }
    note(form.op, repeats, static_cast<uint64_t>(repeats) * kRepeatBytes);
}

extern "C" void kbrt_vec_index(kb::View dst, const kb::VecForm& form) {
    using namespace kb::vec;
    Operand to = operand_of(dst, "dst", form, 0);
    const Plan plan = begin(to, form, "CreateVecIndex");
    each_lane(to, plan, [&](uint8_t* lane, uint64_t i) { put_member(lane, dst.dtype, form.scalar, i); });
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
    const uint32_t unit = blocks ? kBlockBytes : to.bits / 8;
    kb::VecForm whole = form;
    if (blocks) {
        whole.kind = kb::VecMask::first;
        whole.mask[0] = 8 * kRepeatBytes / to.bits;
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
    const auto move = [&](uint8_t* lane, uint64_t i) {
        uint32_t offset;
        memcpy(&offset, offsets.ptr + 4 * i, 4);
        const uint64_t at = static_cast<uint64_t>(base) + offset;
        if (at % unit != 0) {
            kb::warning("E52", api, "offset %lu is not a multiple of %u bytes", static_cast<unsigned long>(at), unit);
        }
        check_range(from, at, unit, api, false);
        memcpy(lane, src.ptr + at, unit);
    };
    if (blocks) {
        for (uint32_t r = 0; r < plan.repeats; ++r) {
            for (uint32_t b = 0; b < 8; ++b) {
                move(dst.ptr + static_cast<uint64_t>(r) * to.repeat_bytes + static_cast<uint64_t>(b) * to.block_bytes, 8ull * r + b);
            }
        }
    } else {
        each_lane(to, plan, move);
    }
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

extern "C" uint64_t kbrt_vec_gather_mask(kb::View dst, kb::View src, kb::View bits, uint32_t pattern, bool counter,
                                         uint32_t per_repeat, const kb::VecForm& form) {
    using namespace kb::vec;
    constexpr const char* kApi = "GatherMask";
    Sieve s{operand_of(dst, "dst", form, 0), operand_of(src, "src0", form, 1), bits.ptr, pattern,
            static_cast<uint32_t>(form.repeat[2]) * kBlockBytes, 0, static_cast<uint32_t>(form.count)};
    const uint32_t lanes = 8 * kRepeatBytes / s.src.bits;
    s.per_repeat = counter ? per_repeat : lanes;
    kb::self().vec.counter = false;
    if (bits.ptr == nullptr && (pattern < 1 || pattern > 7)) {
        kb::error("E8", kApi, "the built-in pattern is %u: expected 1 to 7", pattern);
    }
    if (s.repeats == 0 || s.per_repeat == 0) {
        note(form.op, 0, 0);
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
    check_range(s.dst, 0, kept(s) * s.dst.bits / 8, kApi, true);
    const uint64_t n = sieve(s);
    note(form.op, (static_cast<uint64_t>(s.repeats) * s.per_repeat + lanes - 1) / lanes,
         static_cast<uint64_t>(s.repeats) * s.per_repeat * s.src.bits / 8);
    return n;
}
