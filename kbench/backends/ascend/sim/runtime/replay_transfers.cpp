// Copies on their way through L2 and memory, in the order of time. See replay_model.h.
#include "replay_model.h"

namespace kb::model {

namespace {

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
        tell_followers(m, k, t.number, true, p.ended);
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

}  // namespace

// A core that has ended its blocks by then takes the next one, the first to end first.
bool next_block(Model& m, double by) {
    Core* first = nullptr;
    for (uint32_t i = 0; i < m.cores; ++i) {
        Core& k = m.core[i];
        const CoreKind kind = k.cube ? kCube : kVector;
        if (!k.busy && m.next[kind] < machine->cores[kind].total && k.time <= by && (first == nullptr || k.time < first->time)) {
            first = &k;
        }
    }
    if (first == nullptr || !start_block(m, *first)) {
        return false;
    }
    run_core(m, static_cast<uint32_t>(first - m.core));
    wake_all(m);
    return true;
}

void wake_all(Model& m) {
    while (m.woken) {
        m.woken = false;
        for (uint32_t i = 0; i < m.cores; ++i) {
            run_core(m, i);
        }
    }
}

bool step(Model& m) {
    uint32_t which = 0;
    const double begins = next_begin(m, which);
    const double memory = next_end(m.memory), l2 = next_end(m.l2);
    const double at = earlier(begins, earlier(memory, l2));
    if (m.waiting_blocks && next_block(m, at)) {
        return true;
    }
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

}  // namespace kb::model
