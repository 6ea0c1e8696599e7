// Synchronisation of blocks: barriers, cross-core flags, hand-shakes through global memory.
#include "kbfs.h"
#include "machine.h"

namespace kb {

namespace {

constexpr uint32_t kFlags = 16;      // of each core
constexpr uint32_t kMaxCount = 15;   // of a flag's counter
constexpr uint32_t kMaxCores = 64;   // of a kind
constexpr uint32_t kModes = 3;

// A barrier of the vector cores, of the cube cores, or of all.
struct Barrier {
    uint32_t arrived;
    uint32_t expected;
    uint64_t round;
};
enum BarrierKind : uint32_t { kVectorBarrier, kCubeBarrier, kEveryBarrier, kBarriers };
Barrier barriers[kBarriers];

// One core's flags. `given`: how often it has set each, by mode; `counter`: how often it may pass a wait.
struct PerCore {
    uint32_t given[kModes][kFlags];
    uint32_t counter[kFlags];
    uint64_t turns_waited;
    uint64_t turns_notified;
};
PerCore per_core[kCoreKinds][kMaxCores];

// Sets that a group of cores has made together: mode 0 all cores of a kind, mode 1 and 2 the vector cores of one block.
uint32_t rounds_of_all[kCoreKinds][kFlags];
uint32_t rounds_of_pair[kModes][kMaxCores][kFlags];

PerCore& mine(const char* api) {
    const Block& me = self();
    const Cores& cores = cores_of(me);
    if (cores.total > cores.slots || me.index >= kMaxCores) {
        error("E30", api, "expected at most %u blocks (the cores of the chip) to wait for each other, got %u", cores.slots,
              cores.total);
    }
    return per_core[me.is_cube ? kCube : kVector][me.index];
}

// The scheduler that counts flags does not run for kernels of one kind of core. A published kernel relies on it all the same.
void check_scheduler(const char* api) {
    if (machine->kernel_type == kAivOnly || machine->kernel_type == kAicOnly) {
        warning("E30", api, "expected a kernel of type __mix__ or KERNEL_TYPE_MIX_…, got one of %s cores only, where the device "
                "does not count flags", machine->kernel_type == kAivOnly ? "vector" : "cube");
    }
}

int32_t* workspace_word(void* workspace, uint64_t word, uint64_t words, const char* api) {
    check_gm_extent(workspace, words * sizeof(int32_t), true, api, "gmWorkspace");
    int32_t* at = static_cast<int32_t*>(workspace) + word;
    check_gm(at, 8 * sizeof(int32_t), true, api, "gmWorkspace");
    return at;
}

uint32_t vector_blocks() {
    return machine->cores[kVector].total;
}

// ---- barrier --------------------------------------------------------------------------------------------------------

bool barrier_ready(const Waiting& w) {
    return barriers[w.b].round != w.a;
}

int barrier_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "the other blocks (%u of %u have arrived)", barriers[w.b].arrived,
                        barriers[w.b].expected);
}

void barrier(const char* api, BarrierKind kind, uint32_t expected) {
    mine(api);
    see_all_writes();
    Barrier& b = barriers[kind];
    b.expected = expected;
    const Waiting wait{api, barrier_ready, barrier_describe, b.round, kind, 0};
    b.arrived += 1;
    if (b.arrived >= expected) {
        b.arrived = 0;
        b.round += 1;
    }
    const auto number = static_cast<uint32_t>(wait.a * kBarriers + kind);
    kb::event(Pipe::S, kOpSyncAll, 1, 0, expected, number);
    wait_until(wait);
    kb::signal(Pipe::S, kOpSyncAllDone, 0, number);
}

// ---- cross-core flags -----------------------------------------------------------------------------------------------

// Cores [first, first + count) of a kind.
struct Group {
    CoreKind kind;
    uint32_t first;
    uint32_t count;

    PerCore* begin() const { return &per_core[kind][first]; }
    PerCore* end() const { return begin() + count; }
};

Group all_of(CoreKind kind) {
    return {kind, 0, machine->cores[kind].total};
}

Group vectors_of_my_block() {
    const uint32_t subs = machine->plan.sub_blocks;
    const Block& me = self();
    return {kVector, me.is_cube ? me.index * subs : me.index / subs * subs, subs};
}

// Those that must set a flag together, and those whose counters rise then.
struct Partners {
    Group setters;
    Group waiters;
    uint32_t* rounds;
};

