// See replay.h. Times are known ahead wherever nothing but a core's own operations decide them; only transfers, which share
// global memory, and meetings of cores are taken in the order of time.
#include "replay.h"

#include "queues.h"

namespace kb {

namespace {

constexpr uint32_t kQueue = 32;  // room of a queue; how many may wait is a price, at most this
constexpr uint32_t kHeld = 16;   // flags that a transfer will set
constexpr uint32_t kMeetings = 64;
constexpr uint32_t kOwners = 8;  // numbers of transfers: so many for each core, one for each pipe
constexpr double kForever = 1e300;
constexpr int kS = static_cast<int>(Pipe::S), kV = static_cast<int>(Pipe::V);
constexpr int kMte2 = static_cast<int>(Pipe::MTE2), kMte3 = static_cast<int>(Pipe::MTE3);

struct Waiting {
    const Cost* cost;
    double issued;       // when the first of its operations was
    double issued_last;
    uint32_t done;       // of its operations
    uint32_t number;     // in the core's order
};

struct HeldFlag {
    const Cost* cost;
    double issued;
    uint32_t number;
};

// A pipe of a core. `gate`: nothing starts before, because of `cause`.
struct Pipeline {
    Waiting queue[kQueue];
    double started[kQueue];  // of the operations that have left the queue, by number
    uint64_t given;
    uint64_t taken;
    double gate;
    uint32_t cause;
    double ended;
    double last_start;
    bool flying;
    HeldFlag held[kHeld];
    uint32_t holds;
};

struct Flag {
    double set[kMaxSet];
    uint8_t count;
};

// Lines of global memory that a transfer touches: runs of `run` lines, `apart` bytes from one to the next, within [first, end).
struct Lines {
    uint16_t buffer;
    uint64_t first;
    uint64_t end;
    uint64_t run;    // bytes, whole lines
    uint64_t apart;  // 0: one run
};

// A transfer of a core's pipe, from the moment at which its first byte moves.
struct Transfer {
    const Cost* cost;
    uint32_t number;
    uint32_t done;    // operations before
    uint32_t times;   // operations in it
    double start;     // of the operation
    double begin;     // of its first byte
    Lines lines;
    double l2_bytes;
    double l2_limit;
    bool met;         // others touched its lines
};

struct Core {
    uint32_t block;     // that it works on
    bool busy;          // it has one
    bool cube;
    const Chunk* chunk;
    uint32_t index;     // in the chunk
    uint32_t number;    // of the block's operations issued
    uint32_t waiting;   // a bit for each pipe whose queue is not empty
    double time;        // of the scalar unit
    bool ended;         // and there is no further block
    Pipeline pipe[kPipes];
    Flag flag[kEvents][kEventIds];
    Transfer transfer[kPipes];
    uint32_t written;       // its last copy out that has ended, counted from 1
    double written_at;
    double blocking;  // of the vector operation that works now, or did last
    double blocking_until;
    double rest[kPipes];
    uint32_t spans;
};

struct Meeting {
    uint32_t number;  // + 1
    uint32_t arrived;
    uint32_t expected;
    double time;
};

struct Channel {
    double* at;  // of each announcement, in the order of the run
    uint32_t known;   // of them in a row
    uint32_t room;
};

struct Model {
    Timing* timing;
    Prices price;
    double memory_rate;  // bytes a cycle
    double now;
    Cache cache;
    Pool memory;
    Pool l2;
    uint16_t starting[2 * kMaxTimed];  // transfers that wait for their first byte's time
    uint32_t starts;
    Core* core;
    uint32_t cores;
    uint32_t next[kCoreKinds];  // block of each kind
    Meeting meeting[kMeetings];
    Channel channel[kChannels];
    bool woken;     // something that other cores may wait for has happened
    bool followed;  // some core has polled a word that another has written
    uint32_t span_quota;
    Replayed* out;
};

double later(double a, double b) {
    return a > b ? a : b;
}

double earlier(double a, double b) {
    return a < b ? a : b;
}

uint16_t owner_of(uint32_t core, int pipe) {
    return static_cast<uint16_t>(core * kOwners + static_cast<uint32_t>(pipe));
}

// ---- pictures -------------------------------------------------------------------------------------------------------

void draw(Model& m, uint32_t core, int pipe, const Cost& c, double start, double end, uint32_t count) {
    Replayed& out = *m.out;
    if (out.span_room == 0) {
        return;
    }
    if (m.core[core].spans >= m.span_quota || out.spans == out.span_room) {
        out.undrawn += count;
        return;
    }
    m.core[core].spans += 1;
    out.span[out.spans++] = {static_cast<uint16_t>(core), c.place, static_cast<uint8_t>(pipe), count, start, end - start};
}

void draw_arrow(Model& m, uint32_t core, int from, int to, const Cost& c, double set, double waited) {
    Replayed& out = *m.out;
    if (out.arrow_room > 0 && out.arrows < out.arrow_room && m.core[core].spans < m.span_quota) {
        out.arrow[out.arrows++] = {static_cast<uint16_t>(core), c.place, static_cast<uint8_t>(from), static_cast<uint8_t>(to),
                                   set, waited};
    }
}

// ---- flags, meetings ------------------------------------------------------------------------------------------------

void set_flag(Core& core, const Cost& c, double time) {
    Flag& f = core.flag[c.event][c.id];
    if (f.count < kMaxSet) {
        f.set[f.count++] = time;
    }
}

// False where nobody is known to set it yet.
bool take_flag(Core& core, const Cost& c, double& time) {
    Flag& f = core.flag[c.event][c.id];
    if (f.count == 0) {
        return false;
    }
    time = f.set[0];
    f.set[0] = f.set[1];
    f.count -= 1;
    return true;
}

void announce(Model& m, const Cost& c, double time) {
    Channel& ch = m.channel[c.event];
    if (c.bytes < ch.room) {
        ch.at[c.bytes] = time;
    }
    while (ch.known < ch.room && ch.at[ch.known] >= 0) {
        if (ch.known > 0) {
            ch.at[ch.known] = later(ch.at[ch.known], ch.at[ch.known - 1]);
        }
        ch.known += 1;
    }
    m.woken = true;
}

void arrive(Model& m, const Cost& c, double time) {
    Meeting& g = m.meeting[c.bytes % kMeetings];
    if (g.number != c.bytes + 1) {
        g = {c.bytes + 1, 0, c.pieces, 0};
    }
    g.arrived += 1;
    g.time = later(g.time, time);
    m.woken = true;
}

// ---- pipes ----------------------------------------------------------------------------------------------------------

PipeSums& sums(Model& m, uint32_t core, int pipe) {
    return m.out->pipe[core][pipe];
}

void note_wait(Model& m, uint32_t core, int pipe, double from, double to, uint32_t cause) {
    if (to > from) {
        sums(m, core, pipe).wait[cause] += to - from;
    }
}

void pop(Pipeline& p, double started) {
    p.started[p.taken % kQueue] = started;
    p.taken += 1;
}

void hold_gate(Pipeline& p, double time, uint32_t cause) {
    if (time > p.gate) {
        p.gate = time;
        p.cause = cause;
    }
}

// When the pipe may start what was issued at `issued`, and that it has waited for it.
double start_of(Model& m, uint32_t core, int pipe, double issued, double free) {
    Pipeline& p = m.core[core].pipe[pipe];
    const double gate = later(p.gate, free);
    const double start = later(issued, gate);
    const double since = p.ended;
    if (start > since) {
        const bool by_issue = issued >= gate || p.gate <= since;
        const double middle = by_issue ? since : later(since, earlier(p.gate, start));
        note_wait(m, core, pipe, since, middle, p.cause);
        note_wait(m, core, pipe, middle, start, kByIssue);
    }
    return start;
}

bool work(Model& m, uint32_t core, int pipe, Waiting& w) {
    Pipeline& p = m.core[core].pipe[pipe];
    const Cost& c = *w.cost;
    const double start = start_of(m, core, pipe, w.issued, p.ended);
    const double cycles = static_cast<double>(c.cycles) * c.count;
    const double end = later(start + cycles, w.issued_last + static_cast<double>(c.cycles));
    PipeSums& s = sums(m, core, pipe);
    s.busy += cycles;
    s.wait[kByIssue] += end - start - cycles;
    s.operations += c.count;
    s.bytes += static_cast<uint64_t>(c.bytes) * c.count;
    draw(m, core, pipe, c, start, end, c.count);
    if (c.blocking > 0) {
        m.core[core].blocking = static_cast<double>(c.blocking) * c.count;
        m.core[core].blocking_until = end;
    }
    p.ended = end;
    pop(p, start);
    return true;
}

// Operations that one transfer stands for: copies of a few bytes come in runs.
uint32_t times_of(const Cost& c, uint32_t done) {
    constexpr uint32_t kTogether = 16384, kMost = 64;
    const uint32_t left = c.count - done;
    const uint32_t n = c.bytes == 0 ? kMost : kTogether / c.bytes;
    const uint32_t some = n < 1 ? 1 : n > kMost ? kMost : n;
    return left < some ? left : some;
}

Lines lines_of(const Model& m, const Cost& c, uint32_t done, uint32_t times) {
    const auto line = static_cast<uint64_t>(m.price.line_bytes);
    const uint64_t first = c.first + static_cast<uint64_t>(c.stride * static_cast<int64_t>(done));
    const uint64_t last = c.first + static_cast<uint64_t>(c.stride * static_cast<int64_t>(done + times - 1));
    const uint64_t low = first < last ? first : last, high = first < last ? last : first;
    const uint64_t hull = (c.pieces == 0 ? 0 : (c.pieces - 1ull) * c.apart) + c.piece;
    const bool strided = c.pieces > 1 && c.apart > c.piece && times == 1;
    const uint64_t from = low / line * line;
    return {c.buffer, from, high + hull, strided ? (low % line + c.piece + line - 1) / line * line : high + hull - from,
            strided ? c.apart : 0};
}

// Whether two transfers touch a common line (where strides differ: whether they lie in one another).
bool meet(const Lines& a, const Lines& b) {
    if (a.buffer != b.buffer || a.first >= b.end || b.first >= a.end) {
        return false;
    }
    if (a.apart == 0 || a.apart != b.apart) {
        return true;
    }
    const uint64_t d = (a.first > b.first ? a.first - b.first : b.first - a.first) % a.apart;
    return d < (a.first > b.first ? b.run : a.run) || a.apart - d < (a.first > b.first ? a.run : b.run);
}

// The transfer is put on its way; its first byte moves when the latency is over and the transfer before has ended.
bool copy(Model& m, uint32_t core, int pipe, Waiting& w) {
    Core& k = m.core[core];
    Pipeline& p = k.pipe[pipe];
    if (p.flying) {
        return false;
    }
    const Cost& c = *w.cost;
    const uint32_t times = times_of(c, w.done);
    const double share = c.count > 1 ? static_cast<double>(w.done) / (c.count - 1) : 0;
    const double issued = w.issued + (w.issued_last - w.issued) * share;
    const double start = later(later(issued, p.gate), p.last_start);
    (void)start_of(m, core, pipe, issued, p.last_start);
    const double latency = c.write ? m.price.copy_out_latency : m.price.copy_in_latency;
    const double begin = later(later(start + latency, p.ended), m.now);
    k.transfer[pipe] = {&c, w.number, w.done, times, start, begin, lines_of(m, c, w.done, times), 0, 0, false};
    m.starting[m.starts++] = owner_of(core, pipe);
    p.flying = true;
    p.last_start = start + m.price.copy_interval * times;
    w.done += times;
    if (w.done >= c.count) {
        pop(p, start);
    }
    return true;
}

bool set(Model& m, uint32_t core, int pipe, Waiting& w) {
    Core& k = m.core[core];
    Pipeline& p = k.pipe[pipe];
    if (!p.flying) {
        const double time = later(later(p.ended, p.gate), w.issued);
        w.cost->step == Step::announce ? announce(m, *w.cost, time) : set_flag(k, *w.cost, time);
    } else if (p.holds < kHeld) {
        p.held[p.holds++] = {w.cost, w.issued, w.number};
    } else {
        return false;
    }
    pop(p, w.issued);
    return true;
}

bool wait(Model& m, uint32_t core, int pipe, Waiting& w) {
    Core& k = m.core[core];
    Pipeline& p = k.pipe[pipe];
    double set = 0;
    if (!take_flag(k, *w.cost, set)) {
        return false;
    }
    const int from = static_cast<int>(source_pipe(w.cost->event));
    hold_gate(p, set + m.price.flag_latency, static_cast<uint32_t>(from));
    draw_arrow(m, core, from, pipe, *w.cost, set, later(later(p.gate, w.issued), p.flying ? 0 : p.ended));
    pop(p, later(set, w.issued));
    return true;
}

bool barrier(Pipeline& p, const Waiting& w) {
    if (p.flying) {
        return false;
    }
    hold_gate(p, p.ended, kByBarrier);
    pop(p, w.issued);
    return true;
}

bool take_next(Model& m, uint32_t core, int pipe) {
    Pipeline& p = m.core[core].pipe[pipe];
    if (p.taken == p.given) {
        return false;
    }
    Waiting& w = p.queue[p.taken % kQueue];
    switch (w.cost->step) {
        case Step::work: return work(m, core, pipe, w);
        case Step::copy: return copy(m, core, pipe, w);
        case Step::set: case Step::announce: return set(m, core, pipe, w);
        case Step::wait: return wait(m, core, pipe, w);
        default: return barrier(p, w);
    }
}

// ---- the scalar unit ------------------------------------------------------------------------------------------------

bool drained(const Pipeline& p) {
    return p.taken == p.given && !p.flying;
}

bool all_drained(const Core& k) {
    for (const Pipeline& p : k.pipe) {
        if (!drained(p)) {
            return false;
        }
    }
    return true;
}

double all_ended(const Core& k) {
    double end = 0;
    for (const Pipeline& p : k.pipe) {
        end = later(end, p.ended);
    }
    return end;
}

// The scalar unit goes on at `time`, having waited for `cause` beyond its own work.
void go_on(Model& m, uint32_t core, double issue, double time, uint32_t cause) {
    Core& k = m.core[core];
    const double ready = k.time + issue;
    sums(m, core, kS).busy += issue;
    note_wait(m, core, kS, ready, time, cause);
    k.time = later(ready, time);
    k.pipe[kS].ended = k.time;
    k.number += 1;
    m.woken = m.woken || m.followed;
}

// Puts it into its pipe's queue, where there is room.
bool give(Model& m, uint32_t core, const Cost& c) {
    Core& k = m.core[core];
    Pipeline& p = k.pipe[c.pipe];
    const auto depth = static_cast<uint64_t>(earlier(m.price.queue_depth, kQueue));
    if (p.given - p.taken >= depth) {
        return false;
    }
    const double first = k.time + static_cast<double>(c.issue);
    const double room = p.given >= depth ? p.started[(p.given - depth) % kQueue] : 0;
    const double issued = later(first, room);
    const double rest = static_cast<double>(c.issue) * (c.count - 1);
    p.queue[p.given % kQueue] = {&c, issued, issued + rest, 0, k.number + 1};
    p.given += 1;
    k.waiting |= 1u << c.pipe;
    draw(m, core, kS, c, k.time, first + rest, c.count);
    go_on(m, core, static_cast<double>(c.issue) * c.count, issued + rest, kByQueue);
    sums(m, core, kS).operations += c.count;
    return true;
}

// What was folded into the operation before counts as that: so one less is enough.
bool follow(const Model& m, const Cost& c, double& time) {
    time = 0;
    for (uint32_t i = 0; i < m.cores; ++i) {
        const Core& other = m.core[i];
        if (other.busy && other.block == c.pieces) {
            time = c.write ? other.written_at : other.time;
            return (c.write ? other.written : other.number) + 1 >= c.bytes;
        }
    }
    return true;
}

bool meeting_over(const Model& m, const Cost& c, double& time) {
    const Meeting& g = m.meeting[c.bytes % kMeetings];
    time = g.time + m.price.sync_all;
    return g.number == c.bytes + 1 && g.arrived >= g.expected;
}

bool announced(const Model& m, const Cost& c, double& time) {
    const Channel& ch = m.channel[c.event];
    const uint32_t wanted = c.bytes < ch.room ? c.bytes : ch.room;
    time = wanted == 0 ? 0 : wanted <= ch.known ? ch.at[wanted - 1] : kForever;
    return wanted <= ch.known;
}

// What the scalar unit does itself: false where it must wait and does not know yet until when.
bool do_scalar(Model& m, uint32_t core, const Cost& c) {
    Core& k = m.core[core];
    double time = 0;
    uint32_t cause = kByBarrier;
    switch (c.step) {
        case Step::drain:
            if (!drained(k.pipe[c.pipe])) {
                return false;
            }
            time = k.pipe[c.pipe].ended;
            cause = c.pipe;
            break;
        case Step::set: set_flag(k, c, k.time + static_cast<double>(c.issue)); break;
        case Step::wait:
            if (!take_flag(k, c, time)) {
                return false;
            }
            time += m.price.flag_latency;
            cause = static_cast<uint32_t>(source_pipe(c.event));
            break;
        case Step::announce: announce(m, c, k.time + static_cast<double>(c.issue)); break;
        case Step::follow: case Step::leave: case Step::await: {
            const bool ready = c.step == Step::follow ? follow(m, c, time)
                               : c.step == Step::leave ? meeting_over(m, c, time) : announced(m, c, time);
            if (!ready) {
                return false;
            }
            cause = kBySync;
            break;
        }
        case Step::arrive:
            if (!all_drained(k)) {
                return false;
            }
            time = all_ended(k);
            arrive(m, c, later(time, k.time + static_cast<double>(c.issue)));
            break;
        default:
            if (!all_drained(k)) {
                return false;
            }
            time = all_ended(k);
            break;
    }
    go_on(m, core, static_cast<double>(c.issue), time, cause);
    return true;
}

bool is_scalar(const Cost& c) {
    switch (c.step) {
        case Step::work: case Step::copy: return false;
        case Step::set: case Step::wait: case Step::announce: case Step::barrier: return c.pipe == kS;
        default: return true;
    }
}

// A core takes the next block when it has ended one.
bool next_block(Model& m, Core& k) {
    if (k.ended || !all_drained(k)) {
        return false;
    }
    const uint32_t kind = k.cube ? kCube : kVector;
    m.woken = m.woken || k.busy;
    k.busy = m.next[kind] < machine->cores[kind].total;
    k.ended = !k.busy;
    if (k.ended) {
        return false;
    }
    k.block = m.next[kind]++ + (k.cube ? machine->cores[kVector].total : 0);
    k.chunk = m.timing->block[k.block].first;
    k.index = k.number = k.written = 0;
    __builtin_memset(k.flag, 0, sizeof k.flag);
    const float* rest = m.timing->block[k.block].rest;
    for (int p = 0; rest != nullptr && p < kPipes; ++p) {
        k.rest[p] += static_cast<double>(rest[p]);
    }
    return true;
}

bool issue_next(Model& m, uint32_t core) {
    Core& k = m.core[core];
    if (k.chunk != nullptr && k.index == k.chunk->used) {
        k.chunk = k.chunk->next;
        k.index = 0;
    }
    if (k.chunk == nullptr) {
        return next_block(m, k);
    }
    const Cost& c = k.chunk->cost[k.index];
    if (!(is_scalar(c) ? do_scalar(m, core, c) : give(m, core, c))) {
        return false;
    }
    k.index += 1;
    return true;
}

// As far as what is known by now reaches.
void run_core(Model& m, uint32_t core) {
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t left = m.core[core].waiting; left != 0; left &= left - 1) {
            const int pipe = __builtin_ctz(left);
            while (take_next(m, core, pipe)) {
                moved = true;
            }
            const Pipeline& p = m.core[core].pipe[pipe];
            m.core[core].waiting &= ~(static_cast<uint32_t>(p.taken == p.given) << pipe);
        }
        while (issue_next(m, core)) {
            moved = true;
        }
    }
}

