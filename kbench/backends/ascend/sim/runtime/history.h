// For each byte of a memory, who wrote it last, and who has read it, added to it atomically or written the same since.
#pragma once

#include "stream.h"

namespace kb {

// What an operation does to bytes. `rewrite`: it writes what was there, and others may still be at work on them.
enum class Deed : uint8_t { read, write, add, rewrite };

// One operation: `seq` counts its pipe's, from 1; `epoch` counts its block's flags and barriers, so that neighbours of one
// epoch and pipe are known finished together.
struct Place {
    uint32_t seq;
    uint32_t epoch;
    uint16_t slot;
    uint8_t pipe;
    Deed deed;
    uint32_t block;
    uintptr_t pc;
    uintptr_t outer;
    const char* api;

    bool writes() const { return deed != Deed::read; }
    bool like(const Place& o) const {
        return block == o.block && pipe == o.pipe && epoch == o.epoch && pc == o.pc && deed == o.deed;
    }
};

// Anything but `write`: several of them may come in any order.
struct User {
    Place place;
    User* next;
};

// Bytes [first, end) of one bucket that have the same history.
struct Segment {
    uint64_t first;
    uint64_t end;
    Segment* next;
    User* users;   // since `writer`; one for each block, pipe and deed
    Place writer;  // the last `write`; seq 0: nobody yet
};

// A memory: lists of segments, sorted, one for each 2^shift bytes.
struct Map {
    uint64_t bytes;
    uint32_t shift;
    Segment** bucket;
};

// What a memory's histories are made of. Where it is used up (`exhausted`), nothing more is noted.
struct Store {
    uint8_t* next;
    uint8_t* end;
    Segment* free_segments;
    User* free_users;
    bool exhausted;

    // `n` of a type, or null where there is no room.
    template <class T>
    T* take(uint64_t n) {
        auto* p = reinterpret_cast<T*>(next);
        next += (n * sizeof(T) + 15) / 16 * 16;
        if (next > end) {
            next = reinterpret_cast<uint8_t*>(p);
            return nullptr;
        }
        return p;
    }
};

// One access of an operation. `look` is shown each history that it meets, before it becomes part of it, and says of a
// write whether it is a `rewrite`.
struct Visit {
    Place place;
    bool (*look)(void* who, const Segment& s);
    void* who;
};

void make_map(Store& store, Map& m, uint64_t bytes, uint32_t shift);
void clear(Store& store, Map& m);
void note_range(Store& store, const Map& m, uint64_t first, uint64_t end, const Visit& visit);
// Looks, and leaves nothing.
void pass_range(const Map& m, uint64_t first, uint64_t end, const Visit& visit);
// Whether anything of it has a history.
bool touched(const Map& m, uint64_t first, uint64_t end);

}  // namespace kb
