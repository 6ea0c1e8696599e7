// The runtime's own interface: what every part of it (queues, copies, synchronisation, vector operations) builds on.
//
// The headers in ../include hold thin `KB_API` wrappers that call `extern "C" kbrt_*` entries; the entries are compiled
// once and live behind this header. A candidate's object may name `kbrt_*` only: everything in `namespace kb` is refused
// at link time.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kb_view.h"
#include "vec_state.h"

// All code of the runtime lies in a section of its own, so that where() can tell it from the candidate's.
#pragma clang section text = "kbrt_text"

namespace kb {

enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, count };
inline constexpr int kPipes = static_cast<int>(Pipe::count);

// ---- memory ---------------------------------------------------------------------------------------------------------

enum class Space : uint8_t { ub, l1, l0a, l0b, l0c, bt, fb, count, gm = count };
inline constexpr int kSpaces = static_cast<int>(Space::count);  // of a core's own

struct Region {
    uint8_t* base = nullptr;
    uint32_t bytes = 0;

    bool holds(const void* p, uint64_t first, uint64_t count) const {
        uint64_t at = static_cast<uint64_t>(static_cast<const uint8_t*>(p) - base) + first;
        return at <= bytes && count <= bytes - at;
    }
};

// Addresses; empty where both are 0.
struct Extent {
    uint64_t first;
    uint64_t end;
};

// One tensor in global memory. `bytes` is what it holds.
struct GmBuffer {
    uint8_t* base;
    uint64_t bytes;
    uint64_t padded;   // what its allocation has: aclrtMalloc rounds up to 32 and adds 32, torch_npu adds 32 and rounds to 512
    uint64_t mapped;   // bytes that exist before the guard page
    const char* name;
    bool writable;
    bool padding_told = false;  // a write behind the tensor was reported
    bool poisoned = false;  // an output or a workspace: what nobody wrote is garbage
    Extent cached{};  // lines that some core's data cache has held (dcache.cpp)
    Extent dirty{};   // lines that some core's scalar unit has written

    bool tiling() const { return __builtin_strcmp(name, "tiling") == 0; }
};

// ---- the running block ----------------------------------------------------------------------------------------------

struct PipeCount {
    uint64_t events = 0;
    uint64_t repeats = 0;
    uint64_t bytes = 0;
};

inline constexpr uint32_t kMaxUb = 256 * 1024;

struct Queues;   // queues, buffers and events: queues.h
struct Heard;    // what listeners hear of a block: stream.h

// What a pipe has written of a queue's buffer with nothing after it that makes other pipes wait (E21): bytes [first, end) of
// UB. `epoch` other than the writer's: nothing.
inline constexpr int kTrackedBuffers = 65;  // one for each View::buffer; 0 is nobody's
enum Writer : uint8_t { kByMte2, kByV, kWriters };
struct Unseen {
    uint32_t first = 0;
    uint32_t end = 0;
    uint32_t epoch = 0;
};

// One logical core's state. `local` are its memories, `vec` belongs to the vector operations.
struct Block {
    uint32_t index = 0;      // GetBlockIdx
    uint32_t sub_index = 0;  // GetSubBlockIdx
    bool is_cube = false;
    uint8_t atomic_op = 0;  // 0 none, 1 add, 2 max, 3 min
    Dtype atomic_dtype = Dtype::none;
    uintptr_t atomic_pc = 0;  // where the mode was set
    bool pad_set = false;    // SetPadValue: what DataCopyPad fills with where its own parameters have no value
    uint64_t pad_value = 0;
    uint8_t* hccl_context[2] = {};
    Region local[kSpaces];
    PipeCount count[kPipes];
    uint64_t seal[kPipes] = {};  // shadow of `count`, see event()
    uint64_t scalar_writes = 0;
    uint64_t scalar_blocks = 0;  // basic blocks of the candidate's that it has executed
    Unseen unseen[kWriters][kTrackedBuffers];
    uint64_t enqueued = 0;            // a bit for each buffer between EnQue and DeQue, where these stand for a flag
    uint64_t written[kMaxUb / 2048];  // a bit for each 32 bytes of UB: nothing of what they held at the start is left
    uint32_t epoch[kWriters] = {1, 1};
    Queues* queues = nullptr;
    Heard* heard = nullptr;  // null: nobody listens
    VecState vec;
};