// ---- transfers ------------------------------------------------------------------------------------------------------

// Requests for one line are served one by one: each transfer under way that touches the lines of this one, too, slows it
// down, and is slowed down (`more`), or no longer (where this one has ended). Returns how many there are.
uint32_t meet_others(Model& m, Pool& pool, uint32_t core, int pipe, double more) {
    const Lines& mine = m.core[core].transfer[pipe].lines;
    uint32_t others = 0;
    for (uint32_t i = 0; i < pool.count; ++i) {
        const uint32_t other = pool.owner[i] / kOwners;
        const int its = static_cast<int>(pool.owner[i] % kOwners);
        if (pool.owner[i] != kNobody && other != core && its == pipe && meet(m.core[other].transfer[its].lines, mine)) {
            pool.slowed[i] += more;
            pool.stale = true;
            m.core[other].transfer[its].met = true;
            others += 1;
        }
    }
    return others;
}

double each_slows(const Model& m) {
    return (m.price.same_address - 1) / later(m.price.chip_cores - 1, 1);
}

void enter(Model& m, Pool& pool, double work, double limit, uint32_t core, int pipe) {
    advance_to(pool, m.now);
    const double each = each_slows(m);
    const uint32_t others = meet_others(m, pool, core, pipe, each);
    add_flow(pool, m.now, work, limit, owner_of(core, pipe));
    pool.slowed[pool.count - 1] = 1 + each * others;
    Transfer& t = m.core[core].transfer[pipe];
    m.out->copies[t.cost->write ? 1 : 0].contended += others > 0 && !t.met ? t.times : 0;
    t.met = t.met || others > 0;
}

