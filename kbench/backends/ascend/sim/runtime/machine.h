// The simulated machine: its blocks, its global memory, and the fibres that run the blocks.
#pragma once

#include "kb.h"
#include "plan.h"

namespace kb {

inline constexpr uint32_t kMaxArguments = 40;
inline constexpr uint32_t kSlotSpan = 1u << 20;  // address space of one core's on-chip memories

struct Waiting;

// What a block has read of global memory again and again while it did nothing else (poll.cpp).
struct Poll {
    const void* address = nullptr;
    uint64_t value = 0;
    uint64_t work = ~0ull;   // what the block had done at that time
    uint32_t since = 0;      // reads after `address` was taken as the one to compare with
    uint32_t until = 1;      // `since` at which the next one is taken
    uint32_t repeats = 0;
};

// One core's fibre. `wait` is set while it waits, `polls` while it stands in a loop that polls global memory.
struct Fibre {
    void* stack_pointer = nullptr;
    uint8_t* stack = nullptr;  // low end; the guard lies below it
    uint64_t stack_bytes = 0;
    Block* block = nullptr;
    const Waiting* wait = nullptr;
    uintptr_t wait_pc = 0;
    bool busy = false;  // runs a block that has not ended
    bool polls = false;
    Poll poll;
};

// The cores of one kind: vector cores (AIV) or cube cores (AIC).
struct Cores {
    uint32_t total;  // blocks of this kind in the launch; index 0 to total − 1 is what GetBlockIdx answers
    uint32_t slots;  // of them at the same time
    uint32_t next;   // the next to begin
    uint32_t first;  // fibre of the first slot
};
enum CoreKind : uint32_t { kVector, kCube, kCoreKinds };

// KernelMetaType of kernel_macros.h, as far as these chips have it.
enum KernelType : uint32_t { kAivOnly, kAicOnly, kMixAiv10, kMixAic10, kMixAic11, kMixAic12, kUntyped = ~0u };

struct Machine {
    uint64_t canary_low;
    PlanHeader plan;
    uint32_t total_blocks;  // of both kinds
    uint32_t slots;         // fibres in use
    uint32_t ended_blocks;
    KernelType kernel_type;
    Cores cores[kCoreKinds];
    void (*enter[kCoreKinds])();  // the kernel, compiled for this kind of core
    GmBuffer* buffers;
    uint8_t** guards;  // for each buffer the first byte that is not mapped
    void* arguments[kMaxArguments];
    Fibre* fibres;
    Block* blocks;  // one for each slot
    uint8_t* system_workspace;
    uintptr_t key_pc;  // of the first TILING_KEY_IS; 0: none was asked
    bool key_found;    // one of them named the launch's key
    uint64_t cycles;
    uint64_t printed_bytes;
    bool speaks;  // what kernels print goes to standard output, not to the report
    uint64_t secret;
    uint64_t canary_high;
};

extern Machine* machine;

// --numerics worst: results at the documented bound (vec_bound.h).
inline bool worst_numerics() {
    return __builtin_expect(machine->plan.numerics == kWorst, 0);
}
extern Fibre* running;  // null on the main stack

// ---- fibres (fibre.cpp) ---------------------------------------------------------------------------------------------

// What a fibre waits for. `ready` is asked by the scheduler; `describe` writes what is awaited, for a deadlock's message.
struct Waiting {
    const char* api;
    bool (*ready)(const Waiting&);
    int (*describe)(const Waiting&, char* out, int capacity);
    uint64_t a;
    uint64_t b;
    uint64_t c;
};

// Returns at once where it is ready, else lets the other blocks run until it is.
void wait_until(const Waiting& wait);

// Lets the other blocks run; the scheduler comes back in the next round.
void yield();

// A read of global memory from which a kernel may learn that another block has gone on. Where a block reads the same value
// from the same place again without having done anything in between, the others run first.
void poll(const void* p, uint32_t bytes);
void poll_describe(const Fibre& fibre, char* out, int capacity);

void make_stacks(uint32_t fibres);  // before lock-down
void run_all_blocks();              // until every block has ended; a round without progress is a deadlock
void rewind(Fibre& fibre);          // to its stack's beginning: it may run again

// ---- launches (boot.cpp) --------------------------------------------------------------------------------------------

// Memory somewhere that cannot be guessed, between pages that do not exist.
uint8_t* hidden_memory(uint64_t bytes);
[[noreturn]] void broken(const char* what);
// State and on-chip memories for so many fibres and global buffers. Before lock-down.
void make_machine(const PlanHeader& plan, uint32_t fibres, uint32_t buffers);
// Fibres that a launch of `plan` takes, whatever the kernel's type.
uint32_t fibres_of(const PlanHeader& plan);
// Blocks and cores of the launch that machine->plan describes, for a kernel of this type.
void set_launch(KernelType type);
// What KERNEL_TASK_TYPE says for a tiling key. `function`: only what was said inside the function of that name.
KernelType declared_type(uint64_t tiling_key, const char* function);
void report_counts();
void check_intact();  // the counters are what the events say
void check_tiling_key();
void check_slack();   // nothing was written behind a tensor's allocation

inline Cores& cores_of(const Block& block) {
    return machine->cores[block.is_cube ? kCube : kVector];
}

// ---- global memory (memory.cpp) -------------------------------------------------------------------------------------

// The buffer that holds `p`, or the nearest one; null only where there is none at all.
const GmBuffer* nearest_buffer(const void* p);
void forget_buffers();  // the list of buffers has changed

// An access of [p, p+bytes) that does not go through the data cache: E35 where it leaves its buffer. `operand` as in the API's signature.
void check_gm(const void* p, uint64_t bytes, bool write, const char* api, const char* operand);
// The same where the operation goes on to access less: its accesses are checked apart.
GmBuffer* check_gm_extent(const void* p, uint64_t bytes, bool write, const char* api, const char* operand);

// ---- the scalar unit's data cache (dcache.cpp) ----------------------------------------------------------------------

uint64_t dcache_bytes(uint32_t slots);
void make_dcache(void* memory);
void begin_dcache();  // a launch finds empty caches
void dcache_scalar(GmBuffer& gm, const void* p, uint32_t bytes, bool write, const char* api);
void dcache_copy(GmBuffer& gm, const void* p, uint64_t bytes, bool write, const char* api, const char* operand);
void dcache_clean(const void* p, bool whole);  // the line at p, or all of them

// ---- state of one block ---------------------------------------------------------------------------------------------

uint64_t queues_bytes();
void reset_queues(Block& block);       // pipe.cpp: a block begins
void finish_queues(Block& block);      // a block has ended: flags that nobody waited for
int pipe_of(int32_t pipe);             // pipe_t → Pipe (pipe_t counts FIX as 10); −1 for all others
void see_all_writes();                 // every pipe has waited for every other
void begin_sync();                     // sync.cpp: before the first block
void poison_local(uint8_t* p, uint64_t bytes);

// ---- findings (findings.cpp) ----------------------------------------------------------------------------------------

// Where the candidate stands: its return addresses, innermost first.
inline constexpr uint32_t kTrace = 8;
struct Trace {
    uintptr_t pc[kTrace];
    uint32_t count;
};
Trace trace();

void watch_faults();
void report_finding(const char* severity, const char* rule, const char* api, const char* message, const Trace& trace);
// The same for something seen later than it was done; once per rule and place.
void warn_of(const char* rule, const char* api, const char* message, const Trace& trace);

// Copies and synchronisation as kb::event() numbers them, and what their `a` and `b` are (0 where nothing is said).
enum Op : uint16_t {
    kOpScalar = 1,  // a GetValue or SetValue of either memory, or one of the scalar unit's registers
    kOpCopyIn,      // GM → UB
    kOpCopyOut,     // UB → GM; a: the atomic operation (1 add, 2 max, 3 min)
    kOpCopyLocal,
    kOpCopyInPad,
    kOpCopyOutPad,  // a: as above
    kOpFillGm,
    kOpSetFlag,   // a: HardEvent, b: event id; on the event's source pipe
    kOpWaitFlag,  // the same, on its destination pipe
    kOpBarrier,   // a: 1 where every pipe waits for every other
    kOpSyncAll,   // the block arrives; a: how many blocks it waits for, b: the barrier's number
    kOpCrossSet,  // a: flag or word, b: mode
    kOpCrossWait,  // the wait is over; a: flag or word
    kOpCache,     // cache control; a: 0 one line is cleaned and invalidated, 1 all of them, 2 one is loaded
    // From here on signals, which are not counted. a: the buffer's number as View::buffer has it, b: the queue's number.
    kOpAllocTensor,
    kOpEnQue,
    kOpDeQue,
    kOpFreeTensor,
    kOpSyncAllDone,  // the block goes on; b: the barrier's number
    kOpBlockBegin,   // a: sub-block, b: 1 on a cube core
    kOpBlockEnd,
    kOpPolled,   // a word that the block has read again and again has changed
    kOpAwaited,  // the scalar unit has waited for a pipe, a, to end: reductions of a whole tensor take their result through it
};

}  // namespace kb
