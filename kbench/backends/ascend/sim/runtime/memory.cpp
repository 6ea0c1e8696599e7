// Checks of memory accesses: on-chip operands against their tensor and UB, global ones against their buffer.
#include "kbfs.h"
#include "stream.h"
#include "vec_lanes.h"

namespace kb {

namespace {

const GmBuffer* last_buffer;

bool inside(const GmBuffer& gm, const uint8_t* p) {
    return p >= gm.base && p < gm.base + gm.mapped;
}

uint64_t distance(const GmBuffer& gm, const uint8_t* p) {
    if (p < gm.base) {
        return static_cast<uint64_t>(gm.base - p);
    }
    const uint8_t* end = gm.base + gm.mapped;
    return p < end ? 0 : static_cast<uint64_t>(p - end) + 1;
}

// ---- what nobody wrote ----------------------------------------------------------------------------------------------

constexpr uint64_t kGranule = 32;
constexpr int kMaxSuspects = 4;  // then the launch runs again in any case
bool suspecting = true;
int suspects;
uintptr_t suspect_pc[kMaxSuspects];

void suspect(const char* api, const char* operand, const char* what, const char* name) {
    const Trace at = trace();
    for (int i = 0; i < suspects; ++i) {
        if (suspect_pc[i] == at.pc[0]) {
            return;
        }
    }
    suspect_pc[suspects++] = at.pc[0];
    suspecting = suspects < kMaxSuspects;
    char text[256];
    kbfs::format(text, sizeof text, "%s: %s: %s%s%s", api, operand, what, name[0] == 0 ? "" : ": ", name);
    report_finding("suspect", "E53", api, text, at);
}

// Whether an element of `size` bytes is still what memory held at the start.
bool holds_poison(const uint8_t* p, uint64_t bytes, uint32_t size) {
    const auto poison = static_cast<uint8_t>(machine->plan.poison);
    uint64_t run = 0;
    for (uint64_t i = 0; i < bytes; ++i) {
        run = p[i] == poison ? run + 1 : 0;
        if (run >= size) {
            return true;
        }
    }
    return false;
}

// The bits of granules `from` to `to`, both included.
bool all_written(const uint64_t* words, uint64_t from, uint64_t to) {
    uint64_t i = from >> 6;
    const uint64_t last = to >> 6;
    const uint64_t head = ~0ull << (from & 63);
    const uint64_t tail = ~0ull >> (63 - (to & 63));
    if (i == last) {
        return (~words[i] & head & tail) == 0;
    }
    if ((~words[i] & head) != 0 || (~words[last] & tail) != 0) {
        return false;
    }
    while (++i < last) {
        if (~words[i] != 0) {
            return false;
        }
    }
    return true;
}

void set_written(uint64_t* words, uint64_t from, uint64_t to, bool written) {
    for (uint64_t i = from >> 6; i <= to >> 6; ++i) {
        const uint64_t head = i == from >> 6 ? ~0ull << (from & 63) : ~0ull;
        const uint64_t tail = i == to >> 6 ? ~0ull >> (63 - (to & 63)) : ~0ull;
        words[i] = written ? words[i] | (head & tail) : words[i] & ~(head & tail);
    }
}

// Looks at the bytes themselves where the bits do not tell.
void check_granules(const View& v, uint64_t at, uint64_t bytes, const char* api, const char* operand) {
    uint64_t* words = self().written;
    const uint8_t* ub = self().local[static_cast<int>(Space::ub)].base;
    const uint32_t bits = v.dtype == Dtype::none ? 32 : vec::element_bits(v.dtype);
    for (uint64_t g = at / kGranule; g <= (at + bytes - 1) / kGranule; ++g) {
        if ((words[g >> 6] >> (g & 63) & 1) != 0) {
            continue;
        }
        const uint64_t from = g * kGranule < at ? at : g * kGranule;
        const uint64_t end = (g + 1) * kGranule < at + bytes ? (g + 1) * kGranule : at + bytes;
        if (holds_poison(ub + from, end - from, bits >= 32 ? 4 : bits >= 16 ? 2 : 1)) {
            suspect(api, operand, "UB that nobody wrote is read", "");
            return set_written(words, at / kGranule, (at + bytes - 1) / kGranule, true);
        }
        if (end - from == kGranule) {
            words[g >> 6] |= 1ull << (g & 63);
        }
    }
}

// TPosition numbers that live in UB: VECIN, VECOUT, VECCALC.
bool in_ub(uint8_t position) {
    return position >= 9 && position <= 11;
}

}  // namespace

void forget_buffers() {
    last_buffer = nullptr;
}

const GmBuffer* nearest_buffer(const void* address) {
    const auto* p = static_cast<const uint8_t*>(address);
    if (last_buffer != nullptr && inside(*last_buffer, p)) {
        return last_buffer;
    }
    const GmBuffer* best = nullptr;
    uint64_t least = ~0ull;
    for (uint32_t i = 0; i < machine->plan.buffers && least != 0; ++i) {
        const uint64_t far = distance(machine->buffers[i], p);
        if (far < least) {
            least = far;
            best = &machine->buffers[i];
        }
    }
    last_buffer = best;
    return best;
}

static void gm_outside(GmBuffer* gm, const uint8_t* p, uint64_t bytes, bool write, const char* api,
                       const char* operand) {
    if (p == nullptr) {
        error("E35", api, "%s has no global buffer: SetGlobalBuffer was not called, or the argument is absent", operand);
    }
    if (gm == nullptr) {
        error("E35", api, "%s lies in no global buffer", operand);
    }
    const int64_t at = p - gm->base;
    const char* access = write ? "write" : "read";
    // Nothing else lies in an allocation: to read there, or to write, harms nobody.
    const uint64_t allowed = write ? gm->padded : gm->mapped;
    if (at >= 0 && static_cast<uint64_t>(at) + bytes <= allowed) {
        const auto tell = write ? warning : note;
        gm->padding_told = gm->padding_told || write;
        tell("E35", api, "%s: %s of bytes [%lld, %lld) of '%s', which holds %llu; harmless in the padding of its allocation",
             operand, access, static_cast<long long>(at), static_cast<long long>(at) + static_cast<long long>(bytes), gm->name,
             static_cast<unsigned long long>(gm->bytes));
        return;
    }
    error("E35", api, "%s: %s of bytes [%lld, %lld) of '%s': expected an end of at most %llu", operand, access,
          static_cast<long long>(at), static_cast<long long>(at) + static_cast<long long>(bytes), gm->name,
          static_cast<unsigned long long>(gm->bytes));
}

GmBuffer* check_gm_extent(const void* address, uint64_t bytes, bool write, const char* api, const char* operand) {
    const auto* p = static_cast<const uint8_t*>(address);
    GmBuffer* gm = const_cast<GmBuffer*>(nearest_buffer(p));
    const uint64_t at = gm == nullptr ? 0 : static_cast<uint64_t>(p - gm->base);
    if (gm == nullptr || at > gm->bytes || bytes > gm->bytes - at) {
        gm_outside(gm, p, bytes, write, api, operand);
    }
    if (write && !gm->writable) {
        char text[256];
        kbfs::format(text, sizeof text, "%s: '%s' is written: an input that is not in-place may not change", api, gm->name);
        report_finding("error", gm->tiling() ? "E45" : "", api, text, trace());
        kbfs::die("input_modified", "%s", text);
    }
    return gm;
}

// E53, in global memory: garbage is what lies behind a tensor, and what nobody wrote of an output or a workspace.
static void check_gm_written(const GmBuffer& gm, const uint8_t* p, uint64_t bytes, const char* api, const char* operand) {
    const uint64_t end = static_cast<uint64_t>(p - gm.base) + bytes;
    if (end > gm.bytes) {
        suspect(api, operand, "what lies behind a global tensor is read", gm.name);
    } else if (gm.poisoned && holds_poison(p, bytes, 4)) {
        suspect(api, operand, "what nobody wrote of a global tensor is read", gm.name);
    }
}

static GmBuffer& check_gm_access(const void* address, uint64_t bytes, bool write, const char* api, const char* operand) {
    GmBuffer& gm = *check_gm_extent(address, bytes, write, api, operand);
    if (!write && suspecting && bytes != 0) {
        check_gm_written(gm, static_cast<const uint8_t*>(address), bytes, api, operand);
    }
    if (listened()) {
        hear_gm(gm, address, bytes, api, operand, write);
    }
    return gm;
}

void check_gm(const void* address, uint64_t bytes, bool write, const char* api, const char* operand) {
    GmBuffer& gm = check_gm_access(address, bytes, write, api, operand);
    if (__builtin_expect(gm.cached.end != 0, 0)) {
        dcache_copy(gm, address, bytes, write, api, operand);
    }
}

// The device's data instructions of vector cores do nothing on cube cores, which have no UB.
[[noreturn]] static void on_cube_core(const char* api) {
    if (machine->cores[kVector].total == 0) {
        error("E4", api, "expected a kernel with vector cores (__vector__, or a kernel type with AIV), got one of cube cores only, "
                         "which have no UB");
    }
    static char text[128];
    kbfs::format(text, sizeof text, "%s on a cube core", api);
    unsupported(text);
}

void check_slow(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write) {
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (self().is_cube) {
        on_cube_core(api);
    }
    if (v.ptr == nullptr) {
        error("E9", api, "%s is an empty tensor: expected one from AllocTensor, DeQue or Get", operand);
    }
    if (!ub.holds(v.ptr, 0, 0) && !in_ub(v.position)) {
        error("E4", api, "%s: expected a tensor in UB (VECIN, VECOUT, VECCALC), got position %u", operand, v.position);
    }
    const int64_t at = v.ptr - ub.base;
    const bool scalar = operand[0] == 'i' && operand[1] == 'n';  // "index"
    if (!ub.holds(v.ptr, first, bytes)) {
        error(scalar ? "E36" : "E10", api, "%s: %s of UB bytes [%lld, %lld): expected an end of at most %u", operand,
              write ? "write" : "read", static_cast<long long>(at) + static_cast<long long>(first),
              static_cast<long long>(at) + static_cast<long long>(first + bytes), ub.bytes);
    }
    warning(scalar ? "E36" : "E9", api, "%s: expected at most %u bytes (the tensor's size), got %llu; what lies behind it in UB is %s", operand,
            v.bytes, static_cast<unsigned long long>(first + bytes), write ? "overwritten" : "read");
}

void mark_written(uint64_t at, uint64_t bytes) {
    const uint64_t from = (at + kGranule - 1) / kGranule;
    const uint64_t end = (at + bytes) / kGranule;
    if (from < end) {
        set_written(self().written, from, end - 1, true);
    }
}

void check_written(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand) {
    const uint64_t at = ub_address(v) + first;
    if (bytes != 0 && suspecting && !all_written(self().written, at / kGranule, (at + bytes - 1) / kGranule)) {
        check_granules(v, at, bytes, api, operand);
    }
}

void write_after_enque(const char* api, const char* operand) {
    error("E21", api, "%s: expected the EnQue of a tensor after the last write to it, got one before this write", operand);
}

void unseen_write(Writer writer, Pipe reader, const char* api, const char* operand) {
    error("E21", api, "%s: expected an EnQue and a DeQue (or a flag) between the %s that filled the tensor and this %s, got none",
          operand, writer == kByMte2 ? "copy from global memory" : "vector operation",
          reader == Pipe::V ? "vector operation" : "copy to global memory");
}

void misaligned(const View& v, uint32_t align, const char* api, const char* operand) {
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    error("E2", api, "%s: expected a start address aligned to %u bytes, got UB address %lld", operand, align,
          static_cast<long long>(v.ptr - ub.base));
}

void poison_local(uint8_t* p, uint64_t bytes) {
    __builtin_memset(p, static_cast<int>(machine->plan.poison), bytes);
    const auto at = static_cast<uint64_t>(p - self().local[static_cast<int>(Space::ub)].base);
    if (bytes != 0) {
        set_written(self().written, at / kGranule, (at + bytes - 1) / kGranule, false);
    }
}

}  // namespace kb

extern "C" void kbrt_gm_scalar(const void* p, uint32_t bytes, bool write) {
    const char* api = write ? "SetValue" : "GetValue";
    kb::GmBuffer& gm = kb::check_gm_access(p, bytes, write, api, "offset");
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, bytes);
    if (write) {
        kb::self().scalar_writes += 1;
    } else {
        kb::poll(p, bytes);
    }
    kb::dcache_scalar(gm, p, bytes, write, api);  // after other blocks had their turn: the line is filled now
}

extern "C" void kbrt_gm_direct(const void* p, uint32_t bytes, bool write) {
    kb::check_gm(p, bytes, write, write ? "WriteGmByPassDCache" : "ReadGmByPassDCache", "addr");
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, bytes);
    if (write) {
        kb::self().scalar_writes += 1;
    } else {
        kb::poll(p, bytes);
    }
}

extern "C" void kbrt_local_scalar(kb::View v, uint64_t first, uint32_t bytes, bool write) {
    const char* api = write ? "SetValue" : "GetValue";
    kb::check_range(v, first, bytes, api, "index", write);
    kb::event(kb::Pipe::S, kb::kOpScalar, 1, bytes);
    kb::self().scalar_writes += write;
}
