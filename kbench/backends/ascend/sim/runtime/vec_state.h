// Per-block state of the vector operations: the registers of the vector unit.
#pragma once

#include <stdint.h>

namespace kb {

// What SetDeqScale programmed last.
struct DeqScale {
    enum class Form : uint8_t { none, half, tensor, lanes, word } form = Form::none;
    bool is_signed[16] = {};
    int16_t offset[16] = {};
    float scale[16] = {};
    uint64_t word = 0;  // set_deqscale: what it means is decided by the instruction that reads it
};

struct VecState {
    uint64_t mask[2] = {~0ull, ~0ull};  // in counter mode mask[0] is the number of elements
    uint64_t compare[2] = {0, 0};       // CMPMASK, one bit a lane
    uint64_t select_address = 0;        // what the third form of SetCmpMask keeps: where Select finds its bits or scalar
    uint64_t sum = 0;                   // bits of the accumulated sum, read by GetAccVal
    uint64_t best = 0;                  // bits of the extreme value and its index, read by GetReduceMaxMinCount
    uint64_t best_index = 0;
    uint64_t reserved = 0;              // elements that the last GatherMask kept
    static constexpr uint32_t kAddressRegisters = 8;
    uint64_t addresses[kAddressRegisters][8] = {};  // VA0 to VA7
    uint64_t merged = 0;                // VMS4_SR: structures that the last MrgSort took of each queue, 16 bits a queue
    DeqScale deq;
    uint8_t atomic_op = 1;  // set_atomic_add and its relatives, until a type turns it on
    uint64_t ctrl = 0;      // CTRL without the bits below
    bool counter = false;   // SetMaskCount
    uintptr_t counter_pc = 0;  // where it was called
    bool saturate = false;  // CTRL[48]
};

}  // namespace kb
