// The pipes of a core: what they do next, and when. See replay_model.h.
#include "replay_model.h"

namespace kb::model {

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

// ---- flags, meetings ------------------------------------------------------------------------------------------------

void set_flag(Core& core, const Cost& c, double time) {
    Flag& f = core.flag[c.event][c.id];
    if (f.count < kMaxSet) {
        f.set[f.count++] = time;
    }
}

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

void tell_followers(Model& m, const Core& core, uint32_t operation, bool by_copy, double time) {
    for (Followed* f = m.followed[core.block]; f != nullptr; f = f->next) {
        if (f->time < 0 && f->by_copy == by_copy && f->operation <= operation) {
            f->time = time;
            m.woken = true;
        }
    }
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

namespace {

void draw_arrow(Model& m, uint32_t core, int from, int to, const Cost& c, double set, double waited) {
    Replayed& out = *m.out;
    if (out.arrow_room > 0 && out.arrows < out.arrow_room && m.core[core].spans < m.span_quota) {
        out.arrow[out.arrows++] = {static_cast<uint16_t>(core), c.place, static_cast<uint8_t>(from), static_cast<uint8_t>(to),
                                   set, waited};
    }
}

// ---- pipes ----------------------------------------------------------------------------------------------------------

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

}  // namespace

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

}  // namespace kb::model
