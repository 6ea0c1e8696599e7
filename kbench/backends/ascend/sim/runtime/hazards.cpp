// Vector clocks over the pipes of all blocks, and for each byte of UB and of what is written in global memory its last
// writer and who has read it, added to it or written the same since. See hazards.h.
//
// Sources: SetFlag/WaitFlag, PipeBarrier, SyncAll and CrossCoreSetFlag pages; the compiler orders the scalar unit with the
// other pipes, and V with itself ("core-internal synchronisation", key features), so neither makes a hazard here. Copies of
// one direction may overtake each other where they write the same bytes (PipeBarrier, PIPE_MTE2 and PIPE_MTE3).
#include "hazards.h"

#include "clocks.h"
#include "conflict.h"
#include "history.h"
#include "queues.h"

namespace kb {

namespace {

constexpr uint64_t kArenaBytes = 512ull << 20;  // address space; what is never used costs nothing
constexpr uint64_t kHead = 1u << 20;  // of it, for what there is one of
constexpr uint32_t kUbShift = 11;
constexpr uint64_t kMaxBuckets = 1u << 16;

// ---- what is kept of each block ------------------------------------------------------------------------------------

// What global memory that has a history held before the operation that is being done writes it.
constexpr uint32_t kKept = 4096;            // pieces: a copy has at most 4095
constexpr uint64_t kKeptBytes = 192 * 1024;  // of all of them: a copy comes from UB
struct Range {
    uint16_t buffer;
    uint64_t first;
    uint64_t end;
    const uint8_t* bytes;

