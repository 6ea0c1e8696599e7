// Masks, ranges and the mask registers.
#include "machine.h"
#include "queues.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

constexpr uint64_t low_bits(uint32_t n) {
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

Plan from_words(const uint64_t* words, uint32_t lanes, uint32_t repeats) {
    Plan plan{};
    plan.lanes = lanes;
    plan.repeats = repeats;
    plan.bits[0] = words[0] & low_bits(lanes);
    plan.bits[1] = lanes > 64 ? words[1] : 0;
    plan.used = plan.bits[1] != 0   ? 128 - __builtin_clzll(plan.bits[1])
                : plan.bits[0] != 0 ? 64 - __builtin_clzll(plan.bits[0])
                                    : 0;
    plan.tail = plan.used;
    plan.prefix = plan.bits[0] == low_bits(plan.used) && plan.bits[1] == (plan.used > 64 ? low_bits(plan.used - 64) : 0);
    if (plan.used == 0) {
        plan.repeats = 0;
    }
    return plan;
}

// Counter mode: `total` elements over as many repeats as they need.
Plan from_total(uint64_t total, uint32_t lanes) {
    const uint64_t bounded = total & 0xffffffffu;
    const uint64_t full[2] = {~0ull, ~0ull};
    Plan plan = from_words(full, lanes, static_cast<uint32_t>((bounded + lanes - 1) / lanes));
    const uint32_t rest = static_cast<uint32_t>(bounded % lanes);
    plan.tail = rest == 0 ? lanes : rest;
    if (plan.repeats == 1) {
        plan.used = plan.tail;
        plan.bits[0] = low_bits(plan.used);
        plan.bits[1] = plan.used > 64 ? low_bits(plan.used - 64) : 0;
    }
    return plan;
}

}  // namespace

Plan plan_of(const VecForm& form, uint32_t lanes, const char* api) {
    VecState& state = self().vec;
    const uint32_t repeats = form.count < 0 ? 0 : static_cast<uint32_t>(form.count);
    if (form.kind == VecMask::first) {
        uint64_t n = form.mask[0];
        if (!state.counter) {
            if (n > lanes) {
                warning("E8", api, "mask: expected at most %u lanes, got %lu; the rest is ignored", lanes,
                        static_cast<unsigned long>(n));
                n = lanes;
            }
            state.mask[0] = low_bits(static_cast<uint32_t>(n));
            state.mask[1] = n > 64 ? low_bits(static_cast<uint32_t>(n) - 64) : 0;
        } else {
            state.mask[0] = n;
            state.mask[1] = 0;
        }
    } else if (form.kind == VecMask::bits) {
        state.mask[0] = form.mask[0];
        state.mask[1] = form.mask[1];
        const bool beyond = lanes <= 64 && (form.mask[1] != 0 || (form.mask[0] & ~low_bits(lanes)) != 0);
        if (!state.counter && beyond) {
            warning("E8", api, "mask: expected bits for the first %u lanes, got 0x%lx and 0x%lx; the rest is ignored", lanes,
                    static_cast<unsigned long>(form.mask[0]), static_cast<unsigned long>(form.mask[1]));
        }
    }
    return state.counter ? from_total(state.mask[0], lanes) : from_words(state.mask, lanes, repeats);
}

void enabled(const Plan& plan, uint32_t lanes, uint8_t (&on)[kMaxLanes]) {
    for (uint32_t i = 0; i < kMaxLanes; ++i) {
        on[i] = i < lanes && (plan.prefix || plan.on(i));
    }
}

Plan count_plan(uint64_t count, uint32_t lanes) {
    Plan plan{{~0ull, ~0ull}, lanes, static_cast<uint32_t>((count + lanes - 1) >> __builtin_ctz(lanes)), lanes, 0, true};
    if (plan.repeats > 0) {
        plan.tail = static_cast<uint32_t>(count - (plan.repeats - 1ull) * lanes);
        plan.used = plan.repeats == 1 ? plan.tail : lanes;
    }
    return plan;
}

Operand operand_of(const View& view, const char* name, const VecForm& form, int index) {
    return {view, name, element_bits(view.dtype), static_cast<uint32_t>(form.block[index]) * kBlockBytes,
            static_cast<uint32_t>(form.repeat[index]) * kBlockBytes};
}

void check_place(const Operand& o, uint32_t align, const char* api) {
    constexpr uint32_t kUb = 1u << 9 | 1u << 10 | 1u << 11;  // VECIN, VECOUT, VECCALC
    if (__builtin_expect((kUb >> (o.view.position & 31) & 1) == 0, 0)) {
        if (o.view.ptr == nullptr) {
            error("E9", api, "%s is an empty tensor: expected one from AllocTensor, DeQue or Get", o.name);
        }
        error("E4", api, "%s: expected a tensor in UB (VECIN, VECOUT, VECCALC), got position %u", o.name,
              static_cast<unsigned>(o.view.position));
    }
    check_aligned(o.view, align, api, o.name);
}

