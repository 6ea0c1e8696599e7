// What TPipe, its queues and its events share: who owns which bytes of UB, and which flags are set.
#pragma once

#include "machine.h"

namespace kb {

inline constexpr uint32_t kMaxBuffers = 64;  // E15
inline constexpr uint32_t kMaxEntries = 128;
inline constexpr int kEvents = 35;  // AscendC::HardEvent
inline constexpr int kEventIds = 8;
inline constexpr int kMaxSet = 2;
inline constexpr uint32_t kAlign = 32;

// TPosition numbers.
inline constexpr uint8_t kGM = 0, kVECIN = 9, kVECOUT = 10, kVECCALC = 11;
inline constexpr int kPositions = 17;
extern const char* const kPositionName[kPositions];
extern const char* const kPipeName[kPipes];

enum State : uint8_t { kFree, kOccupied, kEnqueued, kDequeued };
enum Kind : uint8_t { kQueue, kTBuf, kPool };

struct Buffer {
    State state;
    int8_t free_id;  // event that FreeTensor set and the next AllocTensor waits for, or −1
    uintptr_t pc;    // of its AllocTensor
    uintptr_t enqueued_pc;
};

// A queue, a TBuf or a pool.
struct Entry {
    Kind kind;
    uint8_t source;
    uint8_t destination;
    uint8_t full_event;  // set by EnQue, waited for by DeQue
    uint8_t free_event;  // set by FreeTensor, waited for by AllocTensor
    uint32_t num;
    uint32_t len;      // bytes of one buffer
    uint32_t address;  // in UB
    uint32_t depth;    // tensors that may be enqueued at the same time
    uint32_t first;    // index of the first of its Buffers
    uint32_t next;     // buffer that AllocTensor looks at first
    uint32_t used;     // pool: bytes given out
    uint32_t head;
    uint32_t queued;
    uint8_t ring[kMaxBuffers];
    int8_t ring_id[kMaxBuffers];
};

struct Queues {
    void* pipe;  // the TPipe that is alive, or null
    uint32_t generation;
    bool fixed;  // a tensor was placed at a fixed address
    uint64_t used_bytes;
    uint32_t entries;
    uint32_t buffers;
    uint8_t taken[kEvents];  // ids in use, by TPipe or AllocEventID
    uint8_t set[kEvents][kEventIds];  // how often a flag was set and not yet waited for
    uint8_t queue_set[kEvents];
    uintptr_t set_pc[kEvents][kEventIds];
    Entry entry[kMaxEntries];
    Buffer buffer[kMaxBuffers];
};

inline Queues& queues() {
    return *self().queues;
}

// ---- events (events.cpp) --------------------------------------------------------------------------------------------

inline constexpr uint8_t kNoEvent = 255;
uint8_t event_when_full(uint8_t source, uint8_t destination);  // of a queue: set by EnQue, waited for by DeQue
uint8_t event_when_free(uint8_t source, uint8_t destination);  // set by FreeTensor, waited for by AllocTensor

Pipe source_pipe(uint8_t event);  // that sets it

// A queue takes an id and sets it; gives it back. E16 where all are in use. −1 for kNoEvent.
int8_t queue_event_set(uint8_t event, const char* api);
void queue_event_wait(uint8_t event, int8_t id);

// ---- handles and views (pipe.cpp) -----------------------------------------------------------------------------------

// What a handle names. E34 where it names nothing (any more).
Entry& entry_of(uint32_t handle, const char* api);

// E17 and E25, where a pipe or a block ends. The device does not notice, but with more tiles the kernel would find no
// buffer, and the flag of a tensor that nothing took is still set when the next kernel begins.
void tell_left_over(const Queues& q);

View view_of(uint32_t address, uint32_t bytes, uint8_t position);

inline uint8_t local_position(const Entry& e) {
    return e.destination == kGM ? e.source : e.destination;
}

}  // namespace kb
