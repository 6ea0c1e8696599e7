// Blocks that wait for each other without calling anything: loops that poll a word of global memory.
//
// The reads that the runtime sees (GetValue, copies into UB, volatile loads: kernel.py has the compiler mark those) are
// watched with Brent's method for cycles: one of them is kept, at distances that double, and compared with those that
// follow. A loop that polls comes back to it; a kernel that works resets the watch with whatever it writes. So the points
// where a block gives way depend on what the kernel does alone, and a run is the same every time.
#include "kbfs.h"
#include "machine.h"

namespace kb {

namespace {

constexpr uint32_t kPatience = 8;  // repetitions before the others run: a kernel may well read a word twice
constexpr uint32_t kLongest = 1u << 30;

uint64_t work_of(const Block& b) {
    return b.count[static_cast<int>(Pipe::V)].events + b.count[static_cast<int>(Pipe::MTE3)].events + b.scalar_writes;
}

template <class T>
uint64_t load(const void* p) {
    T value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
}

// The first bytes of what is read there.
uint64_t word_at(const void* p, uint32_t bytes) {
    return bytes >= 8 ? load<uint64_t>(p) : bytes >= 4 ? load<uint32_t>(p) : bytes >= 2 ? load<uint16_t>(p) : load<uint8_t>(p);
}

bool on_stack(const void* p) {
    const auto at = reinterpret_cast<uintptr_t>(p);
    const auto low = reinterpret_cast<uintptr_t>(running->stack);
    return at >= low && at < low + running->stack_bytes;
}

void repeated(Poll& s) {
    if (++s.repeats >= kPatience) {
        running->polls = true;
        running->wait_pc = where();
        yield();
    }
}

}  // namespace

void poll(const void* p, uint32_t bytes) {
    if (running == nullptr) {
        return;
    }
    Poll& s = running->poll;
    const uint64_t work = work_of(self());
    if (work == s.work && p != s.address && ++s.since < s.until) {
        return;
    }
    const uint64_t value = word_at(p, bytes);
    if (work != s.work) {
        s = {p, value, work, 0, 1, 0};
    } else if (p == s.address && value == s.value) {
        repeated(s);
    } else {
        if (p == s.address && s.repeats >= kPatience) {
            signal(Pipe::S, kOpPolled, 0, 0);
        }
        s = {p, value, work, 0, s.until < kLongest ? s.until * 2 : s.until, 0};
    }
}

void poll_describe(const Fibre& fibre, char* out, int capacity) {
    const Poll& s = fibre.poll;
    const GmBuffer* gm = nearest_buffer(s.address);
    const auto* p = static_cast<const uint8_t*>(s.address);
    const auto value = static_cast<unsigned long long>(s.value);
    if (gm != nullptr && p >= gm->base && p < gm->base + gm->mapped) {
        kbfs::format(out, static_cast<size_t>(capacity), "byte %lld of '%s' to become something else than %llu",
                     static_cast<long long>(p - gm->base), gm->name, value);
    } else {
        kbfs::format(out, static_cast<size_t>(capacity), "a variable in global memory to become something else than %llu", value);
    }
}

}  // namespace kb

// After each volatile load of the candidate's.
extern "C" void kbrt_volatile_read(const void* p, uint32_t bytes) {
    if (kb::running != nullptr && !kb::on_stack(p)) {
        kb::poll(p, bytes);
        kb::signal(kb::Pipe::S, kb::kOpPolled, 0, 0);  // what another block says by it is not seen: its stores are raw
    }
}
