// The replay: every core's scalar unit issues its operations in order into the queues of its pipes; a pipe takes the next one
// when the one before has ended and the flags that it waits for are set. Copies share global memory (gm_traffic.h).
#pragma once

#include "gm_traffic.h"

namespace kb {

// Why a pipe does nothing: causes below kPipes are flags that this pipe sets.
enum Cause : uint32_t { kByIssue = kPipes, kByBarrier, kBySync, kByQueue, kCauses };

// What one pipe of one core has done, in cycles.
struct PipeSums {
    double busy;
    double wait[kCauses];
    double ended;
    uint64_t operations;
    uint64_t bytes;
};

struct CopySums {
    uint64_t count;
    uint64_t bytes;
    uint64_t pieces;
    uint64_t small;
    uint64_t unaligned;
    uint64_t contended;
    uint64_t bypassed;
};

struct Span {
    uint16_t core;
    uint16_t place;
    uint8_t pipe;
    uint32_t count;
    double start;
    double cycles;
};

// A flag, from the pipe that set it to the pipe that waited.
struct Arrow {
    uint16_t core;
    uint16_t place;
    uint8_t from;
    uint8_t to;
    double set;
    double waited;
};

struct Replayed {
    uint32_t cores;
    uint32_t slowest;
    double cycles;
    PipeSums pipe[kMaxTimed][kPipes];
    double core_cycles[kMaxTimed];
    CopySums copies[2];  // in, out
    uint64_t memory_read;
    uint64_t memory_written;
    uint64_t hits;
    uint64_t cold;
    bool stuck;  // cores wait for each other: the order of a cross-core flag is not what it was in the run
    Span* span;
    uint32_t spans;
    uint32_t span_room;
    uint64_t undrawn;
    Arrow* arrow;
    uint32_t arrows;
    uint32_t arrow_room;
};

// Null where there is no memory for it.
Replayed* replay(Timing& timing, uint32_t spans);

}  // namespace kb
