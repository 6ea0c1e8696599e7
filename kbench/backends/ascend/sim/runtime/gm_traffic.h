// What copies cost in global memory: which lines L2 holds, how many requests the memory behind it serves, and how the cores
// share both (processor sharing, with a limit for each core).
#pragma once

#include "timing.h"

namespace kb {

// ---- L2 -------------------------------------------------------------------------------------------------------------

// Lines of one 4 KiB page.
struct Page {
    uint32_t stamp;   // lines that had been brought in when it was last touched
    uint8_t held;     // bits of lines
    uint8_t dirty;
    uint8_t seen;     // read by the kernel before
    uint8_t queued;
};

// L2 begins empty: what a launch reads for the first time comes from memory, as in a profiler's runs of published kernels
// that read far more than it holds. The page that was touched longest ago leaves first.
struct Cache {
    Page** buffer;       // pages of each buffer of global memory
    Page** queue;        // those that are held, in the order in which they will be looked at
    uint64_t* pages;
    uint32_t room;       // of the queue, a power of two
    uint32_t head;
    uint32_t held;
    uint32_t clock;      // lines brought in
    uint32_t capacity;   // in lines
};

// What one copy takes from L2 and from memory: payload bytes, and work in bytes with what requests cost beyond them.
struct Need {
    double memory_work;
    double memory_bytes;  // payload
    double back_work;     // of lines that had to make room
    double l2_bytes;
    uint64_t memory_read;     // whole lines
    uint64_t memory_written;
    uint64_t hits;
    uint64_t cold;
    bool unaligned;
};

bool make_cache(Cache& cache, Timing& t);
// `times` alike operations from the `done`th on.
Need look_up(Cache& cache, const Cost& c, uint64_t done, uint32_t times, const Prices& price);

// ---- sharing --------------------------------------------------------------------------------------------------------

inline constexpr uint32_t kMaxFlows = 4 * kMaxTimed;
inline constexpr uint16_t kNobody = 0xffff;  // owner of what L2 writes back

// Flows through one resource: `left` bytes of work each, at most `limit` a cycle each, `capacity` together; of what one gets,
// the `slowed`th part gets it on.
struct Pool {
    double capacity;
    double now;
    uint32_t count;
    bool stale;  // rates must be worked out again
    double next;  // when the first flow ends, at these rates
    double left[kMaxFlows];
    double limit[kMaxFlows];
    double rate[kMaxFlows];
    double slowed[kMaxFlows];
    double pace[kMaxFlows];  // cycles for a byte
    uint16_t owner[kMaxFlows];
};

void add_flow(Pool& pool, double now, double work, double limit, uint16_t owner);
// When the next flow ends; infinity where there is none.
double next_end(Pool& pool);
// Goes on to `now` and takes out a flow that has ended by then: its owner, or −1.
int take_ended(Pool& pool, double now);
void advance_to(Pool& pool, double now);
// What a further flow would get.
double next_share(const Pool& pool, double limit);

}  // namespace kb
