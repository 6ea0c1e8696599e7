// Synchronisation of blocks: barriers, cross-core flags, hand-shakes through global memory.
#include "kbfs.h"
#include "machine.h"

namespace kb {

namespace {

constexpr uint32_t kCrossFlags = 16;
constexpr uint8_t kMaxCrossCount = 15;

// Everything that blocks share to wait for each other.
struct Shared {
    uint32_t arrived;
    uint32_t expected;
    uint64_t round;
    uint32_t cross_arrived[kCrossFlags];
    uint64_t cross_rounds[kCrossFlags];
};

Shared shared;

struct PerBlock {
    uint64_t cross_taken[kCrossFlags];
    uint64_t cross_given[kCrossFlags];
    uint64_t turns_waited;
    uint64_t turns_notified;
};
constexpr uint32_t kMaxSyncBlocks = 128;
PerBlock per_block[kMaxSyncBlocks];

PerBlock& mine(const char* api) {
    const uint32_t index = self().index;
    if (machine->total_blocks > machine->slots || index >= kMaxSyncBlocks) {
        error("E30", api, "expected at most %u blocks (the cores of the chip) to wait for each other, got %u",
              machine->slots, machine->total_blocks);
    }
    return per_block[index];
}

int32_t* workspace_word(void* workspace, uint64_t word, uint64_t words, const char* api) {
    check_gm_extent(workspace, words * sizeof(int32_t), true, api, "gmWorkspace");
    int32_t* at = static_cast<int32_t*>(workspace) + word;
    check_gm(at, 8 * sizeof(int32_t), true, api, "gmWorkspace");
    return at;
}

// ---- barrier --------------------------------------------------------------------------------------------------------

bool barrier_ready(const Waiting& w) {
    return shared.round != w.a;
}

int barrier_describe(const Waiting&, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "the other blocks (%u of %u have arrived)", shared.arrived,
                        shared.expected);
}

void barrier(const char* api, uint32_t expected) {
    mine(api);
    see_all_writes();
    shared.expected = expected;
    const Waiting wait{api, barrier_ready, barrier_describe, shared.round, 0, 0};
    shared.arrived += 1;
    if (shared.arrived >= expected) {
        shared.arrived = 0;
        shared.round += 1;
    }
    kb::event(Pipe::S, kOpSyncAll, 1, 0, expected, static_cast<uint32_t>(wait.a));
    wait_until(wait);
    kb::signal(Pipe::S, kOpSyncAllDone, 0, static_cast<uint32_t>(wait.a));
}

// ---- cross-core flags -----------------------------------------------------------------------------------------------

bool cross_ready(const Waiting& w) {
    return shared.cross_rounds[w.a] > per_block[w.b].cross_taken[w.a];
}

int cross_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "flag %u (%u of %u blocks have set it)", static_cast<unsigned>(w.a),
                        shared.cross_arrived[w.a], machine->total_blocks);
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
    const uint32_t last = machine->total_blocks - 1;
    const uint64_t before = w.a == 0 ? last : w.a - 1;
    return per_block[before].turns_notified >= w.b + (w.a == 0 ? 0 : 1);
}

int turn_describe(const Waiting& w, char* out, int capacity) {
    return kbfs::format(out, static_cast<size_t>(capacity), "the block before block %u to call NotifyNextBlock",
                        static_cast<unsigned>(w.a));
}

}  // namespace

void begin_sync() {
    shared = Shared{};
}

}  // namespace kb

using namespace kb;

