// Every access of the candidate that is not plainly into its own stack frame is looked at here first.
#include "kbrt.h"

extern "C" char __stack_high;  // where the stack begins; it grows down

namespace {

constexpr int kMostBuffers = 16;

struct Region {
  uint32_t at;
  uint32_t bytes;
  uint32_t writable;

  bool holds(uint32_t address, uint32_t n) const { return address >= at && n <= bytes && address - at <= bytes - n; }
};

uint32_t stack_pointer() {
  uint32_t value;
  asm volatile(
      ".globaltype __stack_pointer, i32\n"
      "global.get __stack_pointer\n"
      "local.set %0"
      : "=r"(value));
  return value;
}

uint32_t stack_top() { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&__stack_high)); }

bool in_stack(uint32_t address, uint32_t n) {
  const uint32_t top = stack_top();
  return address < top && n <= top - address && address >= stack_pointer();
}

}  // namespace

extern "C" {

// The kernel's buffers: the machine fills them in before it calls the kernel.
Region kbrt_buffers[kMostBuffers] = {};
uint32_t kbrt_buffer_count = 0;
uint32_t kbrt_stack_bytes = 0;

// The place of the first read of a byte of an output that nothing had written, or 0.
int32_t kbrt_suspect = 0;

// The kernel's own variables: a table that the lowering makes.
const Region* kbrt_globals = nullptr;
uint32_t kbrt_global_count = 0;

// One bit for each byte of the outputs, in their order: whether it was written.
static uint8_t written[(1 << 16) / 8];

static uint32_t first_bit(const Region* region) {
  uint32_t bits = 0;
  for (const Region* r = kbrt_buffers; r != region; ++r) bits += r->writable ? r->bytes : 0;
  return bits;
}

static bool is_output(const Region* region) {
  return region >= kbrt_buffers && region < kbrt_buffers + kbrt_buffer_count && region->writable;
}

static void note_write(const Region* region, uint32_t address, uint32_t n) {
  const uint32_t bit = first_bit(region) + address - region->at;
  for (uint32_t i = bit; i < bit + n && i < sizeof written * 8; ++i) written[i / 8] |= static_cast<uint8_t>(1u << i % 8);
}

static void note_read(const Region* region, uint32_t address, uint32_t n, int32_t loc) {
  const uint32_t bit = first_bit(region) + address - region->at;
  for (uint32_t i = bit; i < bit + n && i < sizeof written * 8; ++i) {
    if (!(written[i / 8] >> i % 8 & 1)) kbrt_suspect = loc;
  }
}

static const Region* region_of(uint32_t address, uint32_t n) {
  for (uint32_t i = 0; i < kbrt_buffer_count; ++i) {
    if (kbrt_buffers[i].holds(address, n)) return &kbrt_buffers[i];
  }
  for (uint32_t i = 0; i < kbrt_global_count; ++i) {
    if (kbrt_globals[i].holds(address, n)) return &kbrt_globals[i];
  }
  return nullptr;
}

static void check_alignment(uint32_t address, uint32_t n, uint32_t align, int32_t loc) {
  if (address % align) {
    kbrt_fail(kb_misaligned, loc, static_cast<int32_t>(address), static_cast<int32_t>(n), static_cast<int32_t>(align));
  }
}

void kbrt_check_read(uint32_t address, uint32_t n, uint32_t align, int32_t loc) {
  if (n == 0) return;
  const Region* region = region_of(address, n);
  if (!region && !in_stack(address, n)) {
    kbrt_fail(kb_read_outside, loc, static_cast<int32_t>(address), static_cast<int32_t>(n), 0);
  }
  check_alignment(address, n, align, loc);
  if (kbrt_suspect == 0 && region && is_output(region)) note_read(region, address, n, loc);
}

void kbrt_check_write(uint32_t address, uint32_t n, uint32_t align, int32_t loc) {
  if (n == 0) return;
  const Region* region = region_of(address, n);
  if (!region && !in_stack(address, n)) {
    kbrt_fail(kb_write_outside, loc, static_cast<int32_t>(address), static_cast<int32_t>(n), 0);
  }
  if (region && !region->writable) {
    kbrt_fail(kb_write_input, loc, static_cast<int32_t>(address), static_cast<int32_t>(n), 0);
  }
  check_alignment(address, n, align, loc);
  if (region && is_output(region)) note_write(region, address, n);
}

void kbrt_check_stack(int32_t loc) {
  const uint32_t used = stack_top() - stack_pointer();
  if (used > kbrt_stack_bytes) {
    kbrt_fail(kb_stack_overflow, loc, static_cast<int32_t>(used), static_cast<int32_t>(kbrt_stack_bytes), 0);
  }
}
}
