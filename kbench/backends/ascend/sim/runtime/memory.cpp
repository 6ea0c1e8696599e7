// Checks of memory accesses: on-chip operands against their tensor and UB, global ones against their buffer.
#include "kbfs.h"
#include "stream.h"

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

static void gm_outside(const GmBuffer* gm, const uint8_t* p, uint64_t bytes, bool write, const char* api,
                       const char* operand) {
    if (p == nullptr) {
        error("E35", api, "%s has no global buffer: SetGlobalBuffer was not called, or the argument is absent", operand);
    }
    if (gm == nullptr) {
        error("E35", api, "%s lies in no global buffer", operand);
    }
    const int64_t at = p - gm->base;
    const char* access = write ? "write" : "read";
    // torch_npu allocates in units of 512 bytes: to read there is harmless.
    const uint64_t allowed = write ? gm->padded : gm->mapped;
    if (at >= 0 && static_cast<uint64_t>(at) + bytes <= allowed) {
        const auto tell = write ? warning : note;
        tell("E35", api, "%s: %s of bytes [%lld, %lld) of '%s', which holds %llu; harmless in the padding of its allocation",
             operand, access, static_cast<long long>(at), static_cast<long long>(at) + static_cast<long long>(bytes), gm->name,
             static_cast<unsigned long long>(gm->bytes));
        return;
    }
    error("E35", api, "%s: %s of bytes [%lld, %lld) of '%s': expected an end of at most %llu", operand, access,
          static_cast<long long>(at), static_cast<long long>(at) + static_cast<long long>(bytes), gm->name,
          static_cast<unsigned long long>(gm->bytes));
}

const GmBuffer* check_gm_extent(const void* address, uint64_t bytes, bool write, const char* api, const char* operand) {
    const auto* p = static_cast<const uint8_t*>(address);
    const GmBuffer* gm = nearest_buffer(p);
    const uint64_t at = gm == nullptr ? 0 : static_cast<uint64_t>(p - gm->base);
    if (gm == nullptr || at > gm->bytes || bytes > gm->bytes - at) {
        gm_outside(gm, p, bytes, write, api, operand);
    }
    if (write && !gm->writable) {
        char text[256];
        kbfs::format(text, sizeof text, "%s: '%s' is written: an input that is not in-place may not change", api, gm->name);
        report_finding("error", "", api, text, trace());
        kbfs::die("input_modified", "%s", text);
    }
    return gm;
}

void check_gm(const void* address, uint64_t bytes, bool write, const char* api, const char* operand) {
    const GmBuffer* gm = check_gm_extent(address, bytes, write, api, operand);
    if (listened()) {
        hear_gm(*gm, address, bytes, api, operand, write);
    }
}

void check_slow(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write) {
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (self().is_cube) {
        unsupported(api);  // the data instructions of the cube side
    }
    if (v.ptr == nullptr) {
        error("E9", api, "%s is an empty tensor: expected one from AllocTensor, DeQue or Get", operand);
    }
    if (!ub.holds(v.ptr, 0, 0) && !in_ub(v.position)) {
        error("E4", api, "%s: expected a tensor in UB (VECIN, VECOUT, VECCALC), got position %u", operand, v.position);
    }
    const int64_t at = v.ptr - ub.base;
    if (!ub.holds(v.ptr, first, bytes)) {
        error("E10", api, "%s: %s of UB bytes [%lld, %lld): expected an end of at most %u", operand,
              write ? "write" : "read", static_cast<long long>(at) + static_cast<long long>(first),
              static_cast<long long>(at) + static_cast<long long>(first + bytes), ub.bytes);
    }
    warning("E9", api, "%s: expected at most %u bytes (the tensor's size), got %llu; what lies behind it in UB is %s", operand,
            v.bytes, static_cast<unsigned long long>(first + bytes), write ? "overwritten" : "read");
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
}

}  // namespace kb

extern "C" void kbrt_gm_scalar(const void* p, uint32_t bytes, bool write) {
    kb::check_gm(p, bytes, write, write ? "SetValue" : "GetValue", "offset");
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