extern "C" {

void kbrt_sync_all() {
    barrier("SyncAll", machine->total_blocks);
}

void kbrt_sync_all_soft(void* workspace, View local, int32_t used_cores) {
    const uint32_t cores = used_cores > 0 ? static_cast<uint32_t>(used_cores) : machine->total_blocks;
    constexpr uint32_t kWords = 8;  // 32 bytes for each block
    int32_t* word = workspace_word(workspace, self().index * kWords, machine->total_blocks * kWords, "SyncAll");
    if (static_cast<uint32_t>(local.bytes) < cores * 32) {
        error("E31", "SyncAll", "ubWorkspace: expected at least %u bytes (32 for each block), got %u", cores * 32, local.bytes);
    }
    if (*word < 0 || *word > (1 << 24)) {
        error("E31", "SyncAll", "gmWorkspace: expected zeros before the first call, got %d", *word);
    }
    *word += 1;
    barrier("SyncAll", cores);
}

void kbrt_cross_core_set(uint8_t mode, int32_t pipe, uint16_t id) {
    if (mode != 0) {
        unsupported("CrossCoreSetFlag with mode 1 or 2");
    }
    PerBlock& me = mine("CrossCoreSetFlag");
    const uint32_t flag = id & (kCrossFlags - 1);
    me.cross_given[flag] += 1;
    if (me.cross_given[flag] - me.cross_taken[flag] > kMaxCrossCount) {
        error("E29", "CrossCoreSetFlag", "flag %u: expected at most %u sets without a wait", flag, kMaxCrossCount);
    }
    // The flag rises for everybody when every block has set it once more.
    if (++shared.cross_arrived[flag] == machine->total_blocks) {
        shared.cross_arrived[flag] = 0;
        shared.cross_rounds[flag] += 1;
    }
    const int p = pipe_of(pipe);
    kb::event(p < 0 ? Pipe::S : static_cast<Pipe>(p), kOpCrossSet, 1, 0, flag, mode);
}

void kbrt_cross_core_wait(uint16_t id) {
    PerBlock& me = mine("CrossCoreWaitFlag");
    const uint64_t flag = id & (kCrossFlags - 1);
    wait_until({"CrossCoreWaitFlag", cross_ready, cross_describe, flag, self().index, 0});
    me.cross_taken[flag] += 1;
    kb::event(Pipe::S, kOpCrossWait, 1, 0, static_cast<uint32_t>(flag));
}

void kbrt_block_set(void* workspace, View, int32_t block, int32_t event) {
    mine("IBSet");
    const uint64_t at = (static_cast<uint64_t>(event) * machine->total_blocks + static_cast<uint64_t>(block)) * 8;
    int32_t* word = workspace_word(workspace, at, at + 8, "IBSet");
    wait_word("IBSet", word, 0);
    *word = 1;
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
}

void kbrt_block_wait(void* workspace, View, int32_t block, int32_t event) {
    mine("IBWait");
    const uint64_t at = (static_cast<uint64_t>(event) * machine->total_blocks + static_cast<uint64_t>(block)) * 8;
    int32_t* word = workspace_word(workspace, at, at + 8, "IBWait");
    wait_word("IBWait", word, 1);
    *word = 0;
    kb::event(Pipe::MTE2, kOpCrossWait, 1, 32);
}

void kbrt_turns_init(void* workspace, View local) {
    mine("InitDetermineComputeWorkspace");
    const uint32_t blocks = machine->total_blocks;
    check_gm(workspace, blocks * 32ull, true, "InitDetermineComputeWorkspace", "gmWorkspace");
    if (local.bytes < blocks * 32 + 32) {
        error("E31", "InitDetermineComputeWorkspace", "ubWorkspace: expected at least %u bytes, got %u", blocks * 32 + 32,
              local.bytes);
    }
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
}

void kbrt_turns_wait(void*, View) {
    PerBlock& me = mine("WaitPreBlock");
    wait_until({"WaitPreBlock", turn_ready, turn_describe, self().index, me.turns_waited, 0});
    me.turns_waited += 1;
    kb::event(Pipe::MTE2, kOpCrossWait, 1, 32);
}

void kbrt_turns_notify(void*, View) {
    mine("NotifyNextBlock").turns_notified += 1;
    kb::event(Pipe::MTE3, kOpCrossSet, 1, 32);
}

}  // extern "C"