void note_copy(Model& m, uint32_t core, int pipe, const Transfer& t, const Need& need) {
    Replayed& out = *m.out;
    const Cost& c = *t.cost;
    CopySums& s = out.copies[c.write ? 1 : 0];
    constexpr uint32_t kSmall = 16384;  // below, the memory's bandwidth is not reached (page on copying large blocks)
    s.count += t.times;
    s.bytes += static_cast<uint64_t>(c.bytes) * t.times;
    s.pieces += static_cast<uint64_t>(c.pieces) * t.times;
    s.small += c.bytes < kSmall ? t.times : 0;
    s.unaligned += need.unaligned ? t.times : 0;
    s.bypassed += c.bypass && !c.write ? t.times : 0;
    out.memory_read += need.memory_read;
    out.memory_written += need.memory_written;
    out.hits += need.hits;
    out.cold += need.cold;
    PipeSums& p = sums(m, core, pipe);
    p.operations += t.times;
    p.bytes += static_cast<uint64_t>(c.bytes) * t.times;
}

void finish_transfer(Model& m, uint32_t core, int pipe);

void to_l2(Model& m, uint32_t core, int pipe) {
    const Transfer& t = m.core[core].transfer[pipe];
    if (t.l2_bytes > 0) {
        enter(m, m.l2, t.l2_bytes, t.l2_limit, core, pipe);
    } else {
        finish_transfer(m, core, pipe);
    }
}

