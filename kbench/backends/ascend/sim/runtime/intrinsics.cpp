// What the compiler's intrinsics need besides the operations: address registers, the selection's three ways to find its bits.
#include <string.h>

#include "vec_plan.h"

using kb::self;
using kb::VecState;
using kb::View;

namespace {

constexpr uint32_t kAddresses = 8;  // of one register

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
