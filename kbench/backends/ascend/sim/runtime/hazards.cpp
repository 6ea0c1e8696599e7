// Vector clocks over the pipes of all blocks, and for each byte of UB and of what is written in global memory its last
// writer and its readers since. See hazards.h.
//
// Sources: SetFlag/WaitFlag, PipeBarrier, SyncAll and CrossCoreSetFlag pages; the compiler orders the scalar unit with the
// other pipes, and V with itself ("core-internal synchronisation", key features), so neither makes a hazard here. Copies of
// one direction may overtake each other where they write the same bytes (PipeBarrier, PIPE_MTE2 and PIPE_MTE3).
#include "hazards.h"

#include "kbfs.h"
#include "queues.h"

namespace kb {

namespace {

constexpr uint32_t kMaxSlots = 128;
constexpr uint64_t kArenaBytes = 512ull << 20;  // address space; what is never used costs nothing
constexpr uint64_t kHead = 1u << 20;  // of it, for what there is one of
constexpr uint32_t kUbShift = 11;
constexpr uint64_t kMaxBuckets = 1u << 16;

// ---- who did what ---------------------------------------------------------------------------------------------------

// One operation: `seq` counts its pipe's, from 1; `epoch` counts its block's flags and barriers, so that neighbours of one
// epoch and pipe are known finished together.
struct Place {
    uint32_t seq;
    uint32_t epoch;
    uint16_t slot;
    uint8_t pipe;
    bool atomic;
    uint32_t block;
    uintptr_t pc;
    uintptr_t outer;
    const char* api;