// Lines that had to make room go to memory beside the copy, which waits for them only where too many are on their way.
bool write_back(Model& m, double work) {
    if (work <= 0 || m.memory.count + 2 * kMaxTimed + 1 > kMaxFlows) {
        return work <= 0;
    }
    add_flow(m.memory, m.now, work, m.memory_rate, kNobody);
    return true;
}

// Cycles for which a transfer that begins now is held up by bank conflicts of the vector unit: copies go round the groups of
// banks, a block a cycle, and a group with a conflict takes none (README of add_high_performance, case 6: without conflicts
// copies are faster, too).
double held_up(Model& m, Core& k) {
    const double left = k.blocking_until - m.now;
    const double cycles = left <= 0 ? 0 : earlier(left, k.blocking);
    k.blocking = 0;
    return cycles;
}

// The transfer's first byte moves. What must come from memory does so first, then what L2 has.
void begin_transfer(Model& m, uint32_t core, int pipe) {
    Core& k = m.core[core];
    Transfer& t = k.transfer[pipe];
    const Cost& c = *t.cost;
    Need need = look_up(m.cache, c, t.done, t.times, m.price);
    note_copy(m, core, pipe, t, need);
    if (!write_back(m, need.back_work)) {
        need.memory_work += need.back_work;
        need.memory_bytes += static_cast<double>(need.memory_written);
    }
    const double l2_rate = c.write ? m.price.core_bytes : m.price.core_l2_bytes;
    const double alone = need.memory_bytes / m.price.core_bytes + need.l2_bytes / l2_rate;
    const double paced = m.price.copy_interval * (t.times - 1) + alone / t.times;
    const double slower = paced > alone ? alone / paced : 1;
    const double stalled = held_up(m, k);
    t.l2_bytes = need.l2_bytes;
    t.l2_limit = l2_rate * slower;
    if (need.memory_work > 0 && need.memory_bytes > 0) {
        const double limit = need.memory_work / (need.memory_bytes / m.price.core_bytes) * slower;
        enter(m, m.memory, need.memory_work + stalled * next_share(m.memory, limit), limit, core, pipe);
    } else {
        t.l2_bytes += t.l2_bytes > 0 ? stalled * next_share(m.l2, t.l2_limit) : 0;
        to_l2(m, core, pipe);
    }
}