void check_range(const Operand& o, uint64_t first, uint64_t bytes, const char* api, bool write, bool whole) {
    if (write) {
        check_write(o.view, first, bytes, api, o.name, whole);
    } else {
        check_read(o.view, first, bytes, api, o.name);
    }
}

void check_count(const Operand& o, uint64_t count, const char* api, bool write) {
    const uint64_t bytes = (count * o.bits + 7) / 8;
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (__builtin_expect(bytes > o.view.bytes && ub.holds(o.view.ptr, 0, bytes), 0)) {
        const unsigned held = static_cast<unsigned>(o.view.bytes * 8ull / o.bits);
        const unsigned long n = static_cast<unsigned long>(count);
        warning("E9", api, "count %lu exceeds %s: expected at most %u elements, got %lu; what lies behind it in UB is %s", n,
                o.name, held, n, write ? "overwritten" : "read");
        check_range(o, 0, o.view.bytes, api, write);
        return;
    }
    check_range(o, 0, bytes, api, write);
}

// A repeat is one run, or whole blocks apart.
static Pieces pieces_of(const Operand& o, const Plan& plan) {
    const uint64_t run = o.end_of(plan.used);
    const bool runs = o.block_bytes == kBlockBytes || run <= kBlockBytes;
    const uint32_t blocks = (plan.used * o.bits + 8 * kBlockBytes - 1) / (8 * kBlockBytes);
    const uint32_t rows = o.repeat_bytes == 0 ? 1 : plan.repeats;
    return runs ? Pieces{run, 1, 0, rows, o.repeat_bytes} : Pieces{kBlockBytes, blocks, o.block_bytes, rows, o.repeat_bytes};
}

void check_extent(const Operand& o, const Plan& plan, const char* api, bool write) {
    const bool whole = plan.prefix && o.block_bytes == kBlockBytes && (plan.repeats == 1 || o.repeat_bytes <= o.end_of(plan.used));
    check_range(o, 0, o.extent(plan), api, write, whole);
    if (listened()) {
        hear_pieces(pieces_of(o, plan));
    }
}

uint64_t begin_count(const VecForm& form, const char* api) {
    VecState& state = self().vec;
    state.counter = false;
    state.mask[0] = state.mask[1] = ~0ull;
    if (form.count < 0) {
        error("E9", api, "count: expected 0 or more, got %d", form.count);
    }
    return static_cast<uint64_t>(form.count);
}

void use_reserve(uint64_t bytes, const char* api) {
    if (bytes == 0) {
        return;
    }
    constexpr uint32_t kReserve = 8192;
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    const uint32_t at = ub.bytes - kReserve;
    if (self().queues->used_bytes > at) {
        warning("E14", api, "its temporary data is in the last %u bytes of UB: expected buffers to end at %u, got %llu", kReserve,
                at, static_cast<unsigned long long>(self().queues->used_bytes));
    }
    const uint32_t used = bytes < kReserve ? static_cast<uint32_t>(bytes) : kReserve;
    const View view{ub.base + at, used, kVECCALC, Dtype::u8, 0};
    check_write(view, 0, used, api, "temporary data");
    poison_local(view.ptr, used);
}

void note(VecOp op, uint64_t repeats, uint64_t bytes) {
    event(Pipe::V, static_cast<uint16_t>(op), static_cast<uint32_t>(repeats), bytes);
}

}  // namespace kb::vec

// ---- the mask registers, as the candidate sets them -----------------------------------------------------------------

using kb::self;

extern "C" void kbrt_vec_mask_mode(bool counter) {
    self().vec.counter = counter;
    self().vec.counter_pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, 0);
}

extern "C" void kbrt_vec_mask(uint64_t high, uint64_t low) {
    self().vec.mask[0] = low;
    self().vec.mask[1] = high;
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, 0);
}

extern "C" void kbrt_vec_mask_first(int32_t length, uint32_t lanes) {
    kb::VecState& state = self().vec;
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, 0);
    if (state.counter || length < 0) {
        state.mask[0] = length < 0 ? 0 : static_cast<uint64_t>(length);
        state.mask[1] = 0;
        return;
    }
    uint32_t n = static_cast<uint32_t>(length);
    if (n > lanes) {
        kb::warning("E8", "SetVectorMask", "len: expected at most %u lanes, got %u; the rest is ignored", lanes, n);
        n = lanes;
    }
    state.mask[0] = kb::vec::low_bits(n);
    state.mask[1] = n > 64 ? kb::vec::low_bits(n - 64) : 0;
}

extern "C" void kbrt_vec_saturation(bool on) {
    self().vec.saturate = on;
}

extern "C" bool kbrt_vec_saturates() {
    return self().vec.saturate;
}
