// Vector clocks: what the pipes of all blocks know of each other.
#pragma once

#include "stream.h"

namespace kb {

constexpr uint32_t kMaxSlots = 128;

// What a pipe knows: every pipe's last operation that has ended.
struct Clock {
    uint32_t seq[kPipes];

    void join(const Clock& o) {
        for (int p = 0; p < kPipes; ++p) {
            seq[p] = o.seq[p] > seq[p] ? o.seq[p] : seq[p];
        }
    }
};

// What one block knows of the others' pipes.
struct Others {
    Clock slot[kMaxSlots];

    void join(const Others& o, uint32_t slots) {
        for (uint32_t i = 0; i < slots; ++i) {
            slot[i].join(o.slot[i]);
        }
    }
};

}  // namespace kb