void finish_transfer(Model& m, uint32_t core, int pipe) {
    Core& k = m.core[core];
    Pipeline& p = k.pipe[pipe];
    const Transfer& t = k.transfer[pipe];
    const double from = later(p.ended, t.start);
    sums(m, core, pipe).busy += later(m.now - from, 0);
    draw(m, core, pipe, *t.cost, from, m.now, t.times);
    p.ended = later(p.ended, m.now);
    p.flying = false;
    for (uint32_t i = 0; i < p.holds; ++i) {
        const HeldFlag& h = p.held[i];
        const double time = later(p.ended, h.issued);
        h.cost->step == Step::announce ? announce(m, *h.cost, time) : set_flag(k, *h.cost, time);
    }
    p.holds = 0;
    if (t.cost->write) {
        k.written = t.number;
        k.written_at = p.ended;
        m.woken = m.woken || m.followed;
    }
}

// Which of those that wait for their first byte's time comes next, the lowest number first; the time, or infinity.
double next_begin(const Model& m, uint32_t& which) {
    double time = kForever;
    for (uint32_t i = 0; i < m.starts; ++i) {
        const uint16_t owner = m.starting[i];
        const double begin = m.core[owner / kOwners].transfer[owner % kOwners].begin;
        if (begin < time || (begin == time && owner < m.starting[which])) {
            time = begin;
            which = i;
        }
    }
    return time;
}