    bool holds(uint16_t b, uint64_t from, uint64_t to) const { return buffer == b && first <= from && to <= end; }
};
struct Before {
    uint32_t count;
    uint32_t at;  // where the last was found: they are asked for in their order
    uint64_t used;
    Range* range;  // both null until the first is kept
    uint8_t* memory;
};

// A scalar store to global memory: its event comes before it is done, so it is looked at when the block is next heard of.
struct Late {
    bool waits;
    Event event;
    Access access;
};

// The block's last read of what may be written in global memory, and how often it was done again with nothing else read.
struct Again {
    uintptr_t pc;
    uint64_t first;
    uint16_t buffer;
    uint32_t times;
};

struct Core {
    uint32_t block;
    uint32_t epoch;
    Clock issued;         // operations that each pipe was given
    Clock known[kPipes];  // what each pipe knows; that of S is known to whatever is issued later
    Clock flag[kEvents][kEventIds][kMaxSet];
    uint8_t flags[kEvents][kEventIds];
    Others others;
    Before before;
    Late late;
    Again again;
    Map ub;
};

struct Round {
    uint32_t number;
    Others joined;
};
constexpr uint32_t kRounds = 8;
constexpr uint32_t kCrossFlags = 16;
constexpr uint32_t kMaxPolls = 64;

struct Hazards {
    Store store;
    Core* core[kMaxSlots];
    Map* buffer;  // of each that is writable
    Round round[kRounds];
    Others flag[kCrossFlags];
    bool own[kCrossFlags];  // whether who waits for it has set it, too: cores of one kind do, in modes 0 and 1
    uintptr_t polls[kMaxPolls];  // where kernels poll
    uint32_t poll_count;
};
Hazards* state;
static_assert(sizeof(Hazards) <= kHead);

// ---- what has ended -------------------------------------------------------------------------------------------------

// An operation that is looked at, and what its pipe knows when it starts.
struct Asking {
    Core& core;
    Place place;
    Clock known;
    const Access* access;
    const Map* map;
    const char* memory;
};

bool self_ordered(uint8_t pipe) {
    return pipe == static_cast<uint8_t>(Pipe::V) || pipe == static_cast<uint8_t>(Pipe::S);
}

bool ended(const Place& other, const Asking& a) {
    if (other.block != a.place.block) {
        return a.core.others.slot[other.slot].seq[other.pipe] >= other.seq;
    }
    return (other.pipe == a.place.pipe && self_ordered(other.pipe)) || a.known.seq[other.pipe] >= other.seq;
}

bool is_scalar(const Place& p) {
    return p.pipe == static_cast<uint8_t>(Pipe::S);
}

// Who writes what is there already does no harm: published kernels set a common flag so, do a tail twice, or let every
// block make one table of its own in the same place.
bool changes_nothing(Asking& a, const Segment& s) {
    Before& before = a.core.before;
    for (uint32_t i = 0; i < before.count && a.access->space == Space::gm; ++i) {
        const uint32_t at = (before.at + i) % before.count;
        const Range& kept = before.range[at];
        if (kept.holds(a.access->buffer, s.first, s.end)) {
            before.at = at;
            const uint8_t* now = machine->buffers[kept.buffer].base;
            return __builtin_memcmp(kept.bytes + (s.first - kept.first), now + s.first, s.end - s.first) == 0;
        }
    }
    return false;
}

bool polls(uintptr_t pc) {
    for (uint32_t i = 0; i < state->poll_count; ++i) {
        if (state->polls[i] == pc) {
            return true;
        }
    }
    return false;
}

// A kernel that waits for a word of another block by copying it again and again reads while that is written, on purpose.
// Blocks begin in turn, so whoever comes first shows that it is a loop before the word is there.
void note_poll(Core& core, const Event& e, const Access& access) {
    Again& again = core.again;
    if (again.pc != e.pc || again.first != access.first || again.buffer != access.buffer) {
        again = {e.pc, access.first, access.buffer, 0};
    } else if (++again.times == 2 && state->poll_count < kMaxPolls && !polls(e.pc)) {
        state->polls[state->poll_count++] = e.pc;
    }
}

// Who has polled a word knows what its writer did before; who writes one that is polled does nothing wrong.
bool hands_over(Asking& a, const Place& before) {
    if (before.writes() && !a.access->write && polls(a.place.pc)) {
        a.core.others.slot[before.slot].join(state->core[before.slot]->issued);
        return true;
    }
    return !before.writes() && polls(before.pc);
}

void conflict(Asking& a, const Place& before, const Segment& s) {
    const bool same = before.block == a.place.block;
    if (same || !hands_over(a, before)) {
        (same ? tell_pipes : tell_blocks)({before, a.place, s.first, s.end, a.memory});
    }
}

// What the scalar unit touches, the compiler makes it wait for; so whatever is issued later may rely on it. No page says
// where the compiler sets the flag: it is taken to stand right before the wait, after all that the pipe was given.
void wait_as_scalar(Asking& a, const Place& before) {
    if (!is_scalar(before)) {
        a.core.known[static_cast<int>(Pipe::S)].seq[before.pipe] = a.core.issued.seq[before.pipe];
    }
}

// Whether an operation comes after one that was seen before it.
bool follows(Asking& a, const Place& before) {
    if (before.block == a.place.block && (is_scalar(a.place) || is_scalar(before))) {
        wait_as_scalar(a, before);
        return true;
    }
    return ended(before, a);
}

// Of those who wrote the same, it is enough to have waited for one.
bool look_at_read(void* who, const Segment& s) {
    Asking& a = *static_cast<Asking*>(who);
    bool written = s.writer.seq == 0 || follows(a, s.writer);
    for (const User* u = s.users; u != nullptr; u = u->next) {
        written = (u->place.deed == Deed::rewrite && follows(a, u->place)) || written;
    }
    if (!written) {
        conflict(a, s.writer, s);
    }
    for (const User* u = s.users; u != nullptr; u = u->next) {
        if (u->place.deed == Deed::add && !follows(a, u->place)) {
            conflict(a, u->place, s);
        }
    }
    return false;
}

// Reads of one pipe come before its writes, and additions in any order.
bool may_cross(const Asking& a, const Place& before) {
    return before.deed == Deed::read ? before.block == a.place.block && before.pipe == a.place.pipe
                                     : before.deed == Deed::add && a.place.deed == Deed::add;
}

// All that a write should have waited for and has not.
template <class Tell>
void each_open(Asking& a, const Segment& s, Tell tell) {
    if (s.writer.seq != 0 && !follows(a, s.writer)) {
        tell(s.writer);
    }
    for (const User* u = s.users; u != nullptr; u = u->next) {
        if (!may_cross(a, u->place) && !follows(a, u->place)) {
            tell(u->place);
        }
    }
}

bool look_at_write(void* who, const Segment& s) {
    Asking& a = *static_cast<Asking*>(who);
    bool open = false;
    each_open(a, s, [&](const Place&) { open = true; });
    if (!open || changes_nothing(a, s)) {
        return open;
    }
    each_open(a, s, [&](const Place& before) { conflict(a, before, s); });
    return false;
}

void note_access(Asking& a) {
    const Access& access = *a.access;
    const Pieces& p = access.pieces;
    const Visit visit{a.place, access.write ? look_at_write : look_at_read, &a};
    // The scalar unit in UB: nothing to keep, as the compiler orders both sides of it.
    const bool pass = is_scalar(a.place) && access.space == Space::ub;
    const bool runs = p.pieces == 1 || p.step == p.bytes;
    for (uint32_t row = 0; row < p.rows; ++row) {
        const uint64_t at = access.first + row * p.row_step;
        for (uint32_t i = 0; i < (runs ? 1 : p.pieces); ++i) {
            const uint64_t first = at + i * p.step;
            const uint64_t end = first + (runs ? p.bytes * p.pieces : p.bytes);
            if (pass) {
                pass_range(*a.map, first, end, visit);
            } else {
                note_range(state->store, *a.map, first, end, visit);
            }
        }
    }
}

// ---- events ---------------------------------------------------------------------------------------------------------

uint32_t slot_of(const Block& b) {
    return static_cast<uint32_t>(&b - machine->blocks);
}

Clock knowledge(const Core& core, Pipe pipe) {
    Clock known = core.known[static_cast<int>(pipe)];
    known.join(core.known[static_cast<int>(Pipe::S)]);
    return known;
}

// What a flag or a barrier of the pipe says to those who wait for it.
Clock knowledge_after(const Core& core, Pipe pipe) {
    Clock known = knowledge(core, pipe);
    known.seq[static_cast<int>(pipe)] = core.issued.seq[static_cast<int>(pipe)];
    return known;
}

void set_flag(Core& core, const Event& e) {
    uint8_t& n = core.flags[e.a][e.b];
    if (n < kMaxSet) {
        core.flag[e.a][e.b][n++] = knowledge_after(core, e.pipe);
    }
}

void wait_flag(Core& core, const Event& e) {
    uint8_t& n = core.flags[e.a][e.b];
    if (n > 0) {
        core.known[static_cast<int>(e.pipe)].join(core.flag[e.a][e.b][0]);
        core.flag[e.a][e.b][0] = core.flag[e.a][e.b][1];
        n -= 1;
    }
}

void barrier(Core& core, const Event& e) {
    if (e.a != 0) {
        core.known[static_cast<int>(Pipe::S)] = core.issued;
        return;
    }
    const int p = static_cast<int>(e.pipe);
    core.known[p].seq[p] = core.issued.seq[p];
}

// What the block knows, itself included, as those who wait for its `pipe` learn it.
void publish(Others& to, const Core& core, uint32_t slot, Pipe pipe) {
    to.join(core.others, machine->slots);
    Clock mine = knowledge_after(core, pipe);
    mine.seq[static_cast<int>(Pipe::S)] = core.issued.seq[static_cast<int>(Pipe::S)];
    to.slot[slot].join(mine);
}

void cross_set(Core& core, uint32_t slot, const Event& e) {
    const uint32_t flag = e.a % kCrossFlags;
    state->own[flag] = e.b != 2;
    publish(state->flag[flag], core, slot, e.pipe);
}

// Who waits for a flag that it sets as well has also waited for its own pipe.
void cross_wait(Core& core, uint32_t slot, const Event& e) {
    const uint32_t flag = e.a % kCrossFlags;
    core.others.join(state->flag[flag], machine->slots);
    if (state->own[flag]) {
        core.known[static_cast<int>(Pipe::S)].join(state->flag[flag].slot[slot]);
    }
}

void arrive(Core& core, uint32_t slot, uint32_t number) {
    core.known[static_cast<int>(Pipe::S)] = core.issued;  // it waits for every pipe first
    Round& round = state->round[number % kRounds];
    if (round.number != number + 1) {
        round = {number + 1, {}};
    }
    publish(round.joined, core, slot, Pipe::S);
}

// A word that blocks hand over by reading it again and again: whoever wrote it meant all that it did before.
void acquire_all(Core& core) {
    for (uint32_t i = 0; i < machine->slots; ++i) {
        if (state->core[i] != &core) {
            core.others.slot[i].join(state->core[i]->issued);
        }
    }
}

void begin_block(Core& core, const Block& b) {
    const Map ub = core.ub;
    const Before before{0, 0, 0, core.before.range, core.before.memory};
    clear(state->store, core.ub);
    core = Core{};
    core.ub = ub;
    core.before = before;
    core.block = b.index | (b.is_cube ? 1u << 16 : 0);
}

bool synchronise(Core& core, uint32_t slot, const Event& e) {
    switch (e.op) {
        case kOpSetFlag: set_flag(core, e); break;
        case kOpWaitFlag: wait_flag(core, e); break;
        case kOpBarrier: barrier(core, e); break;
        case kOpSyncAll: arrive(core, slot, e.b); break;
        case kOpSyncAllDone: core.others.join(state->round[e.b % kRounds].joined, machine->slots); break;
        case kOpCrossSet: cross_set(core, slot, e); break;
        case kOpCrossWait: cross_wait(core, slot, e); break;
        case kOpPolled: acquire_all(core); break;
        case kOpAwaited: core.known[static_cast<int>(Pipe::S)].seq[e.a] = core.issued.seq[e.a]; break;
        case kOpBlockBegin: begin_block(core, *e.block); break;
        default: return false;
    }
    core.epoch += 1;
    return true;
}

const Map* map_of(const Core& core, const Access& a) {
    if (a.space == Space::ub) {
        return &core.ub;
    }
    if (a.space != Space::gm || state->buffer[a.buffer].bucket == nullptr) {
        return nullptr;
    }
    return &state->buffer[a.buffer];
}

// The reads of an operation come before its writes: what it works on in place is no conflict with itself.
void look(Asking& a, const Event& e, Deed deed) {
    a.place.deed = deed;
    for (uint32_t i = 0; i < e.accesses; ++i) {
        a.access = &e.access[i];
        a.map = map_of(a.core, *a.access);
        if (a.access->write == a.place.writes() && a.map != nullptr) {
            if (!a.access->write && a.access->space == Space::gm) {
                note_poll(a.core, e, *a.access);
            }
            a.memory = a.access->space == Space::gm ? machine->buffers[a.access->buffer].name : "UB";
            note_access(a);
        }
    }
}

void work(Core& core, const Event& e) {
    if (state->store.exhausted) {
        return;
    }
    const int p = static_cast<int>(e.pipe);
    const bool atomic = (e.op == kOpCopyOut || e.op == kOpCopyOutPad) && e.a != 0;
    core.issued.seq[p] += 1;
    const Place place{core.issued.seq[p], core.epoch, static_cast<uint16_t>(slot_of(*e.block)), static_cast<uint8_t>(p),
                      Deed::read, core.block, e.pc, e.outer, e.api};
    Asking a{core, place, knowledge(core, e.pipe), nullptr, nullptr, ""};
    look(a, e, Deed::read);
    look(a, e, atomic ? Deed::add : Deed::write);
}

void forget(Before& b) {
    b.count = 0;
    b.at = 0;
    b.used = 0;
}

bool is_store(const Event& e) {
    return e.op == kOpScalar && e.accesses == 1 && e.access[0].write && e.access[0].space == Space::gm;
}

void put_off(Core& core, const Event& e) {
    core.late = {true, e, e.access[0]};
    core.late.event.access = &core.late.access;
}

void settle(Core& core) {
    if (core.late.waits) {
        core.late.waits = false;
        work(core, core.late.event);
        forget(core.before);
    }
}

void follow(const Event& e) {
    const uint32_t slot = slot_of(*e.block);
    if (slot >= kMaxSlots || state->core[slot] == nullptr) {
        return;
    }
    Core& core = *state->core[slot];
    settle(core);
    if (is_store(e)) {
        return put_off(core, e);
    }
    if (!synchronise(core, slot, e) && e.accesses > 0) {
        work(core, e);
    }
    forget(core.before);
}

uint32_t shift_of(uint64_t bytes) {
    uint32_t shift = 12;
    while ((bytes >> shift) >= kMaxBuckets) {
        ++shift;
    }
    return shift;
}

bool has_room(Before& b) {
    if (b.range == nullptr) {
        b.range = state->store.take<Range>(kKept);
        b.memory = state->store.take<uint8_t>(kKeptBytes);
    }
    return b.range != nullptr && b.memory != nullptr;
}

}  // namespace

void before_pieces(uint16_t buffer, uint64_t first, const Pieces& p) {
    for (uint32_t row = 0; row < p.rows; ++row) {
        for (uint32_t i = 0; i < p.pieces; ++i) {
            before_write(buffer, first + row * p.row_step + i * p.step, p.bytes);
        }
    }
}

void before_write(uint16_t buffer, uint64_t first, uint64_t bytes) {
    if (state == nullptr || state->store.exhausted || bytes == 0 || state->buffer[buffer].bucket == nullptr) {
        return;
    }
    Core& core = *state->core[slot_of(self())];
    settle(core);
    Before& b = core.before;
    if (b.count == kKept || b.used + bytes > kKeptBytes || (b.count > 0 && b.range[0].holds(buffer, first, first + bytes)) ||
        !touched(state->buffer[buffer], first, first + bytes) || !has_room(b)) {
        return;
    }
    uint8_t* to = b.memory + b.used;
    __builtin_memcpy(to, machine->buffers[buffer].base + first, bytes);
    b.range[b.count++] = {buffer, first, first + bytes, to};
    b.used += bytes;
}

void make_hazards() {
    uint8_t* memory = hidden_memory(kArenaBytes);
    state = reinterpret_cast<Hazards*>(memory);
    state->store.next = memory + kHead;
    state->store.end = memory + kArenaBytes;
    listen(follow);
}

void begin_hazards() {
    if (state == nullptr) {
        return;
    }
    uint8_t* memory = reinterpret_cast<uint8_t*>(state);
    uint8_t* end = state->store.end;
    __builtin_memset(memory, 0, static_cast<uint64_t>(state->store.next - memory));
    state->store.next = memory + kHead;
    state->store.end = end;
    state->store.exhausted = machine->slots > kMaxSlots;
    for (uint32_t i = 0; i < machine->slots && !state->store.exhausted; ++i) {
        state->core[i] = state->store.take<Core>(1);
        make_map(state->store, state->core[i]->ub, machine->plan.ub_bytes, kUbShift);
    }
    state->buffer = state->store.take<Map>(machine->plan.buffers);
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const GmBuffer& gm = machine->buffers[i];
        if (gm.writable) {  // what nobody may write needs no order
            make_map(state->store, state->buffer[i], gm.mapped, shift_of(gm.mapped));
        }
    }
}

}  // namespace kb
