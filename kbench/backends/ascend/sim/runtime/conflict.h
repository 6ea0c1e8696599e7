// What is told of two operations that nothing orders. Ends the run, but for what may be harmless on the device.
#pragma once

#include "history.h"

namespace kb {

// Bytes [first, end) of a memory that two operations touch, one of which writes them.
struct Conflict {
    const Place& before;
    const Place& now;
    uint64_t first;
    uint64_t end;
    const char* memory;
};

// Of one block (E22, E23).
void tell_pipes(const Conflict& c);
// Of two blocks (E58).
void tell_blocks(const Conflict& c);

}  // namespace kb