Partners partners_of(uint32_t mode, uint32_t flag) {
    const Block& me = self();
    const CoreKind kind = me.is_cube ? kCube : kVector;
    if (mode == 0) {
        return {all_of(kind), all_of(kind), &rounds_of_all[kind][flag]};
    }
    const Group vectors = vectors_of_my_block();
    const uint32_t block = vectors.first / machine->plan.sub_blocks;
    const Group cube{kCube, block, 1};
    if (mode == 1) {
        return {vectors, vectors, &rounds_of_pair[1][block][flag]};
    }
    return me.is_cube ? Partners{cube, vectors, &rounds_of_pair[0][block][flag]}
                      : Partners{vectors, cube, &rounds_of_pair[2][block][flag]};
}

bool all_have_set(const Group& setters, uint32_t mode, uint32_t flag, uint32_t rounds) {
    for (const PerCore& core : setters) {
        if (core.given[mode][flag] <= rounds) {
            return false;
        }
    }
    return true;
}

void check_mode(uint8_t mode, int32_t pipe) {
    const char* api = "CrossCoreSetFlag";
    constexpr int kPipeS = 0, kPipeAll = 6;
    if (mode >= kModes) {
        error("E29", api, "modeId: expected 0, 1 or 2 on this chip, got %u", mode);
    }
    if (pipe == kPipeS || pipe == kPipeAll) {
        error("E29", api, "pipe: expected one that moves or computes, got %s", pipe == kPipeS ? "PIPE_S" : "PIPE_ALL");
    }
    if (mode != 0 && (machine->cores[kCube].total == 0 || machine->cores[kVector].total == 0)) {
        error("E30", api, "mode %u: expected a kernel of both kinds of cores (__mix__(1, 1), __mix__(1, 2), "
              "KERNEL_TYPE_MIX_AIC_1_1 or …1_2), got one of %s cores", mode, self().is_cube ? "cube" : "vector");
    }
    if (mode == 1 && self().is_cube) {
        error("E29", api, "mode 1: expected a vector core, got a cube core");
    }
}

uint32_t flag_of(uint16_t id, const char* api) {
    if (id >= kFlags) {
        warning("E29", api, "flagId: expected 0 to %u, got %u; the lowest four bits count", kFlags - 1, id);
    }
    return id % kFlags;
}

void raise(const Partners& partners, uint32_t mode, uint32_t flag) {
    while (all_have_set(partners.setters, mode, flag, *partners.rounds)) {
        *partners.rounds += 1;
        for (PerCore& core : partners.waiters) {
            core.counter[flag] += 1;
            if (core.counter[flag] > kMaxCount) {
                error("E29", "CrossCoreSetFlag", "flag %u: expected at most %u sets without a wait", flag, kMaxCount);
            }
        }
    }
}

bool cross_ready(const Waiting& w) {
    return per_core[w.b][w.c].counter[w.a] > 0;
}

int cross_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "flag %u, which not all of its partners have set",
                        static_cast<unsigned>(w.a));
}

// ---- words in global memory -----------------------------------------------------------------------------------------

bool word_is(const Waiting& w) {
    return *reinterpret_cast<const volatile int32_t*>(w.a) == static_cast<int32_t>(w.b);
}

int word_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "its flag in global memory to become %d (it is %d)",
                        static_cast<int>(w.b), *reinterpret_cast<const int32_t*>(w.a));
}

void wait_word(const char* api, int32_t* word, int32_t value) {
    wait_until({api, word_is, word_describe, reinterpret_cast<uint64_t>(word), static_cast<uint64_t>(value), 0});
}

bool turn_ready(const Waiting& w) {
    const uint64_t before = w.a == 0 ? vector_blocks() - 1 : w.a - 1;
    return per_core[kVector][before].turns_notified >= w.b + (w.a == 0 ? 0 : 1);
}

// What waits through words of a workspace begins, and turns also end, with a barrier of all pipes.
void all_pipes() {
    signal(Pipe::S, kOpBarrier, 1, 0);
}

int turn_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "the block before block %u to call NotifyNextBlock",
                        static_cast<unsigned>(w.a));
}

}  // namespace

void begin_sync() {
    begin_dcache();
    __builtin_memset(barriers, 0, sizeof barriers);
    __builtin_memset(per_core, 0, sizeof per_core);
    __builtin_memset(rounds_of_all, 0, sizeof rounds_of_all);
    __builtin_memset(rounds_of_pair, 0, sizeof rounds_of_pair);
}

}  // namespace kb

using namespace kb;

