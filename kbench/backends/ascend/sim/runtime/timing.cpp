// Keeps of each operation what it costs, in each block's order of issue; alike ones in a row as one. See timing.h.
#include "timing.h"

#include "kbfs.h"

namespace kb {

Timing* timing;

namespace {

constexpr uint64_t kArenaBytes = 512ull << 20;  // address space; what is never used costs nothing
constexpr uint64_t kReplayBytes = 64ull << 20;  // of it, left for the replay
constexpr uint32_t kPlaces = 1u << 14;
constexpr uint32_t kLines = 512;  // of the scalar unit's cache: 32 KiB of 64 bytes
constexpr uint32_t kPolls = kChannels - 1;
constexpr uint32_t kWords = 1u << 12;  // small writes of global memory that are remembered
constexpr uint64_t kSmall = 64;        // bytes of one

// A write of global memory: what a block that has seen it has waited for.
struct Written {
    uint64_t place;      // 32 bytes of a buffer; 0: nowhere
    uint32_t block;
    uint32_t operation;  // counted from 1, alike ones as one
    bool by_copy;

    bool operator==(const Written& o) const { return block == o.block && operation == o.operation; }
};

// What is known of the block that runs on a core, between two of its operations.
struct Recorder {
    uint32_t block;
    uint64_t scalar_blocks;  // that had been executed then
    double issue;          // the scalar unit's cycles since the last operation
    bool vectors_pending;  // the vector unit has worked since the scalar unit last waited for it
    bool lines_held;       // some tag is not 0
    Written followed;      // what it has waited for last
    uint32_t line[kLines];  // tags of the scalar unit's cache
};

struct Recording {
    Timing timing;
    Prices price;
    Recorder core[kMaxTimed];
    uint32_t announced[kChannels];
    Written written;  // the last one, of any block
    Written word[kWords];
    uint8_t* memory;
    uint8_t bypass[65536 / 8];  // a bit for each buffer of global memory: L2 is switched off
    uint16_t place_of[kPlaces];  // by hash, + 1
    Place place[kPlaces];
};
Recording* rec;

uint32_t core_of(const Block& b) {
    return static_cast<uint32_t>(&b - machine->blocks);
}

uint16_t place_of(const Event& e) {
    const uint64_t hash = (e.pc * 0x9e3779b97f4a7c15ull + e.outer * 0xc2b2ae3d27d4eb4full) >> 32;
    for (uint32_t i = 0; i < 64; ++i) {
        const uint32_t at = (hash + i) % kPlaces;
        if (rec->place_of[at] == 0) {
            const uint32_t n = timing->places;
            if (n + 1 >= kPlaces) {
                return 0;
            }
            rec->place[n] = {e.pc, e.outer, e.api};
            rec->place_of[at] = static_cast<uint16_t>(n + 1);
            timing->places = n + 1;
            return static_cast<uint16_t>(n);
        }
        const Place& p = rec->place[rec->place_of[at] - 1];
        if (p.pc == e.pc && p.outer == e.outer && p.api == e.api) {
            return static_cast<uint16_t>(rec->place_of[at] - 1);
        }
    }
    return 0;
}

bool same_work(const Cost& a, const Cost& b) {
    return a.step == b.step && a.pipe == b.pipe && a.place == b.place && a.cycles == b.cycles && a.bytes == b.bytes &&
           a.count < 1u << 30;
}

// Whether `b` goes on where the alike operations `a` have come to.
bool continues(Cost& a, const Cost& b) {
    if (!same_work(a, b)) {
        return false;
    }
    if (a.step == Step::work) {
        return true;
    }
    if (a.step != Step::copy || a.buffer != b.buffer || a.pieces != b.pieces || a.piece != b.piece || a.apart != b.apart ||
        a.bypass != b.bypass) {
        return false;
    }
    const int64_t stride = static_cast<int64_t>(b.first - a.first) - a.stride * static_cast<int64_t>(a.count - 1);
    if (a.count == 1) {
        a.stride = stride;
    }
    return stride == a.stride;
}

Operations& operations_of(const Recorder& r) {
    return timing->block[r.block];
}

Cost* new_cost(Operations& o) {
    if (o.last == nullptr || o.last->used == kChunk) {
        Timing& t = *timing;
        if (static_cast<uint64_t>(t.end - t.next) < kReplayBytes + sizeof(Chunk)) {
            return nullptr;
        }
        Chunk* c = take<Chunk>(t, 1);
        c->next = nullptr;
        c->used = 0;
        (o.last == nullptr ? o.first : o.last->next) = c;
        o.last = c;
    }
    o.kept += 1;
    return &o.last->cost[o.last->used++];
}

Cost* last_cost(const Operations& o) {
    return o.last == nullptr || o.last->used == 0 ? nullptr : &o.last->cost[o.last->used - 1];
}

// There is no room: only how long the pipes are busy with it counts.
void tally(Operations& o, const Cost& c) {
    timing->totals.unpriced += 1;
    if (o.rest == nullptr) {
        o.rest = take<float>(*timing, kPipes);
    }
    if (o.rest != nullptr) {
        const double moved = c.bytes / rec->price.core_bytes + rec->price.copy_interval;
        o.rest[c.pipe] += c.step == Step::copy ? static_cast<float>(moved) : c.cycles;
        o.rest[static_cast<int>(Pipe::S)] += c.issue;
    }
}

void keep(Recorder& r, Cost cost) {
    Operations& o = operations_of(r);
    r.issue += static_cast<double>(self().scalar_blocks - r.scalar_blocks) * rec->price.scalar_block;
    r.scalar_blocks = self().scalar_blocks;
    cost.issue = static_cast<float>(r.issue + rec->price.scalar_call);
    r.issue = 0;
    timing->totals.recorded += 1;
    Cost* last = last_cost(o);
    if (last != nullptr && continues(*last, cost)) {
        last->issue = (last->issue * static_cast<float>(last->count) + cost.issue) / static_cast<float>(last->count + 1);
        last->count += 1;
        timing->totals.folded += 1;
        return;
    }
    Cost* to = o.rest != nullptr ? nullptr : new_cost(o);
    if (to != nullptr) {
        *to = cost;
    } else {
        tally(o, cost);
    }
}

Cost plain(Step step, const Event& e) {
    Cost c{};
    c.step = step;
    c.pipe = static_cast<uint8_t>(e.pipe);
    c.count = 1;
    c.place = place_of(e);
    return c;
}

const Access* global(const Event& e) {
    for (uint32_t i = 0; i < e.accesses; ++i) {
        if (e.access[i].space == Space::gm) {
            return &e.access[i];
        }
    }
    return nullptr;
}

bool touches_ub(const Event& e) {
    for (uint32_t i = 0; i < e.accesses; ++i) {
        if (e.access[i].space == Space::ub) {
            return true;
        }
    }
    return false;
}

uint64_t place_of(const Access& a) {
    return (static_cast<uint64_t>(a.buffer) << 40 | a.first) / 32 + 1;
}

Written& word_at(uint64_t place) {
    return rec->word[place * 0x9e3779b97f4a7c15ull >> 52];
}

// By the copy that was kept last, or by the scalar unit before the operation that will be kept next.
void wrote_memory(const Recorder& r, const Access& a, uint64_t bytes, bool by_copy) {
    rec->written = {place_of(a), r.block, operations_of(r).kept + (by_copy ? 0 : 1), by_copy};
    if (bytes <= kSmall) {
        word_at(rec->written.place) = rec->written;
    }
}

void follow_write(Recorder& r, const Event& e, const Written& w) {
    if (w.operation == 0 || w.block == r.block || w == r.followed) {
        return;
    }
    Cost c = plain(Step::follow, e);
    c.pipe = static_cast<uint8_t>(Pipe::S);
    c.pieces = w.block;
    c.bytes = w.operation;
    c.write = w.by_copy;
    r.followed = w;
    keep(r, c);
}

// A word that another block has written: on the device this one finds it there when that has been done, not before. In the
// run the other may have been done long before; so who reads it has waited for it.
void read_memory(Recorder& r, const Event& e, const Access& a, uint64_t bytes) {
    const Written& w = word_at(place_of(a));
    if (bytes <= kSmall && w.place == place_of(a)) {
        follow_write(r, e, w);
    }
}

void copy(Recorder& r, const Event& e) {
    const Access* a = global(e);
    Cost c = plain(Step::copy, e);
    c.bytes = static_cast<uint32_t>(e.bytes);
    c.write = e.pipe == Pipe::MTE3;
    if (a != nullptr) {
        const Pieces& p = a->pieces;
        c.buffer = a->buffer;
        c.first = a->first;
        c.pieces = p.pieces * p.rows;
        c.piece = static_cast<uint32_t>(p.bytes);
        c.apart = p.pieces > 1 ? p.step : p.row_step;
        c.bypass = (rec->bypass[a->buffer / 8] >> (a->buffer % 8) & 1) != 0;
        if (c.pieces <= 1 && p.bytes > e.bytes) {  // a hull: as much as was moved of it
            c.piece = c.bytes;
        }
    }
    if (a != nullptr && !c.write) {
        read_memory(r, e, *a, e.bytes);
    }
    keep(r, c);
    if (a != nullptr && c.write) {
        wrote_memory(r, *a, e.bytes, true);
    }
}

void vector(Recorder& r, const Event& e) {
    const VectorCost v = price_vector(e, rec->price);
    Cost c = plain(Step::work, e);
    c.cycles = v.work + v.conflicts + v.overhead;
    c.blocking = v.blocking;
    c.bytes = static_cast<uint32_t>(e.bytes);
    VectorSums& s = timing->totals.vector;
    s.operations += 1;
    s.repeats += e.repeats;
    s.work += static_cast<double>(v.work);
    s.conflicts += static_cast<double>(v.conflicts);
    s.overhead += static_cast<double>(v.overhead);
    r.vectors_pending = true;
    keep(r, c);
}

void forget_lines(Recorder& r) {
    if (r.lines_held) {
        __builtin_memset(r.line, 0, sizeof r.line);
        r.lines_held = false;
    }
}

// A line of the scalar unit's cache: a miss takes what a copy's first byte takes.
double scalar_memory(Recorder& r, const Access& a) {
    const uint64_t number = (static_cast<uint64_t>(a.buffer) << 40 | a.first) / 64;
    uint32_t& tag = r.line[number % kLines];
    const auto mine = static_cast<uint32_t>(number / kLines + 1);
    const bool hit = tag == mine;
    tag = mine;
    r.lines_held = true;
    return rec->price.scalar_access + (hit ? 0 : rec->price.copy_in_latency);
}

void scalar(Recorder& r, const Event& e) {
    const Access* a = global(e);
    if (a != nullptr) {
        r.issue += scalar_memory(r, *a);
        if (a->write) {
            wrote_memory(r, *a, e.bytes, false);
        } else {
            read_memory(r, e, *a, e.bytes);
        }
        return;
    }
    if (!touches_ub(e)) {
        r.issue += e.bytes == 0 ? rec->price.scalar_register : rec->price.copy_in_latency;  // a register; the tiling data
        return;
    }
    if (r.vectors_pending) {  // the compiler makes it wait for what the vector unit was given
        Cost c = plain(Step::drain, e);
        c.pipe = static_cast<uint8_t>(Pipe::V);
        r.vectors_pending = false;
        keep(r, c);
    }
    r.issue += rec->price.scalar_access;
}

void cache(Recorder& r, const Event& e) {
    r.issue += rec->price.scalar_call + (e.a == 2 ? 0 : rec->price.copy_out_latency);
    if (e.a == 1) {
        forget_lines(r);
    }
}

void flag(Recorder& r, const Event& e, Step step) {
    Cost c = plain(step, e);
    c.event = static_cast<uint8_t>(e.a);
    c.id = static_cast<uint8_t>(e.b);
    keep(r, c);
}

void barrier(Recorder& r, const Event& e) {
    if (e.a != 0) {
        r.vectors_pending = false;
        keep(r, plain(Step::all, e));
    } else if (e.pipe == Pipe::V || e.pipe == Pipe::S) {  // waiting is part of every vector operation's overhead
        r.issue += rec->price.scalar_call;
    } else {
        keep(r, plain(Step::barrier, e));
    }
}

void meet(Recorder& r, const Event& e) {
    Cost c = plain(e.op == kOpSyncAll ? Step::arrive : Step::leave, e);
    c.bytes = e.b;
    c.pieces = e.a;
    keep(r, c);
}

void channel(Recorder& r, const Event& e) {
    const auto number = static_cast<uint8_t>(e.a % kPolls);
    Cost c = plain(e.op == kOpCrossSet ? Step::announce : Step::await, e);
    c.event = number;
    if (e.op == kOpCrossSet) {
        c.bytes = rec->announced[number]++;
    } else {
        c.bytes = rec->announced[number];
        c.pipe = static_cast<uint8_t>(Pipe::S);  // the wait holds the core's every pipe
    }
    keep(r, c);
}

void polled(Recorder& r, const Event& e) {
    follow_write(r, e, rec->written);
}

void awaited(Recorder& r, const Event& e) {
    Cost c = plain(Step::drain, e);
    c.pipe = static_cast<uint8_t>(e.a);
    keep(r, c);
}

void begin_block(Recorder& r, const Block& b) {
    forget_lines(r);
    r.followed = {};
    r.issue = 0;
    r.vectors_pending = false;
    r.scalar_blocks = b.scalar_blocks;
    r.block = b.index + (b.is_cube ? machine->cores[kVector].total : 0);
}

void follow(const Event& e) {
    const uint32_t core = core_of(*e.block);
    if (core >= kMaxTimed) {
        return;
    }
    Recorder& r = rec->core[core];
    switch (e.op) {
        case kOpScalar: return scalar(r, e);
        case kOpCopyIn: case kOpCopyOut: case kOpCopyInPad: case kOpCopyOutPad: case kOpFillGm: return copy(r, e);
        case kOpSetFlag: return flag(r, e, Step::set);
        case kOpWaitFlag: return flag(r, e, Step::wait);
        case kOpBarrier: return barrier(r, e);
        case kOpSyncAll: case kOpSyncAllDone: return meet(r, e);
        case kOpCrossSet: case kOpCrossWait: return channel(r, e);
        case kOpCache: return cache(r, e);
        case kOpPolled: return polled(r, e);
        case kOpAwaited: return awaited(r, e);
        case kOpBlockBegin: return begin_block(r, *e.block);
        case kOpBlockEnd: return keep(r, plain(Step::all, e));
        case kOpAllocTensor: case kOpEnQue: case kOpDeQue: case kOpFreeTensor: return;
        default: return vector(r, e);
    }
}

}  // namespace

void make_timing() {
    uint8_t* memory = hidden_memory(sizeof(Recording) + kArenaBytes);
    rec = reinterpret_cast<Recording*>(memory);
    rec->memory = memory + (sizeof(Recording) + 63) / 64 * 64;
    timing = &rec->timing;
    listen(follow);
}

void begin_timing() {
    rec->price = machine->plan.price;
    timing->price = &rec->price;
    timing->place = rec->place;
    timing->next = rec->memory;
    timing->end = rec->memory + kArenaBytes - 4096;
    rec->place[0] = {};
    timing->places = 1;
    timing->blocks = machine->total_blocks;
    timing->block = take<Operations>(*timing, timing->blocks);
}

void hint_l2(const void* p, bool on) {
    if (timing == nullptr) {
        return;
    }
    const GmBuffer* gm = nearest_buffer(p);
    if (gm == nullptr) {
        return;
    }
    const auto buffer = static_cast<uint16_t>(gm - machine->buffers);
    const auto bit = static_cast<uint8_t>(1u << (buffer % 8));
    rec->bypass[buffer / 8] = static_cast<uint8_t>(on ? rec->bypass[buffer / 8] & ~bit : rec->bypass[buffer / 8] | bit);
}

}  // namespace kb
