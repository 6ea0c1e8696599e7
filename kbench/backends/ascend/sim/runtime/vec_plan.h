// Which lanes an operation touches: the decoded mask, and the rules that every vector operand obeys.
#pragma once

#include "kb.h"
#include "kb_vec.h"
#include "vec_lanes.h"

namespace kb::vec {

inline constexpr uint32_t kBlockBytes = 32;
inline constexpr uint32_t kRepeatBytes = 256;
// Lanes of a repeat whose widest operand has elements of `bits` bits; a power of two, as `bits` is.
constexpr uint32_t lanes_of(uint32_t bits) {
    return (8 * kRepeatBytes) >> __builtin_ctz(bits);
}

inline constexpr uint32_t kMaxLanes = 128;  // no operation has only operands narrower than 16 bits

// The lanes of a high-dimensional form. In counter mode every repeat but the last is full.
struct Plan {
    uint64_t bits[2];  // enabled lanes of a repeat
    uint32_t lanes;    // lanes of a repeat, enabled or not
    uint32_t repeats;  // 0: nothing to do
    uint32_t used;     // one past the highest enabled lane
    uint32_t tail;     // the same for the last repeat
    bool prefix;       // the enabled lanes are the first `used`

    bool on(uint32_t lane) const { return bits[lane >> 6] >> (lane & 63) & 1; }
};

// Decodes the form's mask and the mask register; a form that sets the mask changes the register. E8 for a mask that names
// lanes which do not exist: the device ignores those.
Plan plan_of(const VecForm& form, uint32_t lanes, const char* api);

// One byte a lane: 1 for those of the first `lanes` that are enabled, 0 for all others.
void enabled(const Plan& plan, uint32_t lanes, uint8_t (&on)[kMaxLanes]);

// The plan of a count form: all lanes, the last repeat cut short.
Plan count_plan(uint64_t count, uint32_t lanes);

// One operand: where its lanes are.
struct Operand {
    View view;
    const char* name;
    uint32_t bits;         // of an element
    uint32_t block_bytes;  // from one block to the next
    uint32_t repeat_bytes;

    // Bytes from the start of a repeat to the end of lane `lane - 1`'s element.
    uint64_t end_of(uint32_t lanes) const {
        const uint64_t last = static_cast<uint64_t>(lanes - 1) * bits;
        const uint64_t inside = last % (8 * kBlockBytes);
        const uint64_t block = last / (8 * kBlockBytes);
        return block_bytes == 0 && block > 0 ? kBlockBytes : block * block_bytes + (inside + bits + 7) / 8;
    }
    uint64_t extent(const Plan& plan) const {
        const uint64_t before = plan.repeats > 1 ? (plan.repeats - 2ull) * repeat_bytes + end_of(plan.used) : 0;
        const uint64_t last = (plan.repeats - 1ull) * repeat_bytes + end_of(plan.tail);
        return before > last ? before : last;
    }
    bool contiguous(uint32_t lanes) const {
        return block_bytes == kBlockBytes && repeat_bytes == lanes * bits / 8;
    }
};

// `index` is the operand's place in the form's strides.
Operand operand_of(const View& view, const char* name, const VecForm& form, int index);

// Position, alignment (E4, E2) and range (E9, E10) of an operand in the count and in the high-dimensional forms.
void check_place(const Operand& o, uint32_t align, const char* api);
void check_count(const Operand& o, uint64_t count, const char* api, bool write);
void check_extent(const Operand& o, const Plan& plan, const char* api, bool write);
// The whole of a range, for operations with a layout of their own.
// `whole`: a write leaves out none of its bytes.
void check_range(const Operand& o, uint64_t first, uint64_t bytes, const char* api, bool write, bool whole = true);

// A count form leaves mask mode normal and the mask full; a negative count is an error.
uint64_t begin_count(const VecForm& form, const char* api);

// Temporary data that an operation keeps in the last 8 KiB of UB (pages of Select and AddDeqRelu): the bytes that it uses
// hold nothing afterwards. A warning where buffers reach into them.
void use_reserve(uint64_t bytes, const char* api);

// One operation, for the models of time and hazards: `bytes` are those of its widest operand.
void note(VecOp op, uint64_t repeats, uint64_t bytes);

}  // namespace kb::vec
