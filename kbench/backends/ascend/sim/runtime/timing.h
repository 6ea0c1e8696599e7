// The time of a launch, in two steps: while the kernel runs, a listener keeps of each operation what it costs (timing.cpp);
// when it has ended, all cores' operations are replayed side by side on a model of the chip (replay.cpp), and the result is
// reported (time_report.cpp). Nothing here changes what a kernel computes.
#pragma once

#include "prices.h"
#include "stream.h"

namespace kb {

inline constexpr uint32_t kMaxTimed = 128;  // cores that work at the same time
inline constexpr uint32_t kChannels = 17;   // cross-core flags, and the words of a workspace

enum class Step : uint8_t {
    work,      // a pipe is busy for `cycles`
    copy,      // a pipe moves bytes to or from global memory
    drain,     // the scalar unit waits for a pipe
    set,       // a flag
    wait,      // for a flag
    barrier,   // a pipe waits for itself
    all,       // the scalar unit waits for every pipe
    arrive,    // at a barrier, number `bytes`, of `pieces` blocks
    leave,     // it
    announce,  // a cross-core flag: the `bytes`th of its channel
    await,     // the first `bytes` of a channel
    follow,    // what block `pieces` has done up to its operation `bytes`
};

// One operation, or `count` alike ones in a row, of one block.
struct Cost {
    Step step;
    uint8_t pipe;
    uint8_t event;    // of a flag; the channel
    uint8_t id;       // of a flag
    bool write;
    bool bypass;      // L2 is switched off
    uint16_t place;   // in the list of places
    uint16_t buffer;  // of global memory
    uint32_t count;
    float cycles;     // each
    float blocking;   // of them, for which conflicts in UB hold up copies
    float issue;      // cycles of the scalar unit for each, with what it did before
    uint32_t bytes;   // each
    uint32_t pieces;  // contiguous runs of `piece` bytes, `apart` bytes from one to the next
    uint32_t piece;
    uint64_t first;   // byte of the buffer
    int64_t stride;   // of `first`, from one of the alike operations to the next
    uint64_t apart;
};
static_assert(sizeof(Cost) == 64);

inline constexpr uint32_t kChunk = 48;
struct Chunk {
    Chunk* next;
    uint32_t used;
    Cost cost[kChunk];
};

// Where operations stand in the source.
struct Place {
    uintptr_t pc;
    uintptr_t outer;
    const char* api;
};

// Sums over vector operations, in cycles.
struct VectorSums {
    uint64_t operations;
    uint64_t repeats;
    double work;
    double conflicts;
    double overhead;
};

// Of one block, in the order in which it issued them.
struct Operations {
    Chunk* first;
    Chunk* last;
    uint32_t kept;
    float* rest;  // of each pipe: cycles of the operations for which there was no room
};

// Of all blocks.
struct Totals {
    uint64_t recorded;  // operations, folded ones included
    uint64_t folded;
    uint64_t unpriced;  // no room for them: only their own cycles count
    VectorSums vector;
};

struct Timing {
    const Prices* price;
    Operations* block;  // of the vector cores, then of the cube cores
    uint32_t blocks;
    Totals totals;
    Place* place;
    uint32_t places;
    uint8_t* next;  // of the memory that is left
    uint8_t* end;
};

extern Timing* timing;  // null: nobody asked for the time

// Before lock-down: memory for what is kept and for the replay. Every block must be heard.
void make_timing();
// A launch begins, of the blocks and global memory that the machine has now.
void begin_timing();
// Replays what was kept and writes the report's line; `spans` is how many parts a timeline may have, 0: none.
void report_time(uint32_t spans);

// SetL2CacheHint: reads of the buffer at `p` go through L2, or past it.
void hint_l2(const void* p, bool on);

// Cycles of one vector operation.
struct VectorCost {
    float work;
    float conflicts;
    float blocking;  // conflicts by the share of the groups of banks that they occupy
    float overhead;
};
VectorCost price_vector(const Event& e, const Prices& price);

template <class T>
T* take(Timing& t, uint64_t n) {
    auto* p = reinterpret_cast<T*>(t.next);
    const uint64_t bytes = (n * sizeof(T) + 15) / 16 * 16;
    if (bytes > static_cast<uint64_t>(t.end - t.next)) {
        return nullptr;
    }
    t.next += bytes;
    return p;
}

}  // namespace kb
