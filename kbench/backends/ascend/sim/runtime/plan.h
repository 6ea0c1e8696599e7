// The data file (descriptor 3): this header at offset 0, then the buffers' descriptions, then the arguments', then the
// buffers' own pages. kernel.py writes it; all numbers are little-endian.
#pragma once

#include <stdint.h>

#include "prices.h"

namespace kb {

inline constexpr uint64_t kPlanMagic = 0x314e414c50424bull;  // "KBPLAN1"

struct PlanHeader {
    uint64_t magic;
    uint64_t tiling_key;
    uint32_t block_dim;
    uint32_t sub_blocks;  // vector cores for each logical block; 0: what the kernel's type says
    uint32_t cores;       // physical vector cores: what can run at the same time
    uint32_t ub_bytes;
    uint32_t buffers;
    uint32_t arguments;
    uint32_t poison;  // byte that memory holds before anything writes it
    uint32_t cube_cores;
    uint64_t record_offset;  // where the file has room for a recording of events (stream.h), whole pages
    uint64_t record_bytes;   // 0: none
    uint32_t numerics;       // Numerics
    uint32_t follow;         // 1: missing synchronisation is looked for (hazards.h)
    uint32_t time;           // 1: the launch's time is modelled (timing.h)
    uint32_t spans;          // parts that a timeline may have; 0: none is wanted
    Prices price;
};

// What an operation gives whose error the documentation only bounds.
enum Numerics : uint32_t { kExact = 0, kWorst = 1 };

enum PlanFlag : uint32_t {
    kWritable = 1,   // an output: shared with the file
    kPoisoned = 2,   // holds nothing yet
    kAnonymous = 4,  // a workspace: no place in the file
    kWorkspace = 8,  // its first bytes are the system's
};

// `offset` and `mapped` are whole pages; the tensor begins `lead` bytes into them, at a multiple of 512, so that it ends
// within 512 bytes of the last page's end.
struct PlanBuffer {
    uint64_t offset;
    uint64_t mapped;
    uint64_t lead;
    uint64_t bytes;
    uint32_t flags;
    char name[44];
};

enum PlanArgumentKind : uint32_t { kNull = 0, kBuffer = 1, kList = 2 };

// A list's `first` is its table of addresses, the tensors are the `count` buffers after it.
struct PlanArgument {
    uint32_t kind;
    uint32_t first;
    uint32_t count;
    uint32_t reserved;
};

}  // namespace kb