    bool like(const Place& o) const {
        return block == o.block && pipe == o.pipe && epoch == o.epoch && pc == o.pc && atomic == o.atomic;
    }
};

struct Reader {
    Place place;
    Reader* next;
};

// Bytes [first, end) of one bucket that have the same history.
struct Segment {
    uint64_t first;
    uint64_t end;
    Segment* next;
    Reader* readers;
    Place writer;  // seq 0: nobody yet
};

// A memory: lists of segments, sorted, one for each 2^shift bytes.
struct Map {
    uint64_t bytes;
    uint32_t shift;
    Segment** bucket;
};

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

// What global memory held before the operation that is being done writes it, where another block's write may be undone.
constexpr uint32_t kKept = 8;
constexpr uint64_t kKeptBytes = 64 * 1024;
struct Before {
    uint32_t count;
    uint64_t used;
    struct {
        uint16_t buffer;
        uint64_t first;
        uint64_t end;
        const uint8_t* bytes;
    } range[kKept];
    uint8_t* memory;
};

// A conflict of a scalar store with another block's write: its event comes before the store, so what it changes is seen
// at the block's next event.
struct Late {
    bool waits;
    uint16_t buffer;
    uint64_t first;
    uint64_t end;
    Place before;
    Place now;
    uint8_t bytes[8];
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

struct History {
    uint8_t* next;  // of the arena
    uint8_t* end;
    Segment* free_segments;
    Reader* free_readers;
    bool exhausted;
    Core* core[kMaxSlots];
    Map* buffer;  // of each that is writable
    Round round[kRounds];
    Others flag[kCrossFlags];
    uintptr_t polls[kMaxPolls];  // where kernels poll
    uint32_t poll_count;
};
History* state;
static_assert(sizeof(History) <= kHead);

template <class T>
T* take(uint64_t n) {
    auto* p = reinterpret_cast<T*>(state->next);
    state->next += (n * sizeof(T) + 15) / 16 * 16;
    if (state->next > state->end) {
        state->next = reinterpret_cast<uint8_t*>(p);
        return nullptr;
    }
    return p;
}

template <class T>
T* node(T*& free) {
    if (free != nullptr) {
        T* n = free;
        free = n->next;
        return n;
    }
    return take<T>(1);
}

template <class T>
void give_back(T* n, T*& free) {
    n->next = free;
    free = n;
}

void drop_readers(Segment& s) {
    while (s.readers != nullptr) {
        Reader* r = s.readers;
        s.readers = r->next;
        give_back(r, state->free_readers);
    }
}

uint64_t buckets_of(const Map& m) {
    return (m.bytes >> m.shift) + 1;
}

void clear(Map& m) {
    for (uint64_t i = 0; i < buckets_of(m); ++i) {
        while (m.bucket[i] != nullptr) {
            Segment* s = m.bucket[i];
            m.bucket[i] = s->next;
            drop_readers(*s);
            give_back(s, state->free_segments);
        }
    }
}

void make_map(Map& m, uint64_t bytes, uint32_t shift) {
    m = {bytes, shift, nullptr};
    m.bucket = take<Segment*>(buckets_of(m));
}

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

constexpr int kTextBytes = 448;

// Ends the run; the place is the operation's own, which may lie behind. `early`: bytes are overwritten that another pipe
// may still be reading. Whether it does is a matter of time alone, which published kernels count on: told once.
void tell(const char* rule, const Place& now, const char* text, bool early = false) {
    char whole[kTextBytes + 64];
    kbfs::format(whole, sizeof whole, "%s: %s", now.api, text);
    if (early) {
        return warn_of(rule, now.api, whole, {{now.pc, now.outer}, 2});
    }
    report_finding("error", rule, now.api, whole, {{now.pc, now.outer}, 2});
    kbfs::die("rule_violation", "%s", whole);
}

// Bytes [first, end) of a memory that two operations touch, one of which writes them.
struct Conflict {
    const Place& before;
    const Place& now;
    bool before_writes;
    bool now_writes;
    uint64_t first;
    uint64_t end;
    const char* memory;
};

const char* verb(bool writes) {
    return writes ? "writes" : "reads";
}

void tell_pipes(const Conflict& c) {
    char text[kTextBytes];
    const char* p = kPipeName[c.before.pipe];
    const char* q = kPipeName[c.now.pipe];
    const auto at = static_cast<unsigned long long>(c.first), to = static_cast<unsigned long long>(c.end);
    const auto pc = static_cast<unsigned long>(c.before.pc), outer = static_cast<unsigned long>(c.before.outer);
    if (c.before.pipe == c.now.pipe) {
        kbfs::format(text, sizeof text, "writes bytes [%llu, %llu) of %s that the %s at @%lx/%lx@ writes too: expected a "
                     "PipeBarrier<PIPE_%s>() between them, got none", at, to, c.memory, c.before.api, pc, outer, q);
        tell("E23", c.now, text);
    }
    kbfs::format(text, sizeof text, "%s bytes [%llu, %llu) of %s while the %s at @%lx/%lx@ may still be at work and %s them: "
                 "expected pipe %s to wait for pipe %s (SetFlag and WaitFlag of HardEvent::%s_%s, or the queue's EnQue and DeQue, "
                 "FreeTensor and AllocTensor), got nothing that makes it wait", c.now_writes ? "overwrites" : "reads", at, to,
                 c.memory, c.before.api, pc, outer, verb(c.before_writes), q, p, p, q);
    tell("E22", c.now, text, !c.before_writes);
}

void tell_blocks(const Conflict& c) {
    char text[kTextBytes];
    kbfs::format(text, sizeof text, "block %u %s bytes [%llu, %llu) of %s that block %u %s in the %s at @%lx/%lx@: expected a "
                 "SyncAll or a cross-core flag between them, got nothing that orders the blocks", c.now.block & 0xffff,
                 verb(c.now_writes), static_cast<unsigned long long>(c.first), static_cast<unsigned long long>(c.end), c.memory,
                 c.before.block & 0xffff, verb(c.before_writes), c.before.api, static_cast<unsigned long>(c.before.pc),
                 static_cast<unsigned long>(c.before.outer));
    tell("E58", c.now, text);
}

// Blocks that write the same values to one place do no harm: published kernels set a common flag so, or do a tail twice.
bool changes_nothing(const Asking& a, const Segment& s) {
    const Before& before = a.core.before;
    for (uint32_t i = 0; i < before.count; ++i) {
        const auto& kept = before.range[i];
        if (kept.buffer == a.access->buffer && kept.first <= s.first && s.end <= kept.end) {
            const uint8_t* now = machine->buffers[kept.buffer].base;
            return __builtin_memcmp(kept.bytes + (s.first - kept.first), now + s.first, s.end - s.first) == 0;
        }
    }
    return false;
}

bool settles_later(Asking& a, const Segment& s) {
    Late& late = a.core.late;
    const uint64_t bytes = s.end - s.first;
    if (!is_scalar(a.place) || bytes > sizeof late.bytes) {
        return false;
    }
    late = {true, a.access->buffer, s.first, s.end, s.writer, a.place, {}};
    __builtin_memcpy(late.bytes, machine->buffers[late.buffer].base + s.first, bytes);
    return true;
}

void settle(Core& core) {
    Late& late = core.late;
    if (!late.waits) {
        return;
    }
    late.waits = false;
    const GmBuffer& gm = machine->buffers[late.buffer];
    if (__builtin_memcmp(late.bytes, gm.base + late.first, late.end - late.first) != 0) {
        tell_blocks({late.before, late.now, true, true, late.first, late.end, gm.name});
    }
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
bool hands_over(Asking& a, const Place& before, bool before_writes) {
    if (before_writes && !a.access->write && polls(a.place.pc)) {
        a.core.others.slot[before.slot].join(state->core[before.slot]->issued);
        return true;
    }
    return !before_writes && polls(before.pc);
}

void conflict(Asking& a, const Place& before, bool before_writes, const Segment& s) {
    const bool same = before.block == a.place.block;
    const bool both_write = a.access->write && before_writes;
    if ((before.atomic && a.place.atomic && both_write) || ended(before, a)) {
        return;
    }
    if (!same && both_write && (settles_later(a, s) || changes_nothing(a, s))) {
        return;
    }
    if (!same && hands_over(a, before, before_writes)) {
        return;
    }
    (same ? tell_pipes : tell_blocks)({before, a.place, before_writes, a.access->write, s.first, s.end, a.memory});
}

// What the scalar unit touches, the compiler makes it wait for; so whatever is issued later may rely on it. No page says
// where the compiler sets the flag: it is taken to stand right before the wait, after all that the pipe was given.
void wait_as_scalar(Asking& a, const Place& before) {
    if (before.seq != 0 && before.block == a.place.block && !is_scalar(before)) {
        a.core.known[static_cast<int>(Pipe::S)].seq[before.pipe] = a.core.issued.seq[before.pipe];
    }
}

void look_at_read(Asking& a, const Segment& s) {
    if (s.writer.seq == 0) {
        return;
    }
    if (s.writer.block == a.place.block && (is_scalar(a.place) || is_scalar(s.writer))) {
        return wait_as_scalar(a, s.writer);
    }
    conflict(a, s.writer, true, s);
}

void look_at_write(Asking& a, const Segment& s) {
    if (s.writer.seq != 0) {
        if (s.writer.block == a.place.block && (is_scalar(a.place) || is_scalar(s.writer))) {
            wait_as_scalar(a, s.writer);
        } else {
            conflict(a, s.writer, true, s);
        }
    }
    for (const Reader* r = s.readers; r != nullptr; r = r->next) {
        if (r->place.block == a.place.block && (is_scalar(a.place) || is_scalar(r->place))) {
            wait_as_scalar(a, r->place);
        } else if (r->place.block != a.place.block || r->place.pipe != a.place.pipe) {
            conflict(a, r->place, false, s);
        }
    }
}

// ---- histories ------------------------------------------------------------------------------------------------------

bool same_history(const Segment& a, const Segment& b) {
    const bool writers = a.writer.seq == 0 ? b.writer.seq == 0 : b.writer.seq != 0 && a.writer.like(b.writer);
    if (!writers || (a.readers == nullptr) != (b.readers == nullptr)) {
        return false;
    }
    return a.readers == nullptr ||
           (a.readers->next == nullptr && b.readers->next == nullptr && a.readers->place.like(b.readers->place));
}

uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// Joins a segment with the one after it where both have one history; the later number stands for both.
void merge_next(Segment& s) {
    Segment* n = s.next;
    if (n == nullptr || n->first != s.end || !same_history(s, *n)) {
        return;
    }
    s.end = n->end;
    s.next = n->next;
    s.writer.seq = later(s.writer.seq, n->writer.seq);
    if (s.readers != nullptr) {
        s.readers->place.seq = later(s.readers->place.seq, n->readers->place.seq);
    }
    drop_readers(*n);
    give_back(n, state->free_segments);
}

Segment* new_segment(uint64_t first, uint64_t end, Segment* next) {
    Segment* s = node(state->free_segments);
    if (s == nullptr) {
        state->exhausted = true;
        return nullptr;
    }
    *s = {first, end, next, nullptr, {}};
    return s;
}

bool add_reader(Segment& s, const Place& place) {
    for (Reader* r = s.readers; r != nullptr; r = r->next) {
        if (r->place.block == place.block && r->place.pipe == place.pipe) {
            r->place = place;
            return true;
        }
    }
    Reader* r = node(state->free_readers);
    if (r == nullptr) {
        state->exhausted = true;
        return false;
    }
    *r = {place, s.readers};
    s.readers = r;
    return true;
}

// Cuts a segment in two at `at`.
bool split(Segment& s, uint64_t at) {
    Segment* tail = new_segment(at, s.end, s.next);
    if (tail == nullptr) {
        return false;
    }
    tail->writer = s.writer;
    for (const Reader* r = s.readers; r != nullptr; r = r->next) {
        if (!add_reader(*tail, r->place)) {
            return false;
        }
    }
    s.end = at;
    s.next = tail;
    return true;
}

// The first segment that reaches beyond `first`, cut so that it begins there; `link` is what points to it.
Segment** seek(Segment** link, uint64_t first) {
    while (*link != nullptr && (*link)->end <= first) {
        link = &(*link)->next;
    }
    if (*link != nullptr && (*link)->first < first && split(**link, first)) {
        link = &(*link)->next;
    }
    return link;
}

void note_read(Asking& a, Segment** link, uint64_t first, uint64_t end) {
    for (link = seek(link, first); first < end && !state->exhausted; link = &(*link)->next) {
        Segment* s = *link;
        if (s == nullptr || s->first > first) {
            s = new_segment(first, s == nullptr || s->first > end ? end : s->first, s);
            if (s == nullptr) {
                return;
            }
            *link = s;
        } else if (s->end > end && !split(*s, end)) {
            return;
        }
        look_at_read(a, *s);
        add_reader(*s, a.place);
        first = s->end;
    }
}

void note_write(Asking& a, Segment** link, uint64_t first, uint64_t end) {
    link = seek(link, first);
    while (*link != nullptr && (*link)->first < end && !state->exhausted) {
        Segment* s = *link;
        if (s->end > end && !split(*s, end)) {
            return;
        }
        look_at_write(a, *s);
        *link = s->next;
        drop_readers(*s);
        give_back(s, state->free_segments);
    }
    Segment* s = new_segment(first, end, *link);
    if (s != nullptr) {
        s->writer = a.place;
        *link = s;
    }
}

// Neighbours around [first, end) of a bucket that have become alike.
void tidy(Segment* s, uint64_t first, uint64_t end) {
    for (; s != nullptr && s->first <= end; s = s->next) {
        if (s->end >= first) {
            merge_next(*s);
        }
    }
}

void note_range(Asking& a, const Map& m, uint64_t first, uint64_t end) {
    if (end > m.bytes) {
        end = m.bytes;
    }
    while (first < end && !state->exhausted) {
        const uint64_t index = first >> m.shift;
        const uint64_t limit = (index + 1) << m.shift;
        const uint64_t to = end < limit ? end : limit;
        (a.access->write ? note_write : note_read)(a, &m.bucket[index], first, to);
        tidy(m.bucket[index], first, to);
        first = to;
    }
}

// The scalar unit in UB: nothing to keep, as the compiler orders both sides of it.
void pass_range(Asking& a, const Map& m, uint64_t first, uint64_t end) {
    for (uint64_t index = first >> m.shift; index <= (end - 1) >> m.shift && index < buckets_of(m); ++index) {
        for (const Segment* s = m.bucket[index]; s != nullptr && s->first < end; s = s->next) {
            if (s->end > first) {
                (a.access->write ? look_at_write : look_at_read)(a, *s);
            }
        }
    }
}

void note_access(Asking& a) {
    const Access& access = *a.access;
    const Pieces& p = access.pieces;
    const bool pass = is_scalar(a.place) && access.space == Space::ub;
    const bool runs = p.pieces == 1 || p.step == p.bytes;
    for (uint32_t row = 0; row < p.rows; ++row) {
        const uint64_t at = access.first + row * p.row_step;
        for (uint32_t i = 0; i < (runs ? 1 : p.pieces); ++i) {
            const uint64_t first = at + i * p.step;
            (pass ? pass_range : note_range)(a, *a.map, first, first + (runs ? p.bytes * p.pieces : p.bytes));
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
    uint8_t* memory = core.before.memory;
    clear(core.ub);
    core = Core{};
    core.ub = ub;
    core.before.memory = memory;
    core.block = b.index | (b.is_cube ? 1u << 16 : 0);
}

bool synchronise(Core& core, uint32_t slot, const Event& e) {
    switch (e.op) {
        case kOpSetFlag: set_flag(core, e); break;
        case kOpWaitFlag: wait_flag(core, e); break;
        case kOpBarrier: barrier(core, e); break;
        case kOpSyncAll: arrive(core, slot, e.b); break;
        case kOpSyncAllDone: core.others.join(state->round[e.b % kRounds].joined, machine->slots); break;
        case kOpCrossSet: publish(state->flag[e.a % kCrossFlags], core, slot, e.pipe); break;
        case kOpCrossWait: core.others.join(state->flag[e.a % kCrossFlags], machine->slots); break;
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
void look(Asking& a, const Event& e, bool writes) {
    for (uint32_t i = 0; i < e.accesses; ++i) {
        a.access = &e.access[i];
        a.map = map_of(a.core, *a.access);
        if (a.access->write == writes && a.map != nullptr) {
            if (!writes && a.access->space == Space::gm) {
                note_poll(a.core, e, *a.access);
            }
            a.memory = a.access->space == Space::gm ? machine->buffers[a.access->buffer].name : "UB";
            note_access(a);
        }
    }
}

void work(Core& core, uint32_t slot, const Event& e) {
    const int p = static_cast<int>(e.pipe);
    const bool atomic = (e.op == kOpCopyOut || e.op == kOpCopyOutPad) && e.a != 0;
    core.issued.seq[p] += 1;
    const Place place{core.issued.seq[p], core.epoch, static_cast<uint16_t>(slot), static_cast<uint8_t>(p), atomic, core.block,
                      e.pc, e.outer, e.api};
    Asking a{core, place, knowledge(core, e.pipe), nullptr, nullptr, ""};
    look(a, e, false);
    look(a, e, true);
}

void follow(const Event& e) {
    const uint32_t slot = slot_of(*e.block);
    if (slot >= kMaxSlots || state->core[slot] == nullptr) {
        return;
    }
    Core& core = *state->core[slot];
    settle(core);
    if (!synchronise(core, slot, e) && e.accesses > 0 && !state->exhausted) {
        work(core, slot, e);
    }
    core.before.count = 0;
    core.before.used = 0;
}

bool another_has_written(const Map& m, uint64_t first, uint64_t end, uint32_t block) {
    for (uint64_t index = first >> m.shift; index <= (end - 1) >> m.shift && index < buckets_of(m); ++index) {
        for (const Segment* s = m.bucket[index]; s != nullptr && s->first < end; s = s->next) {
            if (s->end > first && s->writer.seq != 0 && s->writer.block != block) {
                return true;
            }
        }
    }
    return false;
}

uint32_t shift_of(uint64_t bytes) {
    uint32_t shift = 12;
    while ((bytes >> shift) >= kMaxBuckets) {
        ++shift;
    }
    return shift;
}

}  // namespace

void before_write(uint16_t buffer, uint64_t first, uint64_t bytes) {
    if (state == nullptr || state->exhausted || bytes == 0 || state->buffer[buffer].bucket == nullptr) {
        return;
    }
    Core& core = *state->core[slot_of(self())];
    Before& b = core.before;
    if (b.count == kKept || b.used + bytes > kKeptBytes ||
        !another_has_written(state->buffer[buffer], first, first + bytes, core.block)) {
        return;
    }
    uint8_t* to = b.memory + b.used;
    __builtin_memcpy(to, machine->buffers[buffer].base + first, bytes);
    b.range[b.count++] = {buffer, first, first + bytes, to};
    b.used += bytes;
}

void make_hazards() {
    uint8_t* memory = hidden_memory(kArenaBytes);
    state = reinterpret_cast<History*>(memory);
    state->next = memory + kHead;
    state->end = memory + kArenaBytes;
    listen(follow);
}

void begin_hazards() {
    if (state == nullptr) {
        return;
    }
    uint8_t* memory = reinterpret_cast<uint8_t*>(state);
    uint8_t* end = state->end;
    __builtin_memset(memory, 0, static_cast<uint64_t>(state->next - memory));
    state->next = memory + kHead;
    state->end = end;
    state->exhausted = machine->slots > kMaxSlots;
    for (uint32_t i = 0; i < machine->slots && !state->exhausted; ++i) {
        state->core[i] = take<Core>(1);
        make_map(state->core[i]->ub, machine->plan.ub_bytes, kUbShift);
        state->core[i]->before.memory = take<uint8_t>(kKeptBytes);
    }
    state->buffer = take<Map>(machine->plan.buffers);
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const GmBuffer& gm = machine->buffers[i];
        if (gm.writable) {  // what nobody may write needs no order
            make_map(state->buffer[i], gm.mapped, shift_of(gm.mapped));
        }
    }
}

}  // namespace kb