extern Block* current;  // the block whose fibre runs

inline Block& self() {
    return *current;
}

// ---- findings -------------------------------------------------------------------------------------------------------

// A documented rule of the device is broken: the finding is recorded with the candidate's line, the report is flushed and
// the process ends. `rule` is "E<row of the catalogue of mistakes>". `fmt` takes %s %u %d %x %lu %ld %lld %llu %p.
[[noreturn]] void error(const char* rule, const char* api, const char* fmt, ...) __attribute__((format(printf, 3, 4)));

// Recorded once per rule and line, then the run goes on. A note is about what is harmless.
void warning(const char* rule, const char* api, const char* fmt, ...) __attribute__((format(printf, 3, 4)));
void note(const char* rule, const char* api, const char* fmt, ...) __attribute__((format(printf, 3, 4)));

// The candidate reached a documented API, or a form of one, that is not modelled.
[[noreturn]] void unsupported(const char* name);

// The candidate's own return address nearest to the call that is being served.
uintptr_t where();

// ---- what listeners hear (stream.cpp) -------------------------------------------------------------------------------

// Kept for the event that the operation ends with. Everything below calls them only where somebody listens.
void hear_access(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write);
void hear_event(Pipe pipe, uint16_t op, uint32_t repeats, uint64_t bytes, uint32_t a, uint32_t b);

// The operand checked last covers its range in pieces: `rows` rows, `row_step` bytes apart, of `pieces` pieces of `bytes`
// bytes, `step` bytes apart.
struct Pieces {
    uint64_t bytes;
    uint32_t pieces;
    uint64_t step;
    uint32_t rows;
    uint64_t row_step;
};
void hear_pieces(const Pieces& pieces);

inline bool listened() {
    return __builtin_expect(self().heard != nullptr, 0);
}

inline void access_in_pieces(const Pieces& pieces) {
    if (listened()) {
        hear_pieces(pieces);
    }
}

// ---- checks ---------------------------------------------------------------------------------------------------------

// Slow halves: they decide between a warning (beyond the tensor, inside its memory) and an error (beyond the memory).
void check_slow(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write);
[[noreturn]] void misaligned(const View& v, uint32_t align, const char* api, const char* operand);

// E21: what `writer` wrote is read though nobody waited for it.
[[noreturn]] void unseen_write(Writer writer, Pipe reader, const char* api, const char* operand);

// Whether two ranges of memory share a byte.
inline bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
    return a_bytes > 0 && b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

inline bool overlap(const void* a, uint64_t a_bytes, const void* b, uint64_t b_bytes) {
    return overlap(reinterpret_cast<uint64_t>(a), a_bytes, reinterpret_cast<uint64_t>(b), b_bytes);
}

inline uint32_t ub_address(const View& v) {
    return static_cast<uint32_t>(v.ptr - self().local[static_cast<int>(Space::ub)].base);
}

inline void check_seen(const View& v, uint64_t first, uint64_t bytes, Writer writer, Pipe reader, const char* api,
                       const char* operand) {
    const Unseen& u = self().unseen[writer][v.buffer % kTrackedBuffers];
    const uint64_t at = ub_address(v) + first;
    if (__builtin_expect(u.epoch == self().epoch[writer] && at < u.end && u.first < at + bytes, 0)) {
        unseen_write(writer, reader, api, operand);
    }
}

// E21: a tensor that EnQue has handed over is written.
[[noreturn]] void write_after_enque(const char* api, const char* operand);