extern "C" {

void kbrt_sync_all(bool vectors_only) {
    check_scheduler("SyncAll");
    const Cores &vectors = machine->cores[kVector], &cubes = machine->cores[kCube];
    if (vectors_only) {
        barrier("SyncAll", self().is_cube ? kCubeBarrier : kVectorBarrier, cores_of(self()).total);
        return;
    }
    if (vectors.total == 0 || cubes.total == 0) {
        error("E32", "SyncAll", "isAIVOnly: expected true in a kernel of %s cores only, got false",
              vectors.total == 0 ? "cube" : "vector");
    }
    barrier("SyncAll", kEveryBarrier, vectors.total + cubes.total);
}

void kbrt_sync_all_soft(void* workspace, View local, int32_t used_cores) {
    const uint32_t all = vector_blocks();
    const uint32_t cores = used_cores > 0 ? static_cast<uint32_t>(used_cores) : all;
    constexpr uint32_t kWords = 8;  // 32 bytes for each block
    if (self().is_cube || cores > all) {
        error("E31", "SyncAll", "usedCores: expected vector cores, at most %u, got %u of %s cores", all, cores,
              self().is_cube ? "cube" : "vector");
    }
    int32_t* word = workspace_word(workspace, self().index * kWords, all * kWords, "SyncAll");
    if (static_cast<uint32_t>(local.bytes) < cores * 32) {
        error("E31", "SyncAll", "ubWorkspace: expected at least %u bytes (32 for each block), got %u", cores * 32, local.bytes);
    }
    if (*word < 0 || *word > (1 << 24)) {
        error("E31", "SyncAll", "gmWorkspace: expected zeros before the first call, got %d", *word);
    }
    *word += 1;
    barrier("SyncAll", kVectorBarrier, cores);
}

void kbrt_cross_core_set(uint8_t mode, int32_t pipe, uint16_t id) {
    PerCore& me = mine("CrossCoreSetFlag");
    check_scheduler("CrossCoreSetFlag");
    check_mode(mode, pipe);
    const uint32_t flag = flag_of(id, "CrossCoreSetFlag");
    me.given[mode][flag] += 1;
    raise(partners_of(mode, flag), mode, flag);
    const int p = pipe_of(pipe);
    kb::event(p < 0 ? Pipe::S : static_cast<Pipe>(p), kOpCrossSet, 1, 0, flag, mode);
}

void kbrt_cross_core_wait(uint16_t id) {
    PerCore& me = mine("CrossCoreWaitFlag");
    const uint32_t flag = flag_of(id, "CrossCoreWaitFlag");
    const uint64_t kind = self().is_cube ? kCube : kVector;
    wait_until({"CrossCoreWaitFlag", cross_ready, cross_describe, flag, kind, self().index});
    me.counter[flag] -= 1;
    kb::event(Pipe::S, kOpCrossWait, 1, 0, flag);
}

void kbrt_block_set(void* workspace, View, int32_t block, int32_t event) {
    mine("IBSet");
    all_pipes();
    const uint64_t at = (static_cast<uint64_t>(event) * vector_blocks() + static_cast<uint64_t>(block)) * 8;
    int32_t* word = workspace_word(workspace, at, at + 8, "IBSet");
    wait_word("IBSet", word, 0);
    *word = 1;
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
}

void kbrt_block_wait(void* workspace, View, int32_t block, int32_t event) {
    mine("IBWait");
    all_pipes();
    const uint64_t at = (static_cast<uint64_t>(event) * vector_blocks() + static_cast<uint64_t>(block)) * 8;
    int32_t* word = workspace_word(workspace, at, at + 8, "IBWait");
    wait_word("IBWait", word, 1);
    *word = 0;
    kb::event(Pipe::MTE2, kOpCrossWait, 1, 32);
}

void kbrt_turns_init(void* workspace, View local) {
    mine("InitDetermineComputeWorkspace");
    const uint32_t blocks = vector_blocks();
    check_gm(workspace, blocks * 32ull, true, "InitDetermineComputeWorkspace", "gmWorkspace");
    if (local.bytes < blocks * 32 + 32) {
        error("E31", "InitDetermineComputeWorkspace", "ubWorkspace: expected at least %u bytes, got %u", blocks * 32 + 32,
              local.bytes);
    }
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
}

void kbrt_turns_wait(void*, View) {
    PerCore& me = mine("WaitPreBlock");
    see_all_writes();  // it polls its word by a copy, with barriers around it
    all_pipes();
    wait_until({"WaitPreBlock", turn_ready, turn_describe, self().index, me.turns_waited, 0});
    me.turns_waited += 1;
    kb::event(Pipe::MTE2, kOpCrossWait, 1, 32);
    all_pipes();
}

void kbrt_turns_notify(void*, View) {
    mine("NotifyNextBlock").turns_notified += 1;
    all_pipes();
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
    all_pipes();
}

}  // extern "C"
