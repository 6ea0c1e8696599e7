// The event stream: what a model of hazards or of time reads, and the format of its recordings.
//
// Every operation gives one Event when it is done. Its accesses are the ranges that its operands were checked for
// (check_read, check_write, check_gm), hulls where an operand is checked piece by piece: an access may name bytes that a
// mask leaves alone, and leaves out none. Accesses through plain pointers of the candidate's are not seen.
#pragma once

#include "machine.h"

namespace kb {

struct Access {
    Space space;
    bool write;
    Dtype dtype;      // none: bytes
    uint16_t buffer;  // on chip View::buffer (of a queue; else 0), in global memory the number of the launch's buffer
    uint64_t first;   // byte of the space; in global memory, of the buffer
    Pieces pieces;
    const char* operand;
};

struct Event {
    Pipe pipe;
    uint8_t bits;  // of the widest operand's elements; 0 without operands
    uint16_t op;
    uint32_t repeats;
    uint64_t bytes;
    uint32_t a;  // see Op in machine.h
    uint32_t b;
    const Block* block;
    const char* api;  // name of the API, null where nothing was checked
    uintptr_t pc;     // the candidate's return address
    uintptr_t outer;  // its caller's: where a wrapper of the headers has no line of its own
    const Access* access;
    uint32_t accesses;
};

inline constexpr uint32_t kMaxAccesses = 40;  // beyond: hulls

// One block's accesses since its last event.
struct Heard {
    const char* api;
    uint32_t count;
    uint32_t last;  // the one heard of last
    Access access[kMaxAccesses];
    const uint8_t* origin[kMaxAccesses];  // the view's own address: pieces of one operand share it
};

using Listener = void (*)(const Event&);

// From now on every block's events go to `listener` too. At most four; before the first block runs.
void listen(Listener listener);
void make_heard(uint32_t fibres);  // before lock-down: from now on there is something to hear
void hear_gm(const GmBuffer& gm, const void* p, uint64_t bytes, const char* api, const char* operand, bool write);

// ---- recordings -----------------------------------------------------------------------------------------------------

// A recording is a RecordHeader, then records up to `used` bytes: a NameRecord where an operation's number comes up for
// the first time, an EventRecord with its AccessRecords for each event. What does not fit is only counted.
struct RecordHeader {
    uint64_t magic;
    uint64_t used;     // bytes of records
    uint64_t events;   // all of them
    uint64_t dropped;  // those without a record
};
inline constexpr uint64_t kRecordMagic = 0x315443455645424bull;  // "KBEVECT1"

struct NameRecord {
    uint16_t kind;  // 1
    uint16_t op;
    char name[44];
};

struct EventRecord {
    uint16_t kind;  // 0
    uint16_t op;
    uint8_t pipe;
    uint8_t bits;
    uint16_t accesses;
    uint32_t block;
    uint32_t repeats;
    uint64_t bytes;
    uint64_t pc;
    uint32_t a;
    uint32_t b;
};

struct AccessRecord {
    uint8_t space;
    uint8_t write;
    uint8_t dtype;
    uint8_t reserved;
    uint16_t buffer;
    uint16_t reserved2;
    uint64_t first;
    uint64_t bytes;
    uint64_t step;
    uint64_t row_step;
    uint32_t pieces;
    uint32_t rows;
};
static_assert(sizeof(NameRecord) == 48 && sizeof(EventRecord) == 40 && sizeof(AccessRecord) == 48);

// Records into `bytes` bytes at `into`, which the file shares.
void record_events(void* into, uint64_t bytes);

}  // namespace kb