void wake_all(Model& m) {
    while (m.woken) {
        m.woken = false;
        for (uint32_t i = 0; i < m.cores; ++i) {
            run_core(m, i);
        }
    }
}

void end_flow(Model& m, Pool& pool, bool of_memory) {
    const int owner = take_ended(pool, m.now);
    if (owner < 0 || owner == kNobody) {
        return;
    }
    const auto core = static_cast<uint32_t>(owner) / kOwners;
    const int pipe = static_cast<int>(static_cast<uint32_t>(owner) % kOwners);
    if (m.core[core].transfer[pipe].met) {
        (void)meet_others(m, pool, core, pipe, -each_slows(m));
    }
    if (of_memory) {
        to_l2(m, core, pipe);
    } else {
        finish_transfer(m, core, pipe);
    }
    run_core(m, core);
}

// The next thing that happens in global memory; false where nothing does.
bool step(Model& m) {
    uint32_t which = 0;
    const double begins = next_begin(m, which);
    const double memory = next_end(m.memory), l2 = next_end(m.l2);
    const double at = earlier(begins, earlier(memory, l2));
    if (at >= kForever) {
        return false;
    }
    m.now = later(m.now, at);
    if (begins <= earlier(memory, l2)) {
        const uint16_t owner = m.starting[which];
        m.starting[which] = m.starting[--m.starts];
        begin_transfer(m, owner / kOwners, owner % kOwners);
        run_core(m, owner / kOwners);
    } else if (memory <= l2) {
        end_flow(m, m.memory, true);
    } else {
        end_flow(m, m.l2, false);
    }
    wake_all(m);
    return true;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

void count_announcements(Model& m, uint32_t (&count)[kChannels]) {
    for (uint32_t i = 0; i < m.timing->blocks; ++i) {
        for (const Chunk* c = m.timing->block[i].first; c != nullptr; c = c->next) {
            for (uint32_t n = 0; n < c->used; ++n) {
                count[c->cost[n].event % kChannels] += c->cost[n].step == Step::announce;
                m.followed = m.followed || c->cost[n].step == Step::follow;
            }
        }
    }
}

bool make_channels(Model& m) {
    uint32_t count[kChannels] = {};
    count_announcements(m, count);
    for (uint32_t i = 0; i < kChannels; ++i) {
        m.channel[i] = {take<double>(*m.timing, count[i] + 1), 0, count[i]};
        if (m.channel[i].at == nullptr) {
            return false;
        }
        for (uint32_t n = 0; n <= count[i]; ++n) {
            m.channel[i].at[n] = -1;
        }
    }
    return true;
}

Model* make_model(Timing& t, uint32_t spans) {
    auto* m = take<Model>(t, 1);
    auto* out = take<Replayed>(t, 1);
    auto* cores = take<Core>(t, machine->slots);
    if (m == nullptr || out == nullptr || cores == nullptr) {
        return nullptr;
    }
    m->timing = &t;
    m->price = *t.price;
    m->core = cores;
    m->cores = machine->slots;
    m->out = out;
    m->memory_rate = m->price.memory_gbps * 1000 / m->price.clock_mhz;
    m->memory.capacity = m->memory_rate;
    m->l2.capacity = m->price.l2_gbps * 1000 / m->price.clock_mhz;
    out->cores = m->cores;
    out->span_room = spans;
    out->arrow_room = spans / 2;
    out->span = take<Span>(t, spans + 1);
    out->arrow = take<Arrow>(t, spans / 2 + 1);
    m->span_quota = m->cores == 0 ? 0 : spans / m->cores;
    for (uint32_t i = 0; i < m->cores; ++i) {
        cores[i].cube = i >= machine->cores[kVector].slots;
    }
    return out->span != nullptr && out->arrow != nullptr && make_cache(m->cache, t) && make_channels(*m) ? m : nullptr;
}

void sum_up(Model& m) {
    Replayed& out = *m.out;
    for (uint32_t i = 0; i < m.cores; ++i) {
        const Core& k = m.core[i];
        double end = later(k.time, all_ended(k));
        double rest = 0;
        for (int p = 0; p < kPipes; ++p) {  // operations that there was no room for: as if nothing delayed them
            const double own = k.rest[p];
            rest = later(rest, own);
            out.pipe[i][p].busy += own;
        }
        end += rest;
        out.stuck = out.stuck || !k.ended;
        for (int p = 0; p < kPipes; ++p) {
            out.pipe[i][p].ended = k.pipe[p].ended;
        }
        out.core_cycles[i] = end;
        if (end > out.cycles) {
            out.cycles = end;
            out.slowest = i;
        }
    }
}

}  // namespace

Replayed* replay(Timing& timing, uint32_t spans) {
    Model* m = make_model(timing, spans);
    if (m == nullptr) {
        return nullptr;
    }
    m->woken = true;
    wake_all(*m);
    while (step(*m)) {
    }
    sum_up(*m);
    return m->out;
}

}  // namespace kb
