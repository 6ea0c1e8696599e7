// Missing synchronisation: between the pipes of a core (E22, E23), and between blocks (E58).
//
// The pipes of a core work side by side; what orders two operations of different pipes is a flag, a barrier, or a chain of
// them. The simulator runs them one after another, so it sees every access, and asks of each pair that conflicts (the same
// bytes, at least one write) whether anything made the later one wait for the earlier. "Finished" is told by clocks: an
// operation has its pipe's number, and every pipe knows of every other up to which number it has ended.
#pragma once

#include "stream.h"

namespace kb {

// Takes the memory that following needs; every block must be heard. Before lock-down, once.
void make_hazards();
// A launch begins, of the blocks and global memory that the machine has now: nothing has happened yet.
void begin_hazards();

// The running block is about to write these bytes of global memory; where nobody follows, nothing happens.
void before_write(uint16_t buffer, uint64_t first, uint64_t bytes);
// The same of a write that has turned out to be one in pieces.
void before_pieces(uint16_t buffer, uint64_t first, const Pieces& pieces);

}  // namespace kb