inline void mark_unseen(const View& v, uint64_t first, uint64_t bytes, Writer writer, const char* api, const char* operand) {
    if (v.buffer == 0) {
        return;
    }
    if (__builtin_expect(self().enqueued >> ((v.buffer - 1) & 63) & 1, 0)) {
        write_after_enque(api, operand);
    }
    Unseen& u = self().unseen[writer][v.buffer % kTrackedBuffers];
    const auto from = static_cast<uint32_t>(ub_address(v) + first);
    const auto end = static_cast<uint32_t>(from + bytes);
    const bool more = u.epoch == self().epoch[writer];
    u = {more && u.first < from ? u.first : from, more && u.end > end ? u.end : end, self().epoch[writer]};
}

// E53: reads of what nobody wrote. They are only suspects: the launch is run again over other garbage where there are any,
// and what is judged is whether the outputs are right both times.
void mark_written(uint64_t at, uint64_t bytes);
void check_written(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand);

// `bytes` bytes from `first` of an operand must lie in the tensor and in UB. `whole`: a write leaves out none of them.
inline void check_range(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write,
                        bool whole = true) {
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (__builtin_expect(first + bytes > v.bytes || !ub.holds(v.ptr, first, bytes), 0)) {
        check_slow(v, first, bytes, api, operand, write);
    }
    if (!write) {
        check_written(v, first, bytes, api, operand);
    } else if (whole) {
        mark_written(ub_address(v) + first, bytes);
    }
    if (listened()) {
        hear_access(v, first, bytes, api, operand, write);
    }
}

// The same for an operand of a vector operation.
inline void check_read(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand) {
    check_range(v, first, bytes, api, operand, false);
    check_seen(v, first, bytes, kByMte2, Pipe::V, api, operand);
}

inline void check_write(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand,
                        bool whole = true) {
    check_range(v, first, bytes, api, operand, true, whole);
    mark_unseen(v, first, bytes, kByV, api, operand);
}

// E2: the operand's address. Local memories are mapped at multiples of 4096, so host alignment is device alignment.
inline void check_aligned(const View& v, uint32_t align, const char* api, const char* operand) {
    if (__builtin_expect((reinterpret_cast<uintptr_t>(v.ptr) & (align - 1)) != 0, 0)) {
        misaligned(v, align, api, operand);
    }
}

// E7: a number above 255 became a uint8_t in the candidate's code; `truncated_to` is what became of it plus one, until the
// next operation shows whether it was its repeat count.
extern uint32_t truncated_to;
void check_truncation(uint32_t repeats);

// ---- events ---------------------------------------------------------------------------------------------------------

// One per operation: the single place where a model of time or of hazards hooks in. `op` is free for the caller to
// number (copies and synchronisation use 1–255, vector operations 256 and up); what check_read, check_write and check_gm
// were asked since the block's last event are its accesses. `a` and `b`: see Op in machine.h. The seal lets the end of the
// run notice counters that somebody else wrote.
inline void event(Pipe pipe, uint16_t op, uint32_t repeats, uint64_t bytes, uint32_t a = 0, uint32_t b = 0) {
    if (__builtin_expect(truncated_to != 0, 0)) {
        check_truncation(repeats);
    }
    Block& block = self();
    PipeCount& c = block.count[static_cast<int>(pipe)];
    c.events += 1;
    c.repeats += repeats;
    c.bytes += bytes;
    block.seal[static_cast<int>(pipe)] += 1 + 3ull * repeats + 5ull * bytes;
    if (listened()) {
        hear_event(pipe, op, repeats, bytes, a, b);
    }
}

// Something that costs no pipe anything, for listeners only: queue transfers, ends of waits.
inline void signal(Pipe pipe, uint16_t op, uint32_t a, uint32_t b) {
    if (listened()) {
        hear_event(pipe, op, 0, 0, a, b);
    }
}

}  // namespace kb
