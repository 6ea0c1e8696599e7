// The core's control state, contents that nobody set, and how a run ends early.
#include "bf16.h"
#include "kbrt.h"

extern "C" [[clang::import_module("kb"), clang::import_name("fail")]] void kb_fail(int32_t, int32_t, int32_t, int32_t,
                                                                               int32_t);

extern "C" {
State kbrt_state = {0, 0};
uint32_t kbrt_poison = 0;

[[noreturn]] void kbrt_fail(int32_t what, int32_t loc, int32_t x, int32_t y, int32_t z) {
  kb_fail(what, loc, x, y, z);
  __builtin_trap();
}

void kbrt_unreachable(int32_t loc) { kbrt_fail(kb_unreachable, loc, 0, 0, 0); }
void kbrt_check_div(int64_t by, int32_t loc) {
  if (by == 0) kbrt_fail(kb_division, loc, 0, 0, 0);
}
}

KB_OP(undef) {
  (void)a;
  __builtin_memset(r, static_cast<int>(kbrt_poison), static_cast<size_t>(d->ret.bytes()));
}

KB_OP(set_rounding) {
  (void)d;
  *static_cast<uint32_t*>(r) = kbrt_state.rounding;
  kbrt_state.rounding = static_cast<uint32_t>(in_int(a, 0));
}
KB_OP(set_saturation) {
  (void)d;
  *static_cast<uint32_t*>(r) = kbrt_state.saturation;
  kbrt_state.saturation = static_cast<uint32_t>(in_int(a, 0));
}
KB_OP(get_rounding) {
  (void)d, (void)a;
  *static_cast<uint32_t*>(r) = kbrt_state.rounding;
}
KB_OP(get_saturation) {
  (void)d, (void)a;
  *static_cast<uint32_t*>(r) = kbrt_state.saturation;
}

extern "C" uint16_t kbrt_round_bf16(float value) { return kbrt::round_bf16(value, kbrt_state.rounding); }

// Each call of event0 and event1 becomes one of kbrt_mark; the operation itself stands for the name.
KB_OP(event) { (void)d, (void)r, (void)a; }

// How many counters the kernel has: the machine fills it in.
extern "C" uint32_t kbrt_blocks = 0;

// The counters as they are at the first event of a kind (0 or 1), and where in the program that was (from 1). `marks`
// are two of {site, counters}.
extern "C" void kbrt_mark(uint64_t* marks, uint32_t which, uint32_t site, const uint64_t* counters) {
  uint64_t* mark = marks + (which & 1) * (kbrt_blocks + 1);
  if (mark[0]) return;
  mark[0] = site;
  __builtin_memcpy(mark + 1, counters, kbrt_blocks * sizeof *mark);
}
