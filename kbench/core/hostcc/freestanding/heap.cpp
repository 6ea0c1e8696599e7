// malloc and new: size classes with free lists in a growing arena, large blocks mapped on their own.
#include <errno.h>
#include <stdlib.h>

#include <new>

#include "internal.h"
#include "kbfs.h"

namespace {

constexpr size_t kHeader = 16;          // before every block: its class or mapped size, and the distance to the raw start
constexpr size_t kLargest = 128 << 10;  // beyond it a block has its own mapping
constexpr size_t kChunk = 1 << 20;
constexpr int kClasses = 64;

struct Header {
  uint64_t capacity;  // usable bytes after the header of the raw block
  uint64_t back;      // from this header to the raw block's header (0 unless over-aligned)
};
static_assert(sizeof(Header) == kHeader);

struct Free {
  Free* next;
};

Free* g_free[kClasses];
char* g_at = nullptr;
char* g_end = nullptr;
size_t g_used = 0;
size_t g_limit = size_t{1} << 30;

// Four classes per doubling: 16, 32, 48, 64, 80, 96, 112, 128, 160, …
int class_of(size_t bytes, size_t* capacity) {
  if (bytes <= 128) {
    size_t steps = bytes == 0 ? 1 : (bytes + 15) / 16;
    *capacity = steps * 16;
    return static_cast<int>(steps - 1);
  }
  int top = 63 - __builtin_clzll(bytes - 1);
  size_t step = size_t{1} << (top - 2);
  size_t rounded = (bytes + step - 1) / step;  // 5 … 8 quarters of the power below
  *capacity = rounded * step;
  return 8 + (top - 7) * 4 + static_cast<int>(rounded - 5);
}

[[noreturn]] void out_of_memory(size_t bytes) {
  kbfs::die("memory_limit", "asks for %zu bytes of memory when %zu of %zu are in use", bytes, g_used, g_limit);
}

void account(size_t bytes) {
  if (bytes > g_limit || g_used > g_limit - bytes) out_of_memory(bytes);
  g_used += bytes;
}

Header* raw_block(size_t bytes) {
  size_t capacity;
  if (bytes > kLargest) {
    if (bytes > g_limit) out_of_memory(bytes);
    size_t page = kbfs::page_size();
    capacity = (bytes + kHeader + page - 1) / page * page;
    account(capacity);
    auto* header = static_cast<Header*>(kbfs::map_memory(capacity, kbfs::kReadWrite));
    if (header == nullptr) out_of_memory(bytes);
    *header = {capacity - kHeader, 0};
    return header;
  }
  int which = class_of(bytes, &capacity);
  account(capacity + kHeader);
  if (Free* block = g_free[which]) {
    g_free[which] = block->next;
    return reinterpret_cast<Header*>(reinterpret_cast<char*>(block) - kHeader);
  }
  if (static_cast<size_t>(g_end - g_at) < capacity + kHeader) {
    g_at = static_cast<char*>(kbfs::map_memory(kChunk, kbfs::kReadWrite));
    if (g_at == nullptr) out_of_memory(bytes);
    g_end = g_at + kChunk;
  }
  auto* header = reinterpret_cast<Header*>(g_at);
  g_at += capacity + kHeader;
  *header = {capacity, 0};
  return header;
}

void* allocate(size_t bytes, size_t align) {
  if (align <= kHeader) return raw_block(bytes) + 1;
  if (bytes > g_limit || align > g_limit) out_of_memory(bytes);
  Header* raw = raw_block(bytes + align);
  auto start = reinterpret_cast<uintptr_t>(raw + 1);
  uintptr_t aligned = (start + align - 1) & ~(align - 1);
  auto* header = reinterpret_cast<Header*>(aligned) - 1;
  if (header != raw) *header = {raw->capacity - (aligned - start), aligned - start};
  return reinterpret_cast<void*>(aligned);
}

void release(void* pointer) {
  if (pointer == nullptr) return;
  auto* header = static_cast<Header*>(pointer) - 1;
  auto* raw = reinterpret_cast<Header*>(reinterpret_cast<char*>(header) - header->back);
  size_t capacity;
  if (raw->capacity > kLargest) {
    size_t mapped = raw->capacity + kHeader;
    g_used -= mapped <= g_used ? mapped : g_used;
    kbfs::unmap(raw, mapped);
    return;
  }
  int which = class_of(raw->capacity, &capacity);
  if (capacity != raw->capacity || which < 0 || which >= kClasses) {
    kbfs::die("crash", "frees memory that was not allocated, or whose header was overwritten");
  }
  g_used -= capacity + kHeader <= g_used ? capacity + kHeader : g_used;
  auto* block = reinterpret_cast<Free*>(raw + 1);
  block->next = g_free[which];
  g_free[which] = block;
}

}  // namespace

namespace kbfs {
void heap_limit(size_t bytes) noexcept { g_limit = bytes; }
size_t heap_used() noexcept { return g_used; }
}  // namespace kbfs

extern "C" {
void* malloc(size_t bytes) { return allocate(bytes, 1); }
void free(void* pointer) { release(pointer); }
void* calloc(size_t count, size_t each) {
  size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) out_of_memory(~size_t{0});
  void* pointer = allocate(bytes, 1);
  __builtin_memset(pointer, 0, bytes);
  return pointer;
}
void* realloc(void* pointer, size_t bytes) {
  if (pointer == nullptr) return malloc(bytes);
  size_t old = (static_cast<Header*>(pointer) - 1)->capacity;
  if (bytes <= old && bytes >= old / 2) return pointer;
  void* larger = allocate(bytes, 1);
  kbfs::copy_bytes(larger, pointer, old < bytes ? old : bytes);
  release(pointer);
  return larger;
}
void* aligned_alloc(size_t align, size_t bytes) { return allocate(bytes, align); }
int posix_memalign(void** out, size_t align, size_t bytes) {
  if (align % sizeof(void*) != 0 || (align & (align - 1)) != 0) return EINVAL;
  *out = allocate(bytes, align);
  return 0;
}
}  // extern "C"

void* operator new(size_t n) { return allocate(n, 1); }
void* operator new[](size_t n) { return allocate(n, 1); }
void* operator new(size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new[](size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new(size_t n, std::align_val_t a) { return allocate(n, static_cast<size_t>(a)); }
void* operator new[](size_t n, std::align_val_t a) { return allocate(n, static_cast<size_t>(a)); }
void* operator new(size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<size_t>(a));
}
void* operator new[](size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<size_t>(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { release(p); }
