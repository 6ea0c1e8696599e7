// See replay.h. Times are known ahead wherever nothing but a core's own operations decide them; only transfers, which share
// global memory, and meetings of cores are taken in the order of time.
#include "replay_model.h"

namespace kb {

using namespace model;

namespace {

// The operation that this one waits for, listed with its block.
bool list_followed(Model& m, Cost& c) {
    Followed*& list = m.followed[c.pieces];
    for (Followed* f = list; f != nullptr; f = f->next) {
        if (f->operation == c.bytes && f->by_copy == c.write) {
            c.first = reinterpret_cast<uint64_t>(f);
            return true;
        }
    }
    auto* f = take<Followed>(*m.timing, 1);
    if (f == nullptr) {
        return false;
    }
    *f = {c.bytes, c.write, -1, list};
    list = f;
    c.first = reinterpret_cast<uint64_t>(f);
    return true;
}

// Counts what is announced, and lists what is followed.
bool look_ahead(Model& m, uint32_t (&count)[kChannels]) {
    for (uint32_t i = 0; i < m.timing->blocks; ++i) {
        for (Chunk* chunk = m.timing->block[i].first; chunk != nullptr; chunk = chunk->next) {
            for (uint32_t n = 0; n < chunk->used; ++n) {
                Cost& c = chunk->cost[n];
                count[c.event % kChannels] += c.step == Step::announce;
                if (c.step == Step::follow && !list_followed(m, c)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool make_channels(Model& m) {
    uint32_t count[kChannels] = {};
    m.followed = take<Followed*>(*m.timing, m.timing->blocks);
    if (m.followed == nullptr || !look_ahead(m, count)) {
        return false;
    }
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
        out.stuck = out.stuck || k.busy;
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
    for (uint32_t i = 0; i < m->cores; ++i) {
        (void)start_block(*m, m->core[i]);
    }
    m->waiting_blocks = machine->total_blocks > m->cores;
    m->woken = true;
    wake_all(*m);
    while (step(*m)) {
    }
    sum_up(*m);
    return m->out;
}

}  // namespace kb
