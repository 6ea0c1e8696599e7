// The scalar unit of a core: it issues operations in order, and does or waits for what is its own. See replay_model.h.
#include "replay_model.h"

namespace kb::model {

namespace {

// The scalar unit goes on at `time`, having waited for `cause` beyond its own work.
void go_on(Model& m, uint32_t core, double issue, double time, uint32_t cause) {
    Core& k = m.core[core];
    const double ready = k.time + issue;
    sums(m, core, kS).busy += issue;
    note_wait(m, core, kS, ready, time, cause);
    k.time = later(ready, time);
    k.pipe[kS].ended = k.time;
    k.number += 1;
    tell_followers(m, k, k.number + 1, false, k.time);
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

bool follow(const Cost& c, double& time) {
    time = reinterpret_cast<const Followed*>(c.first)->time;  // replay.cpp has put it there
    return time >= 0;
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
            const bool ready = c.step == Step::follow ? follow(c, time)
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

// A block has ended, where nothing of it is left to wait for.
void end_block(Model& m, Core& k) {
    if (k.busy && all_drained(k)) {
        tell_followers(m, k, ~0u, false, k.time);
        tell_followers(m, k, ~0u, true, all_ended(k));
        k.busy = false;
    }
}

bool issue_next(Model& m, uint32_t core) {
    Core& k = m.core[core];
    if (k.chunk != nullptr && k.index == k.chunk->used) {
        k.chunk = k.chunk->next;
        k.index = 0;
    }
    if (k.chunk == nullptr) {
        end_block(m, k);
        return false;
    }
    const Cost& c = k.chunk->cost[k.index];
    if (!(is_scalar(c) ? do_scalar(m, core, c) : give(m, core, c))) {
        return false;
    }
    k.index += 1;
    return true;
}

}  // namespace

bool start_block(Model& m, Core& k) {
    const CoreKind kind = k.cube ? kCube : kVector;
    if (k.busy || m.next[kind] == machine->cores[kind].total) {
        return false;
    }
    k.busy = true;
    k.block = m.next[kind]++ + (k.cube ? machine->cores[kVector].total : 0);
    k.chunk = m.timing->block[k.block].first;
    k.index = k.number = 0;
    __builtin_memset(k.flag, 0, sizeof k.flag);
    const float* rest = m.timing->block[k.block].rest;
    for (int p = 0; rest != nullptr && p < kPipes; ++p) {
        k.rest[p] += static_cast<double>(rest[p]);
    }
    return true;
}

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

}  // namespace kb::model
