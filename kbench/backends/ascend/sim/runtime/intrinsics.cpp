// What the compiler's intrinsics need besides the operations: address registers, the selection's three ways to find its bits.
#include <string.h>

#include "kernel_operator_common_intf.h"
#include "kernel_place_intrinsics.h"
#include "kernel_state_intrinsics.h"
#include "vec_plan.h"

using kb::self;
using kb::VecState;
using kb::View;

namespace {

constexpr uint32_t kAddresses = 8;  // of one register

constexpr uint64_t kNoSaturation = 1ull << 48;
constexpr uint64_t kCounterMode = 1ull << 56;

constexpr kb::Dtype kAtomicTypes[] = {kb::Dtype::none, kb::Dtype::f32, kb::Dtype::f16, kb::Dtype::i16,
                                      kb::Dtype::i32, kb::Dtype::i8,   kb::Dtype::bf16};
constexpr uint64_t kAtomicTypeCount = sizeof kAtomicTypes / sizeof kAtomicTypes[0];

View block_at(uint64_t address) {
    constexpr uint8_t kVecCalc = 11;
    return {reinterpret_cast<uint8_t*>(address), UINT32_MAX, kVecCalc, kb::Dtype::u8, 0};
}

void views_of(uint32_t reg, const char* operand, View (&views)[2 * kAddresses]) {
    if (reg + 1 >= VecState::kAddressRegisters) {
        kb::error("E2", "scatter_vnchwconv", "%s: expected VA0 to VA6, whose addresses and the next register's are used, got VA%u",
                  operand, reg);
    }
    for (uint32_t i = 0; i < 2 * kAddresses; ++i) {
        views[i] = block_at(self().vec.addresses[reg + i / kAddresses][i % kAddresses]);
    }
}

}  // namespace

extern "C" {

void kbrt_unsupported(const char* name) {
    kb::unsupported(name);
}

void kbrt_cube(const char* name) {
    kb::unsupported(name);
}

// CTRL: bit 48 is 0 where half results saturate, bit 56 is 1 in counter mode; the rest is kept as written.
uint64_t kbrt_ctrl() {
    const VecState& state = self().vec;
    return state.ctrl | (state.saturate ? 0 : kNoSaturation) | (state.counter ? kCounterMode : 0);
}

void kbrt_set_ctrl(uint64_t value) {
    VecState& state = self().vec;
    state.ctrl = value & ~(kNoSaturation | kCounterMode);
    state.saturate = (value & kNoSaturation) == 0;
    state.counter = (value & kCounterMode) != 0;
}

void kbrt_set_hccl_context(uint32_t index, uint8_t* context) {
    self().hccl_context[index & 1] = context;
}

// What the host side's groups have is not modelled.
uint8_t* kbrt_hccl_context(uint32_t index) {
    uint8_t* context = self().hccl_context[index & 1];
    if (context == nullptr) {
        kb::unsupported("GetHcclContext");
    }
    return context;
}

// The atomic mode as numbers: 0 none, else the type's place in kAtomicTypes; add, max, min.
uint64_t kbrt_store_atomic() {
    const kb::Block& b = self();
    if (b.atomic_op == 0) {
        return 0;
    }
    uint64_t type = 0;
    while (type < kAtomicTypeCount && kAtomicTypes[type] != b.atomic_dtype) {
        ++type;
    }
    return type | static_cast<uint64_t>(b.atomic_op - 1) << 3;
}

void kbrt_set_store_atomic(uint64_t config) {
    const uint64_t type = config & 7;
    kb::Block& b = self();
    b.atomic_op = type == 0 ? 0 : static_cast<uint8_t>((config >> 3 & 3) + 1);
    b.atomic_dtype = type < kAtomicTypeCount ? kAtomicTypes[type] : kb::Dtype::none;
    b.vec.atomic_op = 1;
}

void kbrt_raw_atomic_op(uint8_t op) {
    kb::Block& b = self();
    b.vec.atomic_op = op;
    b.atomic_op = b.atomic_dtype == kb::Dtype::none ? 0 : op;
}

void kbrt_raw_atomic_type(kb::Dtype dtype) {
    kb::Block& b = self();
    b.atomic_dtype = dtype;
    b.atomic_op = b.vec.atomic_op;
}

void kbrt_raw_set_addresses(uint32_t reg, const uint64_t* addresses) {
    if (reg >= VecState::kAddressRegisters) {
        kb::error("E2", "set_va_reg_sb", "addr: expected VA0 to VA7, got VA%u", reg);
    }
    memcpy(self().vec.addresses[reg], addresses, sizeof self().vec.addresses[reg]);
}

void kbrt_raw_vnchwconv(uint32_t dst, uint32_t src, uint32_t size, bool dst_high, bool src_high, const kb::VecForm& form) {
    View to[2 * kAddresses], from[2 * kAddresses];
    views_of(dst, "dst", to);
    views_of(src, "src", from);
    kbrt_vec_transpose(to, from, size, dst_high, src_high, form);
}

// GatherMask ends in normal mode; the instruction leaves the mode as it is.
void kbrt_raw_reduce(View dst, View src, View bits, uint32_t pattern, const kb::VecForm& form) {
    VecState& state = self().vec;
    const bool counter = state.counter;
    const auto count = static_cast<uint32_t>(state.mask[0]);
    kbrt_vec_gather_mask(dst, src, pattern == 0 ? bits : View{}, pattern, counter, count, form);
    state.counter = counter;
}

void kbrt_raw_select(View dst, View src0, View src1, const kb::VecForm& form) {
    if (form.mode != 1) {
        return kbrt_vec_select(dst, {}, src0, src1, form);
    }
    kb::VecForm scalar = form;
    scalar.op = kb::VecOp::SelectScalar;
    scalar.scalar = self().vec.compare[0];
    kbrt_vec_select(dst, src1, src0, {}, scalar);
}

uint64_t kbrt_vec_reserved() {
    return self().vec.reserved;
}

// Value below index, each as wide as an element.
uint64_t kbrt_raw_extreme() {
    const VecState& state = self().vec;
    return (state.best & 0xffffffff) | state.best_index << 32;
}

}  // extern "C"
