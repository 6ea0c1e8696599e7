// The replay's state, and what its parts do for each other: pipes (replay_pipes.cpp), the scalar unit (replay_scalar.cpp),
// transfers (replay_transfers.cpp).
#pragma once

#include "queues.h"
#include "replay.h"

namespace kb::model {

inline constexpr uint32_t kQueue = 32;  // room of a queue; how many may wait is a price, at most this
inline constexpr uint32_t kHeld = 16;   // flags that a transfer will set
inline constexpr uint32_t kMeetings = 64;
inline constexpr uint32_t kOwners = 8;  // numbers of transfers: so many for each core, one for each pipe
inline constexpr double kForever = 1e300;
inline constexpr int kS = static_cast<int>(Pipe::S);

struct Waiting {
    const Cost* cost;
    double issued;       // when the first of its operations was
    double issued_last;
    uint32_t done;       // of its operations
    uint32_t number;     // in the core's order
};

struct HeldFlag {
    const Cost* cost;
    double issued;
    uint32_t number;
};

// A pipe of a core. `gate`: nothing starts before, because of `cause`.
struct Pipeline {
    Waiting queue[kQueue];
    double started[kQueue];  // of the operations that have left the queue, by number
    uint64_t given;
    uint64_t taken;
    double gate;
    uint32_t cause;
    double ended;
    double last_start;
    bool flying;
    HeldFlag held[kHeld];
    uint32_t holds;
};

struct Flag {
    double set[kMaxSet];
    uint8_t count;
};

// Lines of global memory that a transfer touches: runs of `run` lines, `apart` bytes from one to the next, within [first, end).
struct Lines {
    uint16_t buffer;
    uint64_t first;
    uint64_t end;
    uint64_t run;    // bytes, whole lines
    uint64_t apart;  // 0: one run
};

// A transfer of a core's pipe, from the moment at which its first byte moves.
struct Transfer {
    const Cost* cost;
    uint32_t number;
    uint32_t done;    // operations before
    uint32_t times;   // operations in it
    double start;     // of the operation
    double begin;     // of its first byte
    Lines lines;
    double l2_bytes;
    double l2_limit;
    bool met;         // others touched its lines
};

struct Core {
    uint32_t block;     // that it works on
    bool busy;          // it has not ended it
    bool cube;
    const Chunk* chunk;
    uint32_t index;     // in the chunk
    uint32_t number;    // of the block's operations issued
    uint32_t waiting;   // a bit for each pipe whose queue is not empty
    double time;        // of the scalar unit
    Pipeline pipe[kPipes];
    Flag flag[kEvents][kEventIds];
    Transfer transfer[kPipes];
    double blocking;  // of the vector operation that works now, or did last
    double blocking_until;
    double rest[kPipes];
    uint32_t spans;
};

// An operation of a block that another one has waited for: the time when it had ended, or less than 0.
struct Followed {
    uint32_t operation;  // as Cost has it
    bool by_copy;
    double time;
    Followed* next;
};

struct Meeting {
    uint32_t number;  // + 1
    uint32_t arrived;
    uint32_t expected;
    double time;
};

struct Channel {
    double* at;  // of each announcement, in the order of the run
    uint32_t known;   // of them in a row
    uint32_t room;
};

struct Model {
    Timing* timing;
    Prices price;
    double memory_rate;  // bytes a cycle
    double now;
    Cache cache;
    Pool memory;
    Pool l2;
    uint16_t starting[2 * kMaxTimed];  // transfers that wait for their first byte's time
    uint32_t starts;
    Core* core;
    uint32_t cores;
    uint32_t next[kCoreKinds];  // block of each kind
    bool waiting_blocks;        // there are more blocks than cores
    Meeting meeting[kMeetings];
    Channel channel[kChannels];
    bool woken;  // something that other cores may wait for has happened
    Followed** followed;  // of each block
    uint32_t span_quota;
    Replayed* out;
};

inline double later(double a, double b) {
    return a > b ? a : b;
}

inline double earlier(double a, double b) {
    return a < b ? a : b;
}

inline uint16_t owner_of(uint32_t core, int pipe) {
    return static_cast<uint16_t>(core * kOwners + static_cast<uint32_t>(pipe));
}

inline PipeSums& sums(Model& m, uint32_t core, int pipe) {
    return m.out->pipe[core][pipe];
}

inline bool drained(const Pipeline& p) {
    return p.taken == p.given && !p.flying;
}

inline bool all_drained(const Core& k) {
    for (const Pipeline& p : k.pipe) {
        if (!drained(p)) {
            return false;
        }
    }
    return true;
}

inline double all_ended(const Core& k) {
    double end = 0;
    for (const Pipeline& p : k.pipe) {
        end = later(end, p.ended);
    }
    return end;
}

inline void note_wait(Model& m, uint32_t core, int pipe, double from, double to, uint32_t cause) {
    if (to > from) {
        sums(m, core, pipe).wait[cause] += to - from;
    }
}

void draw(Model& m, uint32_t core, int pipe, const Cost& c, double start, double end, uint32_t count);
void set_flag(Core& core, const Cost& c, double time);
// False where nobody is known to set it yet.
bool take_flag(Core& core, const Cost& c, double& time);
void announce(Model& m, const Cost& c, double time);
// What others have waited for of the core's block up to an operation, by copies or by the scalar unit, has been done.
void tell_followers(Model& m, const Core& core, uint32_t operation, bool by_copy, double time);
void arrive(Model& m, const Cost& c, double time);
// The next operation of a pipe's queue; false where it must wait and does not know yet until when.
bool take_next(Model& m, uint32_t core, int pipe);
// Whether two transfers touch a common line (where strides differ: whether they lie in one another).
bool meet(const Lines& a, const Lines& b);
// A core that is not busy takes its kind's next block; false where there is none.
bool start_block(Model& m, Core& k);
// As far as what is known by now reaches.
void run_core(Model& m, uint32_t core);
void wake_all(Model& m);
// The next thing that happens in global memory; false where nothing does.
bool step(Model& m);

}  // namespace kb::model
